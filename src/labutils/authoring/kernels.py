"""Kernels that are talked to over files: a port that was free can be another program's before a kernel has bound it."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from jupyter_client.manager import AsyncKernelManager, KernelManager
from traitlets import HasTraits, default


class _OverFiles(HasTraits):
    """Its kernel listens at Unix sockets in a folder of its own; on Windows, which has none here, at ports."""

    @default("transport")
    def _over_files(self) -> str:
        return "ipc" if os.name == "posix" else "tcp"

    @default("ip")
    def _in_a_folder(self) -> str:
        if self.transport == "tcp":
            return super()._ip_default()
        self._sockets = TemporaryDirectory(prefix="itt-", ignore_cleanup_errors=True)  # gone with the manager
        return str(Path(self._sockets.name, "kernel"))


class OverFiles(_OverFiles, KernelManager):
    """A kernel that blocks its caller."""


class AsyncOverFiles(_OverFiles, AsyncKernelManager):
    """A kernel to be waited for, as nbclient wants it."""
