"""The checkers of the exercises: one file an exercise, named after what the reader writes.

A checker takes what the reader has written, tries its properties one by one on fresh inputs, prints those that hold
and stops at the first that does not, with one sentence. `checking.py` holds what they share.
"""
