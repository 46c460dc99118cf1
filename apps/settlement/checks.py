"""The checks of a flow: each looks up what is known of the wallet, then judges the amount by it.

Nobody's behaviour is recorded here: who may ask without a key could else give any wallet a history.
What is looked up does not depend on the amount, so that it can be kept for some seconds (flow.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from apps.aml.models import WalletProfile
from apps.aml.rules.engine import View, near, neighbours
from apps.aml.rules.profile import NOTHING, Payment
from apps.aml.rules.profile import Profile as WalletHistory
from apps.aml.rules.scene import Near
from apps.aml.screening import asked as aml_asked
from apps.aml.screening.gather import AmountUnvalued, payment_of
from apps.aml.screening.parties import Party, listed_address, registered_party
from apps.esg import gather as entity
from apps.registry.models import Registration
from apps.registry.proof import Known
from apps.registry.wallets import Family, read
from apps.screening.combined import asked as screen_asked
from apps.screening.combined import gather as screen_gather
from apps.screening.rules import screen as screen_rules
from apps.settlement import figures, remembering
from apps.settlement.nobodys import is_nobodys
from apps.settlement.rules.routes import CHAIN, route_of
from apps.signals.rates import SAMPLE, Converted
from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.engine import Engine

OFFICE_SCORE = 85  # per cent, from which a PEP screen is HIGH (DESIGN section 4, 2.6)
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

    `registered` is what was raised where nobody can tell. `keeps` says that what is known of an
    entity for some seconds serves too.
    """

    address: str
    registered: Known | Exception
    now: datetime
    keeps: bool = False

    @property
    def whose(self) -> Known:
        """The registration with its events; raises where nobody can tell who is registered."""
        if isinstance(self.registered, Exception):
            raise self.registered
        return self.registered

    @property
    def known(self) -> Registration | None:
        """Who is registered for the wallet; raises where nobody can tell."""
        return self.whose.row


@dataclass(frozen=True, slots=True)
class Scene:
    """What the checks judge: what was asked, the amount in USD where a rate is held, and figures.

    A figure is what was raised where it could not be looked up.
    """

    asked: Asked
    converted: Converted | None
    now: datetime
    figures: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, name: str) -> Any:
        """Return a figure; raises what its look raised."""
        found = self.figures[name]
        if isinstance(found, Exception):
            raise found
        return found


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
    party = _party(engine, wallet)
    held = WalletProfile.objects.held((wallet.address,))
    own = held[wallet.address].profile if wallet.address in held else NOTHING
    payment = Payment(SENDER, wallet.address, 1, 0)
    around = neighbours(payment=payment, out=0, own=own, other=NOTHING)
    around.pop(SENDER)
    flagged = near(around, WalletProfile.objects.flagged(around))
    return _Behaviour(engine, own, flagged, party.near, bool(party.listed))


def _party(engine: Engine, wallet: Wallet) -> Party:
    """Hold the wallet and who is registered for it against the lists.

    A listed address blocks whoever is said to stand behind it, also where nobody can tell who.
    """
    address = listed_address(engine, wallet.address)
    if isinstance(wallet.registered, Exception) and address.listed:
        return address
    whose = wallet.whose
    if whose.row is None:
        return address
    return registered_party(engine=engine, row=whose.row, events=whose.events)


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
    weights = scene.figure(figures.WEIGHTS)
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
    office: str = ""


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
    return _Listed(engine, listed, (asked, gathered), _office(engine, asked))


def _office(engine: Engine, asked: screen_asked.Asked) -> str:
    """Return the office holder who bears the name of a party without an LEI, or an empty text.

    Who has no LEI may be a person: only names that agree nearly wholly count, as of a HIGH PEP
    screen. Without a list of office holders in force nothing is found.
    """
    if asked.lei or engine.freshness["pep"].state != "fresh":
        return ""
    found = lookup.office_holders(engine=engine, subject=asked.subject)
    return found[0].name if found and found[0].score >= OFFICE_SCORE else ""


