"""Four quarters: each indicator is the mean of its four, as Article 6(3) asks."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr.rules.formulas import NOTHING_CONCERNED, IndicatorOutcome, OutcomePart
from apps.insight.esg.sfdr.rules.indicators import judge_quarters
from apps.insight.esg.sfdr.rules.quarters import average_outcomes, is_full_year
from apps.reference.signals.models import Observation
from tests.esg.conftest import APPLE, MICROSOFT
from tests.esg.sfdr.conftest import COMPANY, given, holding
from tests.esg.sfdr.test_pai_report import leis, of
from tests.platform.tampering import without_triggers

ENDS = ("2025-03-31", "2025-06-30", "2025-09-30", "2025-12-31")
DAYS = [date.fromisoformat(end) for end in ENDS]
Report = Callable[..., Any]


def year(*holdings: list[dict[str, Any]], ends: tuple[str, ...] = ENDS) -> list[dict[str, Any]]:
    """Return quarters as a request sends them; the last holdings stand for those that follow."""
    held = [*holdings, *[holdings[-1]] * (len(ends) - len(holdings))]
    return [{"quarterEnd": end, "holdings": one} for end, one in zip(ends, held, strict=True)]


def worth(value: int, **more: Any) -> list[dict[str, Any]]:
    return [{"lei": MICROSOFT, "value": value} | more]


WHOLE = worth(10_000_000, inputs=given(**COMPANY))


@pytest.mark.parametrize(
    ("ends", "whole"),
    [(DAYS, True), (DAYS[::-1], True), (DAYS[:3], False), ([*DAYS[:3], DAYS[0]], False),
     ([*DAYS[:3], date(2026, 12, 31)], False), ([*DAYS[:3], date(2025, 12, 30)], False),
     ([], False)],
)  # fmt: skip
def test_a_year_is_its_four_ends_of_quarters(ends: list[date], whole: bool) -> None:
    assert is_full_year(ends) is whole


def outcome(value: str | None, covered: int = 100, **more: Any) -> IndicatorOutcome:
    return IndicatorOutcome(
        None if value is None else Decimal(value), Decimal(covered), Decimal(0), **more
    )


def test_the_mean_is_of_all_quarters_and_a_missing_one_lowers_the_coverage() -> None:
    assert average_outcomes([outcome(one) for one in "1234"], absolute=False) == outcome("2.5")
    less = average_outcomes(
        [*map(outcome, "123"), outcome(None, 30, missing=("A",))], absolute=False
    )
    assert (less.value, less.covered, less.missing) == (2, 75, ("A",))


def test_a_quarter_without_such_holdings_is_nothing_of_a_sum_and_no_part_of_a_ratio() -> None:
    three = [outcome("4"), outcome("8"), outcome("12"), NOTHING_CONCERNED]
    assert average_outcomes(three, absolute=True).value == 6
    assert average_outcomes(three, absolute=False).value == 8
    assert (
        average_outcomes(three, absolute=True).covered
        == average_outcomes(three, absolute=False).covered
        == 100
    )
    assert average_outcomes([NOTHING_CONCERNED] * 4, absolute=True).applies is False


def test_parts_are_averaged_by_their_names() -> None:
    told = [outcome("1", parts=(OutcomePart("NACE C", Decimal(n), Decimal(100)),)) for n in (2, 4)]
    told += [outcome("1"), outcome("1")]
    [part] = average_outcomes(told, absolute=False).parts
    assert (part.value, part.covered) == (3, 50)


def test_financed_emissions_follow_what_is_held_at_each_end() -> None:
    # 4,000 t of a company worth 100 million: 10, 20, 30 and 0 million of it
    held = [[holding("A", value=f"{millions}000000")] for millions in (10, 20, 30)] + [[]]
    rows = judge_quarters(held)
    assert rows[0].outcome.value == (400 + 800 + 1200 + 0) / Decimal(4)
    assert rows[1].outcome.value == 40  # per million it is the same whenever it is held
    assert [quarter.value for quarter in rows[0].quarters] == [400, 800, 1200, None]


@pytest.mark.django_db
def test_a_report_of_four_quarters_is_their_mean_and_shows_each(report: Report) -> None:
    found = report(quarters=year(WHOLE, worth(20_000_000), worth(30_000_000), worth(20_000_000)))
    first = of(found, 1)
    assert (found["averaging"], first["value"]) == ("FOUR_QUARTERS", "800")
    assert [quarter["quarterEnd"] for quarter in first["quarters"]] == list(ENDS)
    assert [quarter["value"] for quarter in first["quarters"]] == ["400", "800", "1200", "800"]
    # inputs are given once, and count wherever it is held
    assert {quarter["coveragePercent"] for quarter in first["quarters"]} == {100}
    record = PaiReport.objects.get()
    assert record.holdings == 1 and len(record.data["figures"]) == len(COMPANY)


@pytest.mark.django_db
def test_a_report_of_one_day_says_so(report: Report) -> None:
    found = report(holdings=WHOLE)
    assert found["averaging"] == "ONE_DAY" and of(found, 1)["quarters"] == []
    same = report(quarters=year(WHOLE))
    assert [indicator["value"] for indicator in same["indicators"]] == [
        indicator["value"] for indicator in found["indicators"]
    ]


@pytest.mark.django_db
def test_a_quarter_is_converted_by_the_rate_of_its_end(report: Report) -> None:
    dollars = worth(10_000_000, inputs=given(**COMPANY), currency="USD")
    euros = worth(10_000_000, inputs=given(**COMPANY))
    with without_triggers():
        for day, rate in (("2025-03-31", "1.25"), ("2026-11-20", "2")):
            Observation.objects.create(
                series="fx.eur.USD", observed_on=day, value=Decimal(rate), source="ECB",
                vintage=f"{day}T15:00:00Z", fetched_at=f"{day}T15:00:00Z",
            )  # fmt: skip
    found = report(quarters=year(dollars, euros))
    assert of(found, 1)["quarters"][0]["value"] == "320"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields",
    [
        {"quarters": year(WHOLE)[:3]},
        {"quarters": year(WHOLE, ends=(*ENDS[:3], "2026-12-31"))},
        {"quarters": year(WHOLE, ends=(*ENDS[:3], "2025-12-30"))},
        {"quarters": year(WHOLE, ends=tuple(end.replace("2025", "2027") for end in ENDS))},
        {"quarters": year(WHOLE), "holdings": WHOLE},
        {"quarters": year(WHOLE), "leis": [APPLE]},
        {"quarters": year(WHOLE, worth(1, inputs=given(ghg_scope1="7")))},
    ],
)
def test_what_are_no_four_quarters_is_refused(report: Report, fields: dict[str, Any]) -> None:
    refused = report(status=400, **fields)
    assert refused["errors"][0]["field"].startswith("quarters"), refused["errors"]
    assert not PaiReport.objects.exists()


@pytest.mark.django_db
def test_four_empty_quarters_are_no_portfolio(report: Report) -> None:
    assert report(quarters=year([]), status=400)["errors"][0]["field"] == "leis"


@pytest.mark.django_db
def test_fifty_different_holdings_over_four_quarters_and_no_more(report: Report) -> None:
    many = [{"lei": lei, "value": 1} for lei in leis(51)]
    assert report(quarters=year(many[:25], many[25:50]))["averaging"] == "FOUR_QUARTERS"
    refused = report(quarters=year(many[:25], many[25:50], many[50:]), status=400)
    assert refused["errors"][0]["field"] == "quarters"
