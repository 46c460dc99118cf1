"""Scores of entities of the bundled sample, and figures to add to them."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg import evidence_figures
from apps.insight.esg.evidence_figures import Figure
from tests.conftest import NOON
from tests.payees.registration.conftest import register, rita, sample  # noqa: F401

MICROSOFT, APPLE = "INR2EJN1ERAN0W5ZP974", "HWUPKR0MPOU8FGXBT394"
FRAPORT = "5299001ERX0K10IZUL40"  # of the sample, with no evidence of its own
LAPSED = "549300LBI3LRIZ2V8V66"
NOBODY = "5493006MHB84DD0ZWV18"  # valid check digits, known to nobody here
NAME = "Microsoft Corporation"


def figure(key: str, value: str, subject: str = FRAPORT, **more: Any) -> Figure:
    """Return a figure of last year."""
    given = {
        "period": "2025", "period_end": date(2025, 12, 31), "source": "TEST",
        "url": "https://publisher.example/report", "as_of": date(2026, 3, 1),
    } | more  # fmt: skip
    return Figure(subject=subject, key=key, value=Decimal(value), **given)


def keep(*figures: Figure, now: Any = NOON) -> int:
    """Record figures."""
    return evidence_figures.record_figures(figures=figures, now=now)


@pytest.fixture
def ask(sample: Any, api: APIClient) -> Callable[..., Any]:  # noqa: F811
    """Ask for a score: `ask(LEI, explain="true")`; `status` is what it must come to."""

    def call(lei: str = MICROSOFT, *, status: int = 200, **query: str) -> dict[str, Any]:
        query = {"name": NAME, **query}
        given = {name: value for name, value in query.items() if value}
        answer = api.get(f"/compliance/esg/score/{lei}", given)
        assert answer.status_code == status, answer.content
        return dict(answer.json())

    return call
