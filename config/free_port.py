"""Whether a port is free, and which process holds it."""

import contextlib
import errno
import os
import socket
import sys
import time
from pathlib import Path

# TCP_LISTEN in the column `st` of /proc/net/tcp (proc(5))
LISTENING = "0A"
PROC = Path("/proc")
# how long a port may stay held that no living process listens on
PASSING_SECONDS = 10.0


class PortTaken(Exception):
    """The port is taken; the text says by whom and what to do."""


def require_free_port(host: str, port: int) -> None:
    """Raise PortTaken unless a server may listen there; waits while it is held in passing."""
    deadline = time.monotonic() + PASSING_SECONDS
    while not can_bind_port(host, port):
        who = find_port_holder(port)
        # Nobody listens, but the port is held for a moment: by a connection that goes out from it,
        # by one of a server that has just been ended, or by that server itself, which loses its
        # memory, and with it the mark of its start, before its sockets.
        if who or time.monotonic() >= deadline:
            raise PortTaken(port_taken_message(port, who or "another process"))
        time.sleep(0.2)


def can_bind_port(host: str, port: int) -> bool:
    """Tell whether a server may listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # as servers set it: closed connections in TIME_WAIT do not hold the port
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            # any other fault of the address is reported by the web workers when they bind it
            return error.errno != errno.EADDRINUSE
    return True


def _listening_sockets(port: int) -> set[str]:
    """Return the sockets that listen on a port, as the links of processes' handles name them."""
    inodes = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in (PROC / "net" / table).read_text().splitlines()[1:]:
                part = line.split()
                # columns: 1 local address and port in hexadecimal, 3 state, 9 inode
                if part[3] == LISTENING and int(part[1].rpartition(":")[2], 16) == port:
                    inodes.add(f"socket:[{part[9]}]")
    return inodes


def find_port_holder(port: int) -> str:
    """Return which living process listens on a port, as far as this user may see, or nothing."""
    inodes = _listening_sockets(port)
    for process in list_other_processes():
        with contextlib.suppress(OSError):
            handles = (process / "fd").iterdir()
            listens = any(str(handle.readlink()) in inodes for handle in handles)
            if listens and (command := read_command_line(process)):
                return f"process {process.name} ({command})"
    return ""


def read_port() -> int:
    """Return the port that web workers are to listen on; the process ends when it is none."""
    text = os.environ.get("PORT", "").strip() or "8000"
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        print(f"PORT is {text!r}; set it to a whole number from 1.", file=sys.stderr)
        sys.exit(2)
    return int(text)


def port_taken_message(port: int, who: str) -> str:
    return f"Port {port} is in use by {who}. Stop it, or set PORT to another one."


def list_other_processes() -> list[Path]:
    if not PROC.is_dir():
        return []
    own = str(os.getpid())
    return [path for path in PROC.iterdir() if path.name.isdigit() and path.name != own]


def read_command_line(process: Path) -> str:
    words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
    return " ".join(words[:4]).strip()[:80]
