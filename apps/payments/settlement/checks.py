"""The checks of a flow: each looks up what is known of the wallet, then judges the amount by it.

Nobody's behaviour is recorded here: who may ask without a key could else give any wallet a history.
What is looked up does not depend on the amount, so that it can be kept for some seconds
(flow_check.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from apps.compliance.aml.activity.selectors import load_expected_activity
from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.engine import PaymentView, find_neighbours, flag_neighbours
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Payment
from apps.compliance.aml.rules.profile import Profile as WalletHistory
from apps.compliance.aml.rules.signal_context import FlaggedNeighbour, WalletBackground
from apps.compliance.aml.screening import requests as aml_asked
from apps.compliance.aml.screening.selectors import AmountUnvalued, build_payment
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import (
    ScreenedWallet,
    screen_address,
    screen_registered_wallet,
)
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors.registrations import RegistrationHistory
from apps.compliance.payees.wallets import Family, parse_wallet
from apps.compliance.screening.combined import requests as screen_asked
from apps.compliance.screening.combined import selectors as screen_gather
from apps.compliance.screening.rules import screen as screen_rules
from apps.insight.esg import selectors as entity
from apps.payments.settlement import flow_cache
from apps.payments.settlement.rules.burn_addresses import is_burn_address
from apps.payments.settlement.rules.routes import CHAIN, route_of
from apps.payments.settlement.selectors import market_data
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.signals.exchange_rates import SAMPLE, UsdAmount, describe_missing_rate
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists import lookup
from apps.reference.watchlists.engine import Engine

PEP_SCORE = 85  # per cent, from which a PEP screen is HIGH (DESIGN section 4, 2.6)
UNKNOWN_SENDER = "flow-check:sender"  # who pays is not known before it is settled: nobody's profile


@dataclass(frozen=True, slots=True)
class FlowRequest:
    """What is to be settled: `amount` in `source`, both currencies as ISO 4217."""

    amount: Decimal
    source: str
    destination: str
    recipient: str


@dataclass(frozen=True, slots=True)
class CheckedWallet:
    """Whom the checks look up: the wallet, and who is registered for it.

    `registered` is what was raised where nobody can tell. `keeps` says that what is known of an
    entity for some seconds serves too.
    """

    address: str
    registered: RegistrationHistory | Exception
    now: datetime
    keeps: bool = False

    @property
    def whose(self) -> RegistrationHistory:
        """The registration with its events; raises where nobody can tell who is registered."""
        if isinstance(self.registered, Exception):
            raise self.registered
        return self.registered

    @property
    def known(self) -> Registration | None:
        """Who is registered for the wallet; raises where nobody can tell."""
        return self.whose.row


@dataclass(frozen=True, slots=True)
class FlowContext:
    """What the checks judge: what was asked, the amount in USD where a rate is held, and figures.

    A figure is what was raised where it could not be looked up.
    """

    asked: FlowRequest
    converted: UsdAmount | None
    now: datetime
    figures: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, name: str) -> Any:
        """Return a figure; raises what its look raised."""
        found = self.figures[name]
        if isinstance(found, Exception):
            raise found
        return found


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found: `facts` for the rules, on what they rest, and what is kept besides.

    `screen` is the combined screen as it was asked and gathered, where one was.
    """

    facts: Mapping[str, Any]
    source: str
    sample: bool = False
    kept: Mapping[str, Any] = field(default_factory=dict)
    screen: tuple[screen_asked.ScreenRequest, screen_gather.ScreenInputs] | None = None


@dataclass(frozen=True, slots=True)
class _AmlProfile:
    """What the AML check knows of a wallet; `name_near` in per cent."""

    engine: Engine
    own: WalletHistory
    near: tuple[FlaggedNeighbour, ...]
    name_near: int
    listed: bool
    standing: WalletBackground


def load_aml_profile(wallet: CheckedWallet) -> _AmlProfile:
    """Return the profile of a wallet, and what the lists have of it."""
    engine = engines.load_current_engine(wallet.now)
    party = _match_wallet_party(engine, wallet)
    held = WalletProfile.objects.held((wallet.address,))
    row = held.get(wallet.address)
    own = row.profile if row is not None else EMPTY_PROFILE
    payment = Payment(UNKNOWN_SENDER, wallet.address, 1, 0)
    around = find_neighbours(payment=payment, out=0, own=own, other=EMPTY_PROFILE)
    around.pop(UNKNOWN_SENDER)
    flagged = flag_neighbours(around, WalletProfile.objects.flagged(around))
    standing = build_wallet_background(
        party=party, row=row, expected=load_expected_activity(wallet.address)
    )
    return _AmlProfile(engine, own, flagged, party.near, bool(party.listed), standing)


def _match_wallet_party(engine: Engine, wallet: CheckedWallet) -> ScreenedWallet:
    """Hold the wallet and who is registered for it against the lists.

    A listed address blocks whoever is said to stand behind it, also where nobody can tell who.
    """
    address = screen_address(engine, wallet.address)
    if isinstance(wallet.registered, Exception) and address.listed:
        return address
    whose = wallet.whose
    if whose.row is None:
        return address
    return screen_registered_wallet(engine=engine, row=whose.row, events=whose.events)


