"""Takes what the bank tells: POST /bank-webhook (document 2 sections 2.5 and 4).

A delivery is a sealed row before it is answered, and the same one again is answered the same. What
it says of a transaction is folded with all that came before (rules/merging.py), under the lock of
that transaction, and judged by one table (rules/routing.py).
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.banking import onward, quoting, renaming, sealing
from apps.banking.folding import locked, state_of, whose
from apps.banking.following import follow
from apps.banking.models import BankTransaction, Delivery
from apps.banking.moving import begin
from apps.banking.payers import Checked
from apps.banking.projection import proved
from apps.banking.rules.routing import TRANSACTION, WENT, Facts, judge
from apps.core import macs
from apps.core.callers import Caller

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
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
        return macs.keyed(what="bank delivery", of=[self.raw.hex()])


def make(*, event: Mapping[str, Any], raw: bytes) -> Event:
    """Return what came."""
    return Event(
        delivery_id=event["id"],
        resource_type=event["resource_type"],
        resource_id=event["resource_id"],
        operation=event["operation_type"],
        version=event["resource_version"],
        occurred_at=event.get("occurred_at", ""),
        patch=event["merge_patch"],
        raw=raw,
    )


def gather(*, asked: Event, now: datetime) -> Checked | Exception | None:
    """Make the checks of what a delivery has routed, before its transaction; nothing is written."""
    if asked.resource_type != TRANSACTION:
        return None
    if Delivery.objects.filter(delivery_id=asked.delivery_id).exists():
        return None
    row = BankTransaction.objects.filter(resource_id=asked.resource_id).first()
    facts = facts_of(asked, row or BankTransaction())
    if row is not None and facts.went is not None:
        return renaming.look(row, facts, now=now)
    verdict = judge(facts)
    return quoting.look(verdict, resource_id=asked.resource_id, now=now)


def conclude(
    *, asked: Event, gathered: Checked | Exception | None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Keep a delivery and do what it asks for, or tell what it came to; see WebhookOut."""
    held = Delivery.objects.filter(delivery_id=asked.delivery_id)
    if (before := held.first()) is not None:
        return _again(before, asked)
    try:
        with transaction.atomic():
            return _taken(asked, gathered, now)
    except IntegrityError:  # the same delivery, at the same moment
        return _again(held.get(), asked)


def _again(before: Delivery, asked: Event) -> dict[str, Any]:
    """Return what a delivery was answered, or how it stands where that is over: it was to wait, or
    what it was to execute is ended.
    """
    proved([before])
    if before.came_as != asked.came_as:
        logger.warning("the bank sent another body under a delivery id: %s is kept", before.pk)
    answer: dict[str, Any] = before.answer
    if answer.get("action") not in ("waiting", "routed"):
        return answer
    row = BankTransaction.objects.get(resource_id=before.resource_id)
    if answer["action"] == "routed" and row.state in WENT:
        return answer
    named = {name: answer[name] for name in ("delivery_id", "resource_id")}
    return named | onward.standing(proved([row])[0])


def _taken(asked: Event, looked: Checked | Exception | None, now: datetime) -> dict[str, Any]:
    row = None
    if asked.resource_type == TRANSACTION:
        row = proved([locked(asked.resource_id, now=now)])[0]
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
    delivery.body = sealing.seal(asked.raw, bound=delivery.bound)
    facts = facts_of(asked, row)
    if row is not None:
        found = renaming.against(row, facts, looked)
        facts = replace(facts, against=tuple(one.code for one in found))
    verdict = judge(facts)
    named = {"delivery_id": asked.delivery_id, "resource_id": asked.resource_id}
    said = named | onward.told(verdict.row)
    if row is not None:
        follow(asked.resource_id, facts.status, now=now)
        said |= onward.go(row, facts=facts, verdict=verdict, looked=looked, now=now)
    delivery.rule, delivery.answer = said["rule"], said
    begin(delivery, "TAKEN", now=now)
    return said


def facts_of(asked: Event, row: BankTransaction | None) -> Facts:
    """Return a delivery with the state of its transaction after it."""
    owner, unsure = whose(asked.resource_id) if row else ("", False)
    own = ((asked.version, asked.delivery_id, asked.patch),)
    return Facts(
        resource=asked.resource_type,
        operation=asked.operation,
        patch=asked.patch,
        state=state_of(asked.resource_id, more=own) if row else {},
        stands=row.state if row else "",
        default=settings.BANK_DEFAULT_RECIPIENT,
        ours=bool(owner),
        unsure=unsure,
        went=row.went if row else None,
    )
