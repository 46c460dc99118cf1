"""The checks of a flow: each reads what it rests on, by itself, and writes nothing.

Nobody's behaviour is recorded here: who may ask without a key could else give any wallet a history.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.aml.models import WalletProfile
from apps.aml.rules.engine import View, near, neighbours
from apps.aml.rules.profile import NOTHING
from apps.aml.screening import asked as aml_asked
from apps.aml.screening.gather import AmountUnvalued, payment_of
from apps.aml.screening.parties import listed_address, parties
from apps.aml.weighing import in_force
from apps.esg import gather as entity
from apps.payments import esg as live
from apps.registry.models import Registration
from apps.registry.proof import RegistrationUnproved
from apps.registry.wallets import Family, read
from apps.screening.combined import asked as screen_asked
from apps.screening.combined import gather as screen_gather
from apps.screening.rules import screen as screen_rules
from apps.settlement.rules.routes import CHAIN, route_of
from apps.signals.rates import SAMPLE, Converted
from apps.stability.oracle import standing
from apps.watchlists import engine as engines

SENDER = "flow-check:sender"  # who pays is not known before it is settled: nobody's profile


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be settled: `amount` in `source`, both currencies as ISO 4217."""

    amount: Decimal
    source: str
    destination: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks share: who is registered for the wallet, and the amount in USD.

    `unproved` says that the registration is not as it was recorded: nothing counts of it.
    """

    asked: Asked
    registered: Registration | None
    converted: Converted | None
    now: datetime
    unproved: bool = False

    @property
    def known(self) -> Registration | None:
        """Who is registered for the wallet; RegistrationUnproved (503) where nobody can tell."""
        if self.unproved:
            raise RegistrationUnproved("The registration of this wallet is not as it was recorded.")
        return self.registered


@dataclass(frozen=True, slots=True)
class Found:
    """What a check found: `facts` for the rules, on what they rest, and what is kept besides.

    `screen` is the combined screen as it was asked and gathered, where one was.
    """

    facts: Mapping[str, Any]
    source: str
    sample: bool = False
    kept: Mapping[str, Any] = field(default_factory=dict)
    screen: tuple[screen_asked.Asked, screen_gather.Gathered] | None = None


def aml(scene: Scene) -> Found:
    """Judge the recipient's profile as it stands; AmountUnvalued where no rate is held."""
    asked = aml_asked.Asked(
        wallet=scene.asked.recipient,
        counterparty=SENDER,
        amount=scene.asked.amount,
        currency=scene.asked.source,
        payment_id="",
        direction="RECEIVE",
    )
    engine = engines.current(scene.now)
    found = parties(engine=engine, wallets=(asked.wallet, asked.counterparty))
    listed = any(one.listed for one in found)
    if scene.converted is None and not listed:
        raise AmountUnvalued(f"No rate of {asked.money} of the last ten days is held.")
    weights = in_force(scene.now)
    payment = payment_of(asked, scene.converted, scene.now)
    held = WalletProfile.objects.held((asked.wallet,))
    own = held[asked.wallet].profile if asked.wallet in held else NOTHING
    around = neighbours(payment=payment, out=asked.out, own=own, other=NOTHING)
    flagged = WalletProfile.objects.flagged(around)
    view = View(
        payment, asked.out, own, NOTHING, near(around, flagged), max(one.near for one in found)
    )
    judged = view.judged(weights=weights.weights, listed=listed)
    source = f"profile of the wallet, weights {weights.version}, lists {engine.list_set.id[:12]}"
    return Found({"aml": judged.action}, source, engine.sample, {"riskScore": judged.score})


def sanctions(scene: Scene) -> Found:
    """Hold the wallet against the lists, and who is registered for it by the combined screen."""
    engine = engines.current(scene.now)
    listed = bool(listed_address(engine, scene.asked.recipient).listed)
    source = f"lists {engine.list_set.id[:12]}"
    row = None if listed else scene.known
    if row is None:
        return Found({"listed": listed, "screen": ""}, source, engine.sample)
    one = screened(scene.asked, row)
    gathered = screen_gather.gather(asked=one, now=scene.now)
    judged = screen_rules.judge(gathered.facts)
    facts = {"listed": listed, "screen": judged.outcome.decision}
    kept = {"riskScore": judged.risk_score, "rules": [one.code for one in judged.findings]}
    more = ", GLEIF" if row.lei else ""
    source, sample = f"{source}, registration{more}", gathered.quality == "SAMPLE"
    return Found(facts, source, sample, kept, (one, gathered))


def screened(asked: Asked, row: Registration, reference: str = "") -> screen_asked.Asked:
    """Return the combined screen of who is registered for a wallet, with the amount."""
    return screen_asked.Asked(
        name=row.legal_name,
        lei=row.lei,
        aliases=tuple(row.aliases),
        country=row.country,
        amount=asked.amount,
        currency=asked.source,
        wallet_address=asked.recipient,
        reference=reference,
        source_given=False,
    )


def fatf_r16(scene: Scene) -> Found:
    """Tell whether the beneficiary is known."""
    row = scene.known
    counts = row is not None and row.counts(scene.now)
    contested = row is not None and (row.under_review or not counts)
    return Found({"beneficiary": counts, "contested": contested}, "register of wallets")


def esg(scene: Scene) -> Found:
    """Find the score of the beneficiary, else the live one; where neither is, none was found."""
    row = scene.known
    if row is not None and row.lei:
        told = {
            "lei": row.lei,
            "name": row.legal_name,
            "country": row.country,
            "lei_status": "ISSUED",
            **dict.fromkeys(("refresh", "narrate", "explain"), False),
        }
        found = entity.gather(asked=told, now=scene.now)
        if found.result is not None:
            kept = {"score": int(found.result["composite"])}
            return Found({"esg_of": "entity"}, "evidence held of the entity", kept=kept)
    score = live.score(scene.now)
    if score.slot is None:
        raise NoScore("Neither an own score nor the live one is known.")
    return Found({"esg_of": "live"}, f"live ESG score, run {score.slot}")


class NoScore(RuntimeError):
    """No score is known."""


def routing(scene: Scene) -> Found:
    """Find what the settlement is paid in, and whether that reaches the wallet."""
    route = route_of(scene.asked.source, scene.asked.destination)
    reaches = read(scene.asked.recipient).family is Family.EVM
    facts = {"asset": route.asset if route else "", "reaches": reaches}
    return Found(facts, f"table of assets, {CHAIN}", kept={"fx": bool(route and route.fx)})


def stability(scene: Scene) -> Found:
    """Read the last run of the stability oracle; OracleUnavailable, OracleStale (503)."""
    last = standing.last(scene.now)
    row = last.decided(scene.now)
    kept = {"score": str(last.run.points), "rule": row.code, "slot": last.run.slot}
    return Found({"status": row.status}, f"run {last.run.slot} of the stability oracle", kept=kept)


CHECKS: Mapping[str, Callable[[Scene], Found]] = {
    "aml": aml,
    "sanctions": sanctions,
    "fatf_r16": fatf_r16,
    "esg": esg,
    "routing": routing,
    "stability": stability,
}


def sample_rate(converted: Converted | None) -> bool:
    """Tell whether the amount was valued by a sample rate."""
    return converted is not None and converted.source == SAMPLE