def judge_aml(scene: FlowContext, known: _AmlProfile) -> CheckResult:
    """Judge the recipient's profile as it stands; AmountUnvalued where no rate is held."""
    screen_request = aml_asked.AmlScreenRequest(
        wallet=scene.asked.recipient,
        counterparty=UNKNOWN_SENDER,
        amount=scene.asked.amount,
        currency=scene.asked.source,
        payment_id="",
        direction="RECEIVE",
    )
    if scene.converted is None and not known.listed:
        raise AmountUnvalued(describe_missing_rate(screen_request.money, now=scene.now))
    weights = scene.figure(market_data.WEIGHTS)
    payment = build_payment(screen_request, scene.converted, scene.now)
    view = PaymentView(
        payment,
        screen_request.out,
        known.own,
        EMPTY_PROFILE,
        known.near,
        known.name_near,
        known.standing,
    )
    judged = view.judged(weights=weights.weights, listed=known.listed)
    lists = known.engine.list_set.id[:12]
    source = f"profile of the wallet, weights {weights.version}, lists {lists}"
    return CheckResult(
        {"aml": judged.action}, source, known.engine.sample, {"riskScore": judged.score}
    )


@dataclass(frozen=True, slots=True)
class _SanctionsMatches:
    """What the lists have of a wallet, and the combined screen of who is registered for it."""

    engine: Engine
    listed: bool
    screen: tuple[screen_asked.ScreenRequest, screen_gather.ScreenInputs] | None
    office: str = ""


def load_sanctions_matches(wallet: CheckedWallet) -> _SanctionsMatches:
    """Hold the wallet against the lists, and who is registered for it by the combined screen."""
    engine = engines.load_current_engine(wallet.now)
    listed = bool(screen_address(engine, wallet.address).listed)
    row = None if listed else wallet.known
    if row is None:
        return _SanctionsMatches(engine, listed, None)
    screen_request = screen_asked.ScreenRequest(
        name=row.legal_name,
        lei=row.counted_lei,
        aliases=tuple(row.aliases),
        country=row.country,
        wallet_address=wallet.address,
        source_given=False,
    )
    gathered = screen_gather.gather_screen(asked=screen_request, now=wallet.now)
    return _SanctionsMatches(
        engine, listed, (screen_request, gathered), _find_pep_name(engine, screen_request)
    )


def _find_pep_name(engine: Engine, screen_request: screen_asked.ScreenRequest) -> str:
    """Return the office holder who bears the name of a party without an LEI, or an empty text.

    Who has no LEI may be a person: only names that agree nearly wholly count, as of a HIGH PEP
    screen. Without a list of office holders in force nothing is found.
    """
    if screen_request.lei or engine.freshness["pep"].state != "fresh":
        return ""
    matches = lookup.match_peps(engine=engine, subject=screen_request.subject).matches
    return matches[0].name if matches and matches[0].score >= PEP_SCORE else ""


def judge_sanctions(scene: FlowContext, known: _SanctionsMatches) -> CheckResult:
    """Judge what the lists have, and the combined screen with the amount."""
    source = f"lists {known.engine.list_set.id[:12]}"
    if known.screen is None:
        return CheckResult({"listed": known.listed, "screen": ""}, source, known.engine.sample)
    asked, gathered = add_amount_to_screen(*known.screen, scene)
    judged = screen_rules.judge_screen(gathered.facts)
    decision = judged.outcome.decision
    if decision != "BLOCKED":
        scene.figure(
            market_data.RATE
        )  # where it cannot be read, nothing was screened with an amount
    facts = {"listed": known.listed, "screen": decision, "office": known.office}
    kept = {"riskScore": judged.risk_score, "rules": [finding.code for finding in judged.findings]}
    kept |= {"officeHolder": known.office} if known.office else {}
    kept |= {"findings": _digest_findings(asked, gathered, judged, known.office)}
    more = ", GLEIF" if asked.lei else ""
    sample = gathered.quality == "SAMPLE"
    return CheckResult(facts, f"{source}, registration{more}", sample, kept, (asked, gathered))


def _digest_findings(
    screen_request: screen_asked.ScreenRequest,
    gathered: screen_gather.ScreenInputs,
    judged: screen_rules.Judgement,
    office: str,
) -> str:
    """Return a digest of what a screen found: a match of another listed party has another."""
    weighty = [finding for finding in judged.findings if finding.decision is not None]
    matches = (*gathered.sanctions.matches, *gathered.peps)
    said = [screen_request.name, office, *(f"{one.code} {one.reason}" for one in weighty)]
    return canonical_digest(
        [*said, *(f"{match.dataset}:{match.ref} {match.score}" for match in matches)]
    )


