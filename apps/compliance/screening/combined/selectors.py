"""Gather the facts of a combined screen: lists, countries, amount, PEP, LEI and owners.

Reads only, and outside any transaction: an unknown LEI may wait for GLEIF.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.compliance.screening.combined import ownership_record
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.known_false_positives import ClearedMatch
from apps.compliance.screening.rules.party_location import highest_risk_place
from apps.compliance.screening.rules.ubo import (
    describe_broken_chain,
    describe_missing_shares,
    list_reporting_exceptions,
)
from apps.compliance.screening.ubo.screened_nodes import (
    ScreenedNode,
    build_node_facts,
    collect_unread_names,
    screen_nodes,
)
from apps.reference.countries.listings import listings_at
from apps.reference.countries.rules import Listings
from apps.reference.lei.rules.registration import find_other_holder
from apps.reference.lei.services import lookups
from apps.reference.lei.values import OwnerChain
from apps.reference.signals.exchange_rates import UsdAmount, convert_to_usd
from apps.reference.signals.points import SAMPLE
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import lookup
from apps.reference.watchlists.budgeted_name_search import screen_cpu_budget
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matches import NOBODY, ListMatch, LookupResult
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE

LEVELS = 2  # document 1 section 2.7, check rule 5: entity and ultimate parent


@dataclass(frozen=True, slots=True)
class ScreenInputs:
    """What was found: the facts for the rules, and the evidence behind them."""

    facts: ScreenFacts
    engine: Engine
    sanctions: LookupResult
    peps: tuple[ListMatch, ...]
    chain: OwnerChain | None
    owners: tuple[ScreenedNode, ...]
    converted: UsdAmount | None
    known: tuple[ClearedMatch, ...] = ()  # what cleared a partial match (known_false_positives.py)
    started: float = 0.0  # the monotonic moment from which processingMs counts

    def evidence(self) -> dict[str, Any]:
        """Return the evidence in canonical form, for the record and the officer."""
        # PEPs were due and not searched, as when their list was switched off while the index still
        # has it: the case page must not count such a list among those screened against
        if not self.facts.pep_asked or self.facts.pep_score is not None:
            not_searched = []
        else:
            lists = self.engine.list_set.of("pep")
            not_searched = [list_.slug for list_ in lists if not list_.covers("sanction")]
        return (
            {
                "sanctions": [match.recorded() for match in self.sanctions.matches],
                "unread": list(self.sanctions.unread),
                "nearest": {"name": self.sanctions.nearest, "score": self.sanctions.score},
                "pep": [match.recorded() for match in self.peps],
                "rate": {
                    "usd": self.converted.amount_usd,
                    "rate": self.converted.rate,
                    "date": self.converted.rate_date,
                    "source": self.converted.source,
                }
                if self.converted
                else None,
                "labels": {
                    "source": self.facts.source_label,
                    "destination": self.facts.destination_label,
                    "address": self.facts.address_label,
                },
                "address": self.facts.address,
                # the facts say `source country IR`: the record keeps the end alone
                "embargoed": [words.partition(" ")[0] for words in self.facts.embargoed],
                "lei": {
                    "counts": self.facts.lei_counts,
                    "note": self.facts.lei_note,
                    "of": self.facts.lei_of,
                },
                "sourcesMissing": list(self.facts.sources_missing),
                "notSearched": not_searched,
                "published": {
                    source.slug: source.published_at.isoformat() if source.published_at else None
                    for source in self.engine.list_set.sources
                },
            }
            | ownership_record.serialize_ownership(self.chain, self.owners)
            | self._known()
        )

    def _known(self) -> dict[str, Any]:
        """Return what cleared a match, where anything did."""
        rows = serialize_cleared_matches(self.known)
        return {"knownFalse": rows} if rows else {}

    @property
    def blocking_lists(self) -> tuple[str, ...]:
        """The lists on which the party or an owner is matched; empty where some were cut off."""
        matches = self.sanctions.matches
        hits = [match for match in matches if match.score >= BLOCK_SCORE]
        # where a party blocks, the look-up ends after SHOWN matches
        if len(hits) == lookup.SHOWN:
            return ()  # a further list may have the party too
        hits += [match for owner in self.owners for match in owner.matches]
        return tuple(sorted({hit.dataset for hit in hits if hit.score >= BLOCK_SCORE}))

    @property
    def quality(self) -> str:
        """Return the worst quality of all that the screen rests on: lists, LEI records, rates."""
        return screen.data_quality(
            sample=self.engine.sample
            or (self.chain is not None and self.chain.sample)
            or (self.converted is not None and self.converted.source == SAMPLE),
            facts=self.facts,
        )


def serialize_cleared_matches(known: Iterable[ClearedMatch]) -> list[dict[str, Any]]:
    """Return what cleared matches, as records keep it."""
    return [
        {
            "key": cleared_match.key,
            "ref": cleared_match.ref,
            "until": cleared_match.until.isoformat(),
            "case": cleared_match.case,
        }
        for cleared_match in known
    ]


def gather_screen(*, asked: ScreenRequest, now: datetime) -> ScreenInputs:
    """Run every check of a combined screen.

    Raises ListsUnavailable or ListsStale when there is no sanctions list to screen against.
    """
    started = time.perf_counter()
    engine = watchlist_engine.load_current_engine(now)
    pep_asked = screen.needs_pep(individual=asked.individual, payment_type=asked.payment_type)
    # without a current PEP list the screen goes on and is flagged: only sanctions lists are needed
    pep_runs = pep_asked and engine.freshness["pep"].state == "fresh"
    lei = _look_up_lei(asked, now)
    # one budget for all names of the screen, owners included: more text buys no more CPU time
    with screen_cpu_budget():
        lookup_result = lookup.match_sanctions(engine=engine, subject=asked.subject)
        holders = lookup.match_peps(engine=engine, subject=asked.subject) if pep_runs else NOBODY
        owners = screen_nodes(chain=lei.chain, lists=engine) if lei.chain else ()
    peps = holders.matches
    # once, if sanctions and PEPs could not read a name for the same reason
    lookup_result = replace(
        lookup_result, unread=tuple(dict.fromkeys((*lookup_result.unread, *holders.unread)))
    )
    converted = (
        convert_to_usd(amount=asked.amount, currency=asked.currency, now=now, quarterly=True)
        if asked.amount is not None
        else None
    )
    listings = listings_at(now)
    chain = lei.chain
    facts = ScreenFacts(
        sanctions_score=lookup_result.score,
        sanctions_name=_name_best_match(lookup_result.matches),
        sanctions_notes=lookup_result.matches[0].notes if lookup_result.matches else (),
        unread=(*lookup_result.unread, *collect_unread_names(owners)),
        pep_asked=pep_asked,
        pep_score=(peps[0].score if peps else 0) if pep_runs else None,
        pep_name=_name_best_match(peps),
        sources_missing=engine.lacking("sanction", *(("pep",) if pep_runs else ())),
        lei_given=bool(asked.lei),
        lei_counts=lei.counts,
        lei_note=lei.note,
        lei_of=lei.of,
        chain_note=lei.chain_note,
        exceptions=list_reporting_exceptions(chain),
        shares_missing=describe_missing_shares(chain),
        nodes=build_node_facts(chain=chain, screened=owners, listings=listings) if chain else (),
        **_payment_facts(asked, converted, listings),
    )
    return ScreenInputs(
        facts, engine, lookup_result, peps, lei.chain, owners, converted, started=started
    )


def at_another_place(
    gathered: ScreenInputs, *, screen_request: ScreenRequest, now: datetime
) -> ScreenInputs:
    """Return what was gathered of a party as of another of its countries or addresses.

    Names, numbers and owners are not looked up again: nothing about them depends on the place.
    """
    place = _payment_facts(screen_request, gathered.converted, listings_at(now))
    return replace(gathered, facts=replace(gathered.facts, **place))


def _payment_facts(
    screen_request: ScreenRequest, converted: UsdAmount | None, listings: Listings
) -> dict[str, Any]:
    """Return the facts of the payment: its countries, the party's address, its amount."""
    place = highest_risk_place(
        name=screen_request.name,
        address=screen_request.address,
        nationality=screen_request.nationality,
        listings=listings,
    )
    ends = {"source": screen_request.source_country, "destination": screen_request.country}
    return {
        "source": screen_request.source_country,
        "source_label": listings.label(screen_request.source_country),
        "source_taken": screen_request.source_given is False,
        "destination": screen_request.country,
        "destination_label": listings.label(screen_request.country),
        "embargoed": screen.matching_ends(**ends, holds=listings.embargoed),
        "address": place.said,
        "address_label": place.standing(listings),
        "address_embargoed": place.embargoed(listings),
        "amount_given": screen_request.amount is not None,
        "amount_usd": converted.amount_usd if converted else None,
    }


def _name_best_match(list_matches: tuple[ListMatch, ...]) -> str:
    return f"{list_matches[0].name} ({list_matches[0].dataset})" if list_matches else ""


@dataclass(frozen=True, slots=True)
class _LeiResult:
    """The LEI results: whether it counts, its holder, and the owners of its entity."""

    counts: bool = False
    note: str = ""
    of: str = ""
    chain: OwnerChain | None = None
    chain_note: str = ""


def _look_up_lei(screen_request: ScreenRequest, now: datetime) -> _LeiResult:
    if not screen_request.lei:
        return _LeiResult()
    known, chain = lookups.look_up_with_chain(lei=screen_request.lei, now=now, levels=LEVELS)
    counts, note = lookups.judge_lei_for_name(lei_lookup=known, name=screen_request.name, now=now)
    # no record of the entity: the LEI does not count, and its owners are not checked either
    if chain is None:
        return _LeiResult(counts, f"{note}.", chain_note=f"{note}.")
    # the name alone: an alias is the caller's own claim and cannot confirm the LEI
    of = find_other_holder(known, (screen_request.name,))
    why = describe_broken_chain(chain.gaps)
    return _LeiResult(counts, f"{note}." if note else "", of, chain, f"{why}." if why else "")
