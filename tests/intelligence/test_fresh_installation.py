"""The first days of a production installation: an empty database, and publishers on loopback.

Files are built from the published forms of the European Central Bank (SDMX-CSV), the OFR, Baker,
Bloom and Davis and PortWatch; values are made up, and of rates the last day of each month stands
for all of it. Of the climate agencies the mirrors hold the real files of August 2026. Other
publishers do not answer: what rests on them must say so, and truly.
"""

import json
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from apps.insight.intelligence.catalogue import PRODUCTS, Product, product_of
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.services import paid_answers
from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from apps.platform.common.problems import DomainError
from apps.platform.upstreams.http import UpstreamError
from apps.reference.signals import services
from apps.reference.signals.models import Fetch, Observation
from apps.reference.signals.quality import TooFewInputs, count_months
from apps.reference.signals.row_parsing import Malformed
from apps.reference.signals.selectors import series_values
from apps.reference.signals.selectors.series_values import list_stored_series
from apps.reference.signals.series import FEEDS, SERIES
from config.services import SERVICES
from tests import sampling
from tests.conftest import NOON
from tests.for_each import for_each
from tests.intelligence.test_method_properties import BY_SERIES, build_example_request
from tests.operations import functions_of
from tests.shared_data import shared
from tests.signals.fake_publisher import Publisher, publishing

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
TODAY = NOON.date()
CURRENCIES = sorted(
    {
        name.rpartition(".")[2]
        for product in PRODUCTS
        for name in list_stored_series(product.series)
        if name.startswith("fx.eur.")
    }
)
BY_DATES = ("ecb-rates", "portwatch-canals", "portwatch-panama", "portwatch-hormuz",
            "portwatch-malacca")  # fmt: skip
WHOLE = ("ofr-fsi", "epu-daily")


def days(since: date, until: date, *, each: bool) -> list[date]:
    """Return working days: all of them, or the last of each month and all of the last weeks."""
    span = [since + n * DAY for n in range((until - since).days + 1)]
    kept = [day for day in span if day.weekday() < 5]
    if each:
        return kept
    following = dict(pairwise(kept))
    return [
        day
        for day in kept
        if day > TODAY - 45 * DAY or (day in following and following[day].month != day.month)
    ]


def value(day: date, seed: int) -> str:
    return f"{1 + seed / 10 + (day.toordinal() * (seed + 3) % 89) / 300:.4f}"


def rates(query: dict[str, str]) -> str:
    since, until = (date.fromisoformat(query[name]) for name in ("startPeriod", "endPeriod"))
    head = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE"
    lines = [
        f"EXR.D.{code}.EUR.SP00.A,D,{code},EUR,SP00,A,{day},{value(day, seed)}"
        for seed, code in enumerate(CURRENCIES)
        for day in days(max(since, date(1999, 1, 4)), until, each=False)
    ]
    return "\n".join([head, *lines])


def ships(query: dict[str, str]) -> str:
    since, until = re.findall(r"timestamp '(\d{4}-\d\d-\d\d) ", query["where"])
    first = max(date.fromisoformat(since), date(2019, 1, 1))
    last = min(date.fromisoformat(until), TODAY - 5 * DAY)
    told = [first + n * DAY for n in range((last - first).days + 1)]
    assert len(told) <= 1000, "the publisher would cut it"
    items = [{"attributes": {"date": f"{day}", "n_total": 40 + day.day}} for day in told]
    return json.dumps({"features": items, "exceededTransferLimit": False})


def stress(_: dict[str, str]) -> str:
    head = (
        "Date,OFR FSI,Credit,Equity valuation,Safe assets,Funding,Volatility,United States,"
        "Other advanced economies,Emerging markets"
    )
    told = days(date(2000, 1, 3), TODAY - 2 * DAY, each=False)
    return "\n".join([head, *(f"{day}," + ",".join([value(day, 1)] * 9) for day in told)])


def uncertainty(_: dict[str, str]) -> str:
    told = [date(2014, 1, 1) + n * DAY for n in range((TODAY - date(2014, 1, 1)).days)]
    lines = [f"{day.day},{day.month},{day.year},{100 + day.toordinal() * 7 % 150}" for day in told]
    return "\n".join(["day,month,year,daily_policy_index", *lines])


