"""A recorded match as pages draw it (apps/backoffice/review/views/evidence.py has the shapes)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from apps.platform.common.country_names import country_name
from apps.platform.desk.time_formats import format_day
from apps.reference.watchlists.catalog import CATALOG, SAMPLES
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.presenters import score_breakdown
from apps.reference.watchlists.presenters.attribute_comparison import (
    AttributeComparison,
    compare_attributes,
    format_identifier,
)
from apps.reference.watchlists.subjects import Subject

TITLES: Final = {known.slug: known.title for known in (*CATALOG, *(known for known, _ in SAMPLES))}
MOST_NAMES = 8
Row = dict[str, Any]


def present_match(check: str, subject: Subject, row: Row) -> Row:
    """Return a recorded match of a subject for pages; `check` is the kind of check."""
    entity, why = row["entity"], row.get("explanation") or {}
    primary = entity["primary"]
    weak = bool(why.get("weak_alias")) or row["name"] in entity["weak"]
    since = entity["listedOn"]
    parts = ["; ".join(entity["programs"]), f"listed on {format_day(since)}" if since else ""]
    text = ", ".join(part for part in parts if part)
    return {
        "check": check,
        "key": f"{row['dataset']}:{row['entityId']}",
        "list": TITLES.get(row["dataset"], row["dataset"]),
        "name": primary,
        "alias": "" if row["name"] == primary else row["name"],
        "weak": weak,
        "standing": text[:1].upper() + text[1:],
        "entity": row["entityId"],
        "score": int(row["score"]),
        "by_alias": row["asked"] if row["by"] == "ALIAS" else "",
        "compared": [
            _present_comparison(attribute)
            for attribute in compare_attributes(subject=subject, row=row)
        ],
        "details": list(_iter_details(entity, {primary, row["name"]})),
    } | score_breakdown.break_down_score(row, subject.names)


def _present_comparison(attribute_comparison: AttributeComparison) -> Row:
    days = attribute_comparison.what == "Birth date"
    return {
        "what": attribute_comparison.what,
        "label": "Nationality"
        if attribute_comparison.what == "Country"
        else attribute_comparison.what,
        "asked": format_day(attribute_comparison.asked) if days else attribute_comparison.asked,
        "listed": [format_day(value) for value in attribute_comparison.listed]
        if days
        else list(attribute_comparison.listed),
        "verdict": attribute_comparison.verdict,
        "words": attribute_comparison.words,
        "effect": score_breakdown.format_points(attribute_comparison.effect)
        if attribute_comparison.effect
        else "",
    }


def _iter_details(entity: dict[str, Any], told_facts: set[str]) -> Iterator[Row]:
    """Show what a list says of a party beside what is compared."""
    for office in entity["positions"]:
        until = f" – {format_day(office['until'])}" if office["until"] else " – end not known"
        span = f"{format_day(office['since']) or 'beginning not known'}{until}"
        parts = [office["title"], country_name(office["country"]), span]
        yield {"label": "Office", "value": ", ".join(part for part in parts if part)}
    others = [name for name in entity["names"] if name not in told_facts]
    weak = entity["weak"]
    names = [f"{name} (weak)" if name in weak else name for name in others[:MOST_NAMES]]
    more = len(others) - len(names)
    false = [
        Identifier(**false_identifier) for false_identifier in entity.get("falseIdentifiers", ())
    ]
    for label, values in (
        ("Measures", entity.get("measures", ())),
        ("Birth date as listed", entity.get("birthNotes", ())),
        ("False documents, not compared", [format_identifier(identifier) for identifier in false]),
        ("Gender", [entity["gender"]]),
        ("Other names", [*names, *([f"and {more} more"] if more > 0 else [])]),
        ("Remarks", [entity["remarks"]]),
    ):
        if any(values):
            yield {"label": label, "value": "; ".join(values)}


def iter_screened_lists(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show what was screened against, and of when each list is."""
    published = evidence.get("published", {})
    unsearched = evidence.get("notSearched", ())
    for name, version in evidence.get("versions", {}).get("lists", {}).items():
        if name in unsearched:
            continue
        when = ""
        if name in published:
            when = _format_moment(published[name]) if published[name] else "at a time not known"
        yield {"name": TITLES.get(name, name), "version": str(version), "published": when}


def _format_moment(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%d %b %Y %H:%M} UTC"
