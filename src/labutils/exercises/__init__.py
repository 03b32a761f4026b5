"""The checkers of the exercises: one file an exercise, named after what the reader writes.

A checker takes what the reader has written, tries its properties one by one on fresh inputs, prints those that hold
and stops at the first that does not, with one sentence. What they share:

    checking.py   trying properties, calling the reader's function, naming the mistake that gives a wrong value
    drawing.py    random inputs from one seed, so that a run can be repeated
    fair.py       answers that mean the same: a list for a tuple, an array for a tensor
    forbidden.py  what ran, and refusing what the card does without
    showing.py    values in sentences

What would make a checker too long stands beside it: `black_boxes.py`, `fresh_stories.py`, `attending_mistakes.py` and
`two_parts_mistakes.py`.
"""
