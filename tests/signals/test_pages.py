"""What operators see of series at the desk, and that they can fetch a file at once."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.platform.desk import charts
from apps.platform.jobs.models import Job, Periodic
from apps.reference.signals import services
from apps.reference.signals.models import Fetch
from apps.reference.signals.selectors import series_board
from apps.reference.signals.series import Reading
from config.desk_roles import ROLES
from tests import sampling
from tests.conftest import NOON
from tests.review.people import at_desk, check_page, person

OFFICER, SENIOR, REGISTRAR, EXAMINER, OPERATOR, _VISITOR = ROLES
pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def desk(monkeypatch: Any) -> Any:
    monkeypatch.setattr("apps.reference.signals.admin.now", lambda: NOON)
    return at_desk(person("oscar", OPERATOR))


def keep(name: str, value: str, days: int, source: str = "FED", ago: timedelta = DAY) -> None:
    reading = Reading(name, (NOON - days * DAY).date(), Decimal(value))
    services.record_readings(readings=[reading], source=source, now=NOON - ago, digest="ab" * 32)


def test_the_board_says_in_words_how_each_series_stands(desk: Any) -> None:
    keep("us.dgs10", "4.12", 2)
    keep("us.dgs2", "3.50", 7)
    keep("gold.paxg", "4100", 0, "DEFILLAMA")
    keep("heat.anomaly", "1.2", 300, "SAMPLE")
    found = {
        board_line.name: (board_line.tone, board_line.standing)
        for board_line in series_board.list_board_lines(now=NOON)
    }
    assert found["us.dgs10"] == ("ok", "In age")
    assert found["us.dgs2"] == ("warn", "Too old")
    assert found["gold.paxg"] == ("ok", "Proxy, in age")
    assert found["heat.anomaly"] == ("info", "Sample")
    assert found["air.co2"] == ("bad", "Nothing known")
    assert found["us.vix"] == ("info", "Not fetched")
    page = check_page(desk.get("/admin/signals/fetch/board/"))
    assert "Too old" in page and "Nothing known" in page and "4.12" in page


@pytest.mark.parametrize(("seconds", "standing"), [(0, "In age"), (1, "Publisher silent")])
def test_what_comes_by_the_minute_is_not_in_age_where_its_publisher_is_silent(
    desk: Any, seconds: int, standing: str
) -> None:
    """Its day is young, and the oracle refuses it all the same: so says the board."""
    keep("stable.usdc.price", "1", 0, "DEFILLAMA")
    heard = NOON - timedelta(hours=3, seconds=seconds)
    Fetch.objects.create(feed="defillama-stablecoins", at=heard, outcome="SAME")
    Fetch.objects.create(feed="defillama-stablecoins", at=NOON, outcome="FAILED")
    standing_by_name = {
        board_line.name: board_line.standing
        for board_line in series_board.list_board_lines(now=NOON)
    }
    assert standing_by_name["stable.usdc.price"] == standing
    page = check_page(desk.get("/admin/signals/fetch/series/?name=stable.usdc.price"))
    assert f">{standing}<" in page and "(limit 2 days)" in page


def test_the_board_counts_how_series_stand_and_says_that_nothing_is_fetched(desk: Any) -> None:
    keep("us.dgs10", "4.12", 2)
    keep("gold.paxg", "4100", 0, "DEFILLAMA")
    found = {
        standing: count
        for _, standing, count in series_board.count_by_standing(
            series_board.list_board_lines(now=NOON)
        )
    }
    assert (found["In age"], found["Proxy, in age"]) == (1, 1)
    assert sum(found.values()) == len(series_board.list_board_series())
    told = "Scheduled fetches are off"
    row = Periodic.objects.get_or_create(name="signals.refresh", defaults={"next_at": NOON})[0]
    for enabled in (True, False):
        Periodic.objects.filter(pk=row.pk).update(enabled=enabled)
        page = check_page(desk.get("/admin/signals/fetch/board/"))
        assert (told in page) is not enabled and "1 in age" in page


def test_what_is_computed_from_a_file_that_is_not_asked_for_needs_nobody(settings: Any) -> None:
    settings.SIGNALS_FEEDS = ("ecb-bonds-it",)
    standing_by_name = {
        board_line.name: board_line.standing
        for board_line in series_board.list_board_lines(now=NOON)
    }
    assert standing_by_name["euro.btp_bund"] == "Not fetched"
    settings.SIGNALS_FEEDS = ("ecb-bonds-it", "ecb-bonds-de")
    standing_by_name = {
        board_line.name: board_line.standing
        for board_line in series_board.list_board_lines(now=NOON)
    }
    assert standing_by_name["euro.btp_bund"] == "Nothing known"


def test_what_needs_somebody_stands_first(desk: Any) -> None:
    keep("us.dgs10", "4.12", 2)
    tones = [board_line.tone for board_line in series_board.list_board_lines(now=NOON)]
    assert tones == sorted(tones, key=("bad", "warn", "info", "ok").index)
    assert tones[-1] == "ok"


def test_the_board_takes_few_queries(django_assert_max_num_queries: Any) -> None:
    sampling.load(now=NOON)
    with django_assert_max_num_queries(4):
        assert len(series_board.list_board_lines(now=NOON)) > 80


def test_the_last_fetch_of_a_file_is_the_newest_of_its_last_run() -> None:
    for feed, at in (("ofr-fsi", NOON), ("fed-h15", NOON - DAY), ("ofr-fsi", NOON - DAY)):
        Fetch.objects.create(feed=feed, at=at, outcome="SAME")
    # the windows of one run share its time
    last = Fetch.objects.create(feed="fed-h15", at=NOON - DAY, outcome="NEW")
    newest = series_board.load_last_fetches()
    assert {name: fetch.at for name, fetch in newest.items()} == {
        "ofr-fsi": NOON,
        "fed-h15": NOON - DAY,
    }
    assert newest["fed-h15"] == last


def test_a_series_has_a_page_with_chart_vintages_and_fetches(desk: Any) -> None:
    for days in range(2, 40):
        keep("us.dgs10", f"4.{days}", days)
    keep("us.dgs10", "4.99", 2, ago=timedelta(hours=1))
    Fetch.objects.create(
        feed="fed-h15", at=NOON - DAY, outcome="REJECTED", reason="column 'X' is missing"
    )
    page = check_page(desk.get("/admin/signals/fetch/series/?name=us.dgs10"))
    assert "<polyline" in page and "column &#x27;X&#x27; is missing" in page
    assert page.count("18 Nov 2026</time></th>") == 2 and ">4.99<" in page
    assert "abababababab" in page and "release H.15" in page
    assert "2 days old (limit 6 days)" in page and "Fetch now" in page


def test_a_computed_series_names_what_it_is_computed_from(desk: Any) -> None:
    keep("us.dgs10", "4.12", 2)
    keep("us.dgs2", "3.50", 2)
    page = check_page(desk.get("/admin/signals/fetch/series/?name=us.curve.10y2y"))
    assert "?name=us.dgs2" in page and "0.62" in page and "Fetch now" not in page


@pytest.mark.parametrize("name", ["", "us.dgs99", "fx.eur.*", "x" * 500])
def test_there_is_no_page_of_what_no_row_names(desk: Any, name: str) -> None:
    assert desk.get("/admin/signals/fetch/series/", {"name": name}).status_code == 404


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("us.vix", "because of its licence"),
        ("oil.wti", "EIA_API_KEY is not set"),
        ("us.dgs10", "SIGNALS_FEEDS leaves it out"),
    ],
)
def test_why_a_file_is_not_asked_for_is_said(
    desk: Any, settings: Any, name: str, told: str
) -> None:
    if name == "us.dgs10":
        settings.SIGNALS_FEEDS = ()
    page = check_page(desk.get("/admin/signals/fetch/series/", {"name": name}))
    assert told in page and "Fetch now" not in page
    desk.post("/admin/signals/fetch/now/", {"name": name})
    assert not Job.objects.filter(name="signals.fetch").exists()


def test_an_operator_fetches_a_file_in_the_background(desk: Any) -> None:
    answer = desk.post("/admin/signals/fetch/now/", {"name": "us.dgs10"})
    assert answer["Location"] == "/admin/signals/fetch/series/?name=us.dgs10"
    assert Job.objects.get(name="signals.fetch").key == "fed-h15"
    assert desk.post("/admin/signals/fetch/now/", {"name": "us.curve.10y2y"}).status_code == 404
    assert desk.get("/admin/signals/fetch/now/").status_code == 405


def test_rejected_files_stand_on_the_board_with_the_reason(desk: Any) -> None:
    Fetch.objects.create(feed="bls", at=NOON, outcome="REJECTED", reason="the file is not JSON")
    page = check_page(desk.get("/admin/signals/fetch/board/"))
    assert "Rejected files" in page and "the file is not JSON" in page
    assert "Freshness of series" in check_page(desk.get("/admin/signals/fetch/"))


@pytest.mark.parametrize("group", [OFFICER, SENIOR, REGISTRAR, EXAMINER])
def test_others_see_none_of_it(group: str) -> None:
    other = at_desk(person("somebody", group))
    for page in ("board/", "series/?name=us.dgs10", ""):
        assert other.get(f"/admin/signals/fetch/{page}").status_code == 403
    assert other.post("/admin/signals/fetch/now/", {"name": "us.dgs10"}).status_code == 403


def test_a_line_stays_within_its_chart() -> None:
    first = NOON.date()
    values = [(first + n * DAY, Decimal(n % 7 - 3)) for n in range(5000)]
    line_chart = charts.build_line_chart(values)
    assert line_chart is not None and (line_chart.highest, line_chart.lowest) == ("3", "-3")
    places = [tuple(map(float, part.split(","))) for part in line_chart.points.split()]
    assert len(places) <= charts.WIDTH + 1
    assert all(0 <= x <= charts.WIDTH and charts.TOP <= y <= charts.BASE for x, y in places)
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert line_chart.zero == (charts.TOP + charts.BASE) / 2
    assert line_chart.marks[0][0] == 0 and line_chart.marks[-1][0] == charts.WIDTH


def test_what_never_moved_is_a_level_line_and_one_value_is_none() -> None:
    first = NOON.date()
    level = charts.build_line_chart([(first, Decimal(2)), (first + DAY, Decimal(2))])
    assert level is not None and level.zero is None
    assert level.points == f"0.0,{charts.BASE} {float(charts.WIDTH)},{charts.BASE}"
    assert (
        charts.build_line_chart([(first, Decimal(2))]) is None
        and charts.build_line_chart([]) is None
    )
