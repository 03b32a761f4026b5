"""Import this wherever nbclient runs a notebook: without it a run can wait for ever (jupyter/nbclient#312).

Cause: an Output widget makes nbclient send on the shell socket from one task while another waits on it; the
send uses a plain view of the asyncio socket and takes its (edge-triggered) wake-up. Cure: look again twice a second.
"""

from queue import Empty
from time import monotonic

from jupyter_client import channels

_wait_once = channels.AsyncZMQSocketChannel.get_msg


async def get_msg(self, timeout: float | None = None) -> dict:
    """The next message; raises `queue.Empty` after `timeout` seconds, waits for ever on None."""
    deadline = None if timeout is None else monotonic() + timeout
    while True:
        slice_ = 0.5 if deadline is None else min(0.5, max(0.0, deadline - monotonic()))
        try:
            return await _wait_once(self, slice_)
        except Empty:
            if deadline is not None and monotonic() >= deadline:
                raise


channels.AsyncZMQSocketChannel.get_msg = get_msg
