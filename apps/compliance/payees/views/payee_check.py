"""One payee check whole: what was asked and found, by which versions, and whether it holds."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.access.keys import tenants
from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.rules.payee_check import TIERS
from apps.compliance.payees.views.payee_check_list import RESOLVED, RESULTS, TONES
from apps.compliance.payees.vop.attestation import (
    InvalidAttestation,
    digest_submitted_name,
    read_key_id,
    verify_attestation,
)
from apps.platform.api.shapes import to_epoch_seconds
from apps.platform.desk.record_page import build_fact_rows
from apps.platform.desk.record_verification import verify_record
from apps.platform.ledger.verification.hash_chain import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LEI_CHECKS = {
    "MATCHED": "the one on record",
    "ANOTHER_LEI": "not the one on record",
    "UNDER_REVIEW": "the one on record, for which GLEIF has another name: under review",
    "NONE_ON_RECORD": "the record holds none",
    "NOT_GIVEN": "none was submitted",
}
BASES = ("registeredNameBasis", "matchedNameBasis")
TITLES = {tier.code: tier.title for tier in TIERS}
RELATIVES = {"alias": "an alias", "legal": "the legal name"}


@dataclass(frozen=True, slots=True)
class AttestationResult:
    """What verifying an attestation just now showed; `fault` is why it does not hold."""

    jws: str
    fault: str
    key: str
    claims: str


def build_check_context(*, check: VopCheck, user: "User") -> dict[str, Any]:
    """Return what the page draws; who asked only for who may know it."""
    data = check.data
    response, evidence = data.get("response", {}), data.get("evidence", {})
    asker = tenants.load_tenant_name(check.owner) if user.has_perm("registry.view_asker") else ""
    held = filter_verified_records([check])
    return {
        "check": check,
        "title": data.get("request", {}).get("submittedName") or f"Check {check.request_id}",
        "result": RESULTS.get(check.result, check.result),
        "tone": TONES.get(check.result, ""),
        "resolved": RESOLVED.get(check.resolved_by, check.resolved_by),
        "asker": asker,
        "message": response.get("message", ""),
        "tier": (response.get("rule", ""), TITLES.get(response.get("rule", ""), "")),
        "asked": list(_request_rows(data.get("request", {}), evidence)),
        "found": list(_finding_rows(evidence)),
        "words": list(_word_rows(evidence.get("comparison") or {})),
        "opinion": list(_opinion_rows(response.get("grayZoneReasoning") or {})),
        "attested": verify_check_attestation(check),
        "note": response.get("attestation", {}).get("regulatoryNote", ""),
        "proof": verify_record(check),
        "unproved": not held,
        "registration": Registration.objects.of(check.wallet),
        "may_see_registration": user.has_perm("registry.view_registration"),
        "versions": sorted(data.get("versions", {}).items()),
        "raw": _raw_sections(data),
    }


def verify_check_attestation(check: VopCheck) -> AttestationResult | None:
    """Verify the attestation of a check as anybody could; None where none is kept.

    Beside the signature, what it says must be what the record says.
    """
    jws = check.data.get("response", {}).get("attestation", {}).get("jws", "")
    if not jws:
        return None
    try:
        claims = verify_attestation(jws)
    except InvalidAttestation as error:
        return AttestationResult(jws, str(error), "", "")
    request, response = check.data.get("request", {}), check.data.get("response", {})
    name = str(request.get("submittedName", ""))
    said = {
        "submittedLei": request.get("submittedLei", ""),
        "registeredName": response.get("registeredName", ""),
        "registeredLei": response.get("registeredLei", ""),
        "leiStatus": response.get("leiStatus", ""),
        **{name: response[name] for name in BASES if name in response},
        "fatfR16Compliant": response.get("attestation", {}).get("fatfR16Compliant"),
        "rule": response.get("rule", ""),
        "jti": str(check.request_id),
        "iat": to_epoch_seconds(check.recorded_at),
        "walletAddress": check.wallet,
        "result": check.result,
        "score": check.score,
        "resolvedBy": check.resolved_by,
        "submittedNameDigest": digest_submitted_name(name, check.request_id),
    }
    other = sorted(claim for claim, value in said.items() if claims.get(claim) != value)
    fault = f"Differs from the record: {', '.join(other)}." if other else ""
    return AttestationResult(
        jws, fault, read_key_id(jws), json.dumps(claims, indent=2, ensure_ascii=False)
    )


def _request_rows(request: dict[str, Any], evidence: dict[str, Any]) -> Iterator[dict[str, str]]:
    became = LEI_CHECKS.get((evidence.get("lei") or {}).get("check", ""), "")
    lei = request.get("submittedLei", "")
    yield from build_fact_rows(
        ("Submitted name", request.get("submittedName", "")),
        ("Submitted LEI", f"{lei}: {became}" if lei and became else lei),
    )


def _finding_rows(evidence: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Show how the wallet stood at the time of the check."""
    row, compared = evidence.get("registered") or {}, evidence.get("comparison") or {}
    status = (evidence.get("lei") or {}).get("status", "")
    lei = row.get("lei", "")
    relative = RELATIVES.get(compared.get("relative", ""), compared.get("relative", ""))
    yield from build_fact_rows(
        ("Registered name", row.get("legal_name", "")),
        ("Aliases", "; ".join(row.get("aliases") or ())),
        ("LEI on record", f"{lei} ({status.lower()})" if lei else ""),
        ("Under review then", "yes" if row.get("under_review") else ""),
        ("Best match", f"{compared['matched']} ({relative})" if compared.get("matched") else ""),
        ("Name rules", ", ".join(compared.get("rules") or ())),
    )


def _word_rows(compared: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for one in compared.get("words") or ():
        yield {name: one.get(name, "") for name in ("submitted", "registered", "how")} | {
            "points": f"{one.get('carried', 0)} of {one.get('weight', 0)}"
        }


def _opinion_rows(said: dict[str, Any]) -> Iterator[dict[str, str]]:
    yield from build_fact_rows(
        ("Assessment", said.get("assessment", "").replace("_", " ").lower()),
        ("Confidence", said.get("confidence", "").lower()),
        ("Likely cause", said.get("likelyCause", "")),
        ("Rationale", said.get("rationale", "")),
        ("Recommends", said.get("proceedRecommendation", "").replace("_", " ").lower()),
    )


def _raw_sections(kept: dict[str, Any]) -> list[tuple[str, str]]:
    parts = (("request", "Request"), ("response", "Answer"), ("evidence", "Evidence"))
    return [
        (title, json.dumps(kept[name], indent=2, ensure_ascii=False))
        for name, title in parts
        if kept.get(name)
    ]
