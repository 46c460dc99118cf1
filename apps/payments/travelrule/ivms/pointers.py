"""JSON pointers (RFC 6901), and where in a sender's message a canonical place came from."""

from collections.abc import Mapping

Path = tuple[str | int, ...]


def format_pointer(path: Path) -> str:
    """Return the JSON pointer of a path; the whole document is the empty text."""
    # "~" first: it escapes itself and the slash (RFC 6901 section 3)
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def trace_sent_path(path: Path, origins: Mapping[Path, Path]) -> Path:
    """Return the position of a canonical path in the sent message: its nearest known parent's."""
    for length in range(len(path), 0, -1):
        if path[:length] in origins:
            return origins[path[:length]] + path[length:]
    return path