def add_amount_to_screen(
    asked: screen_asked.ScreenRequest, gathered: screen_gather.ScreenInputs, scene: FlowContext
) -> tuple[screen_asked.ScreenRequest, screen_gather.ScreenInputs]:
    """Return a screen that was gathered without an amount as one with the amount of a flow."""
    usd = scene.converted.amount_usd if scene.converted else None
    facts = replace(gathered.facts, amount_given=True, amount_usd=usd)
    asked = replace(asked, amount=scene.asked.amount, currency=scene.asked.source)
    return asked, replace(gathered, facts=facts, converted=scene.converted)


def load_beneficiary(wallet: CheckedWallet) -> CheckResult:
    """Tell whether the beneficiary is known."""
    row = wallet.known
    counts = row is not None and row.counts(wallet.now)
    contested = row is not None and (row.under_review or not counts)
    return CheckResult({"beneficiary": counts, "contested": contested}, "register of wallets")


class ScoreUnknown(RuntimeError):
    """No score is known."""


def load_esg_score(wallet: CheckedWallet) -> CheckResult | None:
    """Return the beneficiary's own score, None where none is known."""
    row = wallet.known
    if row is None or not row.counted_lei:
        return None
    key = ("esg", row.lei, row.legal_name, row.country)
    if wallet.keeps and (cached_value := flow_cache.get_cached_value(key, now=wallet.now)):
        return cached_value[0]  # type: ignore[no-any-return]
    own_score = _load_own_score(row, wallet.now)
    flow_cache.cache_value(key, (own_score,), now=wallet.now)
    return own_score


def _load_own_score(row: Registration, now: datetime) -> CheckResult | None:
    told = {
        "lei": row.lei,
        "name": row.legal_name,
        "country": row.country,
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    entity_score = entity.gather_entity_score(asked=told, now=now)
    if entity_score.result is None:
        return None
    kept = {"score": int(entity_score.result["composite"])}
    return CheckResult({"esg_of": "entity"}, "evidence held of the entity", kept=kept)


def judge_esg(scene: FlowContext, known: CheckResult | None) -> CheckResult:
    """Return the beneficiary's own score, else the live one; ScoreUnknown where neither is."""
    if known is not None:
        return known
    score = scene.figure(market_data.LIVE)
    if score.slot is None:
        raise ScoreUnknown("Neither an own score nor the live one is known.")
    return CheckResult({"esg_of": "live"}, f"live ESG score, run {score.slot}")


@lru_cache(maxsize=4096)
def _wallet_reach(address: str) -> tuple[bool, bool]:
    """Tell whether a settlement reaches a wallet, and whether it would be lost there."""
    reaches = parse_wallet(address).family is Family.EVM
    return reaches, reaches and is_burn_address(address)


def judge_routing(scene: FlowContext, known: None) -> CheckResult:
    """Find what the settlement is paid in, and whether that reaches the wallet."""
    route = route_of(scene.asked.source, scene.asked.destination)
    reaches, lost = _wallet_reach(scene.asked.recipient)
    facts = {"asset": route.asset if route else "", "reaches": reaches, "nobodys": lost}
    return CheckResult(facts, f"table of assets, {CHAIN}", kept={"fx": bool(route and route.fx)})


def judge_stability(scene: FlowContext, known: None) -> CheckResult:
    """Judge by the last run of the stability oracle; OracleUnavailable, OracleStale (503)."""
    last = scene.figure(market_data.ORACLE)
    row = last.decided(scene.now)
    kept = {"score": str(last.run.points), "rule": row.code, "slot": last.run.slot}
    return CheckResult(
        {"status": row.status}, f"run {last.run.slot} of the stability oracle", kept=kept
    )


def _judge_loaded(scene: FlowContext, known: CheckResult) -> CheckResult:
    return known


def _load_nothing(wallet: CheckedWallet) -> None:
    """Look up nothing of the wallet."""


@dataclass(frozen=True, slots=True)
class FlowCheck:
    """One check: `look` reads, and may wait where `waits` says so; `judge` judges an amount.

    `figure` is the one on whose look it waits, where there is one.
    """

    look: Callable[[CheckedWallet], Any]
    judge: Callable[[FlowContext, Any], CheckResult]
    waits: Callable[[CheckedWallet], bool] = lambda _: True
    figure: str = ""


def _never_waits(wallet: CheckedWallet) -> bool:
    return False


def _has_lei(wallet: CheckedWallet) -> bool:
    registered = wallet.registered
    return (
        isinstance(registered, RegistrationHistory)
        and registered.row is not None
        and bool(registered.row.counted_lei)
    )


CHECKS: Mapping[str, FlowCheck] = {
    "aml": FlowCheck(load_aml_profile, judge_aml),
    "sanctions": FlowCheck(load_sanctions_matches, judge_sanctions),
    "fatf_r16": FlowCheck(load_beneficiary, _judge_loaded, _never_waits),
    "esg": FlowCheck(load_esg_score, judge_esg, _has_lei),
    "routing": FlowCheck(_load_nothing, judge_routing, _never_waits),
    "stability": FlowCheck(_load_nothing, judge_stability, _never_waits, market_data.ORACLE),
}


def is_sample_rate(converted: UsdAmount | None) -> bool:
    """Tell whether the amount was valued by a sample rate."""
    return converted is not None and converted.source == SAMPLE
