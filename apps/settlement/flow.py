"""The flow check: every check side by side, under one deadline, and what they come to."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.callers import Caller
from apps.core.shapes import epoch
from apps.payments.rules.assets import amount_fault
from apps.registry import proof
from apps.settlement import beside, checks, remembering
from apps.settlement.checks import Asked, Check, Found, Scene, Wallet
from apps.settlement.rules import flow as rules
from apps.settlement.rules.flow import CHECKS, Facts, Judgement, judge
from apps.settlement.rules.routes import NETWORK
from apps.signals.rates import Converted, to_usd

logger = logging.getLogger(__name__)
SECONDS = 1.5  # one deadline for all checks


@dataclass(frozen=True, slots=True)
class Looked:
    """What the checks of a flow found, and what follows; `took` in seconds."""

    asked: Asked
    facts: Facts
    judgement: Judgement
    found: Mapping[str, Found]
    took: Mapping[str, float]
    converted: Converted | None
    at: datetime

    @property
    def quality(self) -> str:
        """Return the worst quality of what the answer rests on."""
        if len(self.found) < len(CHECKS):
            return "PARTIAL"
        sample = any(one.sample for one in self.found.values())
        return "SAMPLE" if sample or checks.sample_rate(self.converted) else "LIVE"

    @property
    def oracle(self) -> Mapping[str, Any]:
        """Return how the stability oracle stands; empty where it does not answer."""
        one = self.found.get("stability")
        return {**one.kept, "status": one.facts["status"]} if one else {}

    @property
    def esg_score(self) -> int | None:
        """Return the beneficiary's own score, where one is known."""
        one = self.found.get("esg")
        return one.kept.get("score") if one else None

    def recorded(self, judgement: Judgement) -> dict[str, Any]:
        """Return the checks as a record keeps them, judged so."""
        return {
            name: {
                "outcome": judgement.rows[name].outcome,
                "rule": judgement.rows[name].code,
                "source": self.found[name].source if name in self.found else "",
                "kept": dict(self.found[name].kept) if name in self.found else {},
            }
            for name in CHECKS
        }

    def shown(self, judgement: Judgement) -> list[dict[str, Any]]:
        """Return the checks as they are told, judged so: of BLOCKED not which of them blocks."""
        return [self._shown(judgement, name) for name in CHECKS]

    def _shown(self, judgement: Judgement, name: str) -> dict[str, Any]:
        row = judgement.shown(name)
        known = self.found.get(name) if row is not rules.UNTOLD else None
        closed = "compliance checks" if row is rules.UNTOLD else "nothing: it did not run"
        return {
            "name": name,
            "outcome": row.outcome,
            "rule": row.code,
            "rule_reference": row.ref,
            "message": row.says,
            "source": known.source if known else closed,
            "checked_at": epoch(self.at),
            "elapsed_ms": int(self.took.get(name, 0.0) * 1000),
        }


def asked_of(*, amount: Decimal, recipient_address: str, **between: str) -> Asked:
    """Return what a request asks for; 400 for an amount that its currency does not have."""
    source, destination = between["from_"], between["to"]
    if fault := amount_fault(amount, source):
        raise ValidationError({"amount": [fault]})
    return Asked(amount, source, destination, recipient_address)


def gather(*, asked: Asked, now: datetime) -> Looked:
    """Make every check side by side, and judge; nothing is written.

    A check that raises or is late did not run: it holds the settlement.
    """
    return _judged(asked, *_known(asked.recipient, now), now)


def glance(*, asked: Asked, now: datetime) -> Looked:
    """Do what `gather` does, by what is known of the wallet for some seconds.

    For who only asks: what is settled is looked up anew.
    """
    held = remembering.recall(asked.recipient, now=now)
    if held is not None:
        return _judged(asked, held, dict.fromkeys(held, 0.0), now)
    known, took = _known(asked.recipient, now)
    remembering.keep(asked.recipient, known, now=now)
    return _judged(asked, known, took, now)


def _known(address: str, now: datetime) -> tuple[dict[str, Any], dict[str, float]]:
    """Look up what is known of a wallet, check by check, with how long each took in seconds.

    What was raised stands for a check that could not look.
    """
    row, unproved = None, False
    try:
        row = proof.standing(address)
    except proof.RegistrationUnproved:
        unproved = True
    wallet = Wallet(address, row, now, unproved)
    made = {
        name: partial(check.look, wallet)
        for name, check in checks.CHECKS.items()
        if name not in checks.HERE
    }
    done = beside.run(made, seconds=SECONDS)
    known = {name: one for name, (one, _) in done.items()}
    return known, {name: took for name, (_, took) in done.items()}


def _judged(
    asked: Asked, known: Mapping[str, Any], took: Mapping[str, float], now: datetime
) -> Looked:
    """Judge by what is known of the wallet; a check that gives no finding did not run."""
    converted = to_usd(amount=asked.amount, currency=asked.source, now=now)
    scene = Scene(asked, converted, now)
    found: dict[str, Found] = {}
    for name, check in checks.CHECKS.items():
        if (one := _one(check, scene, known.get(name))) is not None:
            found[name] = one
    facts: dict[str, Any] = {}
    for one in found.values():
        facts |= one.facts
    usd = converted.amount_usd if converted else None
    whole = Facts(ran=frozenset(found), amount_usd=usd, **facts)
    return Looked(asked, whole, judge(whole), found, took, converted, now)


def _one(check: Check, scene: Scene, known: Any) -> Found | None:
    """Return what a check found, None where it could not look or judge."""
    if isinstance(known, Exception):
        return None
    try:
        return check.judge(scene, known)
    except Exception as error:  # whatever went wrong, the check did not run
        logger.warning("a check of a flow did not run: %s", type(error).__name__)
        return None


def conclude(*, asked: Asked, gathered: Looked, caller: Caller, now: datetime) -> dict[str, Any]:
    """Return the answer; see FlowOut. Nothing is written."""
    return told(gathered, now)


def told(one: Looked, now: datetime) -> dict[str, Any]:
    """Return a flow as FlowOut has it."""
    judgement, oracle = one.judgement, one.oracle
    said: dict[str, Any] = {
        "decision": judgement.decision,
        "checks": [row | {"checked_at": now} for row in one.shown(judgement)],
        "data_quality": one.quality,
        "checked_at": now,
    }
    if judgement.reason:
        said["block_reason"] = judgement.reason
    if one.converted is not None:
        said["amount_usd"] = one.converted.amount_usd
    if one.facts.asset:
        fx = one.found["routing"].kept["fx"]
        said["route"] = {"asset": one.facts.asset, "network": NETWORK, "fx": fx}
    if oracle:
        said |= {"oracle_status": oracle["status"], "oracle_score": Decimal(oracle["score"])}
    return said
