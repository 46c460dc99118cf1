"""How many files, and so connections, a process may have open."""

import contextlib
import resource

SPARE_FILES = 300  # file handles that the index, the database and the log need


def raise_open_file_limit(wanted: int) -> int:
    """Raise this process's limit of open files as far as allowed; return how many may connect."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, max(50, hard - SPARE_FILES))
    if soft != resource.RLIM_INFINITY and soft < wanted + SPARE_FILES:
        limit = wanted + SPARE_FILES if hard == resource.RLIM_INFINITY else hard
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return wanted
