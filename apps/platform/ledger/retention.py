"""Purge payloads: retention, erasure orders, and the legal holds that stop both.

Only the payload is purged; the record stays as a tombstone whose seal still verifies, and a sealed
PurgeEvent says who purged it and why.
"""

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q

from apps.platform.common.problems import Conflict, DomainError, NotFound
from apps.platform.ledger.models import (
    HoldEvent,
    LedgerHead,
    LegalHold,
    PurgeEvent,
    PurgeReason,
    Seal,
)
from apps.platform.ledger.records import GENESIS, LedgerRecord, ledger_models

MOST_YEARS = 100


class RecordOnHold(Conflict):
    """A legal hold covers the record."""

    code, title = "legal_hold", "A legal hold applies"


class SamePerson(Conflict):
    """The person who placed a hold may not lift it."""

    code, title = "same_person", "Another person must lift the hold"


class KeptByLaw(Conflict):
    """Statutory retention applies to the payload, and no overriding order was given."""

    code, title = "kept_by_law", "Statutory retention applies"


class NotSealed(Conflict):
    """The record is not in the chain yet: purged now, it could never be verified."""

    code = "not_sealed"


class NotPurgeable(DomainError):
    """Records of this ledger keep their payload permanently."""

    code = "not_purgeable"


def retention_years(ledger: str) -> int:
    """Return how many years a ledger's payloads are kept.

    Its model says so in `YEARS`, with the reason; settings.RETENTION_YEARS overrules it.
    """
    return int(_configured_years().get(ledger, ledger_models()[ledger].YEARS))


def check_retention_settings() -> None:
    """Refuse a RETENTION_YEARS that names no purgeable ledger or no whole number of years.

    In production also one that is shorter than the ledger's own years, which follow from law.
    """
    for ledger, value in _configured_years().items():
        plain = str(value).isascii() and str(value).isdigit()
        if ledger not in purgeable_ledgers() or not plain or not 1 <= int(value) <= MOST_YEARS:
            raise ImproperlyConfigured(
                f"RETENTION_YEARS has the part {ledger}={value}: write years from 1 to "
                f"{MOST_YEARS} for {', '.join(purgeable_ledgers())}."
            )
        if settings.PRODUCTION and int(value) < ledger_models()[ledger].YEARS:
            raise ImproperlyConfigured(
                f"RETENTION_YEARS has the part {ledger}={value}: payloads of {ledger} must be "
                f"retained for at least {ledger_models()[ledger].YEARS} years."
            )


def _configured_years() -> dict[str, str]:
    return settings.RETENTION_YEARS


def retention_cutoff(*, ledger: str, now: datetime) -> datetime:
    """Return the moment before which a ledger's payloads have expired."""
    period = ledger_models()[ledger].KEPT
    if period is not None and ledger not in _configured_years():
        return now - period
    return _years_before(now, retention_years(ledger))


def _years_before(now: datetime, many: int) -> datetime:
    try:
        return now.replace(year=now.year - many)
    except ValueError:  # 29 February, which most years lack: a day longer rather than shorter
        return now.replace(year=now.year - many, day=28)


def purge_payload(
    *, ledger: str, record_id: int, reason: PurgeReason, by: str, now: datetime, why: str = ""
) -> PurgeEvent | None:
    """Blank a record's payload and write the PurgeEvent; None if it was purged before.

    `why` is the text of the order, which the event keeps. Raises NotFound, NotPurgeable, NotSealed,
    RecordOnHold under a legal hold, or KeptByLaw for a payload that must still be kept by law
    (Regulation (EU) 2016/679 Art. 17(3)(b)) unless `why` says what overrules that.
    """
    model = _purgeable_model(ledger)
    with transaction.atomic():
        # a hold that is placed at the same time either
        # comes before, and stops this, or finds it purged
        _lock_ledger(ledger)
        record = model._default_manager.filter(pk=record_id).first()
        if record is None:
            raise NotFound(f"The ledger {ledger} has no record {record_id}.")
        if record.purged:
            return None
        unordered = reason == PurgeReason.ERASURE and not why
        purgeable_seal = _require_purgeable_seal(record, unordered=unordered, now=now)
        # the one UPDATE that the triggers let through; the
        # salt goes too, or the payload could be guessed
        model._default_manager.filter(pk=record_id).update(payload="", salt="")
        # copies in other tables, in the same transaction:
        # an erasure is complete or has not happened
        record.forget(now=now)
        event: PurgeEvent = PurgeEvent.write(
            payload={"position": purgeable_seal.position, "content": purgeable_seal.content}
            | ({"why": why} if why else {}),
            now=now,
            of_ledger=ledger,
            record_id=record_id,
            reason=reason,
            by=by,
        )
        return event


