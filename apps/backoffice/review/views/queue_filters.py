"""The filters of the queue, each choice with what it would show beside the other filters."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Risk
from apps.backoffice.review.views.queue_query import QueueQuery

Group = tuple[dict[str, Any], int]


@dataclass(frozen=True, slots=True)
class FilterOption:
    """One choice of a filter; `count` is None where nothing was counted."""

    value: str
    label: str
    count: int | None


OfferedFilter = tuple[
    str, str, list[FilterOption]
]  # the filter's name in an address, its title, its choices


def count_filter_groups(cases: Any, asked: QueueQuery) -> list[Group]:
    """Count the view by all filters at once: a few groups, from which each filter counts."""
    plain = QueueQuery(
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


def build_queue_filters(
    groups: list[Group], asked: QueueQuery, names: dict[str, str]
) -> list[OfferedFilter]:
    """Return the filters; each counts what its choice would show beside the other filters."""
    labels: dict[str, dict[str, str]] = {
        "kind": {name: kind.title for name, kind in case_types.load_case_types().items()},
        "risk": {value: f"{label} risk" for value, label in Risk.choices},
        "owner": names,
        "rule": {},
    }
    titles = {
        "kind": "All case types",
        "risk": "Any risk",
        "owner": "All clients",
        "rule": "Any rule",
    }
    made = []
    for name, title in titles.items():
        found = _count_choices(groups, asked, name)
        chosen = getattr(asked, name)
        known = list(labels[name]) if name in ("kind", "risk") else sorted(found)
        values = [*known, *([chosen] if chosen and chosen not in known else [])]
        if name == "rule":
            labels[name] = {ref: case_types.get_rule_label(ref).title for ref in values}
        options = [
            FilterOption(v, labels[name].get(v, v), found.get(v, 0) if groups else None)
            for v in values
        ]
        if options:
            made.append((name, title, options))
    return made


def _count_choices(groups: list[Group], queue_query: QueueQuery, name: str) -> Counter[str]:
    others = [one for one in ("kind", "risk", "owner", "rule") if one != name]
    found: Counter[str] = Counter()
    for group, count in groups:
        if all(_is_choice_of(group[other], getattr(queue_query, other)) for other in others):
            values = group[name] if name == "rule" else [group[name]]
            found.update({value: count for value in values if value})
    return found


def _is_choice_of(held: Any, wanted: str) -> bool:
    return not wanted or (wanted in held if isinstance(held, list) else held == wanted)
