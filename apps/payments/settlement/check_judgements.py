"""The checks of a flow: each looks up what is known of the wallet, then judges the amount by it.

The look-ups do not depend on the amount, so that they can be cached for some seconds
(flow_check.py). No behaviour is recorded: callers without a key could give any wallet a history.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from apps.compliance.aml.expected_activity.selectors import load_expected_activity
from apps.compliance.aml.models import WalletProfile
from apps.compliance.aml.rules.payment_judgement import (
    PaymentView,
    find_neighbours,
    flag_neighbours,
)
from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Payment, Profile
from apps.compliance.aml.rules.signal_context import FlaggedNeighbour, WalletBackground
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmountUnvalued, build_payment
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import (
    screen_address,
    screen_registered_wallet,
)
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors.registrations import RegistrationHistory
from apps.compliance.payees.wallets import Family, parse_wallet
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs, gather_screen
from apps.compliance.screening.rules import pep as pep_rules
from apps.compliance.screening.rules import screen as screen_rules
from apps.insight.esg.selectors import gather_entity_score
from apps.payments.chain.burn_addresses import is_burn_address
from apps.payments.settlement import wallet_fact_cache
from apps.payments.settlement.rules.payout_stablecoins import CHAIN, route_of
from apps.payments.settlement.selectors import market_data
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.signals.exchange_rates import UsdAmount, describe_missing_rate
from apps.reference.signals.points import SAMPLE
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import lookup
from apps.reference.watchlists.engine import Engine

QUALITIES = ("LIVE", "PARTIAL", "SAMPLE")  # the best first
# stands in for the payer, who is not known before the settlement; no wallet has this address
UNKNOWN_SENDER = "flow-check:sender"


@dataclass(frozen=True, slots=True)
class FlowRequest:
    """What is to be settled: `amount` in `source`, both currencies as ISO 4217."""

    amount: Decimal
    source: str
    destination: str
    recipient: str


@dataclass(frozen=True, slots=True)
class CheckedWallet:
    """The wallet that the checks look up, and its registration.

    `registered` is the exception if the registration could not be read. `keeps` allows data of an
    entity that is a few seconds old.
    """

    address: str
    registered: RegistrationHistory | Exception
    now: datetime
    keeps: bool = False

    @property
    def whose(self) -> RegistrationHistory:
        """The registration with its events; raises if it could not be read."""
        if isinstance(self.registered, Exception):
            raise self.registered
        return self.registered

    @property
    def registration(self) -> Registration | None:
        """The registration of the wallet; raises if it could not be read."""
        return self.whose.row


@dataclass(frozen=True, slots=True)
class FlowContext:
    """Inputs of the checks: the request, the amount in USD if a rate is stored, and figures.

    A figure is the exception if it could not be looked up.
    """

    asked: FlowRequest
    converted: UsdAmount | None
    now: datetime
    figures: Mapping[str, Any] = field(default_factory=dict)

    def figure(self, name: str) -> Any:
        """Return a figure; raises what its look raised."""
        value = self.figures[name]
        if isinstance(value, Exception):
            raise value
        return value


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of a check: `facts` for the rules, their basis, and what is stored with them.

    `quality` is the worst of their basis. `screen` is the combined screen as requested and
    gathered, if there was one.
    """

    facts: Mapping[str, Any]
    source: str
    quality: str
    kept: Mapping[str, Any] = field(default_factory=dict)
    screen: tuple[ScreenRequest, ScreenInputs] | None = None


@dataclass(frozen=True, slots=True)
class _AmlProfile:
    """What the AML check knows of a wallet; `name_near` in per cent."""

    engine: Engine
    own: Profile
    near: tuple[FlaggedNeighbour, ...]
    name_near: int
    listed: bool
    standing: WalletBackground


def load_aml_profile(wallet: CheckedWallet) -> _AmlProfile:
    """Return the profile of a wallet, and what the lists have of it."""
    engine = watchlist_engine.load_current_engine(wallet.now)
    # A listed address blocks regardless of its registered party, and even if that is unknown.
    address = screen_address(engine, wallet.address)
    if isinstance(wallet.registered, Exception) and address.listed:
        party = address
    else:
        whose = wallet.whose
        party = (
            address
            if whose.row is None
            else screen_registered_wallet(engine=engine, row=whose.row, events=whose.events)
        )
    wallet_profiles = WalletProfile.objects.held((wallet.address,))
    row = wallet_profiles.get(wallet.address)
    own = row.profile if row is not None else EMPTY_PROFILE
    # the smallest amount: neighbours do not depend on it
    payment = Payment(UNKNOWN_SENDER, wallet.address, 1, 0)
    around = find_neighbours(payment=payment, out=0, own=own, other=EMPTY_PROFILE)
    around.pop(UNKNOWN_SENDER)
    flagged = flag_neighbours(around, WalletProfile.objects.flagged(around))
    standing = build_wallet_background(
        party=party, row=row, expected=load_expected_activity(wallet.address)
    )
    return _AmlProfile(engine, own, flagged, party.near, bool(party.listed), standing)