def _require_purgeable_seal(record: LedgerRecord, *, unordered: bool, now: datetime) -> Seal:
    """Return the seal of a record that may be purged; raises NotSealed, RecordOnHold, KeptByLaw.

    `unordered` marks an erasure without an order that overrules the law.
    """
    model, ledger = type(record), record.LEDGER
    seal = Seal.objects.filter(ledger=ledger, record_id=record.pk).first()
    # the seal holds the hash of the payload, the only thing that verifies the record afterwards
    if seal is None:
        raise NotSealed("The record is not sealed yet; try again in a few minutes.")
    if model._default_manager.filter(_on_hold_condition(model), pk=record.pk).exists():
        raise RecordOnHold(f"A legal hold applies to record {record.pk} of {ledger}.")
    if unordered and _is_kept_by_law(record, now):
        raise KeptByLaw(
            f"The law requires payloads of {ledger} to be retained for {model.YEARS} years: "
            "cite the order that overrides it."
        )
    return seal


def _is_kept_by_law(record: LedgerRecord, now: datetime) -> bool:
    """Tell whether a payload is still within the years required by law, or exempt for longer."""
    model = type(record)
    before = now - model.KEPT if model.KEPT else _years_before(now, model.YEARS)
    spared = model._default_manager.filter(model.spared(before=before), pk=record.pk)
    return record.recorded_at >= before or spared.exists()


def find_expired_records(*, ledger: str, now: datetime) -> Iterator[int]:
    """Yield the ids of sealed records whose retention has ended and that are under no hold.

    The model says in `spared` which records the law keeps for longer.
    """
    before = retention_cutoff(ledger=ledger, now=now)
    model = _purgeable_model(ledger)
    sealed = Seal.objects.filter(ledger=ledger, record_id=OuterRef("pk"))
    records = (
        model._default_manager.filter(recorded_at__lt=before)
        .exclude(payload="", salt="")
        .exclude(model.spared(before=before))
        .filter(~_on_hold_condition(model), Exists(sealed))
    )
    yield from records.order_by("pk").values_list("pk", flat=True).iterator(1000)


def purgeable_ledgers() -> list[str]:
    """Return the names of the ledgers whose payloads may be purged."""
    return sorted(name for name, model in ledger_models().items() if model.PURGEABLE)


def place_hold(*, ledger: str, record_id: int, reason: str, by: str, now: datetime) -> LegalHold:
    """Keep a record's payload until the hold is lifted; a record may have several holds."""
    model = _purgeable_model(ledger)
    with transaction.atomic():
        _lock_ledger(ledger)
        record = model._default_manager.filter(pk=record_id).first()
        if record is None:
            raise NotFound(f"The ledger {ledger} has no record {record_id}.")
        if record.purged:
            raise Conflict("The payload has been purged; there is nothing left to hold.")
        hold = LegalHold.objects.create(
            ledger=ledger, record_id=record_id, reason=reason, placed_by=by, placed_at=now
        )
        _record_hold_event(hold, HoldEvent.Action.PLACED, reason, by, now)
        return hold


@transaction.atomic
def lift_hold(*, hold_id: int, reason: str, by: str, now: datetime) -> bool:
    """Lift a hold; False if it was lifted before.

    In production another person than the one who placed it must do so: raises SamePerson. A sandbox
    may have only one person.
    """
    standing = LegalHold.objects.filter(pk=hold_id, lifted_at=None)
    if settings.PRODUCTION and standing.filter(placed_by=by).exists():
        raise SamePerson("You placed this hold: another person must lift it.")
    # compare-and-set: of two people who lift it at once, only one is recorded
    if not standing.update(lifted_at=now, lifted_by=by, lifted_why=reason):
        return False
    hold = LegalHold.objects.get(pk=hold_id)
    _record_hold_event(hold, HoldEvent.Action.LIFTED, reason, by, now)
    return True


def _record_hold_event(
    hold: LegalHold, action: HoldEvent.Action, why: str, by: str, now: datetime
) -> None:
    HoldEvent.write(
        payload={"reason": why},
        now=now,
        hold=hold.pk,
        of_ledger=hold.ledger,
        record_id=hold.record_id,
        action=action,
        by=by,
    )


def active_holds(*, ledger: str) -> models.QuerySet[LegalHold]:
    """Return the active holds of a ledger."""
    return LegalHold.objects.filter(ledger=ledger, lifted_at=None)


def _on_hold_condition(model: type[LedgerRecord]) -> Q:
    """Return the condition for records that are under a hold.

    A hold on a step (LedgerRecord.STEPS_OF) covers all steps of the same thing, later ones too: a
    case need not be held again after each step.
    """
    numbers = active_holds(ledger=model.LEDGER).values("record_id")
    if not model.STEPS_OF:
        return Q(pk__in=numbers)
    steps = model._default_manager.filter(pk__in=numbers)
    return Q(**{f"{model.STEPS_OF}__in": steps.order_by().values(model.STEPS_OF)})


def _purgeable_model(ledger: str) -> type[LedgerRecord]:
    model = ledger_models().get(ledger)
    if model is None:
        raise NotFound(f"No ledger is called {ledger}.")
    if not model.PURGEABLE:
        raise NotPurgeable(f"Records of {ledger} keep their payload permanently.")
    return model


def _lock_ledger(ledger: str) -> None:
    """Serialise purges and holds of a ledger, so that a hold never comes too late."""
    # the head row is the lock of the sealer, too
    LedgerHead.objects.get_or_create(ledger=ledger, defaults={"digest": GENESIS})
    LedgerHead.objects.select_for_update().get(ledger=ledger)
