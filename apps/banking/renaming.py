"""A routed payment of which the bank tells by now that somebody else pays it: screened anew.

What stands against who pays then ends its order while nobody sent a transfer, and halts it as a
payment that was never routed; else officers are told, and the SAR log has its entry.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.banking import blocked_deposits, cases, quoting
from apps.banking.models import BankEvent, BankTransaction
from apps.banking.moving import move
from apps.banking.payers import Checked, digest_of, payer_digest
from apps.banking.rules.lifecycle import knows
from apps.banking.rules.payers import Seen, Stand, standing
from apps.banking.rules.routing import HALTED, Facts, Verdict, anew
from apps.chain.orders import close

Looked = Checked | Exception | None


def asked(row: BankTransaction, facts: Facts) -> Verdict | None:
    """Return what is to be screened anew of a routed payment; None where the same pays it."""
    verdict = anew(facts)
    if verdict is None or payer_digest(verdict.payer) == _routed(row):
        return None
    return verdict


def _routed(row: BankTransaction) -> str:
    """Return the digest of who paid it as it was routed last; empty where it was not kept."""
    steps = BankEvent.objects.filter(subject=row.subject, event="ROUTED").order_by("-number")
    found = steps.first()
    return str(found.data.get("payer", "")) if found else ""


def look(row: BankTransaction, facts: Facts, *, now: datetime) -> Looked:
    """Screen who pays a routed payment by now, before its transaction; None for the same."""
    verdict = asked(row, facts)
    return quoting.look(verdict, resource_id=row.resource_id, now=now) if verdict else None


def against(row: BankTransaction, facts: Facts, looked: Looked) -> tuple[Stand, ...]:
    """Return what stands against who pays by now, the gravest first.

    What could not be looked at, or is of what was told before, counts as not screened.
    """
    verdict = asked(row, facts)
    if verdict is None:
        return ()
    if isinstance(looked, Checked) and looked.verdict == verdict:
        return standing(looked.seen())
    return standing(Seen(verdict.amount or Decimal(0), unscreened=True, ours=True))


def stop(
    row: BankTransaction, facts: Facts, *, looked: Looked, found: Sequence[Stand], now: datetime
) -> None:
    """Have officers look at a routed payment that is told otherwise; under its lock.

    `found` is what stands against who pays. A transfer that is named counts as sent.
    """
    checked = looked if isinstance(looked, Checked) else None
    if found and checked and knows(row.THING, row.state, "HALTED") and close(row.order_id, now=now):
        _halt(row, checked, found, now)
        return
    checks = _sentences(found)
    case = cases.altered(row, facts, checked if found else None, checks=checks, now=now)
    if checked and found and found[0].decision == "BLOCKED":
        blocked_deposits.log(row, checked, reasons=checks, now=now, ref=case.ref)


def _halt(row: BankTransaction, looked: Checked, found: Sequence[Stand], now: datetime) -> None:
    """Halt a payment whose order is ended; what an officer releases of it is another order."""
    facts = {
        "decision": found[0].decision, "why": found[0].says, "checks": list(_sentences(found)),
        "quote": row.quote_id,
    }  # fmt: skip
    marks = {"codes": [one.code for one in found], "of": digest_of(looked)}
    gone: dict[str, Any] = {"routed": {}, "due_at": None, "order_id": uuid.uuid4()}
    move(row, "HALTED", now=now, facts=facts | marks, rule=HALTED.code, **gone)
    cases.halted(row, looked, facts=facts, now=now)


def _sentences(found: Sequence[Stand]) -> tuple[str, ...]:
    return tuple(f"{one.code} payer: {one.says}" for one in found)
