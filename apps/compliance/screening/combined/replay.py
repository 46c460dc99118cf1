"""Computes an old screen anew from what was recorded, to show that the decision follows from it.

Taken from the record: what was asked, the versions of the lists, the owners and the LEI as
they stood, and the dated rate. Computed anew: matching against those versions of the lists,
the labels of the countries as they were known then, the rules. Never copied: the decision.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.compliance.screening.combined import ownership_record
from apps.compliance.screening.combined.known_false_positives import reapply_known_false_positives
from apps.compliance.screening.combined.requests import ScreenRequest, parse_screen_request
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import screen as rules
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.party_location import highest_risk_place
from apps.compliance.screening.rules.ubo import (
    describe_broken_chain,
    describe_missing_shares,
    list_reporting_exceptions,
)
from apps.compliance.screening.ubo.nodes import build_node_facts, collect_unread_names, screen_nodes
from apps.reference.countries.listings import listings_at
from apps.reference.lei.values import OwnerChain
from apps.reference.signals.exchange_rates import convert_to_usd
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists import lookup, matcher_version
from apps.reference.watchlists.matches import NOBODY
from apps.reference.watchlists.name_searches import OVER_BUDGET


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
    """Compute a screen anew; raises ScreenPurged, or ListsUnavailable for lists no longer held."""
    if record.purged:
        raise ScreenPurged(f"The payload of {record.screen_id} was purged.")
    data = record.data
    anew = rules.judge_screen(_recompute_facts(data, record.recorded_at))
    then = tuple(data["response"]["rules"])
    return ScreenReplay(
        screen_id=str(record.screen_id),
        decision=(record.decision, anew.outcome.decision),
        risk_score=(record.risk_score, anew.risk_score),
        rules=(then, tuple(finding.code for finding in anew.findings)),
        notes=tuple(_version_notes(data["versions"])),
    )


def _version_notes(recorded: dict[str, Any]) -> list[str]:
    now = {"rules": rules.VERSION, "matcher": matcher_version.compute_matcher_version()}
    return [
        f"The {name} differ: recorded with {recorded[name]}, computed with {current}."
        for name, current in now.items()
        if recorded[name] != current
    ]


def _recompute_facts(kept: dict[str, Any], at: datetime) -> ScreenFacts:
    asked, evidence = parse_screen_request(kept["request"]), kept["evidence"]
    engine = engines.load_engine_for_versions(kept["versions"]["lists"])
    found = lookup.match_sanctions(engine=engine, subject=asked.subject)
    pep_asked = rules.needs_pep(individual=asked.individual, payment_type=asked.payment_type)
    pep_ran = kept["response"]["checks"]["pep"]["checked"]
    holders = lookup.match_peps(engine=engine, subject=asked.subject) if pep_ran else NOBODY
    peps = holders.matches
    listings = listings_at(at, known_at=at)
    place = highest_risk_place(
        name=asked.name,
        address=asked.address,
        nationality=asked.nationality,
        listings=listings,
    )
    chain = ownership_record.parse_ownership(asked.lei, evidence)
    owners = screen_nodes(chain=chain, lists=engine) if chain else ()
    facts = ScreenFacts(
        source=asked.source_country,
        source_label=listings.label(asked.source_country),
        source_taken=asked.source_given is False,
        destination=asked.country,
        destination_label=listings.label(asked.country),
        amount_given=asked.amount is not None,
        amount_usd=_convert_to_usd(asked, evidence["rate"], at),
        lei_given=bool(asked.lei),
        lei_counts=evidence["lei"]["counts"],
        lei_note=evidence["lei"]["note"],
        lei_of=evidence["lei"]["of"],
        sanctions_score=found.score,
        sanctions_name=found.matches[0].name if found.matches else "",
        # how long a comparison took then cannot be computed now
        unread=(
            *dict.fromkeys((*found.unread, *holders.unread, *_over_budget_notes(evidence))),
            *collect_unread_names(owners),
        ),
        pep_asked=pep_asked,
        pep_score=(peps[0].score if peps else 0) if pep_ran else None,
        pep_name=peps[0].name if peps else "",
        chain_note=_chain_note(asked, chain, evidence),
        exceptions=list_reporting_exceptions(chain),
        shares_missing=describe_missing_shares(chain),
        nodes=build_node_facts(chain=chain, screened=owners, listings=listings) if chain else (),
        address=place.said,
        address_label=place.standing(listings),
        embargoed=rules.matching_ends(
            source=asked.source_country, destination=asked.country, holds=listings.embargoed
        ),
        # whether a list was current then cannot be computed now
        sources_missing=tuple(evidence["sourcesMissing"]),
    )
    return reapply_known_false_positives(facts, found=found, evidence=evidence)


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
