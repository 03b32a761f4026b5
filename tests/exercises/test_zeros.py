"""A check that names a mistake does not name one to an answer that gives zeros, whatever it is asked."""

import pytest
import torch

from labutils.exercises.ch03 import closest
from labutils.exercises.ch04 import attention
from labutils.exercises.ch07 import pool
from labutils.exercises.checking import NotYet

ZEROS = {
    closest.check_closest: (closest, lambda A, r: torch.zeros_like(A)),
    attention.check_attend: (attention, lambda q, k, v, hidden: torch.zeros(*q.shape[:2], v.shape[2] * v.shape[3])),
    pool.check_pool: (pool, lambda states, mask: torch.zeros_like(states[:, 0])),
}


@pytest.mark.parametrize("check", ZEROS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("seed", range(5))
def test_zeros_are_no_mistake_that_has_a_name(check, seed, capsys):
    of, zeros = ZEROS[check]
    with pytest.raises(NotYet, match="✗") as said:
        check(zeros, seed=seed)
    assert not [row[1] for row in of.MISTAKES if row[1] in str(said.value)]
