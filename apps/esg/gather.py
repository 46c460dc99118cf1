"""Gathers a score: who the entity is, what is held about it, and the score that is kept.

Reads what is here and asks no source: sources are asked by jobs. A narration may be waited for.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.access import limits
from apps.core.chain import proven
from apps.core.problems import DomainError, NotFound, Unavailable
from apps.esg import computing, evidence, ownership
from apps.esg.computing import Inputs
from apps.esg.models import EsgScore, Evidence
from apps.esg.narrating import narration
from apps.esg.rules.indicators import REFERENCE
from apps.esg.rules.scoring import NoData
from apps.esg.rules.tiers import graver
from apps.lei import lookups
from apps.lei.rules import status_at
from apps.lei.values import Entity
from apps.registry.models import Registration
from apps.registry.proof import proved
from apps.registry.reads import NotRegistered
from config.rates import ESG_REFRESHES

UNVERIFIED = "UNVERIFIED"
LASTS = timedelta(days=7)  # document 1 section 8, ESG cache


class NoLei(NotFound):
    """The wallet is registered without an LEI: nothing says which entity to score."""

    code, title = "wallet_without_lei", "The wallet's entity has no LEI"


class EsgDataUnavailable(Unavailable):
    """A pillar has neither evidence about the entity nor a reference of its country."""

    code, title = "esg_data_unavailable", "There is no data to score the entity"


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose score is asked for; `country` is GLEIF's, `place` where registers are asked.

    `vouched` says whether GLEIF or our register has the name for this LEI, or a caller told it.
    """

    lei: str
    name: str
    country: str
    place: str
    status: str
    vouched: bool = True


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a score rests on, or why there is none; `kept` is a score that still holds.

    `known` is how many figures were held about the entity just before it was computed.
    """

    subject: Subject
    inputs: Inputs | None = None
    result: Mapping[str, Any] | None = None
    kept: EsgScore | None = None
    problem: DomainError | None = None
    narration: str = ""
    known: int = 0


def gather(*, asked: dict[str, Any], now: datetime) -> Gathered:
    """Return the score of an LEI, kept or computed; 400 without a name that is needed."""
    held = lookups.lookup(lei=asked["lei"], now=now, ask=False, used=False).record
    entity = held.entity if held else None
    return _scored(_subject(asked, entity, now), asked, now)


def gather_wallet(*, asked: dict[str, Any], now: datetime) -> Gathered:
    """Return the score of a wallet's entity; NotRegistered, NoLei, RegistrationUnproved."""
    row = Registration.objects.of(asked["wallet"])
    if row is None:
        raise NotRegistered("No registration stands for this wallet.")
    proved([row])
    if not row.lei:
        raise NoLei("The wallet is registered without an LEI.")
    told = {"lei": row.lei, "name": row.legal_name, "country": row.country, "lei_status": "ISSUED"}
    return gather(asked=asked | told, now=now)


def _subject(asked: dict[str, Any], entity: Entity | None, now: datetime) -> Subject:
    lei, stated = asked["lei"], asked["lei_status"]
    name = asked.get("name", "")
    registered = "" if name and entity else _registered(lei)
    if not (name or registered):
        told = "The entity is not registered here: give its legal name."
        raise ValidationError({"name": [told]})
    if entity is None:
        told, vouched = registered or name, bool(registered)
        # what a caller says of an LEI that nobody holds is no evidence that it is in force
        stated = stated if vouched else graver(stated, UNVERIFIED)
        return Subject(lei, told, "", asked["country"], stated, vouched)
    status = graver(status_at(entity, now), stated)
    country = entity.country or entity.jurisdiction[:2]
    return Subject(lei, entity.legal_name, country, country or asked["country"], status)


def _registered(lei: str) -> str:
    """Return the legal name under which a wallet of an LEI is registered, or an empty text."""
    row = Registration.objects.active().filter(lei=lei).order_by("pk").first()
    return proved([row])[0].legal_name if row else ""


def _scored(subject: Subject, asked: dict[str, Any], now: datetime) -> Gathered:
    if asked["refresh"]:
        limits.hit(bucket=f"esg-refresh:{subject.lei}", limit=ESG_REFRESHES, now=now)
    known = Evidence.objects.filter(subject=subject.lei).count()
    kept = None if asked["refresh"] else _kept(subject, known, now)
    found = _from(kept, subject) if kept else replace(_computed(subject, now), known=known)
    if found.result is None or not asked["narrate"]:
        return found
    facts = {"entityName": subject.name, **_plain(found.result)}
    return replace(found, narration=narration(facts=facts, now=now))


def _plain(result: Mapping[str, Any]) -> dict[str, Any]:
    shown = (
        "composite", "environmental", "social", "governance", "fee_tier", "coverage",
        "data_quality",
    )  # fmt: skip
    return {name: result[name] for name in shown}


def _kept(subject: Subject, known: int, now: datetime) -> EsgScore | None:
    """Return a score that still holds: seven days, one reference, and no newer evidence.

    Evidence is only ever added, so that `known`, the number of its rows, tells whether there is
    more; a time would not: a lookup records with the time of its beginning.
    """
    same = EsgScore.objects.filter(
        lei=subject.lei,
        lei_status=subject.status,
        reference=REFERENCE,
        expires_at__gt=now,
        recorded_at__lte=now,
    )
    kept = next(iter(proven(same.order_by("-pk")[:1])), None)
    if kept is None or kept.purged:
        return None
    return kept if kept.data.get("known") == known else None


def _from(kept: EsgScore, subject: Subject) -> Gathered:
    inputs = computing.read(kept.data["inputs"])
    return Gathered(subject, inputs, computing.result(inputs), kept)


def _computed(subject: Subject, now: datetime) -> Gathered:
    inputs = _inputs(subject, now)
    try:
        return Gathered(subject, inputs, computing.result(inputs))
    except NoData:
        told = f"Nothing is held about {subject.lei} that a score could rest on."
        return Gathered(subject, problem=EsgDataUnavailable(told, retry_after=3600))


def _inputs(subject: Subject, now: datetime) -> Inputs:
    places = [place for place in (subject.lei, subject.country) if place]
    held = evidence.held(subjects=places, today=now.date())
    own = dict(held.get(subject.lei, {}))
    owners = ownership.disclosed(lei=subject.lei, now=now)
    if owners is not None:
        own[owners.key] = owners
    figures = (*own.values(), *held.get(subject.country, {}).values())
    return Inputs(subject.lei, subject.country, subject.status, tuple(figures))
