"""What an owner lets an agent spend: made and changed version by version, clamped to its level."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.agents import ap2_document, event_log, owner_proofs, secrets
from apps.compliance.agents.authentication import KIND
from apps.compliance.agents.mandate_terms import terms_of
from apps.compliance.agents.models import Agent, Mandate, Status, Step
from apps.compliance.agents.problems import AgentRevoked, OwnerNeeded, UpgradeRequired
from apps.compliance.agents.rules.levels import TIERS, can_hold_mandates, clamp_limit
from apps.compliance.agents.rules.spend_limits import SpendLimits
from apps.compliance.agents.selectors import verified_agents
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NO_SUCH_ID, NotFound
from apps.platform.crypto.canonical import format_decimal

CAPS = ("max_notional_usd", "daily_cap_usd")
LISTS = ("currency_pairs", "counterparty_whitelist")
NOTHING: dict[str, Any] = {
    "max_notional_usd": None,
    "daily_cap_usd": None,
    "currency_pairs": [],
    "counterparty_whitelist": [],
    "esg_floor": None,
    "ap2_compatible": False,
}


def conclude_mandate(*, asked: Any, gathered: None, caller: Caller, now: datetime) -> Answer:
    """Make a mandate, or a new version of it; see MandateMade."""
    agent_id = asked.get("agent_id") or calling_agent_id(caller)
    if not agent_id:
        raise ValidationError({"agentId": ["Administrators must name the agent."]})
    agent = lock_callers_agent(agent_id=agent_id, caller=caller)
    before = current_mandate(agent)
    made, _ = preview_terms(agent=agent, terms=asked)
    # without an LEI nobody could sign for an owner: the cap of its level bounds such an agent
    owned = caller.kind == KIND and bool(agent.owner_lei)
    if owned and lifts_any_limit(made, terms_of(before) if before else NOTHING):
        # raise OwnerNeeded (403) or ProofRefused (422) unless the owner's wallet signed the terms
        given = asked.get("owner_proof")
        if given is None:
            raise OwnerNeeded(
                "This lifts a limit of the agent. Send `ownerProof`, signed by a wallet that is "
                "registered to its owner's LEI, or ask an administrator."
            )
        owner_proofs.verify_owner_proof(agent=agent, proof=given, now=now, terms=format_terms(made))
    mandate, narrowed = append_mandate(agent=agent, terms=asked, by=caller.ref, now=now)
    said = serialize_mandate(mandate, agent, now) | {
        "agent_id": agent.agent_id,
        "clamped": narrowed,
    }
    return Answer(said, status=200 if before else 201)


def calling_agent_id(caller: Caller) -> str:
    """Return the id of the agent that calls; empty for an administrator."""
    return caller.ref.partition(":")[2] if caller.kind == KIND else ""


def lock_callers_agent(*, agent_id: str, caller: Caller) -> Agent:
    """Return an agent, locked, that the caller is or may administer; NotFound for any other.

    Raises AgentIntegrityError (503) as `verified_agents.lock_agent`.
    """
    theirs = caller.kind == KIND and caller.ref != f"agent:{agent_id}"
    agent = None if theirs else verified_agents.lock_agent(agent_id)
    if agent is None:
        raise NotFound(NO_SUCH_ID)
    return agent


def current_mandate(agent: Agent) -> Mandate | None:
    """Return the version of an agent's mandate that holds; None without one."""
    return agent.mandates.order_by("-version").first()