def judge_aml(flow: FlowContext, profile: _AmlProfile) -> CheckResult:
    """Judge the recipient's current profile; AmountUnvalued if no rate is stored."""
    screen_request = AmlScreenRequest(
        wallet=flow.asked.recipient,
        counterparty=UNKNOWN_SENDER,
        amount=flow.asked.amount,
        currency=flow.asked.source,
        payment_id="",
        direction="RECEIVE",
    )
    if flow.converted is None and not profile.listed:
        raise AmountUnvalued(describe_missing_rate(screen_request.money, now=flow.now))
    weights = flow.figure(market_data.WEIGHTS)
    payment = build_payment(screen_request, flow.converted, flow.now)
    view = PaymentView(
        payment,
        screen_request.out,
        own=profile.own,
        other=EMPTY_PROFILE,
        near=profile.near,
        name_near=profile.name_near,
        standing=profile.standing,
    )
    judged = view.judged(weights=weights.weights, listed=profile.listed)
    lists = profile.engine.list_set.id[:12]
    source = f"profile of the wallet, weights {weights.version}, lists {lists}"
    return CheckResult(
        {"aml": judged.action}, source, _grade_lists(profile.engine), {"riskScore": judged.score}
    )


def _grade_lists(engine: Engine) -> str:
    if engine.sample:
        return "SAMPLE"
    return "PARTIAL" if engine.lacking("sanction") else "LIVE"


def _grade_label(label: str, *, sample: bool) -> str:
    """Return the quality of an insight answer in the words of a flow, which has no ESTIMATED.

    An estimate of which nothing is a sample counts as an input that is missing in part.
    """
    if sample or label == "SAMPLE":
        return "SAMPLE"
    return "LIVE" if label == "LIVE" else "PARTIAL"


@dataclass(frozen=True, slots=True)
class _SanctionsMatches:
    """What the lists have of a wallet, and the combined screen of who is registered for it."""

    engine: Engine
    listed: bool
    screen: tuple[ScreenRequest, ScreenInputs] | None
    office: str = ""


def load_sanctions_matches(wallet: CheckedWallet) -> _SanctionsMatches:
    """Screen the wallet's address, and its registered party by the combined screen."""
    engine = watchlist_engine.load_current_engine(wallet.now)
    listed = bool(screen_address(engine, wallet.address).listed)
    # a listed address blocks whoever is registered for it, even if that cannot be read
    row = None if listed else wallet.registration
    if row is None:
        return _SanctionsMatches(engine, listed, None)
    screen_request = ScreenRequest(
        name=row.legal_name,
        lei=row.counted_lei,
        aliases=tuple(row.aliases),
        country=row.country,
        wallet_address=wallet.address,
        source_given=False,
    )
    gathered = gather_screen(asked=screen_request, now=wallet.now)
    # A party without an LEI may be a person. Only names that match almost completely count, as for
    # a HIGH PEP screen. Without a current PEP list there is no match.
    if screen_request.lei or engine.freshness["pep"].state != "fresh":
        pep_name = ""
    else:
        matches = lookup.match_peps(engine=engine, subject=screen_request.subject).matches
        pep_name = matches[0].name if matches and matches[0].score >= pep_rules.HIGH_SCORE else ""
    return _SanctionsMatches(engine, listed, (screen_request, gathered), pep_name)


def judge_sanctions(flow: FlowContext, matches: _SanctionsMatches) -> CheckResult:
    """Judge what the lists have, and the combined screen with the amount."""
    source = f"lists {matches.engine.list_set.id[:12]}"
    if matches.screen is None:
        facts = {"listed": matches.listed, "screen": ""}
        return CheckResult(facts, source, _grade_lists(matches.engine))
    screen_request, gathered = add_amount_to_screen(*matches.screen, flow)
    judged = screen_rules.judge_screen(gathered.facts)
    decision = judged.outcome.decision
    if decision != "BLOCKED":
        # raises if the table of rates cannot be read: a screen without an amount did not run
        flow.figure(market_data.RATE)
    facts = {"listed": matches.listed, "screen": decision, "office": matches.office}
    record = {
        "riskScore": judged.risk_score,
        "rules": [finding.code for finding in judged.findings],
    }
    record |= {"officeHolder": matches.office} if matches.office else {}
    record |= {"findings": _digest_findings(screen_request, gathered, judged, matches.office)}
    more = ", GLEIF" if screen_request.lei else ""
    return CheckResult(
        facts, f"{source}, registration{more}", gathered.quality, record, (screen_request, gathered)
    )


