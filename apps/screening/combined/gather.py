"""Gathers the facts of a combined screen: lists, countries, amount, PEP, LEI and owners.

Reads only, and outside any transaction: an unknown LEI may wait for GLEIF.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.countries.listings import listings_at
from apps.countries.rules import Listings
from apps.lei import lookups
from apps.lei.rules import of_another
from apps.lei.values import Chain
from apps.screening.combined import ownership
from apps.screening.combined.asked import Asked
from apps.screening.rules import screen as rules
from apps.screening.rules.addresses import place_of
from apps.screening.rules.facts import Facts
from apps.screening.rules.known import Cleared
from apps.screening.rules.ubo import chain_note, exceptions, shares_missing
from apps.screening.ubo.nodes import Screened, node_facts, screen_nodes, unread
from apps.signals.rates import SAMPLE, Converted, to_usd
from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.engine import Engine
from apps.watchlists.found import Found, Match
from apps.watchlists.rules import BLOCK_SCORE

LEVELS = 2  # document 1 section 2.7, check rule 5: entity and ultimate parent


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was found: the facts for the rules, and the evidence behind them."""

    facts: Facts
    engine: Engine
    sanctions: Found
    peps: tuple[Match, ...]
    chain: Chain | None
    owners: tuple[Screened, ...]
    converted: Converted | None
    known: tuple[Cleared, ...] = ()  # what cleared a partial match (suppressed.py)
    started: float = 0.0  # the monotonic moment from which processingMs counts

    def evidence(self) -> dict[str, Any]:
        """Return the evidence in canonical form, for the record and the officer."""
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
                "embargoed": [words.partition(" ")[0] for words in self.facts.embargoed],
                "lei": {
                    "counts": self.facts.lei_counts,
                    "note": self.facts.lei_note,
                    "of": self.facts.lei_of,
                },
                "sourcesMissing": list(self.facts.sources_missing),
                "notSearched": self._not_searched(),
                "published": {
                    one.slug: one.published_at.isoformat() if one.published_at else None
                    for one in self.engine.list_set.sources
                },
            }
            | ownership.to_record(self.chain, self.owners)
            | self._known()
        )

    def _known(self) -> dict[str, Any]:
        """Return what cleared a match, where anything did."""
        rows = [
            {"key": one.key, "ref": one.ref, "until": one.until.isoformat(), "case": one.case}
            for one in self.known
        ]
        return {"knownFalse": rows} if rows else {}

    def _not_searched(self) -> list[str]:
        """Return the lists of the served set that were asked for and could not be searched.

        While an index lags it still holds lists of office holders that were switched off.
        """
        if not self.facts.pep_asked or self.facts.pep_score is not None:
            return []
        lists = self.engine.list_set.of("pep")
        return [one.slug for one in lists if not one.covers("sanction")]

    @property
    def blocking_lists(self) -> tuple[str, ...]:
        """The lists on which the party or an owner is matched; empty where some were cut off."""
        found = self.sanctions.matches
        hits = [match for match in found if match.score >= BLOCK_SCORE]
        if len(hits) == lookup.SHOWN:
            return ()  # a further list may have the party too
        hits += [match for one in self.owners for match in one.matches]
        return tuple(sorted({one.dataset for one in hits if one.score >= BLOCK_SCORE}))

    @property
    def quality(self) -> str:
        """Return the worst quality of all that the screen rests on: lists, LEI records, rates."""
        return rules.quality(
            sample=self.engine.sample
            or (self.chain is not None and self.chain.sample)
            or (self.converted is not None and self.converted.source == SAMPLE),
            facts=self.facts,
        )


def gather(*, asked: Asked, now: datetime) -> Gathered:
    """Run every check of a combined screen.

    Raises ListsUnavailable or ListsStale when there is no sanctions list to screen against.
    """
    started = time.perf_counter()
    engine = engines.current(now)
    found = lookup.sanctions(engine=engine, subject=asked.subject)
    pep_asked = rules.needs_pep(individual=asked.individual, payment_type=asked.payment_type)
    pep_runs = pep_asked and engine.freshness["pep"].state == "fresh"
    peps = lookup.office_holders(engine=engine, subject=asked.subject) if pep_runs else ()
    converted = (
        to_usd(amount=asked.amount, currency=asked.currency, now=now)
        if asked.amount is not None
        else None
    )
    lei = _lei(asked, now)
    owners = screen_nodes(chain=lei.chain, lists=engine) if lei.chain else ()
    listings = listings_at(now)
    facts = Facts(
        sanctions_score=found.score,
        sanctions_name=_best(found.matches),
        sanctions_notes=found.matches[0].notes if found.matches else (),
        unread=(*found.unread, *unread(owners)),
        pep_asked=pep_asked,
        pep_score=(peps[0].score if peps else 0) if pep_runs else None,
        pep_name=_best(peps),
        sources_missing=engine.lacking("sanction", *(("pep",) if pep_runs else ())),
        **_payment(asked, converted, listings),
        **_ownership(asked, lei, owners, listings),
    )
    return Gathered(facts, engine, found, peps, lei.chain, owners, converted, started=started)


def _payment(asked: Asked, converted: Converted | None, listings: Listings) -> dict[str, Any]:
    """Return the facts of the payment: its countries, the party's address, its amount."""
    place = place_of(asked.address, regions=listings.regions)
    ends = {"source": asked.source_country, "destination": asked.country}
    return {
        "source": asked.source_country,
        "source_label": listings.label(asked.source_country),
        "destination": asked.country,
        "destination_label": listings.label(asked.country),
        "embargoed": rules.ends(**ends, holds=listings.embargoed),
        "address": place.said,
        "address_label": place.standing(listings),
        "address_embargoed": place.embargoed(listings),
        "amount_given": asked.amount is not None,
        "amount_usd": converted.amount_usd if converted else None,
    }


def _ownership(
    asked: Asked, lei: "_Lei", owners: tuple[Screened, ...], listings: Listings
) -> dict[str, Any]:
    """Return the facts of the LEI and of those who own its entity."""
    chain = lei.chain
    return {
        "lei_given": bool(asked.lei),
        "lei_counts": lei.counts,
        "lei_note": lei.note,
        "lei_of": lei.of,
        "chain_note": lei.chain_note,
        "exceptions": exceptions(chain),
        "shares_missing": shares_missing(chain),
        "nodes": node_facts(chain=chain, screened=owners, listings=listings) if chain else (),
    }


def _best(found: tuple[Match, ...]) -> str:
    return f"{found[0].name} ({found[0].dataset})" if found else ""


@dataclass(frozen=True, slots=True)
class _Lei:
    """What the LEI says: whether it counts, whose it is, and who owns its entity."""

    counts: bool = False
    note: str = ""
    of: str = ""
    chain: Chain | None = None
    chain_note: str = ""


def _lei(asked: Asked, now: datetime) -> _Lei:
    if not asked.lei:
        return _Lei()
    known, chain = lookups.lookup_with_chain(lei=asked.lei, now=now, levels=LEVELS)
    counts, note = lookups.counts(found=known, name=asked.name, now=now)
    if chain is None:
        return _Lei(counts, f"{note}.", chain_note=f"{note}.")
    of = of_another(known, (asked.name,))  # an alias is only said: it bears nothing out
    why = chain_note(chain.gaps)
    return _Lei(counts, f"{note}." if note else "", of, chain, f"{why}." if why else "")
