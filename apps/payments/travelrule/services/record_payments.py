"""Record settled payments: what `payments` hands over becomes records of the ledger.

This runs after the answer and in parallel with the callback (document 2 section 1). Each payment
that settles enqueues the job, and a periodic run each minute records what a lost job left.
"""

import logging
from datetime import date, datetime
from decimal import Decimal

from django.db import DatabaseError, transaction

from apps.payments.payments.instructions import format_decimal
from apps.payments.payments.integrity import find_payment_faults
from apps.payments.payments.models import HandOver
from apps.payments.payments.services import travel_rule_handovers
from apps.payments.travelrule import cases, outbound_message, party_index
from apps.payments.travelrule.directory import selectors
from apps.payments.travelrule.models import TravelRecord, Vasp
from apps.payments.travelrule.rules.directory import ResolutionRule
from apps.payments.travelrule.rules.record_status import OUTBOUND, TransferFacts
from apps.payments.travelrule.sending.services import begin_transmissions
from apps.payments.travelrule.services.create_records import TransferInputs, create_records

logger = logging.getLogger(__name__)
AT_ONCE = 100  # payments in one transaction


def record_settled_payments(key: str, now: datetime) -> None:
    """Record all payments that wait, in batches; the job `travelrule.record`.

    A payment that cannot be recorded stops no other. It is tried again, and fails this run.
    """
    failed = 0
    # by key: a payment that failed stays at the front of the queue, and would be read for ever
    last = 0
    while waiting := travel_rule_handovers.list_pending_handovers(limit=AT_ONCE, above=last):
        last = waiting[-1].pk
        try:
            record_handovers(waiting, now=now)
        # one of them fails the whole transaction: each gets one of its own, to find which
        except (DatabaseError, ValueError, LookupError):
            logger.exception("travel rule: %d records are made one by one", len(waiting))
            failed += sum(not _record_alone(hand, now) for hand in waiting)
    if failed:
        raise RuntimeError(f"{failed} settled payments could not be recorded: see the log")


def _record_alone(hand: HandOver, now: datetime) -> bool:
    try:
        record_handovers([hand], now=now)
    except (DatabaseError, ValueError, LookupError):
        logger.exception("travel rule: payment %s cannot be recorded", hand.payment_id)
        return False
    return True


@transaction.atomic
def record_handovers(hands: list[HandOver], *, now: datetime) -> list[TravelRecord]:
    """Record payments that were handed over, except those recorded concurrently."""
    # compare-and-set of each hand-over: another run may record it at the same moment
    mine = [
        hand for hand in hands if travel_rule_handovers.mark_handover_recorded(hand=hand, now=now)
    ]
    # the record would state what somebody wrote into the payment's row
    for fault in find_payment_faults([hand.payment for hand in mine]).values():
        raise LookupError(fault)
    if not mine:
        return []
    sides = [hand.payment.instructed.creditor for hand in mine]
    creditors = [selectors.build_creditor(wallet=side.wallet, lei=side.lei) for side in sides]
    serving_entries = selectors.find_serving_entries(creditors, on=now.date())
    transfers = [
        build_transfer(hand, serving_entry)
        for hand, serving_entry in zip(mine, serving_entries, strict=True)
    ]
    records = create_records(transfers, now=now)
    begin_transmissions(records, now=now)
    failed = {
        record.pk: transfer.faults
        for record, transfer in zip(records, transfers, strict=True)
        if record.status == "FAILED"
    }
    cases.open_incomplete_cases(
        [record for record in records if record.pk in failed], now=now, faults=failed
    )
    return records


def build_transfer(
    hand: HandOver, serves: tuple[Vasp, ResolutionRule] | None = None
) -> TransferInputs:
    """Return the transfer of a settled payment.

    `serves` is the directory entry that serves its creditor, and the rule that found it; without
    one, the creditor's agent is the counterparty, without an endpoint.
    """
    payment, price = hand.payment, hand.payment.price
    instruction = payment.instructed
    counterparty = (
        (serves[0].name, serves[0].lei)
        if serves
        else outbound_message.creditor_agent_of(instruction)
    )
    executed_at = payment.settled_at
    # it was handed over when it settled, and passed its integrity check
    assert executed_at is not None
    day = executed_at.date()
    # at the rate that the payment's price locked (FIN-2010-G004: "or its foreign equivalent")
    usd = Decimal(price["amountUsd"])
    built = outbound_message.build_outbound_message(
        instruction, counterparty=counterparty, amount_usd=usd, executed_on=day
    )
    errors = [finding for finding in built.findings if finding.severity == "E"]
    return TransferInputs(
        facts=TransferFacts(OUTBOUND, usd, day, endpoint=serves is not None, faults=bool(errors)),
        amount=format_decimal(instruction.amount),
        currency=instruction.currency,
        message=built.message,
        faults=tuple({"rule": error.rule, "pointer": error.pointer} for error in errors),
        originator=party_index.build_named_side(instruction.debtor, instruction.ultimate_debtor),
        beneficiary=party_index.build_named_side(
            instruction.creditor, instruction.ultimate_creditor
        ),
        found_by=serves[1].ref if serves else "",
        owner=payment.owner,
        payment_id=payment.payment_id,
        reference=instruction.reference,
        executed_at=executed_at,
        counterparty=counterparty,
        columns={
            "rate": price["rate"],
            "rate_on": date.fromisoformat(price["rateOn"]),
            "rate_source": price["rateSource"],
            "network": price["settlement"]["network"],
            "tx_hash": payment.tx_hash,
        },
    )
