"""A kind of no domain, so that tests of review stand on review alone."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review.case_types import (
    CASE_TYPES,
    BulkClearRule,
    CaseType,
    Reason,
    SecondRule,
)

MILLION = Decimal(1_000_000)
RESEMBLES, COUNTRY = "1 §2.7 rule 3 partial", "1 §2.7 rule 1 grey list"
PEP = "1 §2.7 rule 4"
SECONDS = (
    SecondRule("SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
    SecondRule(
        "SECOND-2",
        "The amount is 1,000,000 USD or more.",
        lambda s: s.usd is not None and s.usd >= MILLION,
    ),
    SecondRule(
        "SECOND-3",
        "The amount has no known value in USD.",
        lambda s: s.amount is not None and s.usd is None,
    ),
)
SCREEN = CaseType(
    title="Flagged screen",
    reasons={
        "APPROVE": (
            Reason("DIFFERENT_PARTY", "Another party", "FATF R.6", false_positive=True),
            Reason(
                "NAME_ONLY",
                "Another party: only a common name agrees",
                "FATF R.6",
                false_positive=True,
            ),
            Reason("PEP_ACCEPTED", "PEP: accepted", "FATF R.12", frozenset({PEP}), is_listed=True),
            Reason("COUNTRY_EDD", "Country risk", "FATF R.19", frozenset({COUNTRY})),
            Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
        ),
        "REJECT": (
            Reason("LISTED_PARTY", "The party is the listed one", "FATF R.6", is_listed=True),
            Reason("COUNTRY_DECLINED", "Country risk", "FATF R.19", frozenset({COUNTRY})),
            Reason("OTHER", "Other (say which in the note)", "FATF R.10"),
        ),
    },
    due={"HIGH": timedelta(hours=4), "MEDIUM": timedelta(hours=10), "LOW": timedelta(hours=30)},
    seconds=SECONDS,
    bulk=BulkClearRule(reasons=("DIFFERENT_PARTY", "NAME_ONLY")),
)


def use(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Let cases of screens be of this kind, with some of it changed."""
    monkeypatch.setitem(CASE_TYPES, "screen", replace(SCREEN, **changes))
