"""Names of rules as they were ever released, and the code that each bears today. Pure.

Records say what they said: one of an earlier release names rules by reference. A row is only
ever added here, also when a rule leaves or its words move to another section.
"""

RELEASED: dict[str, str] = {  # reference -> code
    "1 §2.7 rule 1 blacklist": "country.call_for_action",
    "1 §2.7 rule 1 grey list": "country.increased_monitoring",
    "1 §2.7 rule 2 large": "amount.large",
    "1 §2.7 rule 2 reporting": "amount.reporting",
    "1 §2.7 rule 3 match": "sanctions.match",
    "1 §2.7 rule 3 partial": "sanctions.partial",
    "1 §2.7 rule 3 partial, owner": "owner.partial",
    "1 §2.7 rule 4": "pep.match",
    "1 §2.7 rule 5": "owner.match",
    "D §4 Owners, country": "owner.country",
    "D §4 Owners, minority": "owner.minority",
    "D §4 countries, EU": "country.eu_high_risk",
    "D §4 countries, address": "country.address",
    "D §4 countries, embargo": "country.embargo",
    "D §4 fail closed, LEI": "lei.does_not_count",
    "D §4 fail closed, LEI of another": "lei.mismatch",
    "D §4 fail closed, PEP": "pep.not_checked",
    "D §4 fail closed, amount": "amount.not_checked",
    "D §4 fail closed, lists": "lists.not_checked",
    "D §4 fail closed, name": "name.not_checked",
    "D §4 fail closed, ownership": "owner.not_checked",
    "D §4 known false positives": "sanctions.known",
}
_REFERENCES = {code: ref for ref, code in RELEASED.items()}


def code_of(rule: str) -> str:
    """Return the code of a rule by its code or, as older records have it, by its reference."""
    return RELEASED.get(rule, rule)


def reference_of(rule: str) -> str:
    """Return where a rule is written, by its reference or its code; itself where nobody knows."""
    return _REFERENCES.get(rule, rule)
