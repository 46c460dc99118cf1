"""What a screen leaves for people: a case of a flagged one, a SAR entry of a blocked."""

from collections.abc import Iterator
from datetime import datetime

from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.rules.evidence import freeze_evidence
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
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    now: datetime,
    opens: CaseOpener,
) -> None:
    """Open the case of a flagged payment, or of a low score that was drawn by chance."""
    data = record.data
    evidence = data["evidence"] | {name: data[name] for name in ("request", "response", "versions")}
    # flags lie between 50 and 74: lower scores proceed, higher ones are blocked
    case_risk = "LOW" if record.sampled else "HIGH" if judgement.score >= HIGH_FROM else "MEDIUM"
    opening = CaseOpening(
        kind=KIND,
        ref=str(record.screen_id),
        owner=record.owner,
        title=f"Payment of {screen_request.wallet}",
        party=gathered.parties[0].name,
        wallet=screen_request.wallet,
        reference=screen_request.payment_id,
        amount=screen_request.amount,
        currency=screen_request.money,
        amount_usd=gathered.usd,
        risk=case_risk,
        risk_score=judgement.score,
        reasons=list(_case_reasons(record, judgement)),
        evidence=evidence,
        # flagged by behaviour, not by a name: there is no listed entity that duplicates could share
        entity_key=build_entity_key([]),
    )
    opens(opening=opening, now=now)


def _case_reasons(record: AmlScreen, judgement: Judgement) -> Iterator[dict[str, str]]:
    if record.sampled:
        yield {"code": "AML-7", "ref": SAMPLED, "sentence": SAMPLE_WORDS}
    else:
        rule = judgement.rule
        sentence = f"{rule.words} It is {judgement.score}."
        yield {"code": rule.code, "ref": rule.ref, "sentence": sentence}
    for signal in judgement.signals:
        yield {
            "code": signal.fired.id,
            "ref": signal_ref(signal.fired.id),
            "sentence": signal.fired.sentence,
        }


def log_blocked_payment(
    record: AmlScreen,
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    judgement: Judgement,
    now: datetime,
    *,
    named: str = "",
) -> None:
    """Enter a blocked payment into the SAR log, with the clocks of a sanctions hit if it is one."""
    # by them the log decides whether a report to OFAC is due, and by when
    lists = sorted({list_ for party in gathered.parties for list_ in party.lists})
    reasons = [(judgement.rule.ref, judgement.rule.words)]
    reasons += [
        (judgement.rule.ref, f"Listed: {listed_party}.")
        for listed_party in describe_listed_parties(gathered)
    ]
    reasons += [
        (signal_ref(signal.fired.id), signal.fired.sentence) for signal in judgement.signals
    ]
    data = record.data
    parts = {name: data[name] for name in ("request", "response", "versions")}
    # a wallet of an unknown party is named by its address
    listed_party = next((party for party in gathered.parties if party.listed), None)
    name_of_party = (
        listed_party.name or listed_party.wallet
        if listed_party is not None
        else named or gathered.parties[0].name or screen_request.wallet
    )
    open_entry(
        blocked=BlockedOutcome(
            kind=KIND,
            ref=str(record.screen_id),
            owner=record.owner,
            party=name_of_party,
            reasons=[sentence for _, sentence in reasons],
            rules=[ref for ref, _ in reasons],
            sanctions=gathered.listed and is_ofac_report_owed(lists),
            lists=lists,
            risk_score=judgement.score,
            screened_at=record.recorded_at,
            facts=PaymentFacts(
                amount=screen_request.amount,
                currency=screen_request.money,
                usd=gathered.usd,
                reference=screen_request.payment_id,
                wallet=screen_request.wallet,
                picture=dict(freeze_evidence(build_evidence_view(data["evidence"] | parts))),
            ),
        ),
        now=now,
    )
