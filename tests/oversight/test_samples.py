"""Closed cases go to an officer who did not decide them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.core import sealing
from apps.oversight import actions, figures, jobs
from apps.oversight.actions import AlreadyLooked, BadLook, NotAllowed
from apps.oversight.models import Sample, SecondLook
from apps.review.models import Case
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    confirm,
    look,
    person,
)  # fmt: skip

pytestmark = pytest.mark.django_db
OCTOBER = datetime(2026, 10, 5, 9, tzinfo=UTC)
PAGE = "/admin/oversight/sample/"


@pytest.fixture
def olivia() -> User:
    return person("olivia", OFFICER)


@pytest.fixture
def ben() -> User:
    return person("ben", OFFICER)


def closed(by: User, count: int, at: datetime = OCTOBER, **given: Any) -> list[Case]:
    first = Case.objects.count()
    made = [case(f"c{first + n}", now=at, evidence={}, **given) for n in range(count)]
    return [approve(one, by, now=at) for one in made]


def sampled(by: User) -> Sample:
    closed(by, 1)
    actions.sample_month(month="2026-10", now=NOON)
    return Sample.objects.get()


def test_the_month_before_is_sampled_by_risk(olivia: User) -> None:
    closed(olivia, 21, risk="MEDIUM"), closed(olivia, 21, risk="LOW")
    closed(olivia, 5, at=NOON)
    jobs.sample("", NOON)
    counts = [Sample.objects.filter(risk=risk).count() for risk in ("MEDIUM", "LOW", "HIGH")]
    assert counts == [3, 2, 0]
    assert set(Sample.objects.values_list("month", flat=True)) == {"2026-10"}


def test_running_it_again_picks_the_same_and_adds_nothing(olivia: User) -> None:
    closed(olivia, 30)
    assert actions.sample_month(month="2026-10", now=NOON) == 3
    before = set(Sample.objects.values_list("case_id", flat=True))
    jobs.sample("", NOON + timedelta(days=1))
    assert set(Sample.objects.values_list("case_id", flat=True)) == before


@pytest.mark.parametrize(
    ("now", "over"),
    [(datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC), False),
     (datetime(2026, 11, 1, tzinfo=UTC), True)],
)  # fmt: skip
def test_a_month_that_is_not_over_is_not_sampled(now: datetime, over: bool) -> None:
    if over:
        assert actions.sample_month(month="2026-10", now=now) == 0
    else:
        with pytest.raises(ValueError, match="not over"):
            actions.sample_month(month="2026-10", now=now)


def test_a_second_look_is_a_ledger_event(olivia: User, ben: User) -> None:
    sample = sampled(olivia)
    found = actions.look(sample=sample, by=ben, verdict="DISAGREE", note=f" {NOTE} ", now=NOON)
    assert (found.verdict, found.by, found.data) == ("DISAGREE", ben, {"note": NOTE})
    sample.refresh_from_db()
    assert (sample.looked_by, sample.verdict) == (ben, "DISAGREE")
    sealing.seal_all(now=NOON)
    assert sealing.verify(ledger="second_looks").sealed == 1


def test_who_decided_does_not_look_again(olivia: User) -> None:
    sample = sampled(olivia)
    with pytest.raises(NotAllowed, match="another officer"):
        actions.look(sample=sample, by=olivia, verdict="AGREE", note=NOTE, now=NOON)
    assert list(Sample.objects.open_to(olivia)) == []


def test_neither_does_the_second_officer(olivia: User, ben: User) -> None:
    samir = person("samir", SENIOR)
    one = approve(case(risk="HIGH", now=OCTOBER, evidence={}), olivia, now=OCTOBER)
    confirm(one, samir, now=OCTOBER)
    actions.sample_month(month="2026-10", now=NOON)
    sample = Sample.objects.get()
    assert [list(Sample.objects.open_to(u)) for u in (olivia, samir)] == [[], []]
    assert list(Sample.objects.open_to(ben)) == [sample]
    with pytest.raises(NotAllowed):
        actions.look(sample=sample, by=samir, verdict="AGREE", note=NOTE, now=NOON)


def test_the_database_refuses_the_same_officer_too(olivia: User) -> None:
    sample = sampled(olivia)
    change = {"looked_by": olivia, "looked_at": NOON, "verdict": "AGREE"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Sample.objects.filter(pk=sample.pk).update(**change)


def test_two_officers_cannot_both_look(olivia: User, ben: User) -> None:
    sample = sampled(olivia)
    actions.look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    with pytest.raises(AlreadyLooked):
        actions.look(sample=sample, by=person("c", OFFICER), verdict="AGREE", note=NOTE, now=NOON)
    assert SecondLook.objects.count() == 1


@pytest.mark.parametrize(("verdict", "note"), [("", NOTE), ("MAYBE", NOTE), ("AGREE", "short")])
def test_a_look_without_verdict_or_sentence_is_refused(
    olivia: User, ben: User, verdict: str, note: str
) -> None:
    with pytest.raises(BadLook):
        actions.look(sample=sampled(olivia), by=ben, verdict=verdict, note=note, now=NOON)


def test_the_figures_count_by_month_and_risk(olivia: User, ben: User) -> None:
    closed(olivia, 30)
    actions.sample_month(month="2026-10", now=NOON)
    for sample, verdict in zip(Sample.objects.all(), ("AGREE", "DISAGREE"), strict=False):
        actions.look(sample=sample, by=ben, verdict=verdict, note=NOTE, now=NOON)
    line = figures.lines()[0]
    assert (line.sampled, line.looked, line.disagreed, line.disagreed_percent) == (3, 2, 1, 50)
    assert figures.Line("2026-09", "LOW", 3, 0, 0).disagreed_percent is None


def test_an_officer_looks_and_goes_on_to_the_next(olivia: User, ben: User) -> None:
    closed(olivia, 20)
    actions.sample_month(month="2026-10", now=NOON)
    one, two = Sample.objects.order_by("pk")
    desk = at_desk(ben)
    assert "For me <b>2</b>" in look(desk.get(PAGE))
    html = look(desk.get(f"{PAGE}{one.pk}/"))
    assert NOTE in html and "only a common name agrees" in html and "Disagree" in html
    short = look(desk.post(f"{PAGE}{one.pk}/look/", {"verdict": "AGREE", "note": "short"}), 400)
    assert "at least 10 characters" in short
    answer = desk.post(f"{PAGE}{one.pk}/look/", {"verdict": "AGREE", "note": NOTE})
    assert answer["Location"] == f"{PAGE}{two.pk}/"
    last = desk.post(f"{PAGE}{two.pk}/look/", {"verdict": "DISAGREE", "note": NOTE})
    assert last["Location"] == PAGE
    html = look(desk.get(f"{PAGE}?view=found"))
    assert "Disagree" in html and "50 %" in html
    assert "Record second look" not in look(desk.get(f"{PAGE}{one.pk}/"))


def test_who_decided_sees_the_sample_without_a_form(olivia: User) -> None:
    sample = sampled(olivia)
    assert "Record second look" not in look(at_desk(olivia).get(f"{PAGE}{sample.pk}/"))
    given = {"verdict": "AGREE", "note": NOTE}
    look(at_desk(olivia).post(f"{PAGE}{sample.pk}/look/", given), 403)
    assert not SecondLook.objects.exists()


def test_the_list_takes_as_many_queries_for_many_samples_as_for_few(
    olivia: User, ben: User, django_assert_max_num_queries: Any
) -> None:
    closed(olivia, 200)
    actions.sample_month(month="2026-10", now=NOON)
    desk = at_desk(ben)
    with django_assert_max_num_queries(13):
        desk.get(PAGE)
