"""Walks over the canonical message for rules: its persons, its components and its elements."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from apps.payments.travelrule.ivms import model
from apps.payments.travelrule.ivms.model import Component, Field
from apps.payments.travelrule.ivms.pointers import Path


@dataclass(frozen=True, kw_only=True)
class Transfer:
    """Facts of the payment that IVMS 101 has no place for. `amount_usd` decides what applies."""

    amount_usd: Decimal
    executed_on: date | None
    threshold_usd: Decimal = Decimal(3000)


@dataclass(frozen=True)
class RuleBreach:
    """A breach of a rule: its path in the canonical message, and a sentence of detail."""

    path: Path
    more: str = ""


@dataclass(frozen=True, kw_only=True)
class RuleContext:
    """The inputs of a rule."""

    message: Mapping[str, Any]
    today: date
    charset: str = "2020"
    authorities: frozenset[str] | None = None
    transfer: Transfer | None = None

    # walked once for all rules: most of them ask for the same components and values
    @cached_property
    def objects(self) -> tuple[tuple[Path, Component, Mapping[str, Any]], ...]:
        """Return every component of the message with its path."""
        return tuple(_walk_components(model.MESSAGE, self.message, ()))

    @cached_property
    def leaves(self) -> tuple[tuple[Path, Field, Any], ...]:
        """Return every value that is no object, one by one, with its element."""
        return tuple(_walk_elements(self.objects))

    def of(self, *components: Component) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Yield path and value of each component of these kinds."""
        for path, component, value in self.objects:
            if component in components:
                yield path, value

    def kind(self, *kinds: str) -> Iterator[tuple[Path, str]]:
        """Yield path and text of each value of these kinds."""
        for path, field, value in self.leaves:
            if field.kind in kinds:
                yield path, value

    def originators(self, key: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Yield path and value of the originators that are `naturalPerson` or `legalPerson`."""
        persons = self.message.get("originator", {}).get("originatorPersons", ())
        for index, person in enumerate(persons):
            if key in person:
                yield ("originator", "originatorPersons", index, key), person[key]


RuleCheck = Callable[[RuleContext], Iterable[RuleBreach]]


def _walk_components(
    of: Component, value: Mapping[str, Any], here: Path
) -> Iterator[tuple[Path, Component, Mapping[str, Any]]]:
    """Yield a component and all inside it: as deep as the schema, which the reader has led."""
    yield here, of, value
    for name, inner in value.items():
        within = of.fields[name].of
        if within is None:
            continue
        if isinstance(inner, list):
            for index, entry in enumerate(inner):
                yield from _walk_components(within, entry, (*here, name, index))
        else:
            yield from _walk_components(within, inner, (*here, name))


def _walk_elements(
    objects: Iterable[tuple[Path, Component, Mapping[str, Any]]],
) -> Iterator[tuple[Path, Field, Any]]:
    for path, component, value in objects:
        for name, inner in value.items():
            field = component.fields[name]
            if field.of is not None:
                continue
            if isinstance(inner, list):
                for index, entry in enumerate(inner):
                    yield (*path, name, index), field, entry
            else:
                yield (*path, name), field, inner
