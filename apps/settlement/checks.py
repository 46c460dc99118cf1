"""The checks of a flow: each looks up what is known of the wallet, then judges the amount by it.

Nobody's behaviour is recorded here: who may ask without a key could else give any wallet a history.
What is looked up does not depend on the amount, so that it can be kept for some seconds (flow.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.aml.models import WalletProfile
from apps.aml.rules.engine import View, near, neighbours
from apps.aml.rules.profile import NOTHING, Payment
from apps.aml.rules.profile import Profile as WalletHistory
from apps.aml.rules.scene import Near
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
from apps.watchlists.engine import Engine

SENDER = "flow-check:sender"  # who pays is not known before it is settled: nobody's profile


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be settled: `amount` in `source`, both currencies as ISO 4217."""

    amount: Decimal
    source: str
    destination: str
    recipient: str


@dataclass(frozen=True, slots=True)
class Wallet:
    """Whom the checks look up: the wallet, and who is registered for it.

    `unproved` says that the registration is not as it was recorded: nothing counts of it.
    """

    address: str
    registered: Registration | None
    now: datetime
    unproved: bool = False

    @property
    def known(self) -> Registration | None:
        """Who is registered for the wallet; RegistrationUnproved (503) where nobody can tell."""
        if self.unproved:
            raise RegistrationUnproved("The registration of this wallet is not as it was recorded.")
        return self.registered


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks judge: what was asked, and the amount in USD where a rate is held."""

    asked: Asked
    converted: Converted | None
    now: datetime


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


@dataclass(frozen=True, slots=True)
class _Behaviour:
    """What the AML check knows of a wallet; `name_near` in per cent."""

    engine: Engine
    own: WalletHistory
    near: tuple[Near, ...]
    name_near: int
    listed: bool


def look_aml(wallet: Wallet) -> _Behaviour:
    """Return the profile of a wallet, and what the lists have of it."""
    engine = engines.current(wallet.now)
    found = parties(engine=engine, wallets=(wallet.address, SENDER))
    held = WalletProfile.objects.held((wallet.address,))
    own = held[wallet.address].profile if wallet.address in held else NOTHING
    payment = Payment(SENDER, wallet.address, 1, 0)
    around = neighbours(payment=payment, out=0, own=own, other=NOTHING)
    return _Behaviour(
        engine,
        own,
        near(around, WalletProfile.objects.flagged(around)),
        max(one.near for one in found),
        any(one.listed for one in found),
    )


def aml(scene: Scene, known: _Behaviour) -> Found:
    """Judge the recipient's profile as it stands; AmountUnvalued where no rate is held."""
    asked = aml_asked.Asked(
        wallet=scene.asked.recipient,
        counterparty=SENDER,
        amount=scene.asked.amount,
        currency=scene.asked.source,
        payment_id="",
        direction="RECEIVE",
    )
    if scene.converted is None and not known.listed:
        raise AmountUnvalued(f"No rate of {asked.money} of the last ten days is held.")
    weights = in_force(scene.now)
    payment = payment_of(asked, scene.converted, scene.now)
    view = View(payment, asked.out, known.own, NOTHING, known.near, known.name_near)
    judged = view.judged(weights=weights.weights, listed=known.listed)
    lists = known.engine.list_set.id[:12]
    source = f"profile of the wallet, weights {weights.version}, lists {lists}"
    return Found({"aml": judged.action}, source, known.engine.sample, {"riskScore": judged.score})


@dataclass(frozen=True, slots=True)
class _Listed:
    """What the lists have of a wallet, and the combined screen of who is registered for it."""

    engine: Engine
    listed: bool
    screen: tuple[screen_asked.Asked, screen_gather.Gathered] | None


def look_sanctions(wallet: Wallet) -> _Listed:
    """Hold the wallet against the lists, and who is registered for it by the combined screen."""
    engine = engines.current(wallet.now)
    listed = bool(listed_address(engine, wallet.address).listed)
    row = None if listed else wallet.known
    if row is None:
        return _Listed(engine, listed, None)
    asked = screen_asked.Asked(
        name=row.legal_name,
        lei=row.lei,
        aliases=tuple(row.aliases),
        country=row.country,
        wallet_address=wallet.address,
        source_given=False,
    )
    gathered = screen_gather.gather(asked=asked, now=wallet.now)
    return _Listed(engine, listed, (asked, gathered))


