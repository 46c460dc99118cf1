"""Computes an old screen anew from what was recorded, to show that the decision follows from it.

Taken from the record: what was asked, the versions of the lists, the owners and the LEI as
they stood, and the dated rate. Computed anew: matching against those versions of the lists,
the labels of the countries as they were known then, the rules. Never copied: the decision.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.countries.listings import listings_at
from apps.lei.values import Chain
from apps.screening.combined import ownership
from apps.screening.combined.asked import Asked, from_record
from apps.screening.combined.suppressed import again
from apps.screening.models import Screen
from apps.screening.rules import screen as rules
from apps.screening.rules.addresses import place_of
from apps.screening.rules.facts import Facts
from apps.screening.rules.ubo import chain_note, exceptions, shares_missing
from apps.screening.ubo.nodes import node_facts, screen_nodes, unread
from apps.signals.rates import to_usd
from apps.watchlists import engine as engines
from apps.watchlists import lookup, matcher_version


class Purged(Exception):
    """The payload left at the end of its retention: there is nothing to compute from."""


@dataclass(frozen=True, slots=True)
class Replay:
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


def replay(*, record: Screen) -> Replay:
    """Compute a screen anew; raises Purged, or ListsUnavailable for lists no longer held."""
    if record.purged:
        raise Purged(f"The payload of {record.screen_id} was purged.")
    kept = record.data
    anew = rules.judge(_facts(kept, record.recorded_at))
    then = tuple(kept["response"]["rules"])
    return Replay(
        screen_id=str(record.screen_id),
        decision=(record.decision, anew.outcome.decision),
        risk_score=(record.risk_score, anew.risk_score),
        rules=(then, tuple(finding.code for finding in anew.findings)),
        notes=tuple(_notes(kept["versions"])),
    )


def _notes(recorded: dict[str, Any]) -> list[str]:
    now = {"rules": rules.VERSION, "matcher": matcher_version.matcher()}
    return [
        f"The {name} differ: recorded with {recorded[name]}, computed with {current}."
        for name, current in now.items()
        if recorded[name] != current
    ]


def _facts(kept: dict[str, Any], at: datetime) -> Facts:
    asked, evidence = from_record(kept["request"]), kept["evidence"]
    engine = engines.for_versions(kept["versions"]["lists"])
    found = lookup.sanctions(engine=engine, subject=asked.subject)
    pep_asked = rules.needs_pep(individual=asked.individual, payment_type=asked.payment_type)
    pep_ran = kept["response"]["checks"]["pep"]["checked"]
    peps = lookup.office_holders(engine=engine, subject=asked.subject) if pep_ran else ()
    listings = listings_at(at, known_at=at)
    place = place_of(asked.address, regions=listings.regions)
    chain = ownership.from_record(asked.lei, evidence)
    owners = screen_nodes(chain=chain, lists=engine) if chain else ()
    facts = Facts(
        source=asked.source_country,
        source_label=listings.label(asked.source_country),
        destination=asked.country,
        destination_label=listings.label(asked.country),
        amount_given=asked.amount is not None,
        amount_usd=_dollars(asked, evidence["rate"], at),
        lei_given=bool(asked.lei),
        lei_counts=evidence["lei"]["counts"],
        lei_note=evidence["lei"]["note"],
        lei_of=evidence["lei"]["of"],
        sanctions_score=found.score,
        sanctions_name=found.matches[0].name if found.matches else "",
        unread=(*found.unread, *unread(owners)),
        pep_asked=pep_asked,
        pep_score=(peps[0].score if peps else 0) if pep_ran else None,
        pep_name=peps[0].name if peps else "",
        chain_note=_chain_note(asked, chain, evidence),
        exceptions=exceptions(chain),
        shares_missing=shares_missing(chain),
        nodes=node_facts(chain=chain, screened=owners, listings=listings) if chain else (),
        address=place.said,
        address_label=place.standing(listings),
        embargoed=rules.ends(
            source=asked.source_country, destination=asked.country, holds=listings.embargoed
        ),
        # whether a list was current then cannot be computed now
        sources_missing=tuple(evidence["sourcesMissing"]),
    )
    return again(facts, found=found, evidence=evidence)


def _dollars(asked: Asked, rate: dict[str, Any] | None, at: datetime) -> Decimal | None:
    """Convert by the observations known at the time; they are append-only with vintages."""
    if asked.amount is None or rate is None:
        return None
    again = to_usd(amount=asked.amount, currency=asked.currency, now=at, known_at=at)
    if again is None or again.rate_date != date.fromisoformat(rate["date"]):
        return Decimal(rate["usd"])
    return again.amount_usd


def _chain_note(asked: Asked, chain: Chain | None, evidence: dict[str, Any]) -> str:
    if not asked.lei:
        return ""
    if chain is None:
        return str(evidence["lei"]["note"])
    why = chain_note(chain.gaps)
    return f"{why}." if why else ""
