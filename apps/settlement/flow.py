"""The flow check: every check side by side, under one deadline, and what they come to."""

import logging
import time
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
from apps.settlement import beside, checks, figures, remembering
from apps.settlement.checks import Asked, Check, Found, Scene, Wallet
from apps.settlement.rules.flow import CHECKS, Facts, Judgement, judge
from apps.settlement.rules.routes import NETWORK
from apps.signals.rates import Converted

logger = logging.getLogger(__name__)
SECONDS = 1.5  # one deadline for all checks
WHOSE = "registration"  # who is registered for the wallet: most checks need it


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
        """Return the checks as they are told, judged so: not which compliance check is against."""
        return [self._shown(judgement, name) for name in CHECKS]

    def _shown(self, judgement: Judgement, name: str) -> dict[str, Any]:
        row = judgement.shown(name)
        untold = row is judgement.untold
        known = None if untold else self.found.get(name)
        closed = "compliance checks" if untold else "nothing: it did not run"
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
    ends = time.monotonic() + SECONDS
    done = beside.run(_whose(asked) | figures.looks(currency=asked.source, now=now), ends=ends)
    found, took = _apart(done)
    known, looking = _known(Wallet(asked.recipient, found.pop(WHOSE), now), ends)
    return _judged(asked, known, found, took | looking, now)


def glance(*, asked: Asked, now: datetime) -> Looked:
    """Do what `gather` does, by what is known of the wallet for some seconds.

    For who only asks: what is settled is looked up anew.
    """
    ends = time.monotonic() + SECONDS
    held, had = figures.known(asked.recipient, currency=asked.source, now=now)
    asks = figures.looks(currency=asked.source, now=now)
    tasks = {name: look for name, look in asks.items() if name not in had}
    done = beside.run(tasks if held is not None else _whose(asked) | tasks, ends=ends)
    found, took = _apart(done)
    if held is None:
        wallet = Wallet(asked.recipient, found.pop(WHOSE), now, keeps=True)
        held, looking = _known(wallet, ends)
        took |= looking
        if not any(isinstance(one, Exception) for one in held.values()):
            remembering.keep(asked.recipient, held, now=now)
    figures.keep(found, currency=asked.source, now=now)
    return _judged(asked, held, had | found, took, now)


def _whose(asked: Asked) -> dict[str, Any]:
    return {WHOSE: partial(proof.known, asked.recipient)}


def _apart(done: Mapping[str, tuple[Any, float]]) -> tuple[dict[str, Any], dict[str, float]]:
    """Return what was found, and how long each took in seconds."""
    found = {name: one for name, (one, _) in done.items()}
    return found, {name: took for name, (_, took) in done.items()}


def _known(wallet: Wallet, ends: float) -> tuple[dict[str, Any], dict[str, float]]:
    """Look up what is known of a wallet, check by check, with how long each took in seconds.

    What was raised stands for a check that could not look.
    """
    here, waits = dict[str, Any](), dict[str, Any]()
    for name, check in checks.CHECKS.items():
        (waits if check.waits(wallet) else here)[name] = partial(check.look, wallet)
    return _apart(beside.run(waits, ends=ends) | beside.at_once(here))


def _judged(
    asked: Asked,
    known: Mapping[str, Any],
    held: Mapping[str, Any],
    took: Mapping[str, float],
    now: datetime,
) -> Looked:
    """Judge by what is known of the wallet; a check that gives no finding in time did not run."""
    converted = figures.converted(asked.amount, held[figures.RATE])
    scene = Scene(asked, converted, now, held)
    found, waited = dict[str, Found](), dict[str, float]()
    for name, check in checks.CHECKS.items():
        waited[name] = took.get(name, 0.0) + took.get(check.figure, 0.0)
        if (one := _one(check, scene, known.get(name), waited[name])) is not None:
            found[name] = one
    facts: dict[str, Any] = {}
    for one in found.values():
        facts |= one.facts
    usd = converted.amount_usd if converted else None
    unrated = held[figures.RATE] is None
    whole = Facts(ran=frozenset(found), amount_usd=usd, unrated=unrated, **facts)
    return Looked(asked, whole, judge(whole), found, waited, converted, now)


def _one(check: Check, scene: Scene, known: Any, waited: float) -> Found | None:
    """Return what a check found, None where it could not look or judge within its seconds.

    What it `waited` for its look counts; what others took does not.
    """
    if isinstance(known, Exception):
        return None
    began = time.monotonic()
    try:
        found = check.judge(scene, known)
        return found if waited + time.monotonic() - began < SECONDS else None
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
