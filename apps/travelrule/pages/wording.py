"""What a filter asks for, in words."""

from apps.travelrule.pages.listing import APPLIES, REASONS, ROLES, WAYS, WORDS, Asked

TITLES = {
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
KNOWN = {
    "role": ROLES,
    "direction": WAYS,
    "status": WORDS,
    "applies": APPLIES,
    "reason": REASONS,
}


def told(name: str, value: str) -> str:
    """Return a value of a filter in words."""
    return KNOWN.get(name, {}).get(value, value)


def words(asked: Asked) -> str:
    """Return what an address asks for in words; "all records" where it narrows nothing."""
    said = [
        f"{title} {told(name, value)}"
        for name, title in TITLES.items()
        if (value := getattr(asked, name))
    ]
    return ", ".join(said) or "all records"
