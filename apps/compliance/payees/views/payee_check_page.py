"""One payee check in full: request, findings, versions, and whether it is verified."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.access.keys import tenant_names
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
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.desk.record_page import build_fact_rows
from apps.platform.desk.record_verification import verify_record
from apps.platform.ledger.verification.verified_reads import filter_verified_records

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
    asker = (
        tenant_names.load_tenant_name(check.owner) if user.has_perm("registry.view_asker") else ""
    )
    vop_checks = filter_verified_records([check])
    parts = (("request", "Request"), ("response", "Answer"), ("evidence", "Evidence"))
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
        "unproved": not vop_checks,
        "registration": Registration.objects.of(check.wallet),
        "may_see_registration": user.has_perm("registry.view_registration"),
        "versions": sorted(data.get("versions", {}).items()),
        "raw": [
            (title, json.dumps(data[name], indent=2, ensure_ascii=False))
            for name, title in parts
            if data.get(name)
        ],
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
    statement = {
        "submittedLei": request.get("submittedLei", ""),
        "registeredName": response.get("registeredName", ""),
        "registeredLei": response.get("registeredLei", ""),
        "leiStatus": response.get("leiStatus", ""),
        # absent where nothing was registered, or no names were compared
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
    # a valid signature is not enough: it must be the attestation of this very record
    other = sorted(claim for claim, value in statement.items() if claims.get(claim) != value)
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
    """Show the registration of the wallet at the time of the check."""
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
    for word in compared.get("words") or ():
        yield {name: word.get(name, "") for name in ("submitted", "registered", "how")} | {
            "points": f"{word.get('carried', 0)} of {word.get('weight', 0)}"
        }


def _opinion_rows(opinion: dict[str, Any]) -> Iterator[dict[str, str]]:
    yield from build_fact_rows(
        ("Assessment", opinion.get("assessment", "").replace("_", " ").lower()),
        ("Confidence", opinion.get("confidence", "").lower()),
        ("Likely cause", opinion.get("likelyCause", "")),
        ("Rationale", opinion.get("rationale", "")),
        ("Recommends", opinion.get("proceedRecommendation", "").replace("_", " ").lower()),
    )
