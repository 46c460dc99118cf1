"""One proper field for each thing of a source that two operators change, chosen by what it is."""

from collections.abc import Callable
from typing import Any

from django import forms

from apps.reference.watchlists import source_policy
from apps.reference.watchlists.live_list_sets import general_age_limit
from apps.reference.watchlists.models import Source, SourceChange

Field = SourceChange.Field
SWITCH = (("yes", "Yes"), ("no", "No"))
SPARE = 2  # boxes for further addresses
LONGEST_AGE = 999_999  # hours, where a deployment has no bound of its own


def build_value_field(*, source: Source, field: str, boxes: int = 0) -> forms.Field:
    """Return the form field for a new value of one of `source_policy.PROPOSABLE`, with its current
    value.

    `boxes` are the addresses already submitted, one per box.
    """
    make, label = FIELD_BUILDERS[field], Field(field).label
    form_field = make(getattr(source, field), source, boxes)
    form_field.label = label
    return form_field


def _build_switch_field(now: bool, source: Source, boxes: int) -> forms.Field:
    return forms.TypedChoiceField(
        choices=SWITCH,
        coerce=lambda answer: answer == "yes",
        # the other value: the form was opened to change it
        initial="no" if now else "yes",
        help_text=f"Now: {_format_current_value(now)}.",
    )


def _build_hours_field(now: int | None, source: Source, boxes: int) -> forms.Field:
    least, most = source_policy.age_bounds(kind=source.kind, topic=source.topic)
    limit = general_age_limit(kind=source.kind, topic=source.topic)
    general = f"{limit:,} hours" if limit else "none"
    return forms.IntegerField(
        required=False,
        initial=now,
        min_value=least,
        max_value=most or LONGEST_AGE,
        help_text=f"Hours from its publication; empty: the general limit ({general}). "
        f"Now: {_format_current_value(now)}.",
    )


def _build_percent_field(now: int, source: Source, boxes: int) -> forms.Field:
    least = source_policy.least_percent()
    return forms.IntegerField(
        initial=now,
        min_value=least,
        max_value=100,
        help_text=f"Percent, {least} to 100. Now: {now}.",
    )


def _build_addresses_field(now: list[str], source: Source, boxes: int) -> forms.Field:
    count = min(max(len(now), boxes) + SPARE, source_policy.MOST_ADDRESSES)
    return forms.Field(
        widget=AddressBoxesWidget(count),
        initial=list(now),
        help_text=(
            "https addresses, in the order in which the files are read; empty boxes are ignored."
        ),
    )


def _format_current_value(value: Any) -> str:
    return " ".join(source_policy.format_value(value))


FIELD_BUILDERS: dict[str, Callable[[Any, Source, int], forms.Field]] = {
    Field.URLS: _build_addresses_field,
    Field.ENABLED: _build_switch_field,
    Field.REQUIRED: _build_switch_field,
    Field.MAX_AGE: _build_hours_field,
    Field.FLOOR: _build_percent_field,
}


class AddressBoxesWidget(forms.MultiWidget):
    """A box for each address."""

    def __init__(self, count: int) -> None:
        numbers = range(1, count + 1)
        super().__init__(
            [forms.URLInput({"aria-label": f"Address {number}"}) for number in numbers]
        )

    def decompress(self, value: Any) -> list[str]:
        return list(value or ())

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        """Return the addresses that were written, one a box, in their order."""
        return read_sent_values(data, name)


def read_sent_values(data: Any, name: str) -> list[str]:
    """Return the values of the boxes of a submitted form; empty ones are left out."""
    posted_values = (
        data.get(f"{name}_{number}", "").strip() for number in range(source_policy.MOST_ADDRESSES)
    )
    return [value for value in posted_values if value]
