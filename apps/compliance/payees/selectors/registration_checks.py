"""Gather the facts for a registration: the wallet's state, GLEIF, the sanctions lists.

Reads only, and outside any transaction: an unknown LEI waits for GLEIF.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.compliance.payees.models import Registration
from apps.compliance.payees.registration_requests import RegistrationRequest
from apps.compliance.payees.rules.lei_states import NONE, lei_status
from apps.compliance.payees.rules.submission_steps import CHECKED, Step, classify_submission
from apps.platform.common.problems import DomainError, Unavailable
from apps.reference.countries.listings import listings_at
from apps.reference.countries.rules import EMBARGO, STANDARD, Listings
from apps.reference.lei import legal_name_check
from apps.reference.lei.clients import gleif
from apps.reference.lei.services import lookups
from apps.reference.lei.values import Entity, LeiLookup
from apps.reference.watchlists import engine as watchlist_engine
from apps.reference.watchlists import lookup
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.matcher_version import compute_matcher_version
from apps.reference.watchlists.matches import LookupResult
from apps.reference.watchlists.presenters.matches import TITLES
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE
from apps.reference.watchlists.subjects import Subject


class LeiUnknown(DomainError):
    """GLEIF has no such LEI."""

    status, code, title = 400, "lei_unknown", "No such LEI"


class LeiUnavailable(Unavailable):
    """We do not have the LEI, and it could not be looked up."""

    code, title = "lei_unavailable", "The LEI could not be checked"


@dataclass(frozen=True, slots=True)
class RegistrationChecks:
    """What was found of the names, the wallet and the LEI."""

    engine: Engine
    subject: Subject
    sanctions: LookupResult
    lei: str
    entity: Entity | None
    sample: bool
    at: datetime
    countries: tuple[tuple[str, str], ...] = ()

    @property
    def lei_status(self) -> str:
        """The state of the LEI when looked up; NONE without one."""
        return lei_status(self.entity, lei=self.lei, now=self.at) if self.lei else NONE

    @property
    def matched(self) -> str:
        """The best match in words, with its list."""
        best = next(iter(self.sanctions.matches), None)
        return f"{best.name} ({TITLES.get(best.dataset, best.dataset)})" if best else ""

    @property
    def hit_lists(self) -> tuple[str, ...]:
        """The lists on which the party is matched; empty where some matches were cut off."""
        hits = [match for match in self.sanctions.matches if match.score >= BLOCK_SCORE]
        # so many that some may be cut off, among them one of OFAC's: empty means any list may be
        # meant
        return () if len(hits) == lookup.SHOWN else tuple(sorted({hit.dataset for hit in hits}))

    def evidence(self) -> dict[str, Any]:
        """Return what was found in canonical form, for the record and the officer."""
        lists = self.engine.list_set
        return {
            "sanctions": [match.recorded() for match in self.sanctions.matches],
            "unread": list(self.sanctions.unread),
            "nearest": {"name": self.sanctions.nearest, "score": self.sanctions.score},
            "searched": list(self.subject.names),
            "countries": [{"country": code, "label": label} for code, label in self.countries],
            "gleif": _serialize_gleif_entity(self.entity, self.lei_status) if self.entity else None,
            "versions": {"lists": lists.versions, "matcher": compute_matcher_version()},
            "published": {
                source.slug: source.published_at.isoformat() if source.published_at else None
                for source in lists.sources
            },
        }


@dataclass(frozen=True, slots=True)
class RegistrationInputs:
    """Which step a submission is, of which registration, and what was checked for it."""

    step: Step
    standing: int | None
    checks: RegistrationChecks | None


def gather_registration(*, asked: RegistrationRequest, now: datetime) -> RegistrationInputs:
    """Gather the facts for a submission; one that changes nothing is not checked again.

    Raises LeiUnknown (400), LeiUnavailable (503), ListsUnavailable and ListsStale (503).
    """
    registration = Registration.objects.of(asked.wallet.address)
    step = classify_submission(
        registration.standing if registration else None, asked.submitted
    ).step
    # the answer to a repeated submission must not depend on GLEIF or the lists
    checks = check_submission(asked, registration, now) if step in CHECKED else None
    return RegistrationInputs(step, registration.pk if registration else None, checks)


def check_submission(
    registration_request: RegistrationRequest, registration: Registration | None, now: datetime
) -> RegistrationChecks:
    """Hold names, wallet and LEI against GLEIF and the lists.

    Missing values are taken from `registration`.
    """
    submitted = registration_request.submitted
    # a change of aliases is checked with the LEI that the registration has
    lei = submitted.lei or (registration.lei if registration else "")
    record = look_up_entity(lei=lei, now=now).record if lei else None
    entity = record.entity if record else None
    aliases = (
        submitted.aliases
        if submitted.aliases is not None
        else tuple(registration.aliases if registration else ())
    )
    # who a listed party's LEI is given for is that party, whatever name is given with it
    subject = Subject(
        name=submitted.legal_name,
        aliases=aliases,
        lei=lei,
        wallet=registration_request.wallet.address,
    )
    sample = record is not None and record.source == "SAMPLE"
    return check_party(
        subject=subject, entity=entity, now=now, country=submitted.country, sample=sample
    )


def check_party(
    *,
    subject: Subject,
    entity: Entity | None,
    now: datetime,
    country: str = "",
    sample: bool = False,
) -> RegistrationChecks:
    """Hold a party, and GLEIF's names of its LEI, against the lists and the listed countries."""
    all_names = legal_name_check.list_all_names(entity) if entity else ()
    named = replace(subject, aliases=(*subject.aliases, *all_names))
    engine = watchlist_engine.load_current_engine(now)
    sanctions = lookup.match_sanctions(engine=engine, subject=named)
    listed = tuple(_listed_countries(country, entity, listings_at(now)))
    sample = engine.sample or sample
    return RegistrationChecks(engine, named, sanctions, subject.lei, entity, sample, now, listed)


