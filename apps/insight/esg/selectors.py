"""Gather a score: the entity's identity, the stored evidence, and the stored score.

It reads only stored data: jobs query the sources. It may wait for a narration.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.access.keys import rate_limits
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors.public_lookups import NotRegistered
from apps.compliance.payees.selectors.registrations import verify_registrations
from apps.insight.esg import computation, evidence_figures, ownership_transparency
from apps.insight.esg.computation import ScoreInputs
from apps.insight.esg.models import EsgScore, Evidence
from apps.insight.esg.narration import request_narration
from apps.insight.esg.rules.indicators import REFERENCE
from apps.insight.esg.rules.lei_deductions import worse_lei_status
from apps.insight.esg.rules.score import InsufficientEvidence
from apps.platform.common.problems import DomainError, NotFound, Unavailable
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.lei.rules.registration import registration_status_at
from apps.reference.lei.services import lookups
from apps.reference.lei.values import Entity
from config.rate_limits import ESG_REFRESHES

UNVERIFIED = "UNVERIFIED"
SCORE_LIFETIME = timedelta(days=7)  # document 1 section 8, ESG cache


class WalletWithoutLei(NotFound):
    """The wallet is registered without an LEI, so it is not known which entity to score."""

    code, title = "wallet_without_lei", "The wallet's entity has no LEI"


class EsgDataUnavailable(Unavailable):
    """A pillar has neither evidence about the entity nor a reference of its country."""

    code, title = "esg_data_unavailable", "There is no data to score the entity"


@dataclass(frozen=True, slots=True)
class ScoreSubject:
    """The entity to score; `country` is GLEIF's, `place` selects the registers to query.

    `vouched` says whether the name comes from GLEIF or our register, not from the caller.
    """

    lei: str
    name: str
    country: str
    place: str
    status: str
    vouched: bool = True


@dataclass(frozen=True, slots=True)
class GatheredScore:
    """What a score rests on, or why there is none; `kept` is a score that still holds.

    `known` is how many figures were held about the entity just before it was computed.
    """

    subject: ScoreSubject
    inputs: ScoreInputs | None = None
    result: Mapping[str, Any] | None = None
    kept: EsgScore | None = None
    problem: DomainError | None = None
    narration: str = ""
    known: int = 0


def gather_entity_score(*, asked: dict[str, Any], now: datetime) -> GatheredScore:
    """Return the score of an LEI, kept or computed; 400 without a name that is needed."""
    record = lookups.look_up_lei(lei=asked["lei"], now=now, ask=False, used=False).record
    entity = record.entity if record else None
    subject = _resolve_subject(asked, entity, now)
    if asked["refresh"]:
        rate_limits.count_call(bucket=f"esg-refresh:{subject.lei}", limit=ESG_REFRESHES, now=now)
    # before the figures are read: one recorded in between makes the stored score look outdated,
    # which costs a computation, and never hides a figure
    known = Evidence.objects.filter(subject=subject.lei).count()
    # a refresh skips the stored score and is limited per entity, not per caller
    valid_score = None if asked["refresh"] else _load_valid_score(subject, known, now)
    gathered_score = (
        _build_from_stored_score(valid_score, subject)
        if valid_score
        else replace(_compute_score(subject, now), known=known)
    )
    if gathered_score.result is None or not asked["narrate"]:
        return gathered_score
    shown = (
        "composite", "environmental", "social", "governance", "fee_tier", "coverage",
        "data_quality",
    )  # fmt: skip
    facts = {"entityName": subject.name, **{name: gathered_score.result[name] for name in shown}}
    return replace(gathered_score, narration=request_narration(facts=facts, now=now))


def gather_wallet_score(*, asked: dict[str, Any], now: datetime) -> GatheredScore:
    """Return the score of a wallet's entity; NotRegistered, WalletWithoutLei,
    RegistrationIntegrityError.
    """
    row = Registration.objects.of(asked["wallet"])
    if row is None:
        raise NotRegistered("This wallet has no active registration.")
    verify_registrations([row])
    # an LEI under review may belong to another entity, whose score would be shown here
    if not row.counted_lei:
        raise WalletWithoutLei("This wallet has no LEI on record, or its LEI is under review.")
    identity = {
        "lei": row.lei,
        "name": row.legal_name,
        "country": row.country,
        "lei_status": "ISSUED",
    }
    return gather_entity_score(asked=asked | identity, now=now)


def _resolve_subject(asked: dict[str, Any], entity: Entity | None, now: datetime) -> ScoreSubject:
    lei, stated = asked["lei"], asked["lei_status"]
    name = asked.get("name", "")
    # the lookup of the register is only needed where GLEIF or the caller leaves a gap
    registered = "" if name and entity else _load_registered_name(lei)
    if not (name or registered):
        fault = "The entity is not registered here: give its legal name."
        raise ValidationError({"name": [fault]})
    if entity is None:
        known_name, vouched = registered or name, bool(registered)
        # a caller's statement on an unknown LEI is no evidence that it is in force
        stated = stated if vouched else worse_lei_status(stated, UNVERIFIED)
        return ScoreSubject(lei, known_name, "", asked["country"], stated, vouched)
    status = worse_lei_status(registration_status_at(entity, now), stated)
    # jurisdictions may name a state or province, as US-DE does
    country = entity.country or entity.jurisdiction[:2]
    return ScoreSubject(lei, entity.legal_name, country, country or asked["country"], status)


def _load_registered_name(lei: str) -> str:
    """Return the legal name under which a wallet of an LEI is registered, or an empty text."""
    rows = Registration.objects.active().filter(lei=lei).order_by("pk")
    row = next((registration for registration in rows if registration.counted_lei), None)
    return verify_registrations([row])[0].legal_name if row else ""


def _load_valid_score(subject: ScoreSubject, known: int, now: datetime) -> EsgScore | None:
    """Return a score that is still valid: seven days, one reference, and no newer evidence."""
    same = EsgScore.objects.filter(
        lei=subject.lei,
        lei_status=subject.status,
        reference=REFERENCE,
        expires_at__gt=now,
        recorded_at__lte=now,
    )
    stored = next(iter(filter_verified_records(same.order_by("-pk")[:1])), None)
    if stored is None or stored.purged:
        return None
    # evidence is only ever added, so the number of rows says whether there is more; their times
    # would not, because a lookup records with the time at which it began
    return stored if stored.data.get("known") == known else None


def _build_from_stored_score(esg_score: EsgScore, subject: ScoreSubject) -> GatheredScore:
    inputs = computation.parse_score_inputs(esg_score.data["inputs"])
    return GatheredScore(subject, inputs, computation.compute_result(inputs), esg_score)


def _compute_score(subject: ScoreSubject, now: datetime) -> GatheredScore:
    places = [place for place in (subject.lei, subject.country) if place]
    current_figures = evidence_figures.load_current_figures(subjects=places, today=now.date())
    own = dict(current_figures.get(subject.lei, {}))
    owners = ownership_transparency.load_owner_disclosure(lei=subject.lei, now=now)
    if owners is not None:
        own[owners.key] = owners
    figures = (*own.values(), *current_figures.get(subject.country, {}).values())
    inputs = ScoreInputs(subject.lei, subject.country, subject.status, tuple(figures))
    try:
        return GatheredScore(subject, inputs, computation.compute_result(inputs))
    except InsufficientEvidence:
        sentence = f"There is no evidence on {subject.lei} for a score."
        return GatheredScore(subject, problem=EsgDataUnavailable(sentence, retry_after=3600))
