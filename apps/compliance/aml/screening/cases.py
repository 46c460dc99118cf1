"""What a screen leaves for people: a case of a flagged one, a SAR entry of a blocked."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from apps.backoffice.review.rules.keys import build_entity_key, freeze_evidence
from apps.backoffice.review.services import CaseOpening
from apps.backoffice.review.services.case_creation import CaseOpener
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.aml.evidence_view import build_evidence_view
from apps.compliance.aml.models import AmlScreen
from apps.compliance.aml.models.screens import KIND
from apps.compliance.aml.rules.cases import HIGH_FROM, SAMPLE_WORDS, SAMPLED, signal_ref
from apps.compliance.aml.rules.scorecard import Judgement
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.response import describe_listed_parties
from apps.compliance.aml.screening.selectors import AmlScreenInputs


def open_aml_case(
    record: AmlScreen,
    asked: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    now: datetime,
    opens: CaseOpener,
) -> None:
    """Open the case of a flagged payment, or of a low score that was drawn by chance."""
    data = record.data
    evidence = data["evidence"] | {name: data[name] for name in ("request", "response", "versions")}
    opening = CaseOpening(
        kind=KIND,
        ref=str(record.screen_id),
        owner=record.owner,
        title=f"Payment of {asked.wallet}",
        party=gathered.parties[0].name,
        wallet=asked.wallet,
        reference=asked.payment_id,
        amount=asked.amount,
        currency=asked.money,
        amount_usd=gathered.usd,
        risk=_case_risk(record, judgement),
        risk_score=judgement.score,
        reasons=list(_case_reasons(record, judgement)),
        evidence=evidence,
        entity_key=build_entity_key([]),
    )
    opens(opening=opening, now=now)


def _case_risk(record: AmlScreen, judgement: Judgement) -> str:
    if record.sampled:
        return "LOW"
    return "HIGH" if judgement.score >= HIGH_FROM else "MEDIUM"


def _case_reasons(record: AmlScreen, judgement: Judgement) -> Iterator[dict[str, str]]:
    if record.sampled:
        yield {"code": "AML-7", "ref": SAMPLED, "sentence": SAMPLE_WORDS}
    else:
        rule = judgement.rule
        said = f"{rule.words} It is {judgement.score}."
        yield {"code": rule.code, "ref": rule.ref, "sentence": said}
    for signal in judgement.signals:
        yield {
            "code": signal.fired.id,
            "ref": signal_ref(signal.fired.id),
            "sentence": signal.fired.sentence,
        }


def _name_of_party(screen_request: AmlScreenRequest, gathered: AmlScreenInputs, named: str) -> str:
    """Return whom an entry is about: who is listed, else who is dealt with, else who was screened.

    Of a wallet nobody is known by, its address is the name.
    """
    listed_ = next((party for party in gathered.parties if party.listed), None)
    if listed_ is not None:
        return listed_.name or listed_.wallet
    return named or gathered.parties[0].name or screen_request.wallet


def log_blocked_payment(
    record: AmlScreen,
    asked: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    now: datetime,
    *,
    named: str = "",
) -> None:
    """Enter a blocked payment into the SAR log, with the clocks of a sanctions hit if it is one."""
    lists = sorted({list_ for party in gathered.parties for list_ in party.lists})
    found = [(judgement.rule.ref, judgement.rule.words)]
    found += [(judgement.rule.ref, f"Listed: {one}.") for one in describe_listed_parties(gathered)]
    found += [(signal_ref(signal.fired.id), signal.fired.sentence) for signal in judgement.signals]
    open_entry(
        blocked=BlockedOutcome(
            kind=KIND,
            ref=str(record.screen_id),
            owner=record.owner,
            party=_name_of_party(asked, gathered, named),
            reasons=[sentence for _, sentence in found],
            rules=[ref for ref, _ in found],
            sanctions=gathered.listed and is_ofac_report_owed(lists),
            lists=lists,
            risk_score=judgement.score,
            screened_at=record.recorded_at,
            facts=PaymentFacts(
                amount=asked.amount,
                currency=asked.money,
                usd=gathered.usd,
                reference=asked.payment_id,
                wallet=asked.wallet,
                picture=_freeze_evidence_view(record),
            ),
        ),
        now=now,
    )


def _freeze_evidence_view(record: AmlScreen) -> dict[str, Any]:
    data = record.data
    told = {name: data[name] for name in ("request", "response", "versions")}
    return dict(freeze_evidence(build_evidence_view(data["evidence"] | told)))
