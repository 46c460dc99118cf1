"""Samples by a seed, filters that are kept, days that are flagged, and counts by month."""

import hashlib
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.travelrule import tallies
from apps.payments.travelrule.models import DrawnSample, SameDay, SavedFilter, Tally, TravelRecord
from apps.payments.travelrule.record_transition import record_transition
from apps.payments.travelrule.rules.aggregates import build_day_total
from apps.payments.travelrule.rules.samples import (
    TooManyRecords,
    draw_record_numbers,
    sample_sort_key,
)
from apps.payments.travelrule.views import examiner_overview, filter_labels, record_page
from apps.payments.travelrule.views.record_list import RecordQuery
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.travelrule.desk.conftest import DAY, counted, recorded
from tests.travelrule.engagements import VISITING, engaged

LIST = "/admin/travelrule/travelrecord/"
SAMPLES = "/admin/travelrule/drawnsample/"
NOON = date(2026, 11, 20)
LAST = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)


def test_a_seed_draws_those_whose_digests_come_first() -> None:
    of = [(number, f"id-{number}") for number in range(50)]
    digests = sorted((hashlib.sha256(f"7:{one}".encode()).hexdigest(), n) for n, one in of)
    assert draw_record_numbers(seed="7", of=reversed(of), wanted=5) == (
        [n for _, n in digests[:5]],
        50,
    )
    assert sample_sort_key(seed="7", record_id="id-1") == hashlib.sha256(b"7:id-1").hexdigest()
    assert draw_record_numbers(seed="8", of=of, wanted=5) != draw_record_numbers(
        seed="7", of=of, wanted=5
    )


def test_more_than_a_sample_looks_at_are_refused() -> None:
    of = [(number, str(number)) for number in range(4)]
    assert draw_record_numbers(seed="7", of=of[:3], wanted=9, most=3)[1] == 3
    with pytest.raises(TooManyRecords):
        draw_record_numbers(seed="7", of=of, wanted=9, most=3)