FILES = {"ecb-rates": rates, "ofr-fsi": stress, "epu-daily": uncertainty}


def answer(path: str, query: dict[str, str]) -> tuple[int, bytes]:
    name = path.strip("/")
    made = FILES.get(name) or (ships if name.startswith("portwatch") else None)
    return (200, made(query).encode()) if made else (404, b"")


@pytest.fixture
def publisher(monkeypatch: Any, settings: Any) -> Iterator[Publisher]:
    """All publishers on one port, each at the name of its file."""
    sampling.in_production(settings)
    settings.REQUIRED_SOURCES = ("us-ofac-sdn", "un-sc", "eu-fsf", "uk-sl")
    paid_answers.clear_answer_memory()
    with publishing() as server:
        server.answer = answer
        base = f"http://127.0.0.1:{server.server_port}"
        settings.ECB_RATES_URL = f"{base}/ecb-rates"
        least = {"pace": timedelta(0), "least": 1}
        there = [replace(feed, url=f"{base}/{feed.name}", **least) for feed in FEEDS]
        monkeypatch.setattr(services, "FEEDS", tuple(there))
        monkeypatch.setattr(services, "SERIES", SERIES)
        yield server
    paid_answers.clear_answer_memory()


def refusal(product: Product, *, now: datetime = NOON) -> str:
    """Return why a product does not answer; an empty text where it does."""
    paid_answers.clear_answer_memory()
    try:
        paid_answers.gather_answer(product, asked=dict(build_example_request(product)), now=now)
    except TooFewInputs as error:
        return error.detail
    return ""


SHORT = re.compile(r"([a-z][\w.]+): history too short: (\d+) of (\d+) months")
UNKNOWN = re.compile(r"(?:without |; |\. |: )([a-z][\w.]+): nothing is known of it")
OLD = re.compile(r"([a-z][\w.]+): its newest value, of (\d{4}-\d\d-\d\d), is too old")


def is_true(told: str, *, now: datetime = NOON) -> bool:
    """Hold the reasons of a refusal against what is held."""
    unknown, short = UNKNOWN.findall(told), SHORT.findall(told)
    for name in unknown:
        assert name not in series_values.load_latest_points([name], as_of=now), told
    for name, months, of in short:
        assert int(months) < int(of), told
        assert count_months(series_values.load_history(name, as_of=now)) >= int(months), told
    old = OLD.findall(told)
    for name, day in old:
        newest = series_values.load_latest_points([name], as_of=now)[name]
        assert newest.stale(now) and newest.day.isoformat() == day, told
    return bool(unknown or short or old or "Too few" in told or "Nothing is known" in told
                or "history too short" in told)  # fmt: skip


def test_before_the_first_fetch_each_product_says_that_nothing_is_known(
    publisher: Publisher,
) -> None:
    for product in BY_SERIES:
        told = refusal(product)
        assert told and "in age" not in told and is_true(told), (product.name, told)
    assert not IntelligenceAnswer.objects.exists()


def test_after_it_each_answers_or_says_the_true_reason(publisher: Publisher) -> None:
    assert (
        services.refresh_feeds(now=NOON, names=[*BY_DATES, *WHOLE]) == Observation.objects.count()
    )
    assert set(Fetch.objects.values_list("outcome", flat=True)) == {"NEW"}
    with pytest.raises(UpstreamError):
        services.refresh_feeds(now=NOON, names=["pink-sheet"])
    told = {product.name: refusal(product) for product in BY_SERIES}
    # what is made of whole months is known on whatever day of the next it is asked for
    assert "us.epu.month" not in told["transition-risk"], told["transition-risk"]
    for name in ("currency-stress", "fx-settlement", "contagion", "macro-stress"):
        assert told[name] == "", (name, told[name])
    for name, why in told.items():
        assert not why or is_true(why), (name, why)


