"""Labels of filters and their values."""

from apps.payments.travelrule.labels import STATUS_LABELS
from apps.payments.travelrule.views.record_list import (
    APPLIES_LABELS,
    DIRECTION_LABELS,
    REASON_LABELS,
    ROLE_LABELS,
    RecordQuery,
)

FILTER_LABELS = {
    "name": "name",
    "account": "account",
    "payment": "payment",
    "role": "as",
    "since": "from",
    "until": "to",
    "least": "USD at least",
    "most": "USD at most",
    "owner": "institution",
    "direction": "direction",
    "status": "status",
    "applies": "rule",
    "reason": "reason",
    "together": "flagged day no.",
}
VALUE_LABELS = {
    "role": ROLE_LABELS,
    "direction": DIRECTION_LABELS,
    "status": STATUS_LABELS,
    "applies": APPLIES_LABELS,
    "reason": REASON_LABELS,
}


def label_filter_value(name: str, value: str) -> str:
    """Return a value of a filter in words."""
    return VALUE_LABELS.get(name, {}).get(value, value)


def describe_filters(query: RecordQuery) -> str:
    """Return what an address asks for in words; "all records" where it narrows nothing."""
    parts = [
        f"{title} {label_filter_value(name, value)}"
        for name, title in FILTER_LABELS.items()
        if (value := getattr(query, name))
    ]
    return ", ".join(parts) or "all records"
