"""Tables that apps fill as they load: each name once; an unknown name's error lists the known."""

from typing import TypeVar

Value = TypeVar("Value")


class AlreadyRegistered(ValueError):
    """A name was registered twice."""


class Registry(dict[str, Value]):
    """Entries that apps registered by name, in the order of their positions.

    Positions determine the order on pages. Entries with the same position keep the order in which
    they were registered, which is that of INSTALLED_APPS.
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind  # the subject of the table, for messages
        self._positions: dict[str, int] = {}

    def register(self, name: str, value: Value, *, position: int = 0) -> None:
        """Add an entry; AlreadyRegistered if the name is taken."""
        if name in self:
            raise AlreadyRegistered(f"the {self.kind} {name!r} is registered twice")
        self[name] = value
        self._positions[name] = position
        # sorted once at start and not at each use; the sort is stable
        in_order = sorted(self.items(), key=lambda entry: self._positions.get(entry[0], 0))
        self.clear()
        self.update(in_order)

    def require(self, name: str) -> None:
        """Raise KeyError, which lists the known names, unless this one is registered."""
        if name not in self:
            self.__missing__(name)

    def __missing__(self, name: str) -> Value:
        raise KeyError(
            f"no {self.kind} {name!r} is registered; there are {', '.join(sorted(self)) or 'none'}"
        )
