"""The filters of the queue, each choice with what it would show beside the other filters."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from apps.review import kinds
from apps.review.models import Risk
from apps.review.pages.asked import Asked

Group = tuple[dict[str, Any], int]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a filter; `count` is None where nothing was counted."""

    value: str
    label: str
    count: int | None


Offered = tuple[str, str, list[Option]]  # the filter's name in an address, its title, its choices


def groups_of(cases: Any, asked: Asked) -> list[Group]:
    """Count the view by all filters at once: a few groups, from which each filter counts."""
    plain = Asked(
        search=asked.search,
        entity=asked.entity,
        listed=asked.listed,
        opened=asked.opened,
        decided=asked.decided,
        since=asked.since,
        took=asked.took,
    )
    counted = plain.narrow(cases).order_by().values("kind", "risk", "owner", "rule_refs")
    found = []
    for line in counted.annotate(count=Count("pk")):
        group = dict(line) | {"rule": line["rule_refs"].strip("|").split("|")}
        found.append((group, int(line["count"])))
    return found


def offered(groups: list[Group], asked: Asked, names: dict[str, str]) -> list[Offered]:
    """Return the filters; each counts what its choice would show beside the other filters."""
    labels: dict[str, dict[str, str]] = {
        "kind": {name: kind.title for name, kind in kinds.known().items()},
        "risk": {value: f"{label} risk" for value, label in Risk.choices},
        "owner": names,
        "rule": {},
    }
    titles = {"kind": "All kinds", "risk": "Any risk", "owner": "All clients", "rule": "Any rule"}
    made = []
    for name, title in titles.items():
        found = _counted(groups, asked, name)
        chosen = getattr(asked, name)
        known = list(labels[name]) if name in ("kind", "risk") else sorted(found)
        values = [*known, *([chosen] if chosen and chosen not in known else [])]
        if name == "rule":
            labels[name] = {ref: kinds.rule_words(ref).title for ref in values}
        options = [
            Option(v, labels[name].get(v, v), found.get(v, 0) if groups else None) for v in values
        ]
        if options:
            made.append((name, title, options))
    return made


def _counted(groups: list[Group], asked: Asked, name: str) -> Counter[str]:
    others = [one for one in ("kind", "risk", "owner", "rule") if one != name]
    found: Counter[str] = Counter()
    for group, count in groups:
        if all(_fits(group[one], getattr(asked, one)) for one in others):
            values = group[name] if name == "rule" else [group[name]]
            found.update({value: count for value in values if value})
    return found


def _fits(held: Any, wanted: str) -> bool:
    return not wanted or (wanted in held if isinstance(held, list) else held == wanted)
