"""What holds after each step, read from the tables past the product; a row that is found breaks it.

Each is a sentence and a query, or a function for what a query alone cannot say.
"""

from collections.abc import Callable, Iterator

from tests.simulation.clients import Broken
from tests.simulation.steps import Actors
from tests.simulation.world import World

MOST_ATTEMPTS = 4  # document 2 section 8: the first and one after each of three waits

QUERIES: tuple[tuple[str, str], ...] = (
    ("a payment stands as its last event says, and has each of its events once",
     """SELECT p.id, p.state, p.steps FROM payments_payment p
        LEFT JOIN payments_paymentevent e ON e.payment_id = p.id GROUP BY p.id
        HAVING COUNT(e.id) <> p.steps OR MAX(e.number) <> p.steps OR p.state <>
        (SELECT state FROM payments_paymentevent WHERE payment_id = p.id
         ORDER BY number DESC LIMIT 1)"""),
    ("a payment takes no turn that the table of turns lacks, and ends once",
     """SELECT e.payment_id, e.number, e.event FROM payments_paymentevent e
        JOIN payments_paymentevent b ON b.payment_id = e.payment_id AND b.number = e.number - 1
        WHERE b.state IN ('BLOCKED', 'FAILED') OR (b.state = 'SETTLED' AND e.event <> 'UNDONE')
        OR (e.state = 'SETTLED' AND b.state <> 'AWAITING_SETTLEMENT')"""),
    ("an expected transfer stands as its last event says",
     """SELECT o.id, o.state, o.steps FROM chain_order o
        LEFT JOIN chain_chainevent e ON e.order_id = o.id GROUP BY o.id
        HAVING COUNT(e.id) <> o.steps OR o.state <>
        (SELECT state FROM chain_chainevent WHERE order_id = o.id ORDER BY number DESC LIMIT 1)"""),
    ("a payment has one expected transfer, and settles by it",
     """SELECT p.id FROM payments_payment p LEFT JOIN chain_order o ON o.order_id = p.payment_id
        LEFT JOIN chain_transfer t ON t.id = o.transfer_id
        WHERE p.state = 'SETTLED' AND (o.state IS NOT 'FINAL' OR t.tx_hash IS NOT p.tx_hash)"""),
    ("a settled payment is handed to the travel rule once, and no other is",
     """SELECT p.id, p.state FROM payments_payment p
        LEFT JOIN payments_handover h ON h.payment_id = p.id
        GROUP BY p.id HAVING COUNT(h.id) <> (p.state = 'SETTLED')"""),
    ("a payment takes one quote, as its transfer is expected",
     """SELECT o.id FROM chain_order o
        LEFT JOIN stability_quote q ON q.used_by LIKE '%' || substr(o.order_id, 1, 8) || '%'
        WHERE o.about = 'payment' GROUP BY o.id HAVING COUNT(q.id) <> 1"""),
    ("an end is told once, where a payment ended",
     """SELECT p.id, p.state FROM payments_payment p
        LEFT JOIN callbacks_event e ON e.subject = p.payment_id
        AND e.name = 'payment.' || lower(p.state)
        WHERE p.state IN ('SETTLED', 'BLOCKED', 'FAILED')
        GROUP BY p.id HAVING COUNT(e.id) <> 1"""),
    ("what is told with an address has its callback, with four attempts at most",
     """SELECT e.id, d.attempts FROM callbacks_event e
        LEFT JOIN callbacks_delivery d ON d.event_id = e.id
        WHERE d.attempts > 4 OR d.tries > 4 OR (d.id IS NULL AND
        e.name IN ('payment.settled', 'payment.blocked', 'payment.failed'))"""),
    ("each attempt of a callback is logged once it has ended",
     """SELECT d.id, d.attempts, d.state FROM callbacks_delivery d
        LEFT JOIN callbacks_attempt a ON a.delivery_id = d.id GROUP BY d.id
        HAVING COUNT(a.id) <> d.attempts - (d.state = 'SENDING')
        OR (d.state = 'DELIVERED' AND SUM(a.error = '') IS NOT 1)
        OR (d.state = 'FAILED' AND d.attempts <> 4)"""),
    ("a FLAGGED screen has one case, a BLOCKED one its entry in the log, others none",
     """SELECT s.id, s.decision FROM screening_screen s
        WHERE s.owner = :treasury AND (
        (SELECT COUNT(*) FROM review_case c WHERE c.kind = 'screen'
         AND replace(c.ref, '-', '') = s.screen_id) <> (s.decision = 'FLAGGED')
        OR (SELECT COUNT(*) FROM sar_sarentry c WHERE c.kind = 'screen'
         AND replace(c.ref, '-', '') = s.screen_id) NOT IN (s.decision = 'BLOCKED',
         EXISTS (SELECT 1 FROM review_case c WHERE c.kind = 'screen' AND c.outcome = 'REJECT'
         AND replace(c.ref, '-', '') = s.screen_id)))"""),
    ("a payment that was HELD has a case of each hold, and is HELD as long as one waits",
     """SELECT p.id, p.state, count(c.id), sum(c.status <> 'DECIDED') FROM payments_payment p
        JOIN (SELECT payment_id AS held, count(*) AS holds FROM payments_paymentevent
              WHERE state = 'HELD' GROUP BY payment_id) e ON e.held = p.id
        LEFT JOIN review_case c ON c.kind = 'payment'
        AND replace(substr(c.ref, 1, 36), '-', '') = p.payment_id
        GROUP BY p.id, p.state, e.holds
        HAVING count(c.id) <> e.holds
        OR (p.state = 'HELD') <> coalesce(sum(c.status <> 'DECIDED') > 0, 0)"""),
    ("a case has its events: opened once, decided once where it is decided",
     """SELECT c.id, c.status FROM review_case c
        LEFT JOIN review_decisionevent e ON e.case_id = c.id GROUP BY c.id
        HAVING SUM(e.action = 'OPENED') IS NOT 1
        OR SUM(e.action = 'DECIDED') IS NOT (c.status = 'DECIDED')"""),
    ("what the treasury is billed is what was screened for it",
     """SELECT billed, screened FROM
        (SELECT COALESCE(SUM(calls), 0) billed FROM access_usagecount
         WHERE 'account:' || account_id = :treasury),
        (SELECT COUNT(*) screened FROM screening_screen WHERE owner = :treasury)
        WHERE billed <> screened"""),
    ("a call under a key happened once",
     """SELECT reference_key, COUNT(*) FROM screening_screen
        WHERE owner = :treasury GROUP BY reference_key HAVING COUNT(*) > 1"""),
    ("the chains of ledgers have no gap, and each record one seal",
     """SELECT ledger FROM core_seal GROUP BY ledger
        HAVING COUNT(*) <> MAX(position) OR MIN(position) <> 1
        OR COUNT(DISTINCT record_id) <> COUNT(*)"""),
    ("a job has one run for each attempt that was counted",
     """SELECT j.id FROM core_job j LEFT JOIN core_jobattempt a ON a.job_id = j.id
        GROUP BY j.id HAVING COUNT(a.id) <> j.attempts"""),
    ("a payment out of an account stands as its last event says",
     """SELECT s.id, s.state FROM banking_send s WHERE s.state <>
        (SELECT e.state FROM banking_bankevent e WHERE e.subject = 'send:' || s.id
         ORDER BY e.number DESC LIMIT 1)"""),
    ("a delivery of the bank is kept once, and each turn of a bank row once",
     """SELECT subject, number FROM banking_bankevent GROUP BY subject, number
        HAVING COUNT(*) > 1"""),
    ("one transaction of the bank belongs to one payment out of an account",
     """SELECT bank_id FROM banking_send WHERE bank_id <> ''
        GROUP BY bank_id HAVING COUNT(*) > 1"""),
)  # fmt: skip


