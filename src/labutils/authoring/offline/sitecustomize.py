"""A folder for PYTHONPATH: Python, and every Python that it starts, then reaches no other machine.

The book is built so. A cell that asks for the network fails there, on the machine that has one as on the one that has
none. An audit hook cannot be taken away again by what runs later.
"""

import ipaddress
import socket
import sys

ASKS = {"socket.connect": 1, "socket.sendto": 1, "socket.getaddrinfo": 0, "socket.gethostbyname": 0}
OWN = {None, "", "localhost", socket.gethostname()}


def is_own(host: object) -> bool:
    """Whether a name or an address is of this machine."""
    host = host.decode() if isinstance(host, bytes) else host
    if host in OWN:
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def refuse(event: str, found: tuple) -> None:
    if event not in ASKS:
        return
    where = found[ASKS[event]]
    if event in ("socket.connect", "socket.sendto"):
        if not isinstance(where, tuple):
            return  # a path: it stays on this machine
        where = where[0]
    if not is_own(where):
        raise OSError(f"The book is built without a network, and something asked for {where!r}.")


if __name__ == "sitecustomize":  # as Python imports it at its start, not as a test reads it
    sys.addaudithook(refuse)
