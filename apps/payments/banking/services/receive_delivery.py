"""Receive the bank's reports: POST /bank-webhook (document 2 sections 2.5 and 4).

A delivery is stored encrypted before it is answered, and a repeat gets the same answer. What it
says about a transaction is merged with all earlier reports (rules/merge_patches.py), under the lock
of that transaction, and judged by one table (rules/routes.py).
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.payments.banking import encryption
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.merged_deliveries import load_transaction_state
from apps.payments.banking.models import BankTransaction, Delivery
from apps.payments.banking.record_transition import record_new_row
from apps.payments.banking.rules.routes import (
    ROUTED_STATES,
    TRANSACTION,
    DeliveryFacts,
    judge_delivery,
)
from apps.payments.banking.screening.deposits import DepositScreening
from apps.payments.banking.services import quote_deposit, rescreen_changed_payer, route_deposit
from apps.payments.banking.services.update_send_status import update_send_status
from apps.payments.banking.transaction_rows import find_sending_institution, lock_transaction
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeliveryEvent:
    """A parsed delivery, with its bytes."""

    delivery_id: str
    resource_type: str
    resource_id: str
    operation: str
    version: int
    occurred_at: str
    patch: Mapping[str, Any]
    raw: bytes

    @property
    def came_as(self) -> str:
        """A keyed digest of the bytes."""
        return macs.keyed_digest(what="bank delivery", of=[self.raw.hex()])


def build_delivery_event(*, event: Mapping[str, Any], raw: bytes) -> DeliveryEvent:
    """Return the event of a delivery."""
    return DeliveryEvent(
        delivery_id=event["id"],
        resource_type=event["resource_type"],
        resource_id=event["resource_id"],
        operation=event["operation_type"],
        version=event["resource_version"],
        occurred_at=event.get("occurred_at", ""),
        patch=event["merge_patch"],
        raw=raw,
    )


def gather_delivery_checks(
    *, asked: DeliveryEvent, now: datetime
) -> DepositScreening | Exception | None:
    """Run the checks of a delivery's settlement, before its transaction; writes nothing."""
    if asked.resource_type != TRANSACTION:
        return None
    # a repeat gets its stored answer: no checks for it
    if Delivery.objects.filter(delivery_id=asked.delivery_id).exists():
        return None
    row = BankTransaction.objects.filter(resource_id=asked.resource_id).first()
    # an unsaved row for a transaction that is first reported now
    facts = build_delivery_facts(asked, row or BankTransaction())
    # routed already: only a change of its payer needs checks
    if row is not None and facts.went is not None:
        return rescreen_changed_payer.screen_changed_payer(row, facts, now=now)
    verdict = judge_delivery(facts)
    return quote_deposit.check_deposit(verdict, resource_id=asked.resource_id, now=now)


def conclude_delivery(
    *,
    asked: DeliveryEvent,
    gathered: DepositScreening | Exception | None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Store a delivery and act on it, or return its earlier outcome; see WebhookOut."""
    deliveries = Delivery.objects.filter(delivery_id=asked.delivery_id)
    if (before := deliveries.first()) is not None:
        return _repeat_answer(before, asked)
    try:
        with transaction.atomic():
            row = None
            if asked.resource_type == TRANSACTION:
                # all reports of one transaction are judged one after the other
                row = verify_rows([lock_transaction(asked.resource_id, now=now)])[0]
            delivery = Delivery(
                delivery_id=asked.delivery_id,
                resource_type=asked.resource_type,
                resource_id=asked.resource_id,
                operation=asked.operation,
                version=asked.version,
                occurred_at=asked.occurred_at,
                came_as=asked.came_as,
                received_at=now,
            )
            delivery.body = encryption.encrypt_bytes(asked.raw, bound=delivery.bound)
            # anew under the lock: another delivery may have been stored since the checks
            facts = build_delivery_facts(asked, row)
            if row is not None:
                payer_rules = rescreen_changed_payer.judge_changed_payer(row, facts, gathered)
                facts = replace(facts, against=tuple(rule.code for rule in payer_rules))
            verdict = judge_delivery(facts)
            named = {"delivery_id": asked.delivery_id, "resource_id": asked.resource_id}
            answer = named | route_deposit.build_rule_answer(verdict.row)
            if row is not None:
                # first: if it is our own payment, the routing below reads its new state
                update_send_status(asked.resource_id, facts.status, now=now)
                answer |= route_deposit.apply_verdict(
                    row, facts=facts, verdict=verdict, deposit_checks=gathered, now=now
                )
            delivery.rule, delivery.answer = answer["rule"], answer
            record_new_row(delivery, "TAKEN", now=now)
            return answer
    except IntegrityError:
        # the same delivery at the same moment: the other one's answer counts
        return _repeat_answer(deliveries.get(), asked)


def _repeat_answer(before: Delivery, delivery_event: DeliveryEvent) -> dict[str, Any]:
    """Return the stored answer of a delivery, or its current state if the answer is outdated.

    It is outdated if it was to wait, or if the transfer to execute has ended.
    """
    verify_rows([before])
    if before.came_as != delivery_event.came_as:
        logger.warning(
            "the bank sent a different body under the delivery id %s: the first is kept", before.pk
        )
    answer: dict[str, Any] = before.answer
    # `held` and `ignored` stay true; a quote or a wait may be over by now
    if answer.get("action") not in ("waiting", "routed"):
        return answer
    row = BankTransaction.objects.get(resource_id=before.resource_id)
    if answer["action"] == "routed" and row.state in ROUTED_STATES:
        return answer
    named = {name: answer[name] for name in ("delivery_id", "resource_id")}
    return named | route_deposit.build_state_answer(verify_rows([row])[0])


def build_delivery_facts(
    delivery_event: DeliveryEvent, row: BankTransaction | None
) -> DeliveryFacts:
    """Return a delivery with the state of its transaction after it."""
    owner, unsure = find_sending_institution(delivery_event.resource_id) if row else ("", False)
    own = ((delivery_event.version, delivery_event.delivery_id, delivery_event.patch),)
    return DeliveryFacts(
        resource=delivery_event.resource_type,
        operation=delivery_event.operation,
        patch=delivery_event.patch,
        state=load_transaction_state(delivery_event.resource_id, more=own) if row else {},
        stands=row.state if row else "",
        default=settings.BANK_DEFAULT_RECIPIENT,
        ours=bool(owner),
        unsure=unsure,
        went=row.went if row else None,
    )
