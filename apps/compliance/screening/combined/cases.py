"""The case that a combined screen opens, or brings into the case of a payment."""

from collections.abc import Mapping
from typing import Any

from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.services import CaseOpening
from apps.compliance.screening.combined.evidence_view import listed_parties
from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.screen import Judgement
from apps.compliance.screening.rules.triage import case_ref, case_risk
from apps.reference.watchlists.matcher_version import compute_matcher_version

KIND = "screen"


def versions_of(gathered: ScreenInputs) -> dict[str, Any]:
    """Return the versions of lists, rules and matcher that a screen was made by."""
    lists = gathered.engine.list_set.versions
    return {"lists": lists, "rules": screen.VERSION, "matcher": compute_matcher_version()}


def build_case_opening(
    *,
    screen_request: ScreenRequest,
    gathered: ScreenInputs,
    judgement: Judgement,
    owner: str,
    ref: str,
    evidence: Mapping[str, Any] | None = None,
) -> CaseOpening:
    """Return the case of a screen: its party, risk, rules and evidence; nothing is written.

    `evidence` is what was kept of it with its versions and request, where there is a record.
    """
    if evidence is None:
        evidence = gathered.evidence()
        evidence |= {
            "versions": versions_of(gathered),
            "request": serialize_screen_request(screen_request),
        }
    return CaseOpening(
        kind=KIND,
        ref=ref,
        owner=owner,
        title=f"Screen of {screen_request.name}",
        party=screen_request.name,
        country=screen_request.country,
        lei=screen_request.lei,
        wallet=screen_request.wallet_address,
        reference=screen_request.reference,
        amount=screen_request.amount,
        # the currency of a request defaults to USD, also without an amount
        currency=screen_request.currency if screen_request.amount is not None else "",
        amount_usd=gathered.facts.amount_usd,
        risk=case_risk(risk_score=judgement.risk_score, findings=judgement.findings),
        risk_score=judgement.risk_score,
        reasons=[
            {
                "code": finding.code,
                "ref": case_ref(finding, gathered.facts),
                "sentence": finding.reason,
            }
            for finding in judgement.findings
        ],
        evidence=evidence,
        entity_key=build_entity_key(listed_parties(dict(evidence))),
    )