def test_a_month_later_a_history_that_is_too_short_says_of_how_many_months_it_is(
    publisher: Publisher, monkeypatch: Any
) -> None:
    """A mirror that holds but the last years: no publisher's fault is told as another's."""
    monkeypatch.setitem(FILES, "ecb-rates", _since_2023)
    with pytest.raises(ValueError, match="where a whole file has"):
        services.refresh_feeds(now=NOON, names=["ecb-rates"])
    product = product_of("currency-stress")
    assert product is not None
    why = refusal(product)
    assert "There is no number without fx.usd.EUR: history too short: 42 of 120 months." in why


def _since_2023(query: dict[str, str]) -> str:
    since = max(date.fromisoformat(query["startPeriod"]), date(2023, 4, 20))
    return rates(query | {"startPeriod": since.isoformat()})


REAL = {
    "noaa-co2": "co2_mm_mlo.txt",
    "noaa-co2-week": "co2_weekly_mlo.txt",
    "noaa-ch4": "ch4_mm_gl.txt",
    "noaa-n2o": "n2o_mm_gl.txt",
    "noaa-oni": "oni.txt",
    "noaa-cag-globe": "cag_globe_land_ocean_tavg_1_0.json",
    "nasa-gistemp": "GLB.Ts+dSST.csv",
    "nasa-sea-level": "gmsl.txt",
    "nsidc-ice-north": "N_seaice_extent_daily_v4.0.csv",
    "jma-ocean-heat": "ohc_global_1955.txt",
}
IN_AUGUST = datetime(2026, 8, 25, 12, tzinfo=UTC)  # the files are of that month


def test_real_files_of_climate_agencies_are_kept_whole_but_one_that_ended_a_year_ago(
    publisher: Publisher, monkeypatch: Any
) -> None:
    for feed, file in REAL.items():
        text = shared(f"signals/series/climate/{file}").read_text()
        monkeypatch.setitem(FILES, feed, lambda _, text=text: text)
    for feed in REAL:
        with nullcontext() if feed != "nasa-gistemp" else pytest.raises(Malformed, match="too old"):
            assert services.refresh_feeds(now=IN_AUGUST, names=[feed]) > 0
    rejected = Fetch.objects.filter(outcome="REJECTED").values_list("feed", flat=True)
    assert list(rejected) == ["nasa-gistemp"]
    why = {product.name: refusal(product, now=IN_AUGUST) for product in BY_SERIES}
    assert "heat.anomaly: nothing is known of it" in why["earth-systems"]
    for name, told in why.items():
        assert not told or is_true(told, now=IN_AUGUST), (name, told)


PAID = [row for service in SERVICES for row in operations_of_service(service) if row.access.pays]
NO_LISTS = "No sanction list is loaded. The list eu-fsf is required and not loaded."
# what is paid for and rests on no publisher's figures, on the first morning: status and reason
FIRST_MORNING = {
    "screen": (503, NO_LISTS),
    "ubo-chain": (503, NO_LISTS),
    "pep-screen": (503, "No pep list is loaded."),
    "sfdr-screen": (503, "We do not have the LEI, and GLEIF did not answer."),
    "vop-verify": (200, "NOT_REGISTERED"),
    "stream-open": (200, ""),
    "compliance-report": (503, NO_LISTS),
    "macro-report": (503, "The oracle has not run yet."),
    "esg-report": (404, "There is no evidence on this LEI"),
    "treasury-report": (200, "October 2026 of the network"),
}


@for_each("row", [row for row in PAID if row.service != "intelligence"], ids=lambda row: row.name)
def test_on_the_first_morning_other_paid_calls_answer_or_say_what_is_lacking(
    publisher: Publisher, row: Operation
) -> None:
    status, told = first_answer(row)
    if row.name == "climate-report":  # it says what each of its parts lacks
        assert status == 503 and is_true(told), told
        return
    expected, words = FIRST_MORNING[row.name]
    assert status == expected and words in told, told


def first_answer(row: Operation) -> tuple[int, str]:
    """Return the status that the example of a row comes to, and its reason or what was found."""
    told: dict[str, Any] = {}
    if row.request is not None:
        shape = row.request(data=row.example)
        shape.is_valid(raise_exception=True)
        told |= shape.validated_data
    try:
        gather, _, build = functions_of(row)
        asked = build(**told)
        return 200, repr(gather(asked=asked, now=NOON) if gather else None)
    except DomainError as error:
        return error.status, error.detail