def append_mandate(
    *, agent: Agent, terms: Mapping[str, Any], by: str, now: datetime
) -> tuple[Mandate, bool]:
    """Append a version, and say whether the level clamped it; call it with the agent locked.

    What `terms` leave out stays as it stood, and terms that change nothing append nothing.
    AgentRevoked and UpgradeRequired (403).
    """
    if agent.revoked:
        raise AgentRevoked("The agent is revoked.")
    if not can_hold_mandates(agent.level):
        raise UpgradeRequired(f"{agent.note} {TIERS[agent.level].upgrade}")
    before = current_mandate(agent)
    made, narrowed = preview_terms(agent=agent, terms=terms)
    if before is not None and made == terms_of(before):
        return before, narrowed
    mandate = Mandate.objects.create(
        agent=agent,
        mandate_id=before.mandate_id if before else secrets.generate_id(secrets.MANDATE_PREFIX),
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
    event_log.record_agent_step(
        agent=agent, step=Step.MANDATE, said=said, by=by, now=now, about=mandate.mandate_id
    )
    return mandate, narrowed


def preview_terms(*, agent: Agent, terms: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the terms that a version would have, and whether the level clamps them."""
    before = current_mandate(agent)
    wanted = (terms_of(before) if before else NOTHING) | {
        name: terms[name] for name in NOTHING if name in terms
    }
    cap = TIERS[agent.level].cap
    made = wanted | {name: clamp_limit(wanted[name], cap) for name in CAPS}
    made |= {name: _deduplicate(wanted[name]) for name in LISTS}
    narrowed = any(terms.get(name) is not None and terms[name] != made[name] for name in CAPS)
    return made, narrowed


def lifts_any_limit(made: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Tell whether terms allow anything that those before did not.

    No cap, an empty list and no floor are no limit.
    """
    raised = any(
        before[name] is not None and (made[name] is None or made[name] > before[name])
        for name in CAPS
    )
    widened = any(
        before[name] and (not made[name] or set(made[name]) - set(before[name])) for name in LISTS
    )
    return raised or widened or (made["esg_floor"] or 0) < (before["esg_floor"] or 0)


def format_terms(made: Mapping[str, Any]) -> str:
    """Return terms as an owner signs them: every limit, in one order."""
    shown = {
        "maxNotionalUsd": _format_cap(made["max_notional_usd"]),
        "dailyCapUsd": _format_cap(made["daily_cap_usd"]),
        "currencyPairs": ",".join(made["currency_pairs"]) or "any",
        "counterpartyWhitelist": ",".join(made["counterparty_whitelist"]) or "anybody",
        "esgFloor": str(made["esg_floor"] or 0),
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def _format_cap(value: Decimal | None) -> str:
    return "none" if value is None else format_decimal(Decimal(value))


def _deduplicate(values: list[str]) -> list[str]:
    """Return values in their order, each once."""
    return list(dict.fromkeys(values))


def is_mandate_active(agent: Agent, mandate: Mandate | None) -> bool:
    """Tell whether an agent acts under a mandate now: its level may have fallen since."""
    return mandate is not None and agent.status == Status.ACTIVE and can_hold_mandates(agent.level)


def effective_limits(agent: Agent, mandate: Mandate | None) -> SpendLimits:
    """Return what holds for an agent now: its mandate within the caps of its level."""
    cap = TIERS[agent.level].cap
    if mandate is None:
        return SpendLimits(cap, cap)
    return SpendLimits(
        max_notional=clamp_limit(mandate.max_notional, cap),
        daily_cap=clamp_limit(mandate.daily_cap, cap),
        pairs=tuple(mandate.currency_pairs),
        whitelist=tuple(mandate.whitelist),
        esg_floor=mandate.esg_floor,
    )


def serialize_mandate(mandate: Mandate, agent: Agent, now: datetime) -> dict[str, Any]:
    """Return a mandate in the names of MandateOut, with the limits that hold."""
    held = effective_limits(agent, mandate)
    found = terms_of(mandate) | {
        "mandate_id": mandate.mandate_id,
        "version": mandate.version,
        "max_notional_usd": held.max_notional,
        "daily_cap_usd": held.daily_cap,
        "made_at": mandate.made_at,
        "active": is_mandate_active(agent, mandate),
    }
    if mandate.ap2_compatible:
        found["ap2"] = ap2_document.build_ap2_document(
            mandate=mandate,
            limits=held,
            key=agent.key_thumbprint,
            active=found["active"],
            now=now,
        )
    return found
