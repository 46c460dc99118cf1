"""What a line would come to, looked up and not written; and what submitting it came to.

Both go the way of `POST /register`: the same shape, gathering, rules and writing.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from rest_framework import serializers

from apps.core.problems import Conflict, DomainError, Unavailable
from apps.lei.naming import same_name
from apps.registry.importing.reading import fault_of, submitted
from apps.registry.models import ImportLine, Registration, WalletImport
from apps.registry.register.asked import DESK, Asked, Who
from apps.registry.register.gather import Gathered, gather
from apps.registry.register.refusals import CountryRefused, RegistrationRefused, refusal
from apps.registry.register.write import Submission, judged, submit
from apps.registry.rules.importing import UNFIT, LineFacts, comes_to

MOST_BESIDE = 10


@dataclass(frozen=True, slots=True)
class Told:
    """What a line comes to: its code, why in sentences, and whether it is under review.

    `wanted` is what it asks for, where it could be read.
    """

    code: str
    why: str = ""
    review: bool = False
    gleif_name: str = ""
    registration: Registration | None = None
    wanted: Asked | None = None


class Taken(Exception):
    """Another run had the line meanwhile: what this one wrote is undone."""


def foresee(line: ImportLine, *, now: datetime) -> Told:
    """Return what submitting a line would come to now; nothing is written.

    Lines are foreseen in their order: of a wallet that comes twice, the first counts.
    """
    try:
        wanted = submitted(line.given)
    except serializers.ValidationError as error:
        return _faulty(fault_of(error))
    if earlier := _earlier(line, wanted):
        rule = comes_to(LineFacts(earlier=earlier))
        return Told(rule.code, f"Line {earlier} has this wallet.", wanted=wanted)
    return replace(_foreseen(line, wanted, now), wanted=wanted)


def _earlier(line: ImportLine, wanted: Asked) -> int:
    """Return which line before this one has its wallet, or 0."""
    same = ImportLine.objects.filter(batch=line.batch_id, wallet=wanted.wallet.address)
    before = same.filter(number__lt=line.number).exclude(foreseen__in=UNFIT)
    return before.order_by("number").values_list("number", flat=True).first() or 0


def _foreseen(line: ImportLine, wanted: Asked, now: datetime) -> Told:
    try:
        gathered = gather(asked=wanted, now=now)
    except Unavailable as error:
        return Told(comes_to(LineFacts(missing=error.detail)).code, error.detail)
    except DomainError as error:  # GLEIF has no such LEI
        return _faulty(error.detail)
    held = Registration.objects.filter(pk=gathered.standing).first() if gathered.standing else None
    checks = gathered.checks
    if checks is None:
        return _stands(gathered, held)
    beside = _beside(line, wanted)
    contested = gathered.step == "OTHER_ENTITY"
    judgement = judged(held=None if contested else held, asked=wanted, checks=checks, beside=beside)
    if contested and not judgement.refused:
        return _stands(gathered, held)
    rule = comes_to(LineFacts(step=gathered.step, refused=judgement.refused))
    named = checks.entity.legal_name[:500] if checks.entity else ""
    if judgement.refused:
        return Told(rule.code, refusal(judgement).detail, gleif_name=named)
    why = " ".join(one.reason for one in judgement.findings)
    review = bool(judgement.findings) or (held is not None and held.under_review)
    return Told(rule.code, why, review, named, held)


def _stands(gathered: Gathered, held: Registration | None) -> Told:
    rule = comes_to(LineFacts(step=gathered.step))
    conflict = gathered.step == "OTHER_ENTITY" and held is not None
    lei = f" (LEI {held.lei})" if held and held.lei else ""
    named = f"{held.legal_name}{lei}".removesuffix(".") if held else ""
    why = f"It stands under {named}." if conflict else ""
    review, named = (held.under_review, held.gleif_name) if held else (False, "")
    return Told(rule.code, why, review, named, held)


def _beside(line: ImportLine, wanted: Asked) -> tuple[tuple[str, str], ...]:
    """Return earlier lines of the file for the same entity (LEI) under another name."""
    lei = wanted.submitted.lei
    if not lei:
        return ()
    before = ImportLine.objects.filter(batch=line.batch_id, lei=lei, number__lt=line.number)
    before = before.exclude(foreseen__in=UNFIT).order_by("number")
    standing = set(
        Registration.objects.active()
        .filter(wallet__in=before.values("wallet"))
        .values_list("wallet", flat=True)
    )
    own = wanted.submitted.legal_name
    named = (
        (wallet, str(given.get("legalName", "")))
        for wallet, given in before.values_list("wallet", "given")[:MOST_BESIDE]
        if wallet not in standing
    )
    return tuple(one for one in named if not same_name(one[1], own))


def carry_out(line: ImportLine, *, batch: WalletImport, now: datetime) -> Told:
    """Submit a line and keep what it came to, in one transaction.

    Raises Unavailable where GLEIF or the lists cannot be asked, and Conflict where the wallet
    changed meanwhile: then nothing is written and the line stays open. Taken: another run had it.
    """
    try:
        wanted = submitted(line.given)
        gathered = gather(asked=wanted, now=now)
    except serializers.ValidationError as error:
        return keep(line, _faulty(fault_of(error)), now=now)
    except (Unavailable, Conflict):
        raise
    except DomainError as error:
        return keep(line, _faulty(error.detail), now=now)
    who = Who(DESK, batch.started_by, f"import {batch.pk}, line {line.number}")
    with transaction.atomic():
        found = submit(asked=wanted, gathered=gathered, who=who, now=now)
        return keep(line, _came_to(found), now=now)


def keep(line: ImportLine, told: Told, *, now: datetime) -> Told:
    """Keep what became of a line, once; raises Taken where it is kept already."""
    won = ImportLine.objects.filter(pk=line.pk, outcome="").update(
        outcome=told.code,
        outcome_why=told.why,
        review=told.review,
        registration=told.registration,
        retry_at=None,
        done_at=now,
    )
    if not won:
        raise Taken
    return told


def _faulty(fault: str) -> Told:
    return Told(comes_to(LineFacts(fault=fault)).code, fault)


def _came_to(found: Submission) -> Told:
    refused = isinstance(found.refused, RegistrationRefused | CountryRefused)
    rule = comes_to(LineFacts(step=found.step, refused=refused))
    if found.refused is not None:
        return Told(rule.code, found.refused.detail)
    row = found.registration
    review = row is not None and row.under_review
    return Told(rule.code, " ".join(found.reasons), review, registration=row)
