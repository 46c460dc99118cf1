"""JSON pointers (RFC 6901), and where in a sender's message a canonical place came from."""

from collections.abc import Mapping

Path = tuple[str | int, ...]


def format_pointer(path: Path) -> str:
    """Return the JSON pointer of a path; the whole document is the empty text."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def resolve_pointer(document: object, where: str) -> object:
    """Return what a JSON pointer points to; KeyError where there is nothing."""
    found = document
    for part in where.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            found = found[int(name)]
        else:
            raise KeyError(where)
    return found


def trace_sent_path(path: Path, origins: Mapping[Path, Path]) -> Path:
    """Return where a canonical path stood in what was sent: that of its nearest known parent."""
    for length in range(len(path), 0, -1):
        if path[:length] in origins:
            return origins[path[:length]] + path[length:]
    return path
