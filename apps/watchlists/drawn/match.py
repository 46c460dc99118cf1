"""A recorded match as pages draw it (apps/review/pages/evidence.py has the shapes)."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from apps.core.places import country_name
from apps.desk.times import day
from apps.watchlists.catalog import CATALOG, SAMPLES
from apps.watchlists.drawn import scored
from apps.watchlists.drawn.compare import Compared, compared
from apps.watchlists.subjects import Subject

TITLES: Final = {known.slug: known.title for known in (*CATALOG, *(known for known, _ in SAMPLES))}
MOST_NAMES = 8
Row = dict[str, Any]


def match(check: str, subject: Subject, row: Row) -> Row:
    """Return a recorded match of a subject as pages draw it; `check` is what was asked."""
    entity, why = row["entity"], row.get("explanation") or {}
    primary = entity["primary"]
    weak = bool(why.get("weak_alias")) or row["name"] in entity["weak"]
    return {
        "check": check,
        "key": f"{row['dataset']}:{row['entityId']}",
        "list": TITLES.get(row["dataset"], row["dataset"]),
        "name": primary,
        "alias": "" if row["name"] == primary else row["name"],
        "weak": weak,
        "standing": _standing(entity),
        "entity": row["entityId"],
        "score": int(row["score"]),
        "by_alias": row["asked"] if row["by"] == "ALIAS" else "",
        "compared": [_shown(one) for one in compared(subject=subject, row=row)],
        "details": list(_details(entity, {primary, row["name"]})),
    } | scored.told(row, subject.names)


def _shown(one: Compared) -> Row:
    days = one.what == "Birth date"
    return {
        "what": one.what,
        "label": "Nationality" if one.what == "Country" else one.what,
        "asked": day(one.asked) if days else one.asked,
        "listed": [day(each) for each in one.listed] if days else list(one.listed),
        "verdict": one.verdict,
        "words": one.words,
        "effect": scored.points(one.effect) if one.effect else "",
    }


def _standing(entity: dict[str, Any]) -> str:
    """Return under which programmes a party is listed, and since when."""
    since = entity["listedOn"]
    parts = ["; ".join(entity["programs"]), f"listed on {day(since)}" if since else ""]
    told = ", ".join(part for part in parts if part)
    return told[:1].upper() + told[1:]


def _details(entity: dict[str, Any], told: set[str]) -> Iterator[Row]:
    """Show what a list says of a party beside what is compared."""
    for office in entity["positions"]:
        until = f" – {day(office['until'])}" if office["until"] else " – end not known"
        span = f"{day(office['since']) or 'beginning not known'}{until}"
        parts = [office["title"], country_name(office["country"]), span]
        yield {"label": "Office", "value": ", ".join(part for part in parts if part)}
    others = [name for name in entity["names"] if name not in told]
    weak = entity["weak"]
    names = [f"{name} (weak)" if name in weak else name for name in others[:MOST_NAMES]]
    more = len(others) - len(names)
    for label, values in (
        ("Gender", [entity["gender"]]),
        ("Other names", [*names, *([f"and {more} more"] if more > 0 else [])]),
        ("Remarks", [entity["remarks"]]),
    ):
        if any(values):
            yield {"label": label, "value": "; ".join(values)}


def lists(evidence: dict[str, Any]) -> Iterator[Row]:
    """Show what was screened against, and of when each list is."""
    published = evidence.get("published", {})
    unsearched = evidence.get("notSearched", ())
    for name, version in evidence.get("versions", {}).get("lists", {}).items():
        if name in unsearched:
            continue
        when = ""
        if name in published:
            when = _moment(published[name]) if published[name] else "at a time not known"
        yield {"name": TITLES.get(name, name), "version": str(version), "published": when}


def _moment(text: str) -> str:
    return f"{datetime.fromisoformat(text).astimezone(UTC):%d %b %Y %H:%M} UTC"