# where what a client was answered stands, by the first letter of its call: table, column, field
RECORDS = {
    "S": ("screening_screen", "screen_id", "screenId"),
    "P": ("payments_payment", "payment_id", "svcPaymentId"),
    "R": ("banking_recipient", "recipient_id", "recipientId"),
    "B": ("banking_send", "send_id", "id"),
}


def callbacks_came(on: Actors) -> Iterator[str]:
    """No receiver was called more than four times for one event, and once for each attempt."""
    for (event, attempt), times in on.world.receivers.came.items():
        if times > 1 or attempt > MOST_ATTEMPTS:
            yield f"attempt {attempt} of {event} came {times} times"


def chain_has_it(on: Actors) -> Iterator[str]:
    """What counts as final stands in a block of the chain, with the amount that was asked."""
    stands = on.world.chain.standing()
    sql = """SELECT o.id, t.tx_hash, t.units, o.amount
             FROM chain_order o LEFT JOIN chain_transfer t ON t.id = o.transfer_id
             WHERE o.state = 'FINAL'"""
    for order, tx, units, asked in on.world.rows(sql):
        if tx not in stands or int(units) != asked:
            yield f"order {order} is final by {tx}, {units} of {asked}"


def money_left_once(on: Actors) -> Iterator[str]:
    """The bank paid once for each key that we gave it, and nothing that nobody asked for."""
    paid: dict[str, int] = {}
    for rows in on.world.bank.paid.values():
        for row in rows:
            if row["amount"] < 0:
                paid[row["note"]] = paid.get(row["note"], 0) + 1
    yield from (f"{note} was paid {n} times" for note, n in paid.items() if n > 1)
    notes = {note for (note,) in on.world.rows("SELECT note FROM banking_send")}
    yield from (f"{note} was paid, and nobody asked" for note in paid if note not in notes)


def answers_hold(on: Actors) -> Iterator[str]:
    """What a client was answered stands: the screen, the payment, by the id that it was told."""
    for call in on.clients.answered[-3:]:
        table, column, name = RECORDS[call.name[0]]
        number = call.told[name]
        sql = f"SELECT 1 FROM {table} WHERE {column} = ?"
        if not on.world.rows(sql, number.replace("-", "")):
            yield f"{call.name} was answered with {number}, which is not there"


FUNCTIONS: tuple[Callable[[Actors], Iterator[str]], ...] = (
    callbacks_came, chain_has_it, money_left_once, answers_hold,
)  # fmt: skip


def insist(on: Actors) -> None:
    """Raise Broken at the first of these that does not hold."""
    if on.world.broken:
        raise Broken(on.world.broken)
    values = {"treasury": treasury(on.world)}
    raw = on.world.raw
    for sentence, sql in QUERIES:
        if found := raw.execute(sql, values).fetchmany(3):
            raise Broken(f"not so: {sentence}: {found}")
    for function in FUNCTIONS:
        for said in function(on):
            raise Broken(f"not so: {function.__doc__} {said}")


def treasury(world: World) -> str:
    """Return the owner whose calls are screens."""
    if not world.treasury:
        sql = "SELECT id FROM access_account WHERE name = 'Demo Treasury'"
        world.treasury = f"account:{world.one(sql)}"
    return world.treasury
