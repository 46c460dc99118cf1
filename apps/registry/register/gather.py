"""Looks up what a registration rests on: how the wallet stands, GLEIF, the sanctions lists.

Reads only, and outside any transaction: an LEI that is not held waits for GLEIF.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.core.problems import DomainError, Unavailable
from apps.countries.listings import listings_at
from apps.countries.rules import EMBARGO, STANDARD, Listings
from apps.lei import gleif, lookups, names
from apps.lei.values import Entity, Lookup
from apps.registry.models import Registration
from apps.registry.register.asked import Asked
from apps.registry.rules.lei import NONE, lei_status
from apps.registry.rules.steps import CHECKED, Step, step_of
from apps.watchlists import engine as engines
from apps.watchlists import lookup
from apps.watchlists.drawn.match import TITLES
from apps.watchlists.engine import Engine
from apps.watchlists.found import Found
from apps.watchlists.matcher_version import matcher
from apps.watchlists.rules import BLOCK_SCORE
from apps.watchlists.subjects import Subject

MOST_OTHER_NAMES = 8  # of GLEIF's, beside the legal ones


class LeiUnknown(DomainError):
    """GLEIF has no such LEI."""

    status, code, title = 400, "lei_unknown", "No such LEI"


class LeiUnavailable(Unavailable):
    """The LEI is not held and could not be asked for."""

    code, title = "lei_unavailable", "The LEI could not be checked"


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found of the names, the wallet and the LEI."""

    engine: Engine
    subject: Subject
    sanctions: Found
    lei: str
    entity: Entity | None
    sample: bool
    at: datetime
    countries: tuple[tuple[str, str], ...] = ()

    @property
    def lei_status(self) -> str:
        """The state of the LEI as it was looked up, NONE without one."""
        return lei_status(self.entity, lei=self.lei, now=self.at) if self.lei else NONE

    @property
    def matched(self) -> str:
        """The best match in words, with its list."""
        best = next(iter(self.sanctions.matches), None)
        return f"{best.name} ({TITLES.get(best.dataset, best.dataset)})" if best else ""

    @property
    def hit_lists(self) -> tuple[str, ...]:
        """The lists on which the party is matched; empty where some matches were cut off."""
        hits = [one for one in self.sanctions.matches if one.score >= BLOCK_SCORE]
        return () if len(hits) == lookup.SHOWN else tuple(sorted({one.dataset for one in hits}))

    def evidence(self) -> dict[str, Any]:
        """Return what was found in canonical form, for the record and the officer."""
        lists = self.engine.list_set
        return {
            "sanctions": [match.recorded() for match in self.sanctions.matches],
            "unread": list(self.sanctions.unread),
            "nearest": {"name": self.sanctions.nearest, "score": self.sanctions.score},
            "searched": list(self.subject.names),
            "countries": [{"country": code, "label": label} for code, label in self.countries],
            "gleif": _gleif(self.entity, self.lei_status) if self.entity else None,
            "versions": {"lists": lists.versions, "matcher": matcher()},
            "published": {
                one.slug: one.published_at.isoformat() if one.published_at else None
                for one in lists.sources
            },
        }


@dataclass(frozen=True, slots=True)
class Gathered:
    """Which step a submission is, of which registration, and what was checked for it."""

    step: Step
    standing: int | None
    checks: Checks | None


def gather(*, asked: Asked, now: datetime) -> Gathered:
    """Look up what a submission rests on; what changes nothing is not checked anew.

    Raises LeiUnknown (400), LeiUnavailable (503), ListsUnavailable and ListsStale (503).
    """
    held = Registration.objects.of(asked.wallet.address)
    step = step_of(held.standing if held else None, asked.submitted).step
    checks = check(asked, held, now) if step in CHECKED else None
    return Gathered(step, held.pk if held else None, checks)


def check(asked: Asked, held: Registration | None, now: datetime) -> Checks:
    """Hold names, wallet and LEI against GLEIF and the lists; `held` lends what is not given."""
    given = asked.submitted
    lei = given.lei or (held.lei if held else "")
    record = entity_of(lei=lei, now=now).record if lei else None
    entity = record.entity if record else None
    aliases = given.aliases if given.aliases is not None else tuple(held.aliases if held else ())
    # who a listed party's LEI is given for is that party, whatever name is given with it
    subject = Subject(name=given.legal_name, aliases=aliases, lei=lei, wallet=asked.wallet.address)
    sample = record is not None and record.source == "SAMPLE"
    return checks_of(subject=subject, entity=entity, now=now, country=given.country, sample=sample)


def checks_of(
    *,
    subject: Subject,
    entity: Entity | None,
    now: datetime,
    country: str = "",
    sample: bool = False,
) -> Checks:
    """Hold a party, and GLEIF's names of its LEI, against the lists and the listed countries."""
    named = replace(subject, aliases=(*subject.aliases, *_names_of(entity)))
    engine = engines.current(now)
    found = lookup.sanctions(engine=engine, subject=named)
    listed = tuple(_listed(country, entity, listings_at(now)))
    sample = engine.sample or sample
    return Checks(engine, named, found, subject.lei, entity, sample, now, listed)


def _listed(given: str, entity: Entity | None, listings: Listings) -> Iterator[tuple[str, str]]:
    """Yield the countries of an entity that are listed: as it says, and as GLEIF has it.

    A jurisdiction of GLEIF's may be a region (ISO 3166-2), which programmes list by themselves.
    """
    told = (entity.country, entity.headquarters, entity.jurisdiction) if entity else ()
    codes = {given, *told, *(one[:2] for one in told)} - {""}
    for code in sorted(codes):
        if (label := listings.label(code)) != STANDARD:
            yield code, label
        if listings.embargoed(code):
            yield code, EMBARGO


def entity_of(
    *, lei: str, now: datetime, used: bool = True, problem: type[DomainError] = LeiUnknown
) -> Lookup:
    """Return what is known of an LEI; raises `problem` when there is none such, LeiUnavailable."""
    found = lookups.lookup(lei=lei, now=now, used=used)
    if found.status == "UNKNOWN":
        told = f"GLEIF has no LEI {lei}."
        raise problem(told, errors=[{"field": "lei", "message": told}])
    if found.record is None:
        why = "could not be asked" if gleif.configured() else "is not set up here (GLEIF_URL)"
        raise LeiUnavailable(f"LEI {lei} is not held, and GLEIF {why}. Nothing was decided.")
    return found


def _names_of(entity: Entity | None) -> tuple[str, ...]:
    if entity is None:
        return ()
    legal = names.legal_names(entity)
    others = (one.name for one in entity.other_names if one.name not in legal)
    return (*legal, *list(others)[:MOST_OTHER_NAMES])


def _gleif(entity: Entity, status: str) -> dict[str, Any]:
    return {
        "lei": entity.lei,
        "legalName": entity.legal_name,
        "otherNames": [one.name for one in entity.other_names],
        "registrationStatus": entity.registration_status,
        "entityStatus": entity.entity_status,
        "leiStatus": status,
        "jurisdiction": entity.jurisdiction,
        "country": entity.country,
        "registeredAs": entity.registered_as,
        "nextRenewal": entity.next_renewal.isoformat() if entity.next_renewal else None,
    }
