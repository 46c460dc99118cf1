"""Shut a server down without breaking connections.

A client whose handshake is done waits in the listener's queue, and is reset when that closes. So
the kernel is first made to ignore new connections: those clients try again within a second and are
then refused, so that a load balancer uses another host. In the meantime the clients in the queue
are accepted.
"""

import ctypes
import os
import select
import socket
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

HANDSHAKE_SECONDS = 0.5  # seconds for the handshakes that are under way
ATTACH_FILTER = 26  # SO_ATTACH_FILTER of socket(7)
# classic BPF (struct sock_filter: code, jump if true, jump if false, operand), over the TCP header
IGNORE_NEW = (
    (0x30, 0, 0, 13),  # load the byte of flags
    (0x45, 0, 1, 0x02),  # is SYN among them?
    (0x06, 0, 0, 0),  # yes: drop it
    (0x06, 0, 0, 0xFFFF_FFFF),  # no: pass it whole
)


def is_held_by_process(process: int, listener: socket.socket) -> bool:
    """Tell whether a process has that listener too; True if that cannot be determined."""
    try:
        return _holds_socket(Path(f"/proc/{process}"), listener)
    except OSError:
        # without /proc nothing is known of the others: behave as if they go on accepting
        return True


def is_listener_shared(listener: socket.socket, *, server: int) -> bool:
    """Tell whether a listener outlives this server because another one uses it, or will.

    The other user is a new server that was started beside this one to take its place, the one
    before it, or the system, which opened it. The kernel would ignore their clients as well.
    """
    # environment variables that gunicorn sets for the server that follows it
    own = f"GUNICORN_PID={server}".encode()
    if any(variable.startswith(b"LISTEN_FDS=") for variable in _read_environment(server)):
        return True
    for path in Path("/proc").iterdir():
        number = int(path.name) if path.name.isdecimal() else 0
        if number in (0, os.getpid()) or not _is_known_to_hold(path, listener):
            continue
        if _read_parent_pid(path) != server or own in _read_environment(number):
            return True
    return False


def ignore_new_connections(listener: socket.socket) -> bool:
    """Make the kernel drop the first packet of every new connection; False if it cannot.

    This applies to all processes that share the listener, and cannot be undone.
    """
    if sys.platform != "linux":
        return False
    # struct sock_filter: u16 code, u8 jt, u8 jf, u32 k, in native byte order
    code = b"".join(struct.pack("HBBI", *step) for step in IGNORE_NEW)
    instructions = ctypes.create_string_buffer(code)  # the kernel copies it before the call returns
    # struct sock_fprog: u16 count, then a pointer; native alignment pads between them
    program = struct.pack("HL", len(IGNORE_NEW), ctypes.addressof(instructions))
    try:
        listener.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, program)
    except OSError:
        return False
    return True


def has_waiting_clients(listeners: Iterable[socket.socket]) -> bool:
    """Tell whether a client waits to be accepted."""
    poll = select.poll()
    for listener in listeners:
        poll.register(listener, select.POLLIN)
    return bool(poll.poll(0))


def _holds_socket(process: Path, listener: socket.socket) -> bool:
    inode = f"socket:[{os.fstat(listener.fileno()).st_ino}]"
    return any(_read_link(path) == inode for path in (process / "fd").iterdir())


def _is_known_to_hold(process: Path, listener: socket.socket) -> bool:
    try:
        return _holds_socket(process, listener)
    except OSError:  # it has ended, or belongs to another user, who was given no listener of ours
        return False


def _read_parent_pid(process: Path) -> int:
    """Return the number of a process's parent, 0 if it has ended."""
    try:
        # proc(5): the name in brackets may itself contain
        # brackets and spaces; state, then parent follow
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _read_environment(process: int) -> list[bytes]:
    """Return the environment that a program was started with, as `NAME=value`."""
    try:
        return Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _read_link(handle: Path) -> str:
    try:
        return str(handle.readlink())
    except OSError:  # already closed
        return ""
