"""In the server that forks the processes of answers: nothing that an answer started outlives it.

It is loaded there and nowhere else. The server adopts what answers leave behind and ends it when it ends itself, which
is when the grader has ended, however that happened.
"""

import atexit
import os
import warnings

import psutil

from labutils.authoring.grading.limits import adopt, end_children

SERVER = os.getpid()


def _end_all() -> None:
    if os.getpid() == SERVER:  # and not a copy of it
        end_children(psutil.Process())


adopt()
atexit.register(_end_all)
warnings.filterwarnings("ignore", message="forkserver: waitpid returned unexpected pid")  # of those it has adopted
