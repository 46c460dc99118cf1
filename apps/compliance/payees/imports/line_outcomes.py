"""The result of a line: foreseen without writing anything, or after submission.

Both take the path of `POST /register`: the same shape, gathering, rules and writing.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from rest_framework import serializers

from apps.compliance.payees.imports.csv_parser import format_validation_error, parse_line_request
from apps.compliance.payees.models import ImportLine, Registration, WalletImport
from apps.compliance.payees.problems import (
    CountryRefused,
    RegistrationRefused,
    build_refusal,
)
from apps.compliance.payees.registration_requests import (
    DESK,
    RegistrationActor,
    RegistrationRequest,
)
from apps.compliance.payees.rules.import_lines import UNFIT, LineFacts, classify_line
from apps.compliance.payees.selectors.registration_checks import (
    RegistrationInputs,
    gather_registration,
)
from apps.compliance.payees.services.registrations import (
    judge_submission,
    submit_registration,
)
from apps.platform.common.problems import Conflict, DomainError, Unavailable
from apps.reference.lei.name_agreement import is_same_name

# of the same entity that are named in a finding
MAX_EARLIER_LINES = 10


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """The result of a line: its code, the reasons in sentences, and whether it is under review.

    `wanted` is the line's request, if it could be read.
    """

    code: str
    why: str = ""
    review: bool = False
    gleif_name: str = ""
    registration: Registration | None = None
    wanted: RegistrationRequest | None = None


class LineTaken(Exception):
    """Another run took the line in the meantime: this one's writes are rolled back."""


def preview_line(line: ImportLine, *, now: datetime) -> LineOutcome:
    """Return what submitting a line would come to now; nothing is written.

    Lines are foreseen in their order: of a wallet that comes twice, the first counts.
    """
    try:
        line_request = parse_line_request(line.given)
    except serializers.ValidationError as error:
        return _fault_outcome(format_validation_error(error))
    same = ImportLine.objects.filter(batch=line.batch_id, wallet=line_request.wallet.address)
    # an earlier line that cannot be submitted takes nothing away from this one
    before = same.filter(number__lt=line.number).exclude(foreseen__in=UNFIT)
    earlier = before.order_by("number").values_list("number", flat=True).first() or 0
    if earlier:
        rule = classify_line(LineFacts(earlier=earlier))
        return LineOutcome(rule.code, f"Line {earlier} has this wallet.", wanted=line_request)
    return replace(_preview_submission(line, line_request, now), wanted=line_request)


def _preview_submission(
    line: ImportLine, registration_request: RegistrationRequest, now: datetime
) -> LineOutcome:
    try:
        gathered = gather_registration(asked=registration_request, now=now)
    except Unavailable as error:
        return LineOutcome(classify_line(LineFacts(missing=error.detail)).code, error.detail)
    except DomainError as error:  # GLEIF has no such LEI
        return _fault_outcome(error.detail)
    registration = (
        Registration.objects.filter(pk=gathered.standing).first() if gathered.standing else None
    )
    checks = gathered.checks
    # the same registration again: nothing was checked, and nothing would be written
    if checks is None:
        return _outcome_without_checks(gathered, registration)
    # registrations that earlier lines will have made by then
    beside = _earlier_lines_of_entity(line, registration_request)
    # judged as if the wallet were free: a listed party is refused whoever holds the wallet
    contested = gathered.step == "OTHER_ENTITY"
    judgement = judge_submission(
        registration=None if contested else registration,
        registration_request=registration_request,
        checks=checks,
        beside=beside,
    )
    if contested and not judgement.refused:
        return _outcome_without_checks(gathered, registration)
    rule = classify_line(LineFacts(step=gathered.step, refused=judgement.refused))
    named = checks.entity.legal_name[:500] if checks.entity else ""
    if judgement.refused:
        return LineOutcome(rule.code, build_refusal(judgement).detail, gleif_name=named)
    why = " ".join(finding.reason for finding in judgement.findings)
    review = bool(judgement.findings) or (registration is not None and registration.under_review)
    return LineOutcome(rule.code, why, review, named, registration)