def sanctions(scene: Scene, known: _Listed) -> Found:
    """Judge what the lists have, and the combined screen with the amount."""
    source = f"lists {known.engine.list_set.id[:12]}"
    if known.screen is None:
        return Found({"listed": known.listed, "screen": ""}, source, known.engine.sample)
    asked, gathered = with_amount(*known.screen, scene)
    judged = screen_rules.judge(gathered.facts)
    decision = judged.outcome.decision
    if decision != "BLOCKED":
        scene.figure(figures.RATE)  # where it cannot be read, nothing was screened with an amount
    facts = {"listed": known.listed, "screen": decision, "office": known.office}
    kept = {"riskScore": judged.risk_score, "rules": [one.code for one in judged.findings]}
    kept |= {"officeHolder": known.office} if known.office else {}
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
    key = ("esg", row.lei, row.legal_name, row.country)
    if wallet.keeps and (held := remembering.recall(key, now=wallet.now)):
        return held[0]  # type: ignore[no-any-return]
    found = _own_score(row, wallet.now)
    remembering.keep(key, (found,), now=wallet.now)
    return found


def _own_score(row: Registration, now: datetime) -> Found | None:
    told = {
        "lei": row.lei,
        "name": row.legal_name,
        "country": row.country,
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    found = entity.gather(asked=told, now=now)
    if found.result is None:
        return None
    kept = {"score": int(found.result["composite"])}
    return Found({"esg_of": "entity"}, "evidence held of the entity", kept=kept)


def esg(scene: Scene, known: Found | None) -> Found:
    """Return the beneficiary's own score, else the live one; NoScore where neither is."""
    if known is not None:
        return known
    score = scene.figure(figures.LIVE)
    if score.slot is None:
        raise NoScore("Neither an own score nor the live one is known.")
    return Found({"esg_of": "live"}, f"live ESG score, run {score.slot}")


@lru_cache(maxsize=4096)
def _reached(address: str) -> tuple[bool, bool]:
    """Tell whether a settlement reaches a wallet, and whether it would be lost there."""
    reaches = read(address).family is Family.EVM
    return reaches, reaches and is_nobodys(address)


def routing(scene: Scene, known: None) -> Found:
    """Find what the settlement is paid in, and whether that reaches the wallet."""
    route = route_of(scene.asked.source, scene.asked.destination)
    reaches, lost = _reached(scene.asked.recipient)
    facts = {"asset": route.asset if route else "", "reaches": reaches, "nobodys": lost}
    return Found(facts, f"table of assets, {CHAIN}", kept={"fx": bool(route and route.fx)})


def stability(scene: Scene, known: None) -> Found:
    """Judge by the last run of the stability oracle; OracleUnavailable, OracleStale (503)."""
    last = scene.figure(figures.ORACLE)
    row = last.decided(scene.now)
    kept = {"score": str(last.run.points), "rule": row.code, "slot": last.run.slot}
    return Found({"status": row.status}, f"run {last.run.slot} of the stability oracle", kept=kept)


def _found(scene: Scene, known: Found) -> Found:
    return known


def _nothing(wallet: Wallet) -> None:
    """Look up nothing of the wallet."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `look` reads, and may wait where `waits` says so; `judge` judges an amount.

    `figure` is the one on whose look it waits, where there is one.
    """

    look: Callable[[Wallet], Any]
    judge: Callable[[Scene, Any], Found]
    waits: Callable[[Wallet], bool] = lambda _: True
    figure: str = ""


def _never(wallet: Wallet) -> bool:
    return False


def _has_lei(wallet: Wallet) -> bool:
    known = wallet.registered
    return isinstance(known, Known) and known.row is not None and bool(known.row.lei)


CHECKS: Mapping[str, Check] = {
    "aml": Check(look_aml, aml),
    "sanctions": Check(look_sanctions, sanctions),
    "fatf_r16": Check(look_fatf_r16, _found, _never),
    "esg": Check(look_esg, esg, _has_lei),
    "routing": Check(_nothing, routing, _never),
    "stability": Check(_nothing, stability, _never, figures.ORACLE),
}


def sample_rate(converted: Converted | None) -> bool:
    """Tell whether the amount was valued by a sample rate."""
    return converted is not None and converted.source == SAMPLE
