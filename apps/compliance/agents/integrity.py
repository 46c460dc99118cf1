"""Recompute agents from their ledger: each must be in its recorded state.

An attacker who can write the database can raise a level, widen a mandate or undo a revocation, but
cannot record that it happened.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import CharField, Count, Exists, OuterRef, Sum
from django.db.models.functions import Cast

from apps.compliance.agents.mandate_terms import serialize_mandate_terms
from apps.compliance.agents.models import Agent, AgentEvent, Mandate, Revocation, Spend, Step
from apps.platform.common.batches import iter_chunks

BATCH = 500
# the steps that change an agent's state; its credentials and spends are many more
STANDING = (Step.REGISTERED, Step.LEVEL, Step.PROVED, Step.UNPROVED, Step.MANDATE, Step.REVOKED)
SPENDING = (Step.SPENT, Step.RELEASED)
Events = Sequence[AgentEvent]


def verify_all_agents(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where agents, mandates and payments differ from their records."""
    done = 0
    for batch in iter_chunks(Agent.objects.order_by("pk").iterator(BATCH), BATCH):
        ids = [row.agent_id for row in batch]
        events: dict[str, list[AgentEvent]] = defaultdict(list)
        for event in AgentEvent.objects.filter(agent__in=ids, step__in=STANDING).order_by("pk"):
            events[event.agent].append(event)
        grouped_mandates: dict[int, list[Mandate]] = defaultdict(list)
        for mandate in Mandate.objects.filter(agent__in=batch).order_by("version"):
            grouped_mandates[mandate.agent_id].append(mandate)
        ended = set(Revocation.objects.filter(agent__in=batch).values_list("agent_id", flat=True))
        for agent in batch:
            for fault in find_agent_faults(
                agent, events[agent.agent_id], grouped_mandates[agent.pk], agent.pk in ended
            ):
                yield f"agent {agent.agent_id}: {fault}"
        done += len(batch)
        progress(done)
    # a deleted agent has no row whose faults could be found above
    there = Agent.objects.filter(agent_id=OuterRef("agent"))
    orphaned_events = AgentEvent.objects.filter(~Exists(there), step=Step.REGISTERED).order_by(
        "agent"
    )
    for agent_id in orphaned_events.values_list("agent", flat=True).iterator(BATCH):
        yield f"agent {agent_id}: it is recorded, but its row is missing"
    yield from verify_spends(progress)


def find_agent_faults(
    agent: Agent, events: Events, mandates: Sequence[Mandate], ended: bool
) -> Iterator[str]:
    """Yield in words where an agent differs from its events (oldest first)."""
    # nothing can be compared: all else refers to the registration
    if not events or events[0].step != Step.REGISTERED:
        yield "its registration is not recorded"
        return
    judged = [event for event in events if event.step in (Step.REGISTERED, Step.LEVEL)]
    if judged[-1].level != agent.level:
        yield f"its level is {agent.level}, recorded is {judged[-1].level}"
    recorded = any(event.step == Step.REVOKED for event in events)
    # three witnesses of one fact: the ledger, the row, and the published list of revocations
    if not recorded == agent.revoked == ended:
        yield f"it is {agent.status}, recorded is {'REVOKED' if recorded else 'ACTIVE'}"
    first = events[0]
    if not first.purged:
        shown = {
            "name": agent.name,
            "ownerEntity": agent.owner_entity,
            "ownerLei": agent.owner_lei,
            "secretDigest": agent.digest,
        }
        for name, value in shown.items():
            if first.data[name] != value:
                yield f"{name} differs from the registration"
    proofs = (Step.PROVED, Step.UNPROVED)
    yield from _proof_faults(agent, [event for event in events if event.step in proofs])
    yield from _mandate_faults(mandates, [event for event in events if event.step == Step.MANDATE])


