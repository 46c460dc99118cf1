"""Verify registrations against their ledger: none may appear, vanish or change unrecorded."""

from collections.abc import Iterator, Sequence

from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.platform.desk.proposal_records import snapshot_row
from apps.platform.ledger.verification.projection_checks import Projection, find_differences


def find_registration_faults(
    row: Registration, events: Sequence[RegistrationEvent]
) -> Iterator[str]:
    """Yield in words where a registration differs from its last event.

    Of an ended registration whose payloads were purged, only its end is compared.
    """
    if not events:
        yield "its registration is not recorded"
        return
    stands = events[-1].data.get("stands")
    if stands is None:
        if row.active:
            yield "it is active, and its current values are not recorded"
        return
    yield from find_differences(snapshot_row(row), stands)


PROJECTION = Projection(
    name="registration",
    rows=Registration.objects.all(),
    records=RegistrationEvent.objects.all(),
    of="registration_id",
    faults=find_registration_faults,
)
verify_all_registrations = PROJECTION.compare
