"""One ownership or PEP report as a page: its subject, its findings, and their sources."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from apps.access.keys import tenant_names
from apps.compliance.screening.combined.evidence_view import ROLES, STANDINGS
from apps.compliance.screening.models import ReportRecord
from apps.compliance.screening.views.screen_record_page import QUALITIES
from apps.platform.common.country_names import country_name
from apps.platform.desk.record_verification import verify_record
from apps.platform.desk.time_formats import format_days_in_text, format_moment
from apps.reference.watchlists.presenters.matches import TITLES

RESULTS = {
    "NONE": ("No PEP found", "approve"),
    "LOW": ("Low risk", "info"),
    "MEDIUM": ("Medium risk", "second"),
    "HIGH": ("High risk", "reject"),
    "CLEAR": ("Clear", "approve"),
    "REVIEW_REQUIRED": ("Review required", "second"),
    "BLOCKED": ("Blocked", "reject"),
}
MATCHED = {"NAME": "by name", "LEI": "by LEI", "ALIAS": "by another name"}
STATUSES = {"CLEAR": "no match", "NOT_CHECKED": "not checked", "PARTIAL": "partial match"}
IDENTIFIED = {True: "all identified", False: "not all identified"}


def build_report_context(report: ReportRecord) -> dict[str, Any]:
    """Return the context of the page; of a purged report only its envelope and its proof."""
    answer = report.answer
    request = report.data.get("request", {}) if report.payload else {}
    return {
        "report": report,
        "title": name_report_subject(report),
        "kind": report.get_kind_display(),
        "tenant": tenant_names.load_tenant_name(report.owner),
        "result": RESULTS.get(report.result, (report.result, "info")),
        "proof": verify_record(report),
        "asked": list(_request_rows(request)),
        "reasons": answer.get("reasons", []),
        "holders": [_office_holder_row(pep_match) for pep_match in answer.get("pepMatches", [])],
        "entities": [_entity_row(entity) for entity in answer.get("chain", [])],
        "facts": list(_fact_rows(answer)),
        "raw": [
            (title, json.dumps(part, indent=2, ensure_ascii=False))
            for title, part in (("Request", request), ("Answer", answer))
            if part
        ],
    }


def name_report_subject(report: ReportRecord) -> str:
    """Return whom a report is about: the name as asked, the entity's name, or its LEI."""
    if not report.payload:
        return f"Purged report {report.pk}"
    request = report.data.get("request", {})
    chain = report.answer.get("chain") or [{}]
    return (
        request.get("name") or chain[0].get("name") or request.get("lei") or f"Report {report.pk}"
    )


def _request_rows(asked: dict[str, Any]) -> Iterator[dict[str, str]]:
    names = {"lei": "LEI", "deep": "Up to the ultimate parent"}
    for name, value in asked.items():
        if value in (None, "", [], {}):
            continue
        text = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else str(value)
        if name in ("country", "nationality"):
            text = country_name(str(value))
        label = names.get(name) or _split_camel_case(name)
        yield {"label": label, "value": text or ""}


def _split_camel_case(name: str) -> str:
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return words.replace("_", " ").capitalize()


def _office_holder_row(holder: dict[str, Any]) -> dict[str, Any]:
    since, until = holder.get("since"), holder.get("until")
    span = f"since {format_days_in_text(since)}" if since else "start not known"
    if until:
        span = f"{span}, until {format_days_in_text(until)}"
    return {
        "name": holder.get("name", ""),
        "office": holder.get("position") or "office not stated",
        "country": country_name(holder["country"]) if holder.get("country") else "",
        "span": span + ("" if holder.get("current", True) else ", no longer held"),
        "score": _format_percent(holder.get("score")),
        "risk": RESULTS.get(holder.get("riskLevel", ""), ("", ""))[0],
        "list": TITLES.get(holder.get("dataset", ""), holder.get("dataset", "")),
        "evidence": holder.get("evidence", []),
    }


def _entity_row(entity: dict[str, Any]) -> dict[str, Any]:
    sanctions = entity.get("sanctions", {})
    best = next(iter(sanctions.get("matches", [])), None)
    if best:
        listed = TITLES.get(best.get("dataset", ""), best.get("dataset", ""))
        how = MATCHED.get(best.get("matchedBy", ""), "")
        finding = (
            f"{best.get('matchedName', '')} ({listed}) at "
            f"{_format_percent(best.get('score'))} {how}"
        )
    else:
        finding = STATUSES.get(sanctions.get("status", ""), "")
    standing = STANDINGS.get(entity.get("countryLabel", ""), "")
    place = country_name(entity["jurisdiction"][:2]) if entity.get("jurisdiction") else ""
    return {
        "role": ROLES.get(entity.get("role", ""), entity.get("role", "")),
        "name": entity.get("name") or "Not known",
        "lei": entity.get("lei", ""),
        "country": f"{place}: {standing}" if place and standing else place,
        "finding": finding.strip(),
        "hit": best is not None,
    }


def _format_percent(score: Any) -> str:
    return "" if score is None else f"{round(float(score) * 100)} %"


def _fact_rows(answer: dict[str, Any]) -> Iterator[dict[str, str]]:
    """Yield label and value of what else the answer is based on; absent parts are left out."""
    attestation = answer.get("fatfR12") or answer.get("fatfAttestation") or {}
    versions = answer.get("listVersions", {})
    lists = [f"{TITLES.get(name, name)}, version {number}" for name, number in versions.items()]
    owners = attestation.get("ownersIdentified")
    seconds = answer.get("cachedAt")
    moment = format_moment(datetime.fromtimestamp(int(seconds), UTC)) if seconds else ""
    rows = (
        ("Due diligence", "; ".join(attestation.get("measures", []))),
        ("Narrowed", attestation.get("narrowing")),
        (
            "Name not fully checked",
            "; ".join(why.rstrip(".") for why in attestation.get("unread", [])),
        ),
        ("Missing lists", ", ".join(attestation.get("sourcesMissing", []))),
        ("Owners", "" if owners is None else IDENTIFIED[bool(owners)]),
        ("No owner named", "; ".join(_describe_gap(gap) for gap in answer.get("gaps", []))),
        (
            "Ownership as of",
            format_days_in_text(attestation["ownershipAsOf"][:10])
            if attestation.get("ownershipAsOf")
            else "",
        ),
        ("Data", QUALITIES.get(answer.get("dataQuality", ""), "")),
        ("Lists", "; ".join(lists)),
        ("Computed", moment),
        ("Rules version", attestation.get("rulesVersion")),
    )
    for label, value in rows:
        if value:
            yield {"label": label, "value": str(value)}


def _describe_gap(gap: dict[str, Any]) -> str:
    role = ROLES.get(gap.get("role", ""), gap.get("role", ""))
    return f"{role}: {str(gap.get('reason', '')).replace('_', ' ').lower()}"
