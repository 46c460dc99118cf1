"""Parse UUIDs in addresses and search boxes. Pure."""

from uuid import UUID


def parse_uuid(text: str) -> UUID | None:
    """Return the UUID in a text, None if it is not one."""
    try:
        return UUID(text)
    except ValueError:
        return None
