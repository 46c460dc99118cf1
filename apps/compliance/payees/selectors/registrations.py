"""Read and change registrations only as recorded: an altered row is refused."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from apps.compliance.payees.integrity import find_registration_faults
from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.platform.common.problems import Unavailable
from apps.platform.db.compiled_queries import fetch_first
from apps.platform.ledger.verification.verified_reads import filter_verified_records

NOT_RECORDED = "Integrity check failed for the registration of this wallet."


class RegistrationIntegrityError(Unavailable):
    """Integrity check failed for the registration of this wallet: it was altered."""

    code, title = "registration_unproved", "Registration integrity check failed"


def verify_registrations(rows: Sequence[Registration]) -> Sequence[Registration]:
    """Return registrations that are as last recorded; two queries, however many.

    Raises RegistrationIntegrityError (503) when one is not.
    """
    pks = [row.pk for row in rows]
    # only the newest event of each: it has the whole row
    last = RegistrationEvent.objects.filter(registration__in=pks).values("registration_id")
    newest = last.order_by().annotate(newest=Max("pk")).values_list("newest", flat=True)
    events = {
        registration_event.registration_id: registration_event
        for registration_event in filter_verified_records(
            RegistrationEvent.objects.filter(pk__in=list(newest)).order_by("pk")
        )
    }
    # who can write the database can put another name behind a wallet, but cannot record it; a
    # change of such a row would, because its next event has the whole row
    for row in rows:
        registration_events = [events[row.pk]] if row.pk in events else []
        if any(find_registration_faults(row, registration_events)):
            raise RegistrationIntegrityError(NOT_RECORDED)
    return rows


def load_active_registration(wallet: str) -> Registration | None:
    """Return the active registration of an address in its one form, as recorded, or None.

    Two queries where none is active, three where one has ended. Raises as `verify_registrations`.
    """
    return _load_verified(wallet, _find_active)


@dataclass(frozen=True, slots=True)
class RegistrationHistory:
    """The active registration of a wallet, None where there is none, and its proved events."""

    row: Registration | None = None
    events: tuple[RegistrationEvent, ...] = ()


def load_registration_history(wallet: str) -> RegistrationHistory:
    """Return what `load_active_registration` returns, and all events of it that are ours, the
    oldest first.

    Two queries, three where a registration has ended. Raises as `verify_registrations`.
    """
    row = _find_registration(wallet, _find_active)
    if row is None:
        return RegistrationHistory()
    registration_events = list(RegistrationEvent.objects.filter(registration=row).order_by("pk"))
    ours = filter_verified_records(registration_events)
    if any(
        # the last event must be among those with a valid MAC, else an earlier one would be taken
        # for it
        find_registration_faults(row, [event for event in ours if event is registration_events[-1]])
    ):
        raise RegistrationIntegrityError(NOT_RECORDED)
    return RegistrationHistory(row, tuple(ours))


def _find_active(wallet: str) -> Registration | None:
    """Look up the active registration of an address, as `Registration.objects.of` does."""
    registration: Registration | None = fetch_first(
        Registration, where={"active": True, "wallet": wallet}, order=("-pk",)
    )
    return registration


def _load_verified(wallet: str, of: Callable[[str], Registration | None]) -> Registration | None:
    row = _find_registration(wallet, of)
    return verify_registrations([row])[0] if row else None


def _find_registration(
    wallet: str, of: Callable[[str], Registration | None]
) -> Registration | None:
    row = of(wallet)
    # who ends, moves or deletes a row in the database would lift what stops a payment
    if row is None and not _has_recorded_end(wallet):
        # registered between the two reads, or else its row was removed without an end on record
        row = of(wallet)
        if row is None:
            raise RegistrationIntegrityError(
                "A registration of this wallet is missing although it was not ended."
            )
    return row


def _has_recorded_end(wallet: str) -> bool:
    """Return whether the last that is recorded of a wallet is an end, or nothing is."""
    # events keep the wallet, so that a removed row leaves a trace here
    last = fetch_first(RegistrationEvent, where={"wallet": wallet}, order=("-pk",))
    return last is None or (
        last.action == Action.DEACTIVATED and bool(filter_verified_records([last]))
    )


def lock_active_registration(*, wallet: str = "", pk: int | None = None) -> Registration | None:
    """Return the active registration of an address or number, locked and as recorded, or None.

    Call it inside a transaction, before anything of the row is changed; raises as
    `load_active_registration`.
    """
    rows = Registration.objects.select_for_update()
    if pk is None:
        return _load_verified(wallet, rows.of)
    row = rows.active().filter(pk=pk).first()
    return verify_registrations([row])[0] if row else None
