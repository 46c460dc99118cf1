"""Verify legal holds against their records: none is placed, removed or lifted unrecorded."""

from collections.abc import Callable, Iterator

from django.db import transaction

from apps.platform.ledger.models import HoldEvent, LegalHold, PurgeEvent

PLACED, LIFTED = HoldEvent.Action.PLACED, HoldEvent.Action.LIFTED
Recorded = dict[tuple[int, str], HoldEvent]


def verify_legal_holds(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where the holds differ from their records."""
    # holds are few: all are read at once, and again under their locks if they differ, because one
    # may have been lifted in between
    if _find_hold_faults():
        with transaction.atomic():
            list(LegalHold.objects.select_for_update())
            yield from _find_hold_faults()
    progress(LegalHold.objects.count())


def _find_hold_faults() -> list[str]:
    holds = list(LegalHold.objects.order_by("pk"))
    events = HoldEvent.objects.order_by("pk")
    recorded: Recorded = {(event.hold, event.action): event for event in events}
    faults = [fault for hold in holds for fault in _compare_hold(hold, recorded)]
    seen, newest = {hold.pk for hold in holds}, max((hold.pk for hold in holds), default=0)
    missing_holds = {number for number, _ in recorded if number not in seen}
    # a hold that was placed after the rows were read exists, but is not among them
    late = set(LegalHold.objects.filter(pk__gt=newest).values_list("pk", flat=True))
    faults += [
        f"hold {missing_hold}: it is recorded, but its row is missing"
        for missing_hold in sorted(missing_holds - late)
    ]
    return faults + list(_purged_while_held(recorded))


def _compare_hold(hold: LegalHold, recorded: Recorded) -> Iterator[str]:
    placed, lifted = recorded.get((hold.pk, PLACED)), recorded.get((hold.pk, LIFTED))
    if placed is None:
        yield f"hold {hold.pk}: its placing is not recorded"
        return
    if (hold.ledger, hold.record_id) != (placed.of_ledger, placed.record_id):
        yield f"hold {hold.pk}: it names another record than its placing"
    if (hold.reason, hold.placed_by, hold.placed_at) != _recorded_facts(placed):
        yield f"hold {hold.pk}: its placer, time or reason differs from the record"
    if lifted is None and hold.lifted_at is not None:
        yield f"hold {hold.pk}: its lifting is not recorded"
    elif lifted and (hold.lifted_why, hold.lifted_by, hold.lifted_at) != _recorded_facts(lifted):
        yield f"hold {hold.pk}: who lifted it, when or why differs from the record"


def _recorded_facts(event: HoldEvent) -> tuple[object, ...]:
    return event.data.get("reason", ""), event.by, event.recorded_at


def _purged_while_held(recorded: Recorded) -> Iterator[str]:
    """Yield the payloads that were purged during a recorded hold."""
    held_records = {(event.of_ledger, event.record_id) for event in recorded.values()}
    ledgers = {ledger_name for ledger_name, _ in held_records}
    records = {number for _, number in held_records}
    # wider than the pairs, which SQL cannot match at once; the look-up below is by pair
    purges = PurgeEvent.objects.filter(of_ledger__in=ledgers, record_id__in=records)
    left = {(purge.of_ledger, purge.record_id): purge.recorded_at for purge in purges}
    for (number, action), placed in recorded.items():
        at = left.get((placed.of_ledger, placed.record_id))
        if action != PLACED or at is None or at < placed.recorded_at:
            continue
        lifted = recorded.get((number, LIFTED))
        if lifted is None or at < lifted.recorded_at:
            yield f"hold {number}: the payload was purged while the hold was in force"
