"""End processes that an earlier start left behind.

Each start keeps a locked file in VAR_DIR/starts and marks its processes in their environment. A
file whose lock is free belongs to a supervisor that died: processes that still have its mark are
ended. `python -m config.start_guard` does that before `./run` touches the database.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from config.free_port import (
    PortTaken,
    list_other_processes,
    port_taken_message,
    read_port,
    require_free_port,
)

MARK = "ORACLE_START"
# between SIGTERM and SIGKILL
GRACE_SECONDS = 5.0
SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def var_dir() -> Path:
    """Return the writable folder, as the settings read it."""
    default = Path(__file__).resolve().parent.parent / "var"
    return Path(os.environ.get("VAR_DIR", "").strip() or default)


def die_with_parent(parent: int) -> Callable[[], None]:
    """Return a function for a child to run first, which signals it when `parent` dies.

    Only Linux can do this; elsewhere the next start ends what is left behind.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def set_death_signal() -> None:
        if libc is not None:
            libc.prctl(SET_DEATH_SIGNAL, signal.SIGTERM)
            # the parent died between the fork and prctl: its signal will never come
            if os.getppid() != parent:
                os._exit(1)

    return set_death_signal


@contextlib.contextmanager
def record_start(folder: Path, *, port: int | None) -> Iterator[str]:
    """Keep the record of this start while it runs; yields the mark of its processes."""
    folder.mkdir(parents=True, exist_ok=True)
    mark = secrets.token_hex(16)
    unlisted, path = folder / f".{mark}", folder / f"{mark}.json"
    with unlisted.open("w") as record:
        fcntl.flock(record, fcntl.LOCK_EX)
        json.dump({"pid": os.getpid(), "port": port, "file": file_identity(record)}, record)
        record.flush()
        # only now does a concurrent start see the file: without its lock, it would end this start
        unlisted.rename(path)
        yield mark
        path.unlink(missing_ok=True)


def end_stale_processes(folder: Path, *, port: int | None) -> int:
    """End what dead starts left behind; return how many processes that were.

    Raises PortTaken when a living one of this folder has the port.
    """
    ended = 0
    for path in sorted(folder.glob("*.json")):
        with contextlib.suppress(FileNotFoundError), path.open() as record:
            try:
                fcntl.flock(record, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # its start is alive
                _refuse_same_port(record.read(), port)
                continue
            # a copy of VAR_DIR has a file without a lock, while the original's start may be alive
            if _is_original(record):
                ended += _end_marked_processes(path.stem)
            path.unlink(missing_ok=True)
    return ended


def file_identity(record: TextIO) -> list[int]:
    """Return what distinguishes a file from its copies: its file system and its inode there."""
    status = os.fstat(record.fileno())
    return [status.st_dev, status.st_ino]


def _is_original(record: TextIO) -> bool:
    try:
        return bool(json.load(record)["file"] == file_identity(record))
    except (ValueError, LookupError, TypeError):
        return False


def _refuse_same_port(record: str, port: int | None) -> None:
    with contextlib.suppress(ValueError):
        other_process = json.loads(record)
        if port is not None and other_process["port"] == port:
            raise PortTaken(
                port_taken_message(
                    port, f"process {other_process['pid']}, which runs this platform already"
                )
            )


def _end_marked_processes(mark: str) -> int:
    """End the processes that have a mark, by SIGTERM and then SIGKILL; return how many."""
    first = _list_marked_processes(mark)
    deadline = time.monotonic() + GRACE_SECONDS
    while marked_processes := _list_marked_processes(mark):
        late = time.monotonic() >= deadline
        for pid in marked_processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
        time.sleep(0.2)
    return len(first)


def _list_marked_processes(mark: str) -> list[int]:
    mark_entry = f"{MARK}={mark}".encode()
    marked = []
    for process in list_other_processes():
        # a process may end while it is read, and others' processes cannot be read
        with contextlib.suppress(OSError):
            # proc(5): the name of the command comes in parentheses, and may contain some itself
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            environment = (process / "environ").read_bytes().split(b"\0")
            # a zombie cannot be ended, and waits for its parent alone
            if state != "Z" and mark_entry in environment:
                marked.append(int(process.name))
    return marked


def prepare_start(*, port: int | None) -> None:
    """Make way for a start, and say what that took; SystemExit when the port is taken."""
    try:
        ended = end_stale_processes(var_dir() / "starts", port=port)
        if ended:
            print(f"Ended {ended} processes that an earlier start left behind.", file=sys.stderr)
        if port is not None:
            require_free_port(os.environ.get("HOST", "").strip() or "127.0.0.1", port)
    except PortTaken as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    prepare_start(port=read_port())
