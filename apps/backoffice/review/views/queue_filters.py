"""The filters of the queue, each choice with its count given the other filters."""

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


# the filter's name in an address, its title, its choices
OfferedFilter = tuple[str, str, list[FilterOption]]


def count_filter_groups(cases: Any, query: QueueQuery) -> list[Group]:
    """Count the view by all filters at once: a few groups, from which each filter counts."""
    # all but the four filters that have choices: each of these counts what it would show
    plain = QueueQuery(
        search=query.search,
        entity=query.entity,
        listed=query.listed,
        opened=query.opened,
        decided=query.decided,
        since=query.since,
        took=query.took,
    )
    counted = plain.narrow(cases).order_by().values("kind", "risk", "owner", "rule_refs")
    filter_groups = []
    for line in counted.annotate(count=Count("pk")):
        group = dict(line) | {"rule": line["rule_refs"].strip("|").split("|")}
        filter_groups.append((group, int(line["count"])))
    return filter_groups


def build_queue_filters(
    groups: list[Group], query: QueueQuery, names: dict[str, str]
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
    queue_filters = []
    for name, title in titles.items():
        counts = _count_choices(groups, query, name)
        chosen = getattr(query, name)
        known = list(labels[name]) if name in ("kind", "risk") else sorted(counts)
        values = [*known, *([chosen] if chosen and chosen not in known else [])]
        if name == "rule":
            labels[name] = {ref: case_types.get_rule_label(ref).title for ref in values}
        options = [
            FilterOption(v, labels[name].get(v, v), counts.get(v, 0) if groups else None)
            for v in values
        ]
        if options:
            queue_filters.append((name, title, options))
    return queue_filters


def _count_choices(groups: list[Group], queue_query: QueueQuery, name: str) -> Counter[str]:
    others = [field for field in ("kind", "risk", "owner", "rule") if field != name]
    counts: Counter[str] = Counter()
    for group, count in groups:
        if all(_is_choice_of(group[other], getattr(queue_query, other)) for other in others):
            values = group[name] if name == "rule" else [group[name]]
            counts.update({value: count for value in values if value})
    return counts


def _is_choice_of(group_value: Any, choice: str) -> bool:
    return not choice or (
        choice in group_value if isinstance(group_value, list) else group_value == choice
    )