def _outcome_without_checks(
    gathered: RegistrationInputs, registration: Registration | None
) -> LineOutcome:
    rule = classify_line(LineFacts(step=gathered.step))
    conflict = gathered.step == "OTHER_ENTITY" and registration is not None
    lei = f" (LEI {registration.lei})" if registration and registration.lei else ""
    named = f"{registration.legal_name}{lei}".removesuffix(".") if registration else ""
    why = f"It is registered to {named}." if conflict else ""
    review, named = (
        (registration.under_review, registration.gleif_name) if registration else (False, "")
    )
    return LineOutcome(rule.code, why, review, named, registration)


def _earlier_lines_of_entity(
    line: ImportLine, registration_request: RegistrationRequest
) -> tuple[tuple[str, str], ...]:
    """Return earlier lines of the file for the same entity (LEI) under another name.

    An entity for whose LEI GLEIF has another name does not count, as in a registration.
    """
    lei = registration_request.submitted.lei
    if not lei:
        return ()
    before = ImportLine.objects.filter(batch=line.batch_id, lei=lei, number__lt=line.number)
    before = before.exclude(foreseen__in=UNFIT).order_by("number")
    # those that are registered by now are found in the registry itself, not here a second time
    standing = set(
        Registration.objects.active()
        .filter(wallet__in=before.values("wallet"))
        .values_list("wallet", flat=True)
    )
    own = registration_request.submitted.legal_name
    lines = before.exclude(wallet__in=standing).values_list("wallet", "given", "gleif_name")
    named = [
        (wallet, str(submitted.get("legalName", "")), gleif_name)
        for wallet, submitted, gleif_name in lines[:MAX_EARLIER_LINES]
    ]
    return tuple(
        (wallet, name)
        for wallet, name, gleif_name in named
        if not is_same_name(name, own) and (not gleif_name or is_same_name(name, gleif_name))
    )


def submit_line(line: ImportLine, *, batch: WalletImport, now: datetime) -> LineOutcome:
    """Submit a line and store its outcome, in one transaction.

    Raises Unavailable if GLEIF or the lists are unavailable, and Conflict if the wallet changed in
    the meantime: nothing is written and the line stays open. LineTaken: another run took the line.
    """
    try:
        line_request = parse_line_request(line.given)
        gathered = gather_registration(asked=line_request, now=now)
    except serializers.ValidationError as error:
        return save_line_outcome(line, _fault_outcome(format_validation_error(error)), now=now)
    # the line stays open: run_next_lines puts it off
    except (Unavailable, Conflict):
        raise
    except DomainError as error:
        return save_line_outcome(line, _fault_outcome(error.detail), now=now)
    # in the name of who started the import, with the line as its trace
    who = RegistrationActor(DESK, batch.started_by, f"import {batch.pk}, line {line.number}")
    # one transaction: a line whose outcome is not kept has registered nothing
    with transaction.atomic():
        submission_result = submit_registration(
            asked=line_request, gathered=gathered, who=who, now=now
        )
        refused = isinstance(submission_result.refused, RegistrationRefused | CountryRefused)
        rule = classify_line(LineFacts(step=submission_result.step, refused=refused))
        if submission_result.refused is not None:
            submission_outcome = LineOutcome(rule.code, submission_result.refused.detail)
        else:
            row = submission_result.registration
            review = row is not None and row.under_review
            submission_outcome = LineOutcome(
                rule.code, " ".join(submission_result.reasons), review, registration=row
            )
        return save_line_outcome(line, submission_outcome, now=now)


def save_line_outcome(line: ImportLine, line_outcome: LineOutcome, *, now: datetime) -> LineOutcome:
    """Keep what became of a line, once; raises LineTaken where it is kept already."""
    # compare-and-set: the job and the command may work on one import
    won = ImportLine.objects.filter(pk=line.pk, outcome="").update(
        outcome=line_outcome.code,
        outcome_why=line_outcome.why,
        review=line_outcome.review,
        registration=line_outcome.registration,
        retry_at=None,
        done_at=now,
    )
    if not won:
        raise LineTaken
    return line_outcome


def _fault_outcome(fault: str) -> LineOutcome:
    return LineOutcome(classify_line(LineFacts(fault=fault)).code, fault)
