"""Kinds of cases, by their name in the rows: the `Kind` that a domain declares (dotted path).

apps/review/kinds.py says what a kind brings along: reasons, hours, who may decide, its picture,
and what a decision sets in motion.
"""

KINDS: dict[str, str] = {
    "screen": "apps.screening.kinds.SCREEN",
}
