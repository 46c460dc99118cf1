"""Recompute an old screen from its record, to show that the decision follows from it.

Taken from the record: the request, the versions of the lists, the owners and the LEI at that time.
Recomputed: matching against those versions of the lists, the labels of the countries and the rate
as they were known then, the rules. Never copied: the decision.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.compliance.screening.combined import ownership_record
from apps.compliance.screening.combined.known_false_positives import reapply_known_false_positives
from apps.compliance.screening.combined.requests import ScreenRequest, parse_screen_request
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.party_location import highest_risk_place
from apps.compliance.screening.rules.ubo import (
    describe_broken_chain,
    describe_missing_shares,
    list_reporting_exceptions,
)
from apps.compliance.screening.ubo.screened_nodes import (
    build_node_facts,
    collect_unread_names,
    screen_nodes,
)
from apps.reference.countries.listings import listings_at
from apps.reference.lei.values import OwnerChain
from apps.reference.signals.exchange_rates import convert_to_usd
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import lookup, matcher_version
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET
from apps.reference.watchlists.matches import NOBODY


class ScreenPurged(Exception):
    """The payload left at the end of its retention: there is nothing to compute from."""


@dataclass(frozen=True, slots=True)
class ScreenReplay:
    """What was decided then and what the record leads to now; `notes` say what differs in code."""

    screen_id: str
    decision: tuple[str, str]
    risk_score: tuple[int, int]
    rules: tuple[tuple[str, ...], tuple[str, ...]]
    notes: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether decision, risk score and rules are the same."""
        pairs = (self.decision, self.risk_score, self.rules)
        return all(then == anew for then, anew in pairs)


def replay_screen(*, record: Screen) -> ScreenReplay:
    """Recompute a screen; raises ScreenPurged, or ListsUnavailable for lists no longer held."""
    if record.purged:
        raise ScreenPurged(f"The payload of {record.screen_id} was purged.")
    data = record.data
    anew = screen.judge_screen(_recompute_facts(data, record.recorded_at))
    then = tuple(data["response"]["rules"])
    recorded = data["versions"]
    now = {"rules": screen.VERSION, "matcher": matcher_version.compute_matcher_version()}
    version_notes = [
        f"The {name} differ: recorded with {recorded[name]}, computed with {current}."
        for name, current in now.items()
        if recorded[name] != current
    ]
    return ScreenReplay(
        screen_id=str(record.screen_id),
        decision=(record.decision, anew.outcome.decision),
        risk_score=(record.risk_score, anew.risk_score),
        rules=(then, tuple(finding.code for finding in anew.findings)),
        notes=tuple(version_notes),
    )


def _recompute_facts(recorded: dict[str, Any], at: datetime) -> ScreenFacts:
    screen_request, evidence = parse_screen_request(recorded["request"]), recorded["evidence"]
    engine = watchlist_engine.load_engine_for_versions(recorded["versions"]["lists"])
    sanctions = lookup.match_sanctions(engine=engine, subject=screen_request.subject)
    pep_asked = screen.needs_pep(
        individual=screen_request.individual, payment_type=screen_request.payment_type
    )
    # whether the PEP list was current at that time is known from the record alone
    pep_ran = recorded["response"]["checks"]["pep"]["checked"]
    holders = (
        lookup.match_peps(engine=engine, subject=screen_request.subject) if pep_ran else NOBODY
    )
    peps = holders.matches
    # `known_at`: a listing that was entered later, even for an earlier day, did not judge this
    # screen
    listings = listings_at(at, known_at=at)
    place = highest_risk_place(
        name=screen_request.name,
        address=screen_request.address,
        nationality=screen_request.nationality,
        listings=listings,
    )
    chain = ownership_record.parse_ownership(screen_request.lei, evidence)
    owners = screen_nodes(chain=chain, lists=engine) if chain else ()
    facts = ScreenFacts(
        source=screen_request.source_country,
        source_label=listings.label(screen_request.source_country),
        source_taken=screen_request.source_given is False,
        destination=screen_request.country,
        destination_label=listings.label(screen_request.country),
        amount_given=screen_request.amount is not None,
        amount_usd=_convert_to_usd(screen_request, evidence["rate"], at),
        lei_given=bool(screen_request.lei),
        lei_counts=evidence["lei"]["counts"],
        lei_note=evidence["lei"]["note"],
        lei_of=evidence["lei"]["of"],
        sanctions_score=sanctions.score,
        sanctions_name=sanctions.matches[0].name if sanctions.matches else "",
        # how much CPU time a comparison took then cannot be computed now
        unread=(
            *dict.fromkeys((*sanctions.unread, *holders.unread, *_over_budget_notes(evidence))),
            *collect_unread_names(owners),
        ),
        pep_asked=pep_asked,
        pep_score=(peps[0].score if peps else 0) if pep_ran else None,
        pep_name=peps[0].name if peps else "",
        chain_note=_chain_note(screen_request, chain, evidence),
        exceptions=list_reporting_exceptions(chain),
        shares_missing=describe_missing_shares(chain),
        nodes=build_node_facts(chain=chain, screened=owners, listings=listings) if chain else (),
        address=place.said,
        address_label=place.standing(listings),
        embargoed=screen.matching_ends(
            source=screen_request.source_country,
            destination=screen_request.country,
            holds=listings.embargoed,
        ),
        # whether a list was current then cannot be computed now
        sources_missing=tuple(evidence["sourcesMissing"]),
    )
    return reapply_known_false_positives(facts, lookup_result=sanctions, evidence=evidence)


def _over_budget_notes(evidence: dict[str, Any]) -> list[str]:
    return [why for why in evidence["unread"] if why == OVER_BUDGET]


def _convert_to_usd(
    screen_request: ScreenRequest, rate: dict[str, Any] | None, at: datetime
) -> Decimal | None:
    """Convert by the observations known at the time; they are append-only with vintages."""
    if screen_request.amount is None or rate is None:
        return None
    again = convert_to_usd(
        amount=screen_request.amount,
        currency=screen_request.currency,
        now=at,
        known_at=at,
        quarterly=True,
    )
    # the observation is not held any more, or the search for it changed: keep the recorded value
    if again is None or again.rate_date != date.fromisoformat(rate["date"]):
        return Decimal(rate["usd"])
    return again.amount_usd


def _chain_note(
    screen_request: ScreenRequest, chain: OwnerChain | None, evidence: dict[str, Any]
) -> str:
    if not screen_request.lei:
        return ""
    if chain is None:
        return str(evidence["lei"]["note"])
    why = describe_broken_chain(chain.gaps)
    return f"{why}." if why else ""