def _digest_findings(
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    judged: screen_rules.Judgement,
    office: str,
) -> str:
    """Return a digest of what a screen found: a match of another listed party has another."""
    weighty = [finding for finding in judged.findings if finding.decision is not None]
    matches = (*gathered.sanctions.matches, *gathered.peps)
    digested = [
        screen_request.name,
        office,
        *(f"{finding.code} {finding.reason}" for finding in weighty),
    ]
    return canonical_digest(
        [*digested, *(f"{match.dataset}:{match.ref} {match.score}" for match in matches)]
    )


def add_amount_to_screen(
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    flow: FlowContext,
) -> tuple[ScreenRequest, ScreenInputs]:
    """Return a screen that was gathered without an amount as one with the amount of a flow."""
    usd = flow.converted.amount_usd if flow.converted else None
    facts = replace(gathered.facts, amount_given=True, amount_usd=usd)
    screen_request = replace(screen_request, amount=flow.asked.amount, currency=flow.asked.source)
    return screen_request, replace(gathered, facts=facts, converted=flow.converted)


def load_beneficiary(wallet: CheckedWallet) -> CheckResult:
    """Tell whether the beneficiary is known."""
    row = wallet.registration
    # a registration under review still counts as known, but an officer decides first
    counts = row is not None and row.counts(wallet.now)
    contested = row is not None and (row.under_review or not counts)
    return CheckResult(
        {"beneficiary": counts, "contested": contested}, "register of wallets", "LIVE"
    )


class ScoreUnknown(RuntimeError):
    """No score is known."""


def load_esg_score(wallet: CheckedWallet) -> CheckResult | None:
    """Return the beneficiary's own score, None where none is known."""
    row = wallet.registration
    if row is None or not row.counted_lei:
        return None
    key = ("esg", row.lei, row.legal_name, row.country)
    # wrapped in a tuple, so that "no score" is a cached value as well
    if wallet.keeps and (cached_value := wallet_fact_cache.get_cached_value(key, now=wallet.now)):
        return cached_value[0]  # type: ignore[no-any-return]
    own_score = _load_own_score(row, wallet.now)
    wallet_fact_cache.cache_value(key, (own_score,), now=wallet.now)
    return own_score


def _load_own_score(row: Registration, now: datetime) -> CheckResult | None:
    identity = {
        "lei": row.lei,
        "name": row.legal_name,
        "country": row.country,
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    entity_score = gather_entity_score(asked=identity, now=now)
    if entity_score.result is None:
        return None
    record = {"score": int(entity_score.result["composite"])}
    quality = _grade_label(entity_score.result["data_quality"], sample=False)
    return CheckResult({"esg_of": "entity"}, "evidence held of the entity", quality, record)


def judge_esg(flow: FlowContext, own_score: CheckResult | None) -> CheckResult:
    """Return the beneficiary's own score, else the live one; ScoreUnknown where neither is."""
    if own_score is not None:
        return own_score
    score = flow.figure(market_data.LIVE)
    if score.slot is None:
        raise ScoreUnknown("Neither the beneficiary's own score nor the live one is known.")
    quality = _grade_label(score.quality, sample=score.sample)
    return CheckResult({"esg_of": "live"}, f"live ESG score, run {score.slot}", quality)


@lru_cache(maxsize=4096)
def _wallet_reach(address: str) -> tuple[bool, bool]:
    """Tell whether a settlement reaches a wallet, and whether it would be lost there."""
    reaches = parse_wallet(address).family is Family.EVM
    return reaches, reaches and is_burn_address(address)


def judge_routing(flow: FlowContext, loaded: None) -> CheckResult:
    """Find what the settlement is paid in, and whether that reaches the wallet."""
    route = route_of(flow.asked.source, flow.asked.destination)
    reaches, lost = _wallet_reach(flow.asked.recipient)
    facts = {"asset": route.asset if route else "", "reaches": reaches, "nobodys": lost}
    record = {"fx": bool(route and route.fx)}
    return CheckResult(facts, f"table of assets, {CHAIN}", "LIVE", record)


def judge_stability(flow: FlowContext, loaded: None) -> CheckResult:
    """Judge by the last run of the stability oracle; OracleUnavailable, OracleStale (503)."""
    last = flow.figure(market_data.ORACLE)
    row = last.decided(flow.now)
    record = {"score": str(last.run.points), "rule": row.code, "slot": last.run.slot}
    quality = _grade_label(last.run.quality, sample=last.run.sample)
    return CheckResult(
        {"status": row.status}, f"run {last.run.slot} of the stability oracle", quality, record
    )


def _judge_loaded(flow: FlowContext, loaded: CheckResult) -> CheckResult:
    return loaded


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
