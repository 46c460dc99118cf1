"""The limits of an agent in force: its mandate's, clamped to its level; and their output."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.compliance.agents import ap2_mandate
from apps.compliance.agents.authentication import KIND
from apps.compliance.agents.mandate_terms import serialize_mandate_terms
from apps.compliance.agents.models import Agent, Mandate, Status
from apps.compliance.agents.rules.levels import TIERS, can_hold_mandates, clamp_limit
from apps.compliance.agents.rules.spend_limits import SpendLimits
from apps.compliance.agents.selectors import integrity_checked_agents
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


def lock_callers_agent(*, agent_id: str, caller: Caller) -> Agent:
    """Return an agent, locked, that the caller is or may administer; NotFound for any other.

    Raises AgentIntegrityError (503) as `integrity_checked_agents.lock_agent`.
    """
    # 404 and not 403: an agent learns nothing about others
    theirs = caller.kind == KIND and caller.ref != f"agent:{agent_id}"
    agent = None if theirs else integrity_checked_agents.lock_agent(agent_id)
    if agent is None:
        raise NotFound(NO_SUCH_ID)
    return agent


def current_mandate(agent: Agent) -> Mandate | None:
    """Return the version of an agent's mandate that holds; None without one."""
    return agent.mandates.order_by("-version").first()


def preview_terms(*, agent: Agent, terms: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the terms that a version would have, and whether the level clamps them."""
    before = current_mandate(agent)
    # what is left out keeps its value; null is a value and lifts a cap
    requested = (serialize_mandate_terms(before) if before else NOTHING) | {
        name: terms[name] for name in NOTHING if name in terms
    }
    cap = TIERS[agent.level].cap
    clamped = requested | {name: clamp_limit(requested[name], cap) for name in CAPS}
    # each entry once, in its order, so that a repeat is no change
    clamped |= {name: list(dict.fromkeys(requested[name])) for name in LISTS}
    # only what was requested now: a cap that the level lowered earlier is no news
    narrowed = any(terms.get(name) is not None and terms[name] != clamped[name] for name in CAPS)
    return clamped, narrowed


def lifts_any_limit(terms: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Return whether terms allow anything that those before did not.

    No cap, an empty list and no floor are no limit.
    """
    # for caps None is the most, for lists an empty one, for the floor 0 or none
    raised = any(
        before[name] is not None and (terms[name] is None or terms[name] > before[name])
        for name in CAPS
    )
    widened = any(
        before[name] and (not terms[name] or set(terms[name]) - set(before[name])) for name in LISTS
    )
    return raised or widened or (terms["esg_floor"] or 0) < (before["esg_floor"] or 0)


def format_terms(terms: Mapping[str, Any]) -> str:
    """Return terms as an owner signs them: every limit, in one order."""
    shown = {
        "maxNotionalUsd": _format_cap(terms["max_notional_usd"]),
        "dailyCapUsd": _format_cap(terms["daily_cap_usd"]),
        "currencyPairs": ",".join(terms["currency_pairs"]) or "any",
        "counterpartyWhitelist": ",".join(terms["counterparty_whitelist"]) or "anybody",
        "esgFloor": str(terms["esg_floor"] or 0),
    }
    return ", ".join(f"{name} {value}" for name, value in shown.items())


def _format_cap(value: Decimal | None) -> str:
    return "none" if value is None else format_decimal(Decimal(value))


def is_mandate_active(agent: Agent, mandate: Mandate | None) -> bool:
    """Return whether an agent acts under a mandate now: its level may have fallen since."""
    return mandate is not None and agent.status == Status.ACTIVE and can_hold_mandates(agent.level)


def effective_limits(agent: Agent, mandate: Mandate | None) -> SpendLimits:
    """Return what holds for an agent now: its mandate within the caps of its level."""
    cap = TIERS[agent.level].cap
    # the caps of the level hold without a mandate, too (document 1 section 2.10)
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
    spend_limits = effective_limits(agent, mandate)
    payload = serialize_mandate_terms(mandate) | {
        "mandate_id": mandate.mandate_id,
        "version": mandate.version,
        # clamped again: the level may have fallen since the version was made
        "max_notional_usd": spend_limits.max_notional,
        "daily_cap_usd": spend_limits.daily_cap,
        "made_at": mandate.made_at,
        "active": is_mandate_active(agent, mandate),
    }
    if mandate.ap2_compatible:
        payload["ap2"] = ap2_mandate.build_ap2_document(
            mandate=mandate,
            limits=spend_limits,
            key=agent.key_thumbprint,
            active=payload["active"],
            now=now,
        )
    return payload