def sanctions(scene: Scene, known: _Listed) -> Found:
    """Judge what the lists have, and the combined screen with the amount."""
    source = f"lists {known.engine.list_set.id[:12]}"
    if known.screen is None:
        return Found({"listed": known.listed, "screen": ""}, source, known.engine.sample)
    asked, gathered = with_amount(*known.screen, scene)
    judged = screen_rules.judge(gathered.facts)
    facts = {"listed": known.listed, "screen": judged.outcome.decision}
    kept = {"riskScore": judged.risk_score, "rules": [one.code for one in judged.findings]}
    more = ", GLEIF" if asked.lei else ""
    sample = gathered.quality == "SAMPLE"
    return Found(facts, f"{source}, registration{more}", sample, kept, (asked, gathered))


def with_amount(
    asked: screen_asked.Asked, gathered: screen_gather.Gathered, scene: Scene
) -> tuple[screen_asked.Asked, screen_gather.Gathered]:
    """Return a screen that was gathered without an amount as one with the amount of a flow."""
    usd = scene.converted.amount_usd if scene.converted else None
    facts = replace(gathered.facts, amount_given=True, amount_usd=usd)
    asked = replace(asked, amount=scene.asked.amount, currency=scene.asked.source)
    return asked, replace(gathered, facts=facts, converted=scene.converted)


def look_fatf_r16(wallet: Wallet) -> Found:
    """Tell whether the beneficiary is known."""
    row = wallet.known
    counts = row is not None and row.counts(wallet.now)
    contested = row is not None and (row.under_review or not counts)
    return Found({"beneficiary": counts, "contested": contested}, "register of wallets")


class NoScore(RuntimeError):
    """No score is known."""


def look_esg(wallet: Wallet) -> Found | None:
    """Return the beneficiary's own score, None where none is known."""
    row = wallet.known
    if row is None or not row.lei:
        return None
    told = {
        "lei": row.lei,
        "name": row.legal_name,
        "country": row.country,
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    found = entity.gather(asked=told, now=wallet.now)
    if found.result is None:
        return None
    kept = {"score": int(found.result["composite"])}
    return Found({"esg_of": "entity"}, "evidence held of the entity", kept=kept)


def esg(scene: Scene, known: Found | None) -> Found:
    """Return the beneficiary's own score, else the live one; NoScore where neither is."""
    if known is not None:
        return known
    score = live.score(scene.now)
    if score.slot is None:
        raise NoScore("Neither an own score nor the live one is known.")
    return Found({"esg_of": "live"}, f"live ESG score, run {score.slot}")


def routing(scene: Scene, known: None) -> Found:
    """Find what the settlement is paid in, and whether that reaches the wallet."""
    route = route_of(scene.asked.source, scene.asked.destination)
    reaches = read(scene.asked.recipient).family is Family.EVM
    facts = {"asset": route.asset if route else "", "reaches": reaches}
    return Found(facts, f"table of assets, {CHAIN}", kept={"fx": bool(route and route.fx)})


def stability(scene: Scene, known: None) -> Found:
    """Read the last run of the stability oracle; OracleUnavailable, OracleStale (503)."""
    last = standing.last(scene.now)
    row = last.decided(scene.now)
    kept = {"score": str(last.run.points), "rule": row.code, "slot": last.run.slot}
    return Found({"status": row.status}, f"run {last.run.slot} of the stability oracle", kept=kept)


def _found(scene: Scene, known: Found) -> Found:
    return known


def _nothing(wallet: Wallet) -> None:
    """Look up nothing of the wallet."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `look` reads, and may wait; `judge` says what it comes to for an amount."""

    look: Callable[[Wallet], Any]
    judge: Callable[[Scene, Any], Found]


CHECKS: Mapping[str, Check] = {
    "aml": Check(look_aml, aml),
    "sanctions": Check(look_sanctions, sanctions),
    "fatf_r16": Check(look_fatf_r16, _found),
    "esg": Check(look_esg, esg),
    "routing": Check(_nothing, routing),
    "stability": Check(_nothing, stability),
}
# what depends on who asks for how much alone, and on figures that each process holds
HERE = ("routing", "stability")


def sample_rate(converted: Converted | None) -> bool:
    """Tell whether the amount was valued by a sample rate."""
    return converted is not None and converted.source == SAMPLE
