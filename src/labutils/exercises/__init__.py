"""The checkers of the exercises: a folder a chapter, and in it one file an exercise, named after its id.

Exercise 5.4 has the id `05-silent`, so its checker is `ch05/silent.py`.

A checker takes what the reader has written, tries its properties one by one on fresh inputs, prints those that hold
and stops at the first that does not, with one sentence. What they share stands here:

    checking.py   trying properties, calling the reader's function, naming the mistake that gives a wrong value
    returned.py   what came back, without classes that would decide how it is compared
    mistakes.py   the table of mistakes: what each is told, and the code that makes it of the right answer
    drawing.py    random inputs from one seed, so that a run can be repeated
    fair.py       answers that mean the same: a list for a tuple, an array for a tensor
    forbidden.py  what ran, and refusing what the card does without
    showing.py    values in sentences
"""
