"""Records settled payments: what `payments` hands over becomes records of the ledger.

It runs after the answer and beside the callback (document 2 section 1); a nudge comes with each
payment that settles, and a sweep each minute takes what a lost one left.
"""

import logging
from datetime import date, datetime
from decimal import Decimal

from django.db import DatabaseError, transaction

from apps.payments import settling
from apps.payments.instructions import plain
from apps.payments.models import HandOver
from apps.payments.projection import faults
from apps.travelrule import messages
from apps.travelrule.directory import looking
from apps.travelrule.making import Transfer, make
from apps.travelrule.models import TravelRecord, Vasp
from apps.travelrule.rules.directory import Row
from apps.travelrule.rules.recording import OUTBOUND, Facts
from apps.travelrule.sending import cases
from apps.travelrule.sending.beginning import begin

logger = logging.getLogger(__name__)
AT_ONCE = 100


def record(key: str, now: datetime) -> None:
    """Record all that waits, some at once; the job `travelrule.record`.

    One that cannot be recorded stops no other: it stays, is tried again, and fails this run.
    """
    failed = 0
    last = 0
    while waiting := settling.waiting(limit=AT_ONCE, above=last):
        last = waiting[-1].pk
        try:
            take(waiting, now=now)
        except (DatabaseError, ValueError, LookupError):
            logger.exception("travel rule: %d records are made one by one", len(waiting))
            failed += sum(not _alone(hand, now) for hand in waiting)
    if failed:
        raise RuntimeError(f"{failed} settled payments could not be recorded: see the log")


def _alone(hand: HandOver, now: datetime) -> bool:
    try:
        take([hand], now=now)
    except (DatabaseError, ValueError, LookupError):
        logger.exception("travel rule: payment %s cannot be recorded", hand.payment_id)
        return False
    return True


@transaction.atomic
def take(hands: list[HandOver], *, now: datetime) -> list[TravelRecord]:
    """Record payments that were handed over, but those that somebody else took meanwhile."""
    mine = [hand for hand in hands if settling.taken(hand=hand, now=now)]
    for fault in faults([hand.payment for hand in mine]).values():
        raise LookupError(fault)
    if not mine:
        return []
    sides = [hand.payment.instructed.creditor for hand in mine]
    asked = [looking.creditor_of(wallet=one.wallet, lei=one.lei) for one in sides]
    found = looking.serving(asked, on=now.date())
    transfers = [transfer_of(hand, one) for hand, one in zip(mine, found, strict=True)]
    records = make(transfers, now=now)
    begin(records, now=now)
    failed = {
        record.pk: one.faults
        for record, one in zip(records, transfers, strict=True)
        if record.status == "FAILED"
    }
    cases.incomplete([one for one in records if one.pk in failed], now=now, faults=failed)
    return records


def transfer_of(hand: HandOver, serves: tuple[Vasp, Row] | None = None) -> Transfer:
    """Return the transfer of a settled payment, by what its own ledger proves of it.

    `serves` is the directory's entry of whoever serves its creditor, and the row that found it;
    where it knows nobody, the creditor's agent is the counterparty, without an endpoint.
    """
    payment, price = hand.payment, hand.payment.price
    instruction = payment.instructed
    counterparty = (serves[0].name, serves[0].lei) if serves else messages.agent_of(instruction)
    executed_at = payment.settled_at or hand.settled_at
    day = executed_at.date()
    usd = Decimal(price["amountUsd"])
    built = messages.outbound(
        instruction, counterparty=counterparty, amount_usd=usd, executed_on=day
    )
    errors = [one for one in built.findings if one.severity == "E"]
    return Transfer(
        facts=Facts(OUTBOUND, usd, day, endpoint=serves is not None, faults=bool(errors)),
        amount=plain(instruction.amount),
        currency=instruction.currency,
        message=built.message,
        faults=tuple({"rule": one.rule, "pointer": one.pointer} for one in errors),
        originator=messages.named(instruction.debtor, instruction.ultimate_debtor),
        beneficiary=messages.named(instruction.creditor, instruction.ultimate_creditor),
        found_by=serves[1].ref if serves else "",
        owner=hand.owner,
        payment_id=payment.payment_id,
        reference=instruction.reference,
        executed_at=executed_at,
        counterparty=counterparty,
        columns={
            "rate": price["rate"],
            "rate_on": date.fromisoformat(price["rateOn"]),
            "rate_source": price["rateSource"],
            "network": hand.network,
            "tx_hash": payment.tx_hash,
        },
    )
