"""Conditions of findings: one object that is both printed and evaluated. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from apps.reports.rules.findings import Data, Level, Rule
from apps.reports.rules.reading import at, listed


class Condition(Protocol):
    """What a value must be: `str()` is how it is printed, `holds` how it is evaluated."""

    def holds(self, value: Any) -> bool:
        """Return whether a value meets it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Bounds of a number: `least` and `most` belong to what they bound, `above` and `below` not."""

    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    def holds(self, value: Any) -> bool:
        """Return whether a number lies within all bounds; an unknown one (None) does not."""
        return (
            value is not None
            and (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        parts = (
            ("{:g} or more", self.least),
            ("more than {:g}", self.above),
            ("{:g} or less", self.most),
            ("below {:g}", self.below),
        )
        return ", ".join(text.format(bound) for text, bound in parts if bound is not None)


@dataclass(frozen=True, slots=True)
class Equals:
    """A code of the wire, or a yes or no, that a value must equal."""

    expected: str | bool

    def holds(self, value: Any) -> bool:
        """Return whether a value equals it."""
        return bool(value == self.expected)

    def __str__(self) -> str:
        return str(self.expected).lower() if isinstance(self.expected, bool) else self.expected


@dataclass(frozen=True, slots=True)
class Differs:
    """A code of the wire that a value must not equal; an unknown value differs too."""

    expected: str

    def holds(self, value: Any) -> bool:
        """Return whether a value is another."""
        return bool(value != self.expected)

    def __str__(self) -> str:
        return f"not {self.expected}"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Codes of the wire of which a value must be one."""

    expected: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        """Return whether a value is one of them."""
        return value in self.expected

    def __str__(self) -> str:
        *others, last = self.expected
        return f"{', '.join(others)} or {last}"


def compare(
    *,
    code: str,
    ref: str,
    level: Level,
    weight: int,
    title: str,
    value: str | Callable[[Data], Any],
    condition: Condition,
    say: Callable[[Data, Any], str],
    advice: str = "",
) -> Rule:
    """Return a rule for one value of the data: the one at a path, or the one that is computed.

    `title` names the value where the condition is printed; `say` gets the value.
    """

    def finds(data: Data) -> Iterator[str]:
        compared = at(data, value) if isinstance(value, str) else value(data)
        if condition.holds(compared):
            yield say(data, compared)

    return Rule(code=code, ref=ref, level=level, weight=weight, finds=finds, advice=advice,
                condition=f"{title} is {condition}")  # fmt: skip


def compare_each(
    *,
    code: str,
    ref: str,
    level: Level,
    weight: int,
    title: str,
    rows: str | Callable[[Data], list[Any]],
    field: str,
    condition: Condition,
    say: Callable[[Data, Any], str],
    advice: str = "",
) -> Rule:
    """Return a rule for a field of each row, of the list at a path or of one that is computed.

    `title` names the field where the condition is printed; `say` gets the row.
    """

    def finds(data: Data) -> Iterator[str]:
        for row in listed(data, rows) if isinstance(rows, str) else rows(data):
            if condition.holds(row.get(field)):
                yield say(data, row)

    return Rule(code=code, ref=ref, level=level, weight=weight, finds=finds, advice=advice,
                condition=f"{title} is {condition}")  # fmt: skip
