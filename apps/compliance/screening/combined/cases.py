"""The case that a combined screen opens, or brings into the case of a payment."""

from collections.abc import Mapping
from typing import Any

from apps.backoffice.review.rules.keys import build_entity_key
from apps.backoffice.review.services import CaseOpening
from apps.compliance.screening.combined.evidence_view import listed_parties
from apps.compliance.screening.combined.requests import ScreenRequest, serialize_screen_request
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen as rules
from apps.compliance.screening.rules.screen import Judgement
from apps.compliance.screening.rules.triage import case_ref, case_risk
from apps.reference.watchlists.matcher_version import compute_matcher_version

KIND = "screen"


def versions_of(gathered: ScreenInputs) -> dict[str, Any]:
    """Return the versions of lists, rules and matcher that a screen was made by."""
    lists = gathered.engine.list_set.versions
    return {"lists": lists, "rules": rules.VERSION, "matcher": compute_matcher_version()}


def build_case_opening(
    *,
    asked: ScreenRequest,
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
        evidence |= {"versions": versions_of(gathered), "request": serialize_screen_request(asked)}
    return CaseOpening(
        kind=KIND,
        ref=ref,
        owner=owner,
        title=f"Screen of {asked.name}",
        party=asked.name,
        country=asked.country,
        lei=asked.lei,
        wallet=asked.wallet_address,
        reference=asked.reference,
        amount=asked.amount,
        currency=asked.currency if asked.amount is not None else "",
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
