"""Closed cases go to an officer who did not decide them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.backoffice.oversight import tasks
from apps.backoffice.oversight.models import Sample, SecondLook
from apps.backoffice.oversight.selectors import sample_statistics
from apps.backoffice.oversight.services import samples, second_looks
from apps.backoffice.oversight.services.second_looks import (
    AlreadyReviewed,
    InvalidSecondLook,
    SecondLookNotAllowed,
)
from apps.backoffice.review import services as review
from apps.backoffice.review.models import Case
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    confirm,
    person,
)  # fmt: skip

pytestmark = pytest.mark.django_db
OCTOBER = datetime(2026, 10, 5, 9, tzinfo=UTC)
PAGE = "/admin/oversight/sample/"
OWN = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": "The dates of birth differ."}


def closed(by: User, count: int, at: datetime = OCTOBER, **given: Any) -> list[Case]:
    first = Case.objects.count()
    made = [case(f"c{first + n}", now=at, evidence={}, **given) for n in range(count)]
    return [approve(one, by, now=at) for one in made]


def judged(sample: Sample, by: User, **given: Any) -> Sample:
    """Give an officer's own verdict, by default the decision's; what follows may be told of it."""
    own = {"outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE, "now": NOON} | given
    second_looks.record_blind_verdict(sample=sample, by=by, **own)
    return sample


def sampled(by: User) -> Sample:
    closed(by, 1)
    samples.sample_month(month="2026-10", now=NOON)
    return Sample.objects.get()


def test_the_month_before_is_sampled_by_risk(olivia: User) -> None:
    closed(olivia, 21, risk="MEDIUM"), closed(olivia, 21, risk="LOW")
    closed(olivia, 5, at=NOON)
    tasks.sample_previous_month("", NOON)
    counts = [Sample.objects.filter(risk=risk).count() for risk in ("MEDIUM", "LOW", "HIGH")]
    assert counts == [3, 2, 0]
    assert set(Sample.objects.values_list("month", flat=True)) == {"2026-10"}


def test_running_it_again_picks_the_same_and_adds_nothing(olivia: User) -> None:
    closed(olivia, 30)
    assert samples.sample_month(month="2026-10", now=NOON) == 3
    before = set(Sample.objects.values_list("case_id", flat=True))
    tasks.sample_previous_month("", NOON + timedelta(days=1))
    assert set(Sample.objects.values_list("case_id", flat=True)) == before


@pytest.mark.parametrize(
    ("now", "over"),
    [(datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC), False),
     (datetime(2026, 11, 1, tzinfo=UTC), True)],
)  # fmt: skip
def test_a_month_that_is_not_over_is_not_sampled(now: datetime, over: bool) -> None:
    if over:
        assert samples.sample_month(month="2026-10", now=now) == 0
    else:
        with pytest.raises(ValueError, match="not over"):
            samples.sample_month(month="2026-10", now=now)


def test_a_second_look_is_a_ledger_event(olivia: User, ben: User) -> None:
    sample = judged(sampled(olivia), ben)
    second_look = second_looks.record_second_look(
        sample=sample, by=ben, verdict="DISAGREE", note=f" {NOTE} ", now=NOON
    )
    assert (second_look.verdict, second_look.by) == ("DISAGREE", ben)
    assert second_look.data == {"case": sample.case_id, "note": NOTE, "agreement": "SAME"}
    sample.refresh_from_db()
    assert (sample.looked_by, sample.verdict) == (ben, "DISAGREE")
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="second_looks").sealed == 2


def test_who_decided_does_not_look_again(olivia: User) -> None:
    sample = sampled(olivia)
    with pytest.raises(SecondLookNotAllowed, match="another officer"):
        second_looks.record_blind_verdict(
            sample=sample,
            by=olivia,
            outcome="APPROVE",
            reason_code="NAME_ONLY",
            note=NOTE,
            now=NOON,
        )
    with pytest.raises(SecondLookNotAllowed, match="another officer"):
        second_looks.record_second_look(
            sample=sample, by=olivia, verdict="AGREE", note=NOTE, now=NOON
        )
    assert list(Sample.objects.open_to(olivia)) == []


def test_neither_does_the_second_officer(olivia: User, ben: User) -> None:
    samir = person("samir", SENIOR)
    one = approve(case(risk="HIGH", now=OCTOBER, evidence={}), olivia, now=OCTOBER)
    confirm(one, samir, now=OCTOBER)
    samples.sample_month(month="2026-10", now=NOON)
    sample = Sample.objects.get()
    assert [list(Sample.objects.open_to(u)) for u in (olivia, samir)] == [[], []]
    assert list(Sample.objects.open_to(ben)) == [sample]
    with pytest.raises(SecondLookNotAllowed):
        second_looks.record_second_look(
            sample=sample, by=samir, verdict="AGREE", note=NOTE, now=NOON
        )


def test_nor_who_proposed_or_returned_a_decision_that_others_made(olivia: User, ben: User) -> None:
    samir, sonja, carla = (person(n, SENIOR) for n in ("samir", "sonja", "carla"))
    one = approve(case(risk="HIGH", now=OCTOBER, evidence={}), olivia, now=OCTOBER)
    back = review.return_decision(case=one, by=samir, note=NOTE, now=OCTOBER)
    confirm(approve(back, ben, now=OCTOBER), sonja, now=OCTOBER)
    samples.sample_month(month="2026-10", now=NOON)
    sample = Sample.objects.get()
    for user in (olivia, samir):
        assert list(Sample.objects.open_to(user)) == []
        html = check_page(at_desk(user).get(f"{PAGE}{sample.pk}/"))
        assert "Record verdict" not in html
        check_page(at_desk(user).post(f"{PAGE}{sample.pk}/judge/", OWN), 403)
    assert list(Sample.objects.open_to(carla)) == [sample]
    assert not SecondLook.objects.exists()


def test_nor_who_judged_the_case_that_it_went_with(olivia: User, ben: User) -> None:
    samir, sonja = (person(n, SENIOR) for n in ("samir", "sonja"))
    first, twin = (case(n, risk="HIGH", now=OCTOBER) for n in "12")
    one = approve(first, olivia, now=OCTOBER)
    back = review.return_decision(case=one, by=samir, note=NOTE, now=OCTOBER)
    review.merge_case(duplicate=twin, into=back, by=ben, note=NOTE, now=OCTOBER)
    confirm(approve(back, ben, now=OCTOBER), sonja, now=OCTOBER)
    samples.sample_month(month="2026-10", now=NOON)
    Sample.objects.all().delete()
    twin.refresh_from_db()
    sample = Sample.objects.create(
        case=twin, month="2026-10", risk="HIGH", first_by=ben, second_by=sonja, sampled_at=NOON
    )
    assert list(Sample.objects.open_to(olivia)) == []
    with pytest.raises(SecondLookNotAllowed, match="another officer"):
        second_looks.record_blind_verdict(
            sample=sample,
            by=olivia,
            outcome="APPROVE",
            reason_code="NAME_ONLY",
            note=NOTE,
            now=NOON,
        )


def test_the_database_refuses_the_same_officer_too(olivia: User) -> None:
    sample = sampled(olivia)
    change = {"looked_by": olivia, "looked_at": NOON, "verdict": "AGREE"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Sample.objects.filter(pk=sample.pk).update(**change)


def test_two_officers_cannot_both_look(olivia: User, ben: User) -> None:
    carla = person("carla", OFFICER)
    sample = judged(judged(sampled(olivia), ben), carla)
    second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    with pytest.raises(AlreadyReviewed):
        second_looks.record_second_look(
            sample=sample, by=carla, verdict="AGREE", note=NOTE, now=NOON
        )
    assert SecondLook.objects.exclude(verdict="BLIND").count() == 1


@pytest.mark.parametrize(("verdict", "note"), [("", NOTE), ("MAYBE", NOTE), ("AGREE", "short")])
def test_a_look_without_verdict_or_sentence_is_refused(
    olivia: User, ben: User, verdict: str, note: str
) -> None:
    sample = judged(sampled(olivia), ben)
    with pytest.raises(InvalidSecondLook):
        second_looks.record_second_look(sample=sample, by=ben, verdict=verdict, note=note, now=NOON)


def test_the_figures_count_by_month_and_risk(olivia: User, ben: User) -> None:
    closed(olivia, 30)
    samples.sample_month(month="2026-10", now=NOON)
    for sample, verdict in zip(Sample.objects.all(), ("AGREE", "DISAGREE"), strict=False):
        judged(sample, ben, reason_code="NAME_ONLY" if verdict == "AGREE" else "OTHER")
        second_looks.record_second_look(sample=sample, by=ben, verdict=verdict, note=NOTE, now=NOON)
    line = sample_statistics.load_sample_statistics()[0]
    assert (line.sampled, line.looked, line.disagreed, line.disagreed_percent) == (3, 2, 1, 50)
    assert (line.same, line.reason, line.outcome, line.alike_percent) == (1, 1, 0, 50)
    assert sample_statistics.SampleStatistics("2026-09", "LOW", 3, 0, 0).disagreed_percent is None


def test_an_officer_looks_and_goes_on_to_the_next(olivia: User, ben: User) -> None:
    closed(olivia, 20)
    samples.sample_month(month="2026-10", now=NOON)
    one, two = Sample.objects.order_by("pk")
    desk = at_desk(ben)
    assert "For me <b>2</b>" in check_page(desk.get(PAGE))
    for sample in (one, two):
        answer = desk.post(f"{PAGE}{sample.pk}/judge/", OWN)
        assert answer["Location"] == f"{PAGE}{sample.pk}/"
    html = check_page(desk.get(f"{PAGE}{one.pk}/"))
    assert "How the case was decided" in html and "by olivia" in html and "Disagree" in html
    assert "Compared with your own verdict: same outcome and reason" in html
    short = check_page(
        desk.post(f"{PAGE}{one.pk}/look/", {"verdict": "AGREE", "note": "short"}), 400
    )
    assert "at least 10 characters" in short
    answer = desk.post(f"{PAGE}{one.pk}/look/", {"verdict": "AGREE", "note": NOTE})
    assert answer["Location"] == f"{PAGE}{two.pk}/"
    last = desk.post(f"{PAGE}{two.pk}/look/", {"verdict": "DISAGREE", "note": NOTE})
    assert last["Location"] == PAGE
    html = check_page(desk.get(f"{PAGE}?view=found"))
    assert "Disagree" in html and "50 %" in html
    assert "Record second look" not in check_page(desk.get(f"{PAGE}{one.pk}/"))


def test_who_decided_sees_the_sample_without_a_form(olivia: User) -> None:
    sample = sampled(olivia)
    html = check_page(at_desk(olivia).get(f"{PAGE}{sample.pk}/"))
    assert "Record second look" not in html and "Record verdict" not in html
    assert "by olivia" in html
    given = {"verdict": "AGREE", "note": NOTE}
    check_page(at_desk(olivia).post(f"{PAGE}{sample.pk}/look/", given), 403)
    assert not SecondLook.objects.exists()


def test_the_list_takes_as_many_queries_for_many_samples_as_for_few(
    olivia: User, ben: User, django_assert_max_num_queries: Any
) -> None:
    closed(olivia, 200)
    samples.sample_month(month="2026-10", now=NOON)
    desk = at_desk(ben)
    with django_assert_max_num_queries(13):
        desk.get(PAGE)


@pytest.mark.parametrize("view", ["mine", "waiting", "found"])
def test_every_sample_is_on_one_page_of_the_list_and_on_no_other(
    olivia: User, ben: User, view: str
) -> None:
    cases = closed(olivia, 53)
    months = {0: "2026-09", 1: "2026-11"}  # a month that was sampled late comes first all the same
    rows = Sample.objects.bulk_create(
        Sample(case=one, month=months.get(n, "2026-10"), risk="MEDIUM", first_by=olivia,
               sampled_at=NOON)
        for n, one in enumerate(cases)
    )  # fmt: skip
    if view == "found":  # two at a time, so that the order needs the numbers too
        for n, one in enumerate(rows):
            one.looked_by, one.verdict = ben, "AGREE"
            one.looked_at = NOON + timedelta(hours=n // 2)
        Sample.objects.bulk_update(rows, ["looked_by", "verdict", "looked_at"])
    desk, address, seen, pages = at_desk(ben), f"?view={view}", [], 0
    while address:
        html = check_page(desk.get(PAGE + address))
        seen += [int(n) for n in re.findall(r"<small>Case (\d+) ", html)]
        following = re.search(r'href="([^"]+)">Next 50', html)
        address = following[1].replace("&amp;", "&") if following else ""
        pages += 1
    numbers = [one.pk for one in cases]
    wanted = [numbers[0], *numbers[2:], numbers[1]] if view != "found" else numbers[::-1]
    assert (pages, seen) == (2, wanted)


def test_who_looks_at_a_case_that_was_returned_sees_that_and_why(olivia: User, ben: User) -> None:
    samir, carla = person("samir", SENIOR), person("carla", SENIOR)
    one = approve(case(risk="HIGH", now=OCTOBER, evidence={}), olivia, now=OCTOBER)
    why = "The register of companies was not asked."
    back = review.return_decision(case=one, by=samir, note=why, now=OCTOBER)
    confirm(approve(back, olivia, now=OCTOBER), carla, now=OCTOBER)
    samples.sample_month(month="2026-10", now=NOON)
    sample, desk = Sample.objects.get(), at_desk(ben)
    address = f"{PAGE}{sample.pk}/"
    assert why not in check_page(desk.get(address))
    desk.post(f"{address}judge/", OWN)
    html = check_page(desk.get(address))
    assert why in html and "Returned by the second officer</strong> by samir" in html
    assert html.count("First decision: approved") == 2 and "Decided: approved" in html