@pytest.mark.django_db
def test_the_same_seed_filter_and_bound_draw_the_same_records_again() -> None:
    for number in range(30):
        recorded(f"Company{number} Ltd", owner=f"account:{number % 2}")
    desk = at_desk(person("edgar", "Examiner"))
    form = {"asked": "?owner=account%3A1", "wanted": "5", "seed": "river"}
    assert desk.post(f"{SAMPLES}draw/", form).status_code == 302
    first = DrawnSample.objects.get()
    assert (first.population, len(first.picks)) == (15, 5)
    assert "river" in check_page(desk.get(f"{SAMPLES}{first.pk}/"))
    for number in range(30):
        recorded(f"Later{number} Ltd")
    desk.post(f"{SAMPLES}draw/", form | {"bound": str(first.bound)})
    desk.post(f"{SAMPLES}draw/", form)
    latest, again = DrawnSample.objects.order_by("-pk")[:2]
    assert (again.picks, again.population) == (first.picks, 15)
    assert (latest.population, latest.bound > first.bound) == (45, True)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"wanted": "0"}, "between 1 and 500"),
        ({"wanted": "501"}, "between 1 and 500"),
        ({"wanted": "x"}, "between 1 and 500"),
        ({"seed": "a" * 65}, "64 visible characters"),
        ({"seed": "a\u202eb"}, "64 visible characters"),
        ({"asked": "?name=nobody"}, "No record matches"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_refused_with_what_was_typed(
    given: dict[str, str], why: str
) -> None:
    recorded()
    desk = at_desk(person("edgar", "Examiner"))
    answer = desk.post(f"{SAMPLES}draw/", {"wanted": "3", "seed": "river"} | given)
    assert answer.status_code == 400 and why in check_page(answer, 400)
    assert not DrawnSample.objects.exists()


@pytest.mark.django_db
def test_a_sample_without_a_seed_shows_the_one_that_was_drawn() -> None:
    recorded()
    desk = at_desk(person("edgar", "Examiner"))
    desk.post(f"{SAMPLES}draw/", {"wanted": "3"})
    drawn_sample = DrawnSample.objects.get()
    assert len(drawn_sample.seed) == 16 and drawn_sample.seed in check_page(desk.get(SAMPLES))


@pytest.mark.django_db
def test_an_examiner_draws_from_the_scope_and_sees_their_own_samples_alone() -> None:
    recorded("Alder Ltd", owner="account:1")
    recorded("Birch Ltd", owner="account:2")
    vera, walter = person("vera"), person("walter", VISITING)
    vera.groups.set(walter.groups.all())
    engaged(vera, institutions=["account:1"])
    desk = at_desk(vera)
    desk.post(f"{SAMPLES}draw/", {"wanted": "9", "seed": "river"})
    drawn_sample = DrawnSample.objects.get()
    assert drawn_sample.population == 1
    html = check_page(desk.get(f"{SAMPLES}{drawn_sample.pk}/"))
    assert "Alder Ltd" in html and "Birch Ltd" not in html
    assert desk.post(f"{SAMPLES}{drawn_sample.pk}/zip/").status_code == 200
    other = at_desk(walter)
    assert other.get(f"{SAMPLES}{drawn_sample.pk}/").status_code == 404
    assert other.post(f"{SAMPLES}{drawn_sample.pk}/zip/").status_code == 404
    assert "river" not in check_page(other.get(SAMPLES)) + check_page(other.get("/admin/"))


@pytest.mark.django_db
def test_a_filter_is_kept_for_the_engagement_and_shown_on_its_home() -> None:
    vera, walter = person("vera", VISITING), person("walter", VISITING)
    desk = at_desk(vera)
    form = {"asked": "?name=alder&nonsense=1&after=1-1", "name": "  Alder,  all "}
    assert desk.post(f"{LIST}save/", form).status_code == 302
    saved_filter = SavedFilter.objects.get()
    assert (saved_filter.name, saved_filter.asked, saved_filter.by) == (
        "Alder, all",
        "?name=alder",
        vera,
    )
    assert f'{LIST}?name=alder">Alder, all' in check_page(desk.get("/admin/"))
    assert "Alder, all" not in check_page(at_desk(walter).get("/admin/"))
    again = desk.post(f"{LIST}save/", form)
    assert again.status_code == 400 and "already exists" in check_page(again, 400)
    assert at_desk(person("edgar", "Examiner")).post(f"{LIST}save/", form).status_code == 400


@pytest.mark.parametrize(
    ("amounts", "flagged", "count"),
    [
        (["1500.00", "1499.99"], False, 2),
        (["1500.00", "1500.00"], True, 2),
        (["2999.99", "0.01"], True, 2),
        (["2999.99"], False, 1),
        ([], False, 0),
    ],
)
def test_payments_below_the_threshold_are_flagged_once_they_reach_it_together(
    amounts: list[str], flagged: bool, count: int
) -> None:
    total = build_day_total(
        count=len(amounts), total_usd=sum(map(Decimal, amounts), Decimal(0)), day=NOON
    )
    assert (total.flagged, total.count, total.rule) == (flagged, count, "TR-G1")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("second", "at", "owner", "who", "flagged"),
    [
        ("1500.00", LAST, "account:1", "Alder Ltd", True),
        ("1499.99", LAST, "account:1", "Alder Ltd", False),
        ("1500.00", LAST + timedelta(seconds=1), "account:1", "Alder Ltd", False),
        ("1500.00", LAST, "account:2", "Alder Ltd", False),
        ("1500.00", LAST, "account:1", "Birch Ltd", False),
    ],
)
def test_a_day_is_flagged_for_one_originator_of_one_institution(
    second: str, at: datetime, owner: str, who: str, flagged: bool
) -> None:
    record = recorded("Alder Ltd", amount="1500.00")
    recorded(who, amount=second, at=at, owner=owner)
    counted()
    assert SameDay.objects.exists() is flagged
    desk = at_desk(person("edgar", "Examiner"))
    told = "2 payments totalling 3,000.00 USD"
    assert (told in check_page(desk.get(f"{LIST}overview/"))) is flagged
    html = check_page(desk.get(f"{LIST}{record.pk}/"))
    assert ("2 payments this day, totalling 3,000.00 USD." in html) is flagged
    assert ("TR-G1" in html) is flagged


