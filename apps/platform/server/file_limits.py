"""How many files, and so connections, a process may have open."""

import contextlib
import resource

SPARE_FILES = 300  # file handles that the index, the database and the log need


def raise_open_file_limit(wanted: int) -> int:
    """Raise this process's limit of open files as far as allowed; return how many may connect."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        # a few connections are served even where the limit is tiny
        wanted = min(wanted, max(50, hard - SPARE_FILES))
    if soft != resource.RLIM_INFINITY and soft < wanted + SPARE_FILES:
        # never above the hard limit: only root may raise that one
        limit = wanted + SPARE_FILES if hard == resource.RLIM_INFINITY else hard
        # some containers refuse; the worker then sees EMFILE and closes its oldest connections
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    return wanted
