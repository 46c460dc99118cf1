"""One proper field for each thing of a source that two operators change, chosen by what it is."""

from collections.abc import Callable
from typing import Any

from django import forms

from apps.watchlists import policy
from apps.watchlists.models import Source, SourceChange
from apps.watchlists.sets import general_limit

Field = SourceChange.Field
SWITCH = (("yes", "Yes"), ("no", "No"))
SPARE = 2  # boxes for further addresses
LONGEST_AGE = 999_999  # hours, where a deployment has no bound of its own


def value_field(*, source: Source, field: str, boxes: int = 0) -> forms.Field:
    """Return the field for another value of one of `policy.PROPOSABLE`, told what stands now.

    `boxes` are the addresses that were sent already: each has its box.
    """
    make, label = MADE[field], Field(field).label
    made = make(getattr(source, field), source, boxes)
    made.label = label
    return made


def _switch(now: bool, source: Source, boxes: int) -> forms.Field:
    return forms.TypedChoiceField(
        choices=SWITCH,
        coerce=lambda said: said == "yes",
        initial="no" if now else "yes",
        help_text=f"Now: {_said(now)}.",
    )


def _hours(now: int | None, source: Source, boxes: int) -> forms.Field:
    least, most = policy.age_bounds(kind=source.kind, topic=source.topic)
    limit = general_limit(kind=source.kind, topic=source.topic)
    general = f"{limit:,} hours" if limit else "none"
    return forms.IntegerField(
        required=False,
        initial=now,
        min_value=least,
        max_value=most or LONGEST_AGE,
        help_text=f"Hours from its publication; empty: the general limit ({general}). "
        f"Now: {_said(now)}.",
    )


def _percent(now: int, source: Source, boxes: int) -> forms.Field:
    least = policy.least_percent()
    return forms.IntegerField(
        initial=now,
        min_value=least,
        max_value=100,
        help_text=f"Percent, {least} to 100. Now: {now}.",
    )


def _addresses(now: list[str], source: Source, boxes: int) -> forms.Field:
    count = min(max(len(now), boxes) + SPARE, policy.MOST_ADDRESSES)
    return forms.Field(
        widget=Boxes(count),
        initial=list(now),
        help_text="https addresses, in the order in which the files are read; empty boxes count "
        "for nothing.",
    )


def _said(value: Any) -> str:
    return " ".join(policy.shown(value))


MADE: dict[str, Callable[[Any, Source, int], forms.Field]] = {
    Field.URLS: _addresses,
    Field.ENABLED: _switch,
    Field.REQUIRED: _switch,
    Field.MAX_AGE: _hours,
    Field.FLOOR: _percent,
}


class Boxes(forms.MultiWidget):
    """A box for each address."""

    def __init__(self, count: int) -> None:
        numbers = range(1, count + 1)
        super().__init__([forms.URLInput({"aria-label": f"Address {one}"}) for one in numbers])

    def decompress(self, value: Any) -> list[str]:
        return list(value or ())

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Return the addresses that were written, one a box, in their order."""
        return sent(data, name)


def sent(data: Any, name: str) -> list[str]:
    """Return what stands in the boxes of a form that was sent; empty ones are left out."""
    found = (data.get(f"{name}_{number}", "").strip() for number in range(policy.MOST_ADDRESSES))
    return [one for one in found if one]