def _proof_faults(agent: Agent, events: Events) -> Iterator[str]:
    if any(event.purged for event in events):
        return
    for name, shown in (("key", agent.key_thumbprint), ("wallet", agent.owner_wallet)):
        # a proof may be of the key, of the wallet or of both: the last that names it counts
        values = [event.data[name] for event in events if name in event.data]
        if (values[-1] if values else "") != shown:
            yield f"its {name} differs from the proved one"
    if agent.owner_proved_at and not agent.owner_wallet:
        yield "its owner proof has no wallet"


def _mandate_faults(mandates: Sequence[Mandate], events: Events) -> Iterator[str]:
    # a deleted version would put the one before it back into force
    if len(mandates) != len(events):
        yield f"it has {len(mandates)} versions of a mandate, recorded are {len(events)}"
        return
    for mandate, event in zip(mandates, events, strict=True):
        if not event.purged and event.data != _serialize_mandate_terms(mandate):
            yield f"version {mandate.version} of its mandate differs from the record"


def _serialize_mandate_terms(mandate: Mandate) -> dict[str, Any]:
    """Return a mandate as the ledger writes it: decimals as texts."""
    terms = {"version": mandate.version} | serialize_mandate_terms(mandate)
    return {
        name: format_ledger_amount(value) if isinstance(value, Decimal) else value
        for name, value in terms.items()
    }


def format_ledger_amount(value: Decimal) -> str:
    """Return an amount as the ledger writes it: without trailing zeros."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def verify_spends(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield days on which an agent's payments differ from the record."""
    # each record has the total of its day, so the last of a day is enough
    later = AgentEvent.objects.filter(
        agent=OuterRef("agent"), about=OuterRef("about"), step__in=SPENDING, pk__gt=OuterRef("pk")
    )
    last = AgentEvent.objects.filter(~Exists(later), step__in=SPENDING).order_by("pk")
    done = 0
    for batch in iter_chunks(last.iterator(BATCH), BATCH):
        for event in batch:
            # under the agent's lock: a payment may come while this runs
            if not event.purged and (fault := _recheck_day(event)):
                yield f"agent {event.agent}: {fault}"
        done += len(batch)
        progress(done)
    agent_events = AgentEvent.objects.filter(
        agent=OuterRef("agent__agent_id"),
        about=Cast(OuterRef("day"), CharField()),
        step__in=SPENDING,
    )
    # a day without any record; a day with one is compared above
    unrecorded = Spend.objects.filter(~Exists(agent_events)).order_by("pk")
    for pk in unrecorded.values_list("pk", flat=True).iterator(BATCH):
        yield f"payment {pk} of an agent: it is not recorded"


def _recheck_day(event: AgentEvent) -> str:
    """Return how a day differs from its last record, checked under the agent's lock."""
    with transaction.atomic():
        agent = Agent.objects.select_for_update().filter(agent_id=event.agent).first()
        newest = last_spend_event(agent_id=event.agent, day=date.fromisoformat(event.about))
        return "it is missing" if agent is None else find_day_fault(agent, event.about, newest)


def last_spend_event(*, agent_id: str, day: date) -> AgentEvent | None:
    """Return the last record of what an agent spent on a UTC day."""
    agent_events = AgentEvent.objects.filter(
        agent=agent_id, about=day.isoformat(), step__in=SPENDING
    )
    return agent_events.order_by("-pk").first()


def find_day_fault(agent: Agent, day: str, last: AgentEvent | None) -> str:
    """Return how an agent's spending on a day differs from its last record; empty if equal.

    The record has the sum and the number of payments.
    """
    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)
    totals = counted.aggregate(total=Sum("amount"), payments=Count("pk"))
    shown = {
        "spentUsd": format_ledger_amount(totals["total"] or Decimal(0)),
        "payments": totals["payments"],
    }
    recorded = {"spentUsd": "0", "payments": 0}
    if last is not None:
        recorded = {name: last.data[name] for name in recorded}
    if shown == recorded:
        return ""
    return f"on {day} it spent {shown['spentUsd']} USD, recorded is {recorded['spentUsd']} USD"
