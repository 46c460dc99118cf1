"""The period of a report decides which figures count: none of a later time."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr.rules.periods import NoSuchPeriod, parse_period
from apps.platform.common.clock import now
from tests.esg.conftest import FRAPORT, MICROSOFT, figure, keep
from tests.esg.sfdr.conftest import COMPANY, given
from tests.esg.sfdr.test_pai_report import of
from tests.esg.sfdr.test_quarters import WHOLE, year
from tests.payees.registration.conftest import sample  # noqa: F401

Report = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("2025", "2025-01-01", "2025-12-31"),
        ("FY2025", "2025-01-01", "2025-12-31"),
        ("fy 2024", "2024-01-01", "2024-12-31"),
        ("2025-Q1", "2025-01-01", "2025-03-31"),
        ("2025-Q4", "2025-10-01", "2025-12-31"),
        ("2025Q2", "2025-04-01", "2025-06-30"),
        ("Q3 2025", "2025-07-01", "2025-09-30"),
        ("q4-2025", "2025-10-01", "2025-12-31"),
        ("2025-H1", "2025-01-01", "2025-06-30"),
        ("H2/2025", "2025-07-01", "2025-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2025-12", "2025-12-01", "2025-12-31"),
        (" 2025-06-30 ", "2025-06-30", "2025-06-30"),
    ],
)
def test_a_period_is_read_as_funds_write_it(text: str, begin: str, end: str) -> None:
    period = parse_period(text)
    assert period is not None
    assert (period.begin.isoformat(), period.end.isoformat()) == (begin, end)


@pytest.mark.parametrize(
    "text", ["", "winter", "2025/26", "last year", "20255", "2025-Q", "Q42025Q"]
)
def test_of_another_text_nothing_is_known(text: str) -> None:
    assert parse_period(text) is None


@pytest.mark.parametrize(
    "text", ["2025-Q0", "2025-Q5", "Q9 2025", "2025-H3", "2025-00", "2025-13", "2025-02-30", "0000"]
)
def test_a_period_that_does_not_exist_is_none(text: str) -> None:
    with pytest.raises(NoSuchPeriod):
        parse_period(text)


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["2025-Q5", "2025-13"])
def test_a_report_of_no_period_is_refused(report: Report, text: str) -> None:
    refused = report(status=400, leis=[MICROSOFT], reportingPeriod=text)
    assert refused["errors"][0]["field"] == "reportingPeriod"
    assert not PaiReport.objects.exists()


@pytest.mark.django_db
def test_a_period_is_reported_from_its_first_day_on(report: Report) -> None:
    day = now().date()
    told = report(leis=[MICROSOFT], reportingPeriod=day.isoformat())
    assert told["figuresUntil"] == day.isoformat()
    later = (day + timedelta(days=1)).isoformat()
    refused = report(status=400, leis=[MICROSOFT], reportingPeriod=later)
    assert refused["errors"][0] == {
        "field": "reportingPeriod",
        "message": "This period has not started.",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("period", "women", "until"),
    [("2024", "20", "2024-12-31"), ("2025-Q3", "20", "2025-09-30"), ("2025-Q4", "30", "2025-12-31"),
     ("2025", "30", "2025-12-31"), ("winter", "30", "")],
)  # fmt: skip
def test_no_figure_of_a_later_time_counts(
    report: Report, period: str, women: str, until: str
) -> None:
    keep(
        figure("board_female_share", "20", period_end=date(2024, 12, 31)),
        figure("board_female_share", "30", period_end=date(2025, 12, 31)),
    )
    told = report(leis=[FRAPORT], reportingPeriod=period)
    assert of(told, 13)["value"] == women
    assert told["figuresUntil"] == (until or now().date().isoformat())


@pytest.mark.django_db
def test_figures_are_as_old_as_they_were_then(report: Report) -> None:
    keep(figure("board_female_share", "20", period_end=date(2021, 12, 31)))
    told = {one: of(report(leis=[FRAPORT], reportingPeriod=one), 13)["status"]
            for one in ("2024-11-30", "2024-12-31")}  # fmt: skip
    assert told == {"2024-11-30": "REVIEW", "2024-12-31": "DATA_REQUIRED"}


@pytest.mark.django_db
def test_quarters_are_of_the_year_that_is_reported(report: Report) -> None:
    for period in ("2025", "2025-Q4", "the year past"):
        report(quarters=year(WHOLE), reportingPeriod=period)
    for period in ("2024", "2026-Q1"):
        refused = report(status=400, quarters=year(WHOLE), reportingPeriod=period)
        assert refused["errors"][0]["field"] == "quarters"


@pytest.mark.django_db
def test_what_the_caller_gives_counts_whatever_the_period(report: Report) -> None:
    held = [{"lei": FRAPORT, "value": 1, "inputs": given(**COMPANY)}]
    assert report(holdings=held, reportingPeriod="2020")["summary"]["computed"] == 14
