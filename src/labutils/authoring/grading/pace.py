"""How far grading is, and how long it takes: said of each student, and of the class when it has ended."""


def left(graded: int, waiting: int, seconds: float, jobs: int) -> str:
    """The time that is left, in words; empty while it cannot be known, which is until as many students are graded as
    are at once: one by itself also waited for all that is loaded first. Nothing is said where nobody is left.

    Args:
        graded: students of this run, who took so many seconds all together.
        waiting: those who are not graded yet.
        jobs: how many are graded at once.

    >>> left(10, 190, 20, jobs=2), left(10, 20, 20, jobs=2), left(1, 199, 9, jobs=2), left(200, 0, 400, jobs=2)
    (', about 6 minutes left if none hangs', ', about 40 seconds left if none hangs', '', '')
    """
    if graded < max(2, jobs) or not waiting:
        return ""
    return f", about {duration(seconds / graded * waiting)} left if none hangs"


def duration(seconds: float) -> str:
    """A time in the unit in which people would say it.

    >>> duration(1), duration(89), duration(352), duration(6000)
    ('1 second', '89 seconds', '6 minutes', '1.7 hours')
    """
    if seconds < 90:
        number, unit = f"{max(1, seconds):.0f}", "second"
    elif seconds < 5400:
        number, unit = f"{seconds / 60:.0f}", "minute"
    else:
        number, unit = f"{seconds / 3600:.1f}", "hour"
    return f"{number} {unit}{'' if number == '1' else 's'}"


def of_all(class_: int, submissions: int, seconds: float) -> str:
    """What a run has taken.

    Args:
        class_: how many students there are.
        submissions: how many were graded; of several assignments a student has as many.
        seconds: of the whole run.

    >>> of_all(200, 190, 352), of_all(1, 0, 0.1)
    ('200 students, 190 submissions in 6 minutes, 1.9 seconds a submission', '1 student, nothing to grade')
    """
    who = f"{class_} student{'' if class_ == 1 else 's'}"
    if not submissions:
        return f"{who}, nothing to grade"
    what = f"{submissions} submission{'' if submissions == 1 else 's'}"
    return f"{who}, {what} in {duration(seconds)}, {seconds / submissions:.1f} seconds a submission"
