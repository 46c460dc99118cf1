"""Conditions of findings: one object that is both printed and evaluated. Pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from apps.insight.reports.rules.findings import Data, Level, Rule
from apps.insight.reports.rules.report_data import list_at_path, value_at_path


class Condition(Protocol):
    """What a value must be: `str()` is how it is printed, `holds` how it is evaluated."""

    def holds(self, value: Any) -> bool:
        """Return whether a value meets it."""
        ...


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
class NoneOf:
    """Codes of the wire of which a value must be none; an unknown value is none of them."""

    expected: tuple[str, ...]

    def holds(self, value: Any) -> bool:
        """Return whether a value is another."""
        # None, an unknown value, is not in the list either: such rules guard against what is not
        # known
        return value not in self.expected

    def __str__(self) -> str:
        return f"none of {', '.join(self.expected)}"


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


def build_value_rule(
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
        compared = value_at_path(data, value) if isinstance(value, str) else value(data)
        if condition.holds(compared):
            yield say(data, compared)

    return Rule(code=code, ref=ref, level=level, weight=weight, finds=finds, advice=advice,
                condition=f"{title} is {condition}")  # fmt: skip


def build_row_rule(
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
        for row in list_at_path(data, rows) if isinstance(rows, str) else rows(data):
            if condition.holds(row.get(field)):
                yield say(data, row)

    return Rule(code=code, ref=ref, level=level, weight=weight, finds=finds, advice=advice,
                condition=f"{title} is {condition}")  # fmt: skip
