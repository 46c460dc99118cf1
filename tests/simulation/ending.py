"""The quiet end of a seed: faults stop, all that waits is worked off, and nothing is stuck."""

from collections.abc import Iterator
from datetime import UTC, timedelta

from django_q.models import OrmQ

from apps.platform.ledger import sealer
from tests.simulation import invariants
from tests.simulation.clients import Broken
from tests.simulation.steps import Actors, bank_tells, tick, work

ROUNDS, PATIENCE = 60, 4
MARGIN = timedelta(minutes=3)  # and a transfer that fell out may come again too late
OVERDUE = timedelta(minutes=30)
# what waits by right: for officers, and for the day of what is planned
STUCK: tuple[tuple[str, str], ...] = (
    ("a payment is stuck",
     "SELECT id, state, trouble FROM payments_payment "
     "WHERE state NOT IN ('SETTLED', 'BLOCKED', 'FAILED', 'HELD')"),
    ("a callback was never told to its end",
     "SELECT id, state, attempts FROM callbacks_delivery "
     "WHERE state NOT IN ('DELIVERED', 'FAILED')"),
    ("a job is left behind",
     "SELECT id, name, key, state, last_error FROM core_job WHERE (state = 'PENDING' "
     "AND eta < :now) OR (state = 'RUNNING' AND lease_until < :now) "
     # a comparison that the bank did not answer comes again the day after, and what took its runner
     # down too often is given up: what it was for is then carried on by a sweep, or is stuck itself
     "OR (state = 'FAILED' AND last_error NOT LIKE 'UpstreamError: bank%' "
     "AND last_error NOT LIKE 'NotCalled: bank%' "
     "AND last_error NOT LIKE 'The runner died%')"),
    ("a settled payment has no travel-rule record",
     "SELECT h.payment_id FROM payments_handover h LEFT JOIN payments_payment p "
     "ON p.id = h.payment_id LEFT JOIN travelrule_travelrecord t ON t.payment_id = p.payment_id "
     "WHERE h.taken_at IS NULL OR t.id IS NULL"),
    ("a payment out of an account is stuck",
     "SELECT id, state, trouble FROM banking_send WHERE state = 'TAKEN'"),
    ("a recipient is stuck", "SELECT id FROM banking_recipient WHERE state = 'NEW'"),
)  # fmt: skip


def drain(on: Actors) -> None:
    """Let all come to its end without faults; raise Broken for what does not."""
    on.world.faulty = False
    on.world.clock.ahead(minutes=5)  # leases of the dead are over
    for place in range(ROUNDS):
        _round(on)
        on.world.clock.ahead(seconds=1500 if place % 2 else 61)
        if place > PATIENCE and not _busy(on):
            break
    invariants.insist(on)
    _insist(on)
    for check in (_paid_in_time, _as_the_bank_says):
        for said in check(on):
            raise Broken(f"at the end {said}")


def _paid_in_time(on: Actors) -> Iterator[str]:
    """Yield orders whose own transfer stood in the chain in time, and which did not settle."""
    came = {
        one.nonce: (block.block.time, one.units)
        for block in on.world.chain.blocks
        for one in block.held
    }
    sql = "SELECT id, reference, amount, deadline, state FROM chain_order WHERE state <> 'FINAL'"
    for order, reference, asked, deadline, state in on.world.rows(sql):
        at, units = came.get(reference, (None, 0))
        until = deadline.replace(tzinfo=UTC)
        if at is not None and at < until - MARGIN and units == asked:
            yield f"order {order} is {state}, and was paid {until - at} before its deadline"


def _as_the_bank_says(on: Actors) -> Iterator[str]:
    """Yield payments out of an account that stand otherwise than the bank has them."""
    ends = {"sent": "SETTLED", "reversed": "RETURNED", "failed": "FAILED", "pending": "SENT"}
    status_by_id = {
        row["id"]: row["status"] for rows in on.world.bank.paid.values() for row in rows
    }
    known = dict(on.world.rows("SELECT bank_id, state FROM banking_send WHERE bank_id <> ''"))
    for number, status in status_by_id.items():
        if known.get(number) not in (ends[status], None):
            yield f"{number} is {status} at the bank, and {known[number]} here"
    unclear = on.world.one("SELECT COUNT(*) FROM banking_send WHERE state = 'UNCLEAR'")
    if len(status_by_id) > len(known) + unclear:
        yield f"the bank paid {len(status_by_id)}, and {len(known)} are known ({unclear} unclear)"


def _round(on: Actors) -> None:
    """Let everybody do once what they have to do."""
    on.clients.give_up()
    for call in on.clients.open:
        on.clients.attempt(call)
    tick(on)
    for row in list(OrmQ.objects.filter(lock__lte=on.world.clock.now).order_by("lock", "pk")):
        OrmQ.objects.filter(pk=row.pk).delete()
        work(on, row)
    for _ in range(len(on.world.told.under_way)):
        bank_tells(on)
    on.world.chain.live(6)


def _busy(on: Actors) -> bool:
    return bool(on.clients.open or on.world.told.under_way or _stuck(on))


def _stuck(on: Actors) -> str:
    now = f"{on.world.clock.now - OVERDUE:%Y-%m-%d %H:%M:%S}"
    for said, sql in STUCK:
        if found := on.world.raw.execute(sql, {"now": now} if ":now" in sql else {}).fetchmany(2):
            return f"{said}: {found}"
    return ""


def _insist(on: Actors) -> None:
    if on.clients.open:
        raise Broken(f"{on.clients.open[0].name} was never answered")
    if said := _stuck(on):
        raise Broken(f"at the end {said}")
    on.world.process(lambda: sealer.seal_all_ledgers(now=on.world.clock.now))
    _sealed(on)


def _sealed(on: Actors) -> None:
    """Each record has its seal, once nothing happens any more, and what rests on them agrees."""
    from apps.platform.ledger.records import ledger_models

    for name, model in ledger_models().items():
        table = model._meta.db_table
        records = on.world.one(f'SELECT COUNT(*) FROM "{table}"')
        seals = on.world.one("SELECT COUNT(*) FROM core_seal WHERE ledger = ?", name)
        if records != seals:
            raise Broken(f"ledger {name} has {records} records and {seals} seals")