def _listed_countries(
    stated: str, entity: Entity | None, listings: Listings
) -> Iterator[tuple[str, str]]:
    """Yield the countries of an entity that are listed: as it says, and as GLEIF has it.

    A jurisdiction of GLEIF's may be a region (ISO 3166-2), which programmes list by themselves.
    """
    gleif_countries = (entity.country, entity.headquarters, entity.jurisdiction) if entity else ()
    # the country of a region, too: `UA-43` is listed by itself, `IR-23` by its country
    codes = {stated, *gleif_countries, *(country[:2] for country in gleif_countries)} - {""}
    for code in sorted(codes):
        if (label := listings.label(code)) != STANDARD:
            yield code, label
        # beside the label: a country may be on FATF's list and under an embargo
        if listings.embargoed(code):
            yield code, EMBARGO


def look_up_entity(
    *, lei: str, now: datetime, used: bool = True, problem: type[DomainError] = LeiUnknown
) -> LeiLookup:
    """Return the record of an LEI; raises `problem` for an unknown LEI, LeiUnavailable."""
    lei_lookup = lookups.look_up_lei(lei=lei, now=now, used=used)
    # GLEIF has answered; without an answer the LEI is unavailable, which is no fault of the caller
    if lei_lookup.status == "UNKNOWN":
        sentence = f"GLEIF has no LEI {lei}."
        raise problem(sentence, errors=[{"field": "lei", "message": sentence}])
    if lei_lookup.record is None:
        why = (
            "could not be reached"
            if gleif.is_gleif_configured()
            else "is not configured here (GLEIF_URL)"
        )
        raise LeiUnavailable(f"We do not have LEI {lei}, and GLEIF {why}. Nothing was decided.")
    return lei_lookup


def _serialize_gleif_entity(entity: Entity, status: str) -> dict[str, Any]:
    return {
        "lei": entity.lei,
        "legalName": entity.legal_name,
        "otherNames": [other.name for other in entity.other_names],
        "registrationStatus": entity.registration_status,
        "entityStatus": entity.entity_status,
        "leiStatus": status,
        "jurisdiction": entity.jurisdiction,
        "country": entity.country,
        "registeredAs": entity.registered_as,
        "nextRenewal": entity.next_renewal.isoformat() if entity.next_renewal else None,
    }
