"""Open cases for parties that resemble listed ones, or that could not be screened.

Each party has its own case, so that a decision on one says nothing about another. A message joins
the undecided case of the same party and findings, and beyond a limit the single case for all others
of its sender and day. The evidence of a case contains the screens with the screened names, for as
long as cases are kept; the message itself stays encrypted under the key of its record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any

from apps.access.keys.tenant_names import OPERATOR
from apps.backoffice.review import case_types
from apps.backoffice.review.models import UNDECIDED, Case
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import CaseOpening, lock_undecided_case, open_case
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.combined.party_findings import (
    build_case_reasons,
    highest_risk,
    own_entity_key,
)
from apps.compliance.screening.combined.request_rows import build_request_rows
from apps.payments.travelrule.authentication import SHARED_SENDER
from apps.payments.travelrule.cases import build_record_evidence
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.party_index import split_words
from apps.payments.travelrule.rules.screening_limits import (
    MAX_CASES,
    MAX_CASES_OF_SHARED_KEY,
    NOT_SCREENED,
    SCREENED_IN_PART,
    TOO_MANY,
    ScreeningRule,
)
from apps.payments.travelrule.screening.screens import BLOCKED, PartyHit, PartyScreens
from apps.platform.crypto import macs

KIND = "travel_party"
MAX_CURRENCY_LENGTH = 10  # that a case and an entry hold
OTHERS, UNSCREENED = "others", "unscreened"


@dataclass(frozen=True, slots=True)
class CaseRequest:
    """The contents of a case to open: party, reasons, severity and evidence."""

    reasons: Sequence[Mapping[str, str]]
    risk: str
    party: str = ""
    risk_score: int = 0
    evidence: Mapping[str, Any] | None = None
    of_party: Mapping[str, Any] | None = None


def screening_owner_of(record: TravelRecord) -> str:
    """Return the owner of a message's screens: the institution of its payment, else the operator.

    The owner's known false positives apply.
    """
    return record.owner or OPERATOR


def open_hit_cases(
    record: TravelRecord, party_screens: PartyScreens, *, now: datetime
) -> list[str]:
    """Open or join the cases of the screens' findings; return their references.

    Each BLOCKED party has an entry in the SAR log under the reference of its case.
    """
    stems = {
        _case_ref_stem(record, [hit.first.party, *hit.finding_keys], now): hit
        for hit in party_screens.hits
    }
    refs = []
    # sorted: two messages that join several cases lock them in one order
    for stem, hit in sorted(stems.items()):
        first, screens = hit.first, hit.screens
        side, screen_request = first.screen.side, first.asked
        risk, score = highest_risk(screens)
        hit_request = CaseRequest(
            build_case_reasons(hit.findings, screens, own=side),
            "HIGH" if hit.decision == BLOCKED else find_highest_risk({risk, "MEDIUM"}),
            screen_request.name,
            score,
            {
                "screens": [screen.evidence for screen in screens],
                "own": side,
                "party": build_request_rows(dict(first.screen.evidence))["party"],
            },
            {
                "country": screen_request.country,
                "lei": screen_request.lei,
                "wallet": hit.wallet,
                "entity_key": own_entity_key(screens, own=side, party=screen_request.name),
            },
        )
        ref = _open_or_join_case(record, stem, hit_request, now=now)
        refs.append(ref)
        # past the limit the case is the one of all others: the entry has the reference that the
        # party's own case would have, so that the same party has one entry
        if hit.decision == BLOCKED:
            entry = ref if ref.startswith(stem) else f"{stem}.1"
            if not SarEntry.objects.filter(kind=KIND, ref=entry).exists():
                _log_blocked_party(record, hit, entry, now)
    if not party_screens.whole:
        stem = _case_ref_stem(
            record, ["left out", *(text for row in party_screens.left_out for text in row)], now
        )
        # HIGH: a party that could not be screened whole may be a listed one
        left = [{"label": label, "value": value} for label, value in party_screens.left_out]
        party = party_screens.left_out[0][1][:300]
        left_out_request = CaseRequest(
            _build_reasons(SCREENED_IN_PART), "HIGH", party, evidence={"leftOut": left}
        )
        refs.append(_open_or_join_case(record, stem, left_out_request, now=now))
    return list(dict.fromkeys(refs))


def open_not_screened_case(record: TravelRecord, *, party: str, why: str, now: datetime) -> str:
    """Open or join the case of messages whose parties could not be screened.

    There is one for each counterparty and day: an officer has all of them screened again together.
    """
    case_request = CaseRequest(_build_reasons(NOT_SCREENED, why), "MEDIUM", party)
    return _open_or_join_case(
        record, _case_ref_prefix(record, now) + UNSCREENED, case_request, now=now
    )


def open_altered_case(record: TravelRecord, *, party: str, why: str, now: datetime) -> None:
    """Open the case of a record that fails its integrity check."""
    # without limits: senders cannot bring one about
    case_request = CaseRequest(_build_reasons(NOT_SCREENED, why), "MEDIUM", party)
    open_case(
        opening=_build_opening(record, f"{record.record_id}.{record.steps}", case_request), now=now
    )


def _build_reasons(row: ScreeningRule, why: str = "") -> list[dict[str, str]]:
    return [{"ref": row.ref, "sentence": f"{row.says} {why}".strip()}]


def _case_ref_prefix(record: TravelRecord, now: datetime) -> str:
    """Return the beginning of the references of cases of a counterparty and day."""
    # Under a shared key the message itself names its sender. Past a limit all named senders count
    # as one, so that whoever holds the key cannot open any number of cases.
    named = ""
    if record.sender in ("", SHARED_SENDER):
        named = record.counterparty_lei or " ".join(split_words(record.counterparty))
    of_sender = f"{now:%Y-%m-%d}.{_short_digest(record.sender)}."
    prefix = f"{of_sender}{_short_digest(named)}." if named else f"{of_sender}all."
    if (
        named
        and not _select_cases(prefix).exists()
        and _select_cases(of_sender).count() >= MAX_CASES_OF_SHARED_KEY
    ):
        return f"{of_sender}all."
    return prefix


def _case_ref_stem(record: TravelRecord, about: Sequence[str], now: datetime) -> str:
    """Return the beginning of references of a day's cases with the same party and findings."""
    return _case_ref_prefix(record, now) + _short_digest(
        screening_owner_of(record), *about, length=20
    )


