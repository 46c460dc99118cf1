"""Series on trade by water: the sample is what publishers gave, or says that it is invented."""

import csv
from datetime import date, datetime
from decimal import Decimal

import pytest

from apps.reference.signals import sample_data
from apps.reference.signals.readers.day_formats import parse_day
from apps.reference.signals.sample_origins import is_invented_series
from apps.reference.signals.series import find_feed, find_series
from apps.reference.signals.series.feeds.trade import FEEDS
from tests.shared_data import shared


def of_sample(file: str, series: str) -> dict[date, Decimal]:
    with (sample_data.FOLDER / f"{file}.csv").open(encoding="utf-8") as stream:
        return {
            date.fromisoformat(row["day"]): Decimal(row[series])
            for row in csv.DictReader(stream)
            if row[series]
        }


def test_oil_of_the_sample_is_what_its_publisher_gave() -> None:
    with shared("signals/series/markets/brent-daily.csv").open() as stream:
        real = {date.fromisoformat(r["Date"]): Decimal(r["Price"]) for r in csv.DictReader(stream)}
    ours = of_sample("oil", "oil.brent")
    assert len(ours) == 2200 and ours.items() <= real.items()
    assert {day.weekday() for day in ours} == {0, 2, 4}


def test_the_pressure_index_of_the_sample_is_what_its_publisher_gave() -> None:
    ours = of_sample("trade", "trade.gscpi")
    with shared("signals/series/markets/gscpi_1998_2024.csv").open() as stream:
        rate_by_date = {r["Date"]: r["Rate"] for r in csv.DictReader(stream) if r["Date"]}
    with shared("signals/misc/nyfed_gscpi_interactive_sample.csv").open() as stream:
        later = {r["Date"]: r["Sep-26"] for r in csv.DictReader(stream) if r["Date"]}
    found = {parse_day(day, "named"): Decimal(one) for day, one in rate_by_date.items()}
    found |= {
        parse_day(day, "named"): Decimal(one)
        for day, one in later.items()
        if datetime.strptime(day, "%d-%b-%Y").date() > date(2024, 7, 31)
    }
    assert ours == found
    months = [day.year * 12 + day.month for day in sorted(ours)]
    assert months == list(range(months[0], months[0] + 344))


@pytest.mark.parametrize(
    "name", ["suez", "panama", "hormuz", "malacca", "freight"], ids=lambda name: name
)
def test_what_could_not_be_had_says_that_it_is_invented(name: str) -> None:
    assert is_invented_series(f"trade.{name}")
    assert not is_invented_series("trade.gscpi")


def test_each_strait_asks_for_its_own_name() -> None:
    conditions = [feed.query["where"] for feed in FEEDS if feed.publisher == "PORTWATCH"]
    assert len(conditions) == len(set(conditions)) == 4
    assert all("{since}" in one for one in conditions)


def test_a_mark_stands_in_the_document_of_its_own_gauge() -> None:
    for gauge in ("river.kaub", "river.koeln"):
        mark = find_series(f"{gauge}.low")
        assert mark is not None and mark.unit == "cm"
        feed = find_feed(mark)
        assert feed is not None and feed.query["includeCharacteristicValues"] == "true"
