"""The one registry of what machines may call: rows of endpoints, and their names as tools.

Every document of this app is made from it, so that none of them can leave a row out.
"""

from functools import cache

from apps.core.endpoints import Endpoint, rows
from config.services import SERVICES
from config.tools import NAMES, TOOLS


def tool_of(row: Endpoint) -> str:
    """Return the name of a row as a tool of the MCP server, or an empty text."""
    return NAMES.get((row.service, row.name), "")


def tools(service: str = "") -> dict[str, Endpoint]:
    """Return the rows that are tools, by name, in the order of the table; of one service, or all.

    A name of the table without its row is a KeyError: no tool may be promised that is not there.
    """
    found = {name: _row(*place) for name, place in TOOLS.items()}
    return {name: row for name, row in found.items() if service in ("", row.service)}


@cache
def _row(service: str, name: str) -> Endpoint:
    if service not in SERVICES:
        raise KeyError(f"no service {service}")
    found = {row.name: row for row in rows(service)}
    return found[name]


def skills(service: str) -> tuple[Endpoint, ...]:
    """Return what an agent may call of a service: all but what the bank or a VASP calls."""
    return tuple(row for row in rows(service) if not row.access.proved)