def _short_digest(*about: str, length: int = 10) -> str:
    return macs.keyed_digest(what="travel-rule case", of=list(about))[:length]


def _select_cases(prefix: str) -> Any:
    return Case.objects.filter(kind=KIND, ref__startswith=prefix).order_by()


def _open_or_join_case(
    record: TravelRecord, stem: str, case_request: CaseRequest, *, now: datetime
) -> str:
    """Open a case, or join the undecided one with the same contents; return its reference.

    Once a case was decided, the same contents open another: no message is covered by a decision
    that was made before it arrived.
    """
    # past the limit of a day, everything goes into the one case of the others
    prefix, _, about = stem.rpartition(".")
    if about not in (OTHERS, UNSCREENED) and not _find_undecided_refs(stem):
        counted = _select_cases(f"{prefix}.").exclude(ref__startswith=f"{prefix}.{OTHERS}")
        if counted.exclude(ref__startswith=f"{prefix}.{UNSCREENED}").count() >= MAX_CASES:
            others = CaseRequest(_build_reasons(TOO_MANY), "HIGH", record.counterparty)
            return _open_or_join_case(record, f"{prefix}.{OTHERS}", others, now=now)
    opening = _build_opening(record, "", case_request)
    refs = frozenset(reason["ref"] for reason in opening.reasons)
    second = case_types.get_case_type(KIND).second(
        case_types.Stakes(opening.risk, opening.amount, opening.usd, refs)
    )
    # a message that requires a second officer must not join a case that one officer can decide
    stem = f"{stem}.{_short_digest(opening.owner, str(second is not None), length=4)}"
    for ref in _find_undecided_refs(stem):
        # it cannot be decided while this message joins
        if lock_undecided_case(kind=KIND, ref=ref) is not None:
            return ref
    ref = f"{stem}.{_select_cases(f'{stem}.').count() + 1}"
    open_case(opening=_build_opening(record, ref, case_request), now=now)
    return ref


def _find_undecided_refs(stem: str) -> list[str]:
    return list(
        _select_cases(f"{stem}.").filter(status__in=UNDECIDED).values_list("ref", flat=True)
    )


def _build_opening(record: TravelRecord, ref: str, case_request: CaseRequest) -> CaseOpening:
    named = record.counterparty or "an unnamed counterparty"
    amount = _parse_amount(record.amount)
    return CaseOpening(
        kind=KIND,
        ref=ref,
        owner=screening_owner_of(record),
        title=f"Party of a travel-rule message from {named}",
        reference=str(record.payment_id or record.record_id),
        amount=amount,
        currency=record.currency[:MAX_CURRENCY_LENGTH] if amount is not None else "",
        amount_usd=record.amount_usd,
        party=case_request.party,
        risk=case_request.risk,
        risk_score=case_request.risk_score,
        reasons=case_request.reasons,
        evidence=build_record_evidence(record) | dict(case_request.evidence or {}),
        **(case_request.of_party or {}),
    )


def _parse_amount(text: str) -> Decimal | None:
    """Return the amount that a message states; None for one that a case cannot store."""
    try:
        amount = Decimal(text)
        whole = amount.is_finite() and amount >= 0 and amount.adjusted() <= 12
        return amount if whole and amount == amount.quantize(Decimal("0.000001")) else None
    except InvalidOperation:
        return None


def _log_blocked_party(record: TravelRecord, hit: PartyHit, ref: str, now: datetime) -> None:
    screen_request = hit.first.asked
    amount = _parse_amount(record.amount)
    findings = [finding for party in hit.blocking for finding in party.judgement.findings]
    reasons = list({(finding.ref, finding.reason): finding for finding in findings}.values())
    lists = {name for party in hit.blocking for name in party.gathered.blocking_lists}
    blocked = BlockedOutcome(
        kind=KIND,
        ref=ref,
        owner=screening_owner_of(record),
        party=screen_request.name,
        lei=screen_request.lei,
        reasons=[finding.reason for finding in reasons],
        rules=[finding.ref for finding in reasons],
        sanctions=any(party.owes_ofac for party in hit.blocking),
        lists=sorted(lists),
        risk_score=hit.first.judgement.risk_score,
        screened_at=now,
        facts=PaymentFacts(
            amount=amount,
            currency=record.currency[:MAX_CURRENCY_LENGTH] if amount is not None else "",
            usd=record.amount_usd,
            country=screen_request.country,
            reference=str(record.payment_id or record.record_id),
            wallet=hit.wallet,
            picture={"facts": [{"label": "Check", "value": finding.reason} for finding in reasons]},
        ),
    )
    open_entry(blocked=blocked, now=now)
