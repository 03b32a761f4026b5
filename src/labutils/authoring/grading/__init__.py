"""Grading what students hand in: `python -m labutils.authoring.grading`, or `make grade`.

    assignment.py   what is graded with: the cells and the tests of each exercise, as the instructor has them
    handed_in.py    what a student wrote, out of a notebook that was handed in
    placing.py      which file is which assignment
    trial.py        one exercise tried, in a process of its own
    originals.py    what tests compare with, put back if a student's code has replaced it
    judging.py      whether it still tells right from wrong
    messages.py     what goes into its process and what comes back
    processes.py    trials in fresh processes, which may hang, end, or make others
    limits.py       what these may use of the machine
    to_read.py       what the instructor has to read, and why
    accepted.py      what the instructor has read
    marks.py        what a student gets: a row in grades.csv, a line on the screen, feedback
    unseen.py       what students are told has nothing of hidden tests
    others.py       nor of what others have handed in
    kept.py         what answers must not change: put back, and named
    snapshot.py     what was handed in, as it was before the first answer ran
    submitted.py    put back, and named, where an answer has changed it
    reading.py      what an answer opens that is not its own, and the programs that it starts
    culprits.py     whose answer has changed what is not its own
    course.py       all of this for a class
    one_run.py      one run at a time on a class

A student's cells run above the instructor's copies of everything else. So it does not matter what became of a check
in the student's notebook: the one in course/source/ is run.
"""