@pytest.mark.django_db
def test_a_day_of_many_payments_is_summed_without_reading_them_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record, *_ = [recorded("Alder Ltd", amount="400.00") for _ in range(12)]
    monkeypatch.setattr(record_page, "MAX_LINKED", 3)
    loaded: list[Any] = []
    from_db = TravelRecord.from_db.__func__  # type: ignore[attr-defined]

    def count_loaded(cls: type[TravelRecord], *row: Any) -> Any:
        loaded.append(row)
        return from_db(cls, *row)

    monkeypatch.setattr(TravelRecord, "from_db", classmethod(count_loaded))
    day = record_page.summarize_same_day(record, TravelRecord.objects.all())
    assert day is not None
    assert (day["found"].count, day["total"]) == (12, "4,800.00")
    assert (len(day["rows"]), day["more"], len(loaded)) == (3, 8, 3)


@pytest.mark.django_db
def test_a_flagged_day_leads_to_its_payments_and_tells_another_scope_nothing() -> None:
    for _ in range(2):
        recorded("Alder Ltd", amount="1600.00")
    recorded("Alder Ltd", amount="5000.00")
    counted()
    day = SameDay.objects.get()
    assert (day.count, day.total_usd) == (2, Decimal(3200))
    html = check_page(at_desk(person("olivia", OFFICER)).get(LIST, {"together": str(day.pk)}))
    assert html.count("data-row") == 2
    vera = person("vera")
    vera.groups.set(person("x", VISITING).groups.all())
    engaged(vera, institutions=["account:2"])
    desk = at_desk(vera)
    assert "totalling 3,200" not in check_page(desk.get("/admin/"))
    assert "data-row" not in check_page(desk.get(LIST, {"together": str(day.pk)}))


@pytest.mark.django_db
def test_months_are_counted_by_status_up_to_a_seal_and_follow_a_step() -> None:
    first = recorded(at=DAY)
    recorded(amount="10", at=DAY)
    recorded(at=datetime(2026, 12, 1, tzinfo=UTC))
    counted()
    assert tallies.load_counted_position() == (3, DAY)
    assert tallied() == {
        ("2026-11", "STORED"): 1,
        ("2026-11", "EXEMPT"): 1,
        ("2026-12", "STORED"): 1,
    }
    first.refresh_from_db()
    record_transition(first, "SEND_LATER", now=DAY)
    counted()
    assert tallied()[("2026-11", "PENDING")] == 1 and ("2026-11", "STORED") not in tallied()
    counted()  # nothing new: nothing is counted twice
    assert sum(tallied().values()) == TravelRecord.objects.count()


def tallied() -> dict[tuple[str, str], int]:
    rows = Tally.objects.filter(count__gt=0)
    return {(f"{row.month:%Y-%m}", row.status): row.count for row in rows}


@pytest.mark.django_db
def test_the_months_of_a_scope_are_cut_at_its_days() -> None:
    for day in ("10-31", "11-01", "11-15", "11-30", "12-01", "12-10", "12-11"):
        recorded(at=datetime.fromisoformat(f"2026-{day}T12:00:00+00:00"))
    recorded(owner="account:2")
    counted()
    vera = person("vera")
    vera.groups.set(person("x", VISITING).groups.all())
    scope = {"records_from": date(2026, 10, 31), "records_to": date(2026, 12, 10)}
    engagement = engaged(vera, institutions=["account:1"], **scope)
    shown = [
        (month.since, month.until, month.total)
        for month in examiner_overview.count_months(engagement)
    ]
    assert shown == [
        (date(2026, 12, 1), date(2026, 12, 10), 2),
        (date(2026, 11, 1), date(2026, 11, 30), 3),
        (date(2026, 10, 31), date(2026, 10, 31), 1),
    ]
    assert [month.total for month in examiner_overview.count_months(None)] == [3, 4, 1]


@pytest.mark.django_db
def test_the_overview_takes_as_many_queries_for_many_records_as_for_few() -> None:
    desk = at_desk(person("edgar", "Examiner"))
    desk.get(f"{LIST}overview/")

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert desk.get(f"{LIST}overview/").status_code == 200
        return len(seen)

    recorded(amount="1500")
    counted()
    few = queries()
    rows: list[Any] = [recorded(amount="1600", account=f"A{n % 3}") for n in range(9)]
    counted()
    assert rows and queries() <= few + 1  # and who the institutions of flagged days are


def test_every_filter_of_the_list_is_told_in_words() -> None:
    assert set(filter_labels.FILTER_LABELS) == {field.name for field in fields(RecordQuery)} - {
        "after"
    }
    assert filter_labels.describe_filters(RecordQuery(payment="INV-7")) == "payment INV-7"
