"""The single registry of machine-callable operations, and their names as tools.

Every document of this app is generated from it, so that none can omit an operation.
"""

from functools import cache

from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from config.agent_tools import NAMES, TOOLS
from config.services import SERVICES


def get_tool_name(row: Operation) -> str:
    """Return the name of a row as a tool of the MCP server, or an empty text."""
    return NAMES.get((row.service, row.name), "")


def list_tools(service: str = "") -> dict[str, Operation]:
    """Return the operations that are tools, by name, in the table's order; of one service or all.

    KeyError for a name of the table without an operation.
    """
    operations = {name: _load_operation(*place) for name, place in TOOLS.items()}
    return {name: row for name, row in operations.items() if service in ("", row.service)}


@cache
def _load_operation(service: str, name: str) -> Operation:
    if service not in SERVICES:
        raise KeyError(f"no service {service}")
    operations_by_name = {row.name: row for row in operations_of_service(service)}
    return operations_by_name[name]


def list_skills(service: str) -> tuple[Operation, ...]:
    """Return the operations that an agent may call: all but those for the bank and for VASPs."""
    return tuple(row for row in operations_of_service(service) if not row.access.signature)
