"""What an owner lets an agent spend: made and changed version by version, clamped to its level."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.agents import ap2, proof, recording, secrets
from apps.agents.gates import KIND
from apps.agents.models import Agent, Mandate, Status, Step
from apps.agents.problems import AgentRevoked, UpgradeRequired
from apps.agents.rules.levels import TIERS, clamped, holds_mandates
from apps.agents.rules.spending import Limits
from apps.agents.terms import terms_of
from apps.core.callers import Caller
from apps.core.pipeline import Answer
from apps.core.problems import NO_SUCH_ID, NotFound

CAPS = ("max_notional_usd", "daily_cap_usd")
NOTHING: dict[str, Any] = {
    "max_notional_usd": None,
    "daily_cap_usd": None,
    "currency_pairs": [],
    "counterparty_whitelist": [],
    "esg_floor": None,
    "ap2_compatible": False,
}


def concluded(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Answer:
    """Make a mandate, or a new version of it; see MandateMade."""
    agent_id = asked.get("agent_id") or own_id(caller)
    if not agent_id:
        raise ValidationError({"agentId": ["An administrator says which agent."]})
    agent = mine(agent_id=agent_id, caller=caller)
    before = current(agent)
    mandate, narrowed = write(agent=agent, terms=asked, by=caller.ref, now=now)
    said = shown(mandate, agent, now) | {"agent_id": agent.agent_id, "clamped": narrowed}
    return Answer(said, status=200 if before else 201)


def own_id(caller: Caller) -> str:
    """Return the id of the agent that calls; empty for an administrator."""
    return caller.ref.partition(":")[2] if caller.kind == KIND else ""


def mine(*, agent_id: str, caller: Caller) -> Agent:
    """Return an agent, locked, that the caller is or may administer; NotFound for any other.

    Raises AgentUnproved (503) as `proof.locked`.
    """
    theirs = caller.kind == KIND and caller.ref != f"agent:{agent_id}"
    agent = None if theirs else proof.locked(agent_id)
    if agent is None:
        raise NotFound(NO_SUCH_ID)
    return agent


def current(agent: Agent) -> Mandate | None:
    """Return the version of an agent's mandate that holds; None without one."""
    return agent.mandates.order_by("-version").first()


def write(
    *, agent: Agent, terms: Mapping[str, Any], by: str, now: datetime
) -> tuple[Mandate, bool]:
    """Append a version, and say whether the level clamped it; call it with the agent locked.

    What `terms` leave out stays as it stood, and terms that change nothing append nothing.
    AgentRevoked and UpgradeRequired (403).
    """
    if agent.revoked:
        raise AgentRevoked("The agent is revoked.")
    if not holds_mandates(agent.level):
        raise UpgradeRequired(f"{agent.note} {TIERS[agent.level].upgrade}")
    before = current(agent)
    wanted = (terms_of(before) if before else NOTHING) | {
        name: terms[name] for name in NOTHING if name in terms
    }
    cap = TIERS[agent.level].cap
    made = wanted | {name: clamped(wanted[name], cap) for name in CAPS}
    made |= {name: _once(wanted[name]) for name in ("currency_pairs", "counterparty_whitelist")}
    narrowed = any(terms.get(name) is not None and terms[name] != made[name] for name in CAPS)
    if before is not None and made == terms_of(before):
        return before, narrowed
    mandate = Mandate.objects.create(
        agent=agent,
        mandate_id=before.mandate_id if before else secrets.new_id(secrets.MANDATE_PREFIX),
        version=before.version + 1 if before else 1,
        max_notional=made["max_notional_usd"],
        daily_cap=made["daily_cap_usd"],
        currency_pairs=made["currency_pairs"],
        whitelist=made["counterparty_whitelist"],
        esg_floor=made["esg_floor"],
        ap2_compatible=made["ap2_compatible"],
        level=agent.level,
        made_at=now,
        made_by=by,
    )
    said = {"version": mandate.version} | terms_of(mandate)
    recording.record(
        agent=agent, step=Step.MANDATE, said=said, by=by, now=now, about=mandate.mandate_id
    )
    return mandate, narrowed


def _once(values: list[str]) -> list[str]:
    """Return values in their order, each once."""
    return list(dict.fromkeys(values))


def active(agent: Agent, mandate: Mandate | None) -> bool:
    """Tell whether an agent acts under a mandate now: its level may have fallen since."""
    return mandate is not None and agent.status == Status.ACTIVE and holds_mandates(agent.level)


def limits(agent: Agent, mandate: Mandate | None) -> Limits:
    """Return what holds for an agent now: its mandate within the caps of its level."""
    cap = TIERS[agent.level].cap
    if mandate is None:
        return Limits(cap, cap)
    return Limits(
        max_notional=clamped(mandate.max_notional, cap),
        daily_cap=clamped(mandate.daily_cap, cap),
        pairs=tuple(mandate.currency_pairs),
        whitelist=tuple(mandate.whitelist),
        esg_floor=mandate.esg_floor,
    )


def shown(mandate: Mandate, agent: Agent, now: datetime) -> dict[str, Any]:
    """Return a mandate in the names of MandateOut, with the limits that hold."""
    held = limits(agent, mandate)
    found = terms_of(mandate) | {
        "mandate_id": mandate.mandate_id,
        "version": mandate.version,
        "max_notional_usd": held.max_notional,
        "daily_cap_usd": held.daily_cap,
        "made_at": mandate.made_at,
        "active": active(agent, mandate),
    }
    if mandate.ap2_compatible:
        found["ap2"] = ap2.document(
            mandate=mandate,
            limits=held,
            key=agent.key_thumbprint,
            active=found["active"],
            now=now,
        )
    return found
