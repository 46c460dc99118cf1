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
from apps.travelrule.making import Transfer, make
from apps.travelrule.models import TravelRecord
from apps.travelrule.rules.recording import OUTBOUND, Facts

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
    return make([transfer_of(hand) for hand in mine], now=now) if mine else []


def transfer_of(hand: HandOver) -> Transfer:
    """Return the transfer of a settled payment, by what its own ledger proves of it."""
    payment, price = hand.payment, hand.payment.price
    instruction = payment.instructed
    counterparty = ("", "")
    day = (payment.settled_at or hand.settled_at).date()
    usd = Decimal(price["amountUsd"])
    built = messages.outbound(
        instruction, counterparty=counterparty, amount_usd=usd, executed_on=day
    )
    errors = [one for one in built.findings if one.severity == "E"]
    return Transfer(
        facts=Facts(OUTBOUND, usd, day, endpoint=False, faults=bool(errors)),
        amount=plain(instruction.amount),
        currency=instruction.currency,
        message=built.message,
        faults=tuple({"rule": one.rule, "pointer": one.pointer} for one in errors),
        originator=messages.named(instruction.debtor),
        beneficiary=messages.named(instruction.creditor),
        owner=hand.owner,
        payment_id=payment.payment_id,
        counterparty=counterparty,
        columns={
            "rate": price["rate"],
            "rate_on": date.fromisoformat(price["rateOn"]),
            "rate_source": price["rateSource"],
            "network": hand.network,
            "tx_hash": payment.tx_hash,
        },
    )
