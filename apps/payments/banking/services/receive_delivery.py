"""Takes what the bank tells: POST /bank-webhook (document 2 sections 2.5 and 4).

A delivery is a sealed row before it is answered, and the same one again is answered the same. What
it says of a transaction is folded with all that came before (rules/merge_patches.py), under the
lock of that transaction, and judged by one table (rules/routes.py).
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
from apps.payments.banking.models import BankTransaction, Delivery
from apps.payments.banking.rules.routes import (
    ROUTED_STATES,
    TRANSACTION,
    DeliveryFacts,
    judge_delivery,
)
from apps.payments.banking.screening.payers import DepositScreening
from apps.payments.banking.services import payer_change, quote_deposit, route_deposit
from apps.payments.banking.services.update_send_status import update_send_status
from apps.payments.banking.transaction_state import (
    find_sending_institution,
    load_transaction_state,
    lock_transaction,
)
from apps.payments.banking.transitions import record_new_row
from apps.platform.api.callers import Caller
from apps.platform.crypto import macs

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeliveryEvent:
    """A delivery as it was read, with its bytes."""

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
    """Return what came."""
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
    """Make the checks of what a delivery has routed, before its transaction; nothing is written."""
    if asked.resource_type != TRANSACTION:
        return None
    if Delivery.objects.filter(delivery_id=asked.delivery_id).exists():
        return None
    row = BankTransaction.objects.filter(resource_id=asked.resource_id).first()
    facts = build_delivery_facts(asked, row or BankTransaction())
    if row is not None and facts.went is not None:
        return payer_change.screen_changed_payer(row, facts, now=now)
    verdict = judge_delivery(facts)
    return quote_deposit.check_deposit(verdict, resource_id=asked.resource_id, now=now)


def conclude_delivery(
    *,
    asked: DeliveryEvent,
    gathered: DepositScreening | Exception | None,
    caller: Caller,
    now: datetime,
) -> dict[str, Any]:
    """Keep a delivery and do what it asks for, or tell what it came to; see WebhookOut."""
    deliveries = Delivery.objects.filter(delivery_id=asked.delivery_id)
    if (before := deliveries.first()) is not None:
        return _repeat_answer(before, asked)
    try:
        with transaction.atomic():
            return _record_delivery(asked, gathered, now)
    except IntegrityError:  # the same delivery, at the same moment
        return _repeat_answer(deliveries.get(), asked)


def _repeat_answer(before: Delivery, delivery_event: DeliveryEvent) -> dict[str, Any]:
    """Return what a delivery was answered, or how it stands where that is over: it was to wait, or
    what it was to execute is ended.
    """
    verify_rows([before])
    if before.came_as != delivery_event.came_as:
        logger.warning("the bank sent another body under a delivery id: %s is kept", before.pk)
    answer: dict[str, Any] = before.answer
    if answer.get("action") not in ("waiting", "routed"):
        return answer
    row = BankTransaction.objects.get(resource_id=before.resource_id)
    if answer["action"] == "routed" and row.state in ROUTED_STATES:
        return answer
    named = {name: answer[name] for name in ("delivery_id", "resource_id")}
    return named | route_deposit.build_state_answer(verify_rows([row])[0])


def _record_delivery(
    delivery_event: DeliveryEvent, looked: DepositScreening | Exception | None, now: datetime
) -> dict[str, Any]:
    row = None
    if delivery_event.resource_type == TRANSACTION:
        row = verify_rows([lock_transaction(delivery_event.resource_id, now=now)])[0]
    delivery = Delivery(
        delivery_id=delivery_event.delivery_id,
        resource_type=delivery_event.resource_type,
        resource_id=delivery_event.resource_id,
        operation=delivery_event.operation,
        version=delivery_event.version,
        occurred_at=delivery_event.occurred_at,
        came_as=delivery_event.came_as,
        received_at=now,
    )
    delivery.body = encryption.encrypt_bytes(delivery_event.raw, bound=delivery.bound)
    facts = build_delivery_facts(delivery_event, row)
    if row is not None:
        found = payer_change.judge_changed_payer(row, facts, looked)
        facts = replace(facts, against=tuple(one.code for one in found))
    verdict = judge_delivery(facts)
    named = {"delivery_id": delivery_event.delivery_id, "resource_id": delivery_event.resource_id}
    said = named | route_deposit.build_rule_answer(verdict.row)
    if row is not None:
        update_send_status(delivery_event.resource_id, facts.status, now=now)
        said |= route_deposit.apply_verdict(
            row, facts=facts, verdict=verdict, looked=looked, now=now
        )
    delivery.rule, delivery.answer = said["rule"], said
    record_new_row(delivery, "TAKEN", now=now)
    return said


def build_delivery_facts(asked: DeliveryEvent, row: BankTransaction | None) -> DeliveryFacts:
    """Return a delivery with the state of its transaction after it."""
    owner, unsure = find_sending_institution(asked.resource_id) if row else ("", False)
    own = ((asked.version, asked.delivery_id, asked.patch),)
    return DeliveryFacts(
        resource=asked.resource_type,
        operation=asked.operation,
        patch=asked.patch,
        state=load_transaction_state(asked.resource_id, more=own) if row else {},
        stands=row.state if row else "",
        default=settings.BANK_DEFAULT_RECIPIENT,
        ours=bool(owner),
        unsure=unsure,
        went=row.went if row else None,
    )
