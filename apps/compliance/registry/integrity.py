"""Registrations held against their ledger: none comes, goes or changes unrecorded."""

from collections.abc import Iterator, Sequence
from typing import Any

from apps.compliance.registry.models import Registration, RegistrationEvent
from apps.platform.core.verification.projections import Projection
from apps.platform.desk.proposal_records import snapshot_row


def find_registration_faults(
    row: Registration, events: Sequence[RegistrationEvent]
) -> Iterator[str]:
    """Yield where a registration differs from its last event, in words.

    Of an ended one whose payloads left at the end of their years, that it ended is all there is.
    """
    if not events:
        yield "that it was registered is not recorded"
        return
    held = events[-1].data.get("stands")
    if held is None:
        if row.active:
            yield "it is active, and how it stands is not recorded"
        return
    shown = snapshot_row(row)
    for name, wanted in held.items():
        if name in shown and shown[name] != wanted:
            told = name.removesuffix("_id")
            yield f"{told} is {_format_value(shown[name])}, recorded is {_format_value(wanted)}"


def _format_value(value: Any) -> str:
    return "nothing" if value in (None, "", []) else str(value)


PROJECTION = Projection(
    name="registration",
    rows=Registration.objects.all(),
    records=RegistrationEvent.objects.all(),
    of="registration_id",
    faults=find_registration_faults,
)
verify_all_registrations = PROJECTION.compare
