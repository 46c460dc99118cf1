"""Tables that apps fill as they are loaded: each name once, and an unknown one says which exist."""

from typing import TypeVar

Value = TypeVar("Value")


class AlreadyRegistered(ValueError):
    """A name was registered twice."""


class Registry(dict[str, Value]):
    """What apps registered under a name, in the order of their positions.

    Positions order what people see. Entries with the same position keep the order in which they
    were registered, which is that of INSTALLED_APPS.
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind  # of what it is a table, for messages
        self._positions: dict[str, int] = {}

    def register(self, name: str, value: Value, *, position: int = 0) -> None:
        """Add an entry; AlreadyRegistered where the name is taken."""
        if name in self:
            raise AlreadyRegistered(f"the {self.kind} {name!r} is registered twice")
        self[name] = value
        self._positions[name] = position
        in_order = sorted(self.items(), key=lambda entry: self._positions.get(entry[0], 0))
        self.clear()
        self.update(in_order)

    def require(self, name: str) -> None:
        """Raise KeyError, which says which exist, unless this one is registered."""
        if name not in self:
            self.__missing__(name)

    def __missing__(self, name: str) -> Value:
        raise KeyError(
            f"no {self.kind} {name!r} is registered; there are {', '.join(sorted(self)) or 'none'}"
        )
