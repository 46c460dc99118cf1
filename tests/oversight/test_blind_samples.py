"""A sampled case is judged by its evidence, before anybody tells how it was decided."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.backoffice.oversight import exports
from apps.backoffice.oversight.models import Sample, SecondLook
from apps.backoffice.oversight.selectors.blind_look_exposure import find_first_exposure
from apps.backoffice.oversight.services import reads, samples, second_looks
from apps.backoffice.oversight.services.second_looks import AlreadyReviewed, InvalidSecondLook
from apps.platform.desk.export_registry import ExportRequest
from tests.oversight.test_samples import OCTOBER, OWN, PAGE, judged
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    person,
)

pytestmark = pytest.mark.django_db
SECRET = "Seen the passport, and rejoiced."
CASES = "/admin/review/case/"


@pytest.fixture
def sample(olivia: User) -> Sample:
    """Make a case that olivia approved for the name alone, and that was sampled."""
    approve(case(now=OCTOBER), olivia, now=OCTOBER, note=SECRET)
    samples.sample_month(month="2026-10", now=NOON)
    return Sample.objects.get()


def page(sample: Sample, user: User) -> str:
    return check_page(at_desk(user).get(f"{PAGE}{sample.pk}/"))


def test_who_samples_sees_the_evidence_and_nothing_of_the_decision(
    sample: Sample, ben: User
) -> None:
    html = page(sample, ben)
    for shown in ("resembles a listed one", "HADAD, Chen Ali", "REF-1", "Record verdict"):
        assert shown in html, shown
    for hidden in (
        "olivia",
        SECRET,
        "How the case was decided",
        "Approved",
        f"{CASES}{sample.case_id}/",
    ):
        assert hidden not in html, hidden
    assert "Record second look" not in html


def test_neither_does_the_list_tell_it(sample: Sample, ben: User) -> None:
    for view in ("mine", "waiting"):
        html = check_page(at_desk(ben).get(f"{PAGE}?view={view}"))
        assert "Chen Haddad" in html and "olivia" not in html and "Approved" not in html


def test_the_decision_is_told_once_an_own_verdict_is_recorded(sample: Sample, ben: User) -> None:
    desk = at_desk(ben)
    given = {"outcome": "REJECT", "reason_REJECT": "OTHER", "note": "Too little is known of it."}
    assert desk.post(f"{PAGE}{sample.pk}/judge/", given).status_code == 302
    html = check_page(desk.get(f"{PAGE}{sample.pk}/"))
    for shown in (SECRET, "by olivia", "Record second look", f'"{CASES}{sample.case_id}/"'):
        assert shown in html, shown
    assert "Too little is known of it." in html and "own verdict: another outcome" in html
    second_look = SecondLook.objects.get()
    assert (second_look.verdict, second_look.by, second_look.data["outcome"]) == (
        "BLIND",
        ben,
        "REJECT",
    )
    assert "opened" not in second_look.data


def test_a_verdict_is_told_to_its_officer_alone_while_the_look_is_not_taken(
    sample: Sample, ben: User, olivia: User
) -> None:
    judged(sample, ben, note="What I think of it myself.")
    carla = person("carla", SENIOR)
    for other in (carla, olivia):
        assert "What I think of it myself." not in page(sample, other)
    assert "olivia" not in page(sample, carla)
    second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    assert "What I think of it myself." in page(sample, olivia)


def test_nobody_agrees_before_they_judged(sample: Sample, ben: User) -> None:
    with pytest.raises(InvalidSecondLook, match="Say first"):
        second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    answer = at_desk(ben).post(f"{PAGE}{sample.pk}/look/", {"verdict": "AGREE", "note": NOTE})
    html = check_page(answer, 400)
    assert "Say first how you would decide" in html and "olivia" not in html


@pytest.mark.parametrize(
    "given",
    [{"outcome": ""}, {"outcome": "MAYBE"}, {"reason_APPROVE": "LISTED_PARTY"},
     {"reason_APPROVE": ""}, {"note": "short"}],
)  # fmt: skip
def test_a_verdict_that_is_not_whole_is_refused_and_tells_nothing(
    sample: Sample, ben: User, given: dict[str, str]
) -> None:
    html = check_page(at_desk(ben).post(f"{PAGE}{sample.pk}/judge/", OWN | given), 400)
    assert "olivia" not in html and not SecondLook.objects.exists()


def test_an_own_verdict_is_given_once(sample: Sample, ben: User) -> None:
    judged(sample, ben)
    with pytest.raises(AlreadyReviewed):
        judged(sample, ben, outcome="REJECT", reason_code="OTHER")
    columns: dict[str, Any] = {"sample": sample, "by": ben, "verdict": "BLIND"}
    with pytest.raises(IntegrityError), transaction.atomic():
        SecondLook.write(payload={}, now=NOON, **columns)


def test_nobody_judges_blind_what_a_colleague_looked_at(sample: Sample, ben: User) -> None:
    judged(sample, ben)
    second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    with pytest.raises(AlreadyReviewed):
        judged(Sample.objects.get(), person("cara", OFFICER))
    assert list(SecondLook.objects.values_list("by__username", flat=True)) == ["ben", "ben"]


def test_whoever_opened_the_case_before_judging_has_it_on_record(sample: Sample, ben: User) -> None:
    at_desk(ben).get(f"{CASES}{sample.case_id}/")
    judged(sample, ben)
    assert SecondLook.objects.get().data["opened"]
    assert "Saw the decision before judging" in page(sample, ben)


def test_a_read_before_the_case_was_decided_tells_no_decision(sample: Sample, ben: User) -> None:
    early = OCTOBER - timedelta(hours=1)
    reads.record_read(by=ben, what="review.case", ref=str(sample.case_id), now=early)
    judged(sample, ben)
    assert "Saw the decision before judging" not in page(sample, ben)


@pytest.mark.parametrize(
    ("outcome", "reason", "alike"),
    [("APPROVE", "NAME_ONLY", "SAME"), ("APPROVE", "OTHER", "REASON"),
     ("REJECT", "LISTED_PARTY", "OUTCOME")],
)  # fmt: skip
def test_how_the_verdict_lies_beside_the_decision_is_derived(
    sample: Sample, ben: User, outcome: str, reason: str, alike: str
) -> None:
    judged(sample, ben, outcome=outcome, reason_code=reason)
    second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    sample.refresh_from_db()
    assert sample.agreement == alike


def test_an_examiner_who_takes_no_looks_sees_the_decision(sample: Sample) -> None:
    html = page(sample, person("edgar", "Examiner"))
    assert SECRET in html and "Record verdict" not in html


TELLING = (SECRET, "olivia", "Approved", "badge approve")


def found_by(user: User, one: int) -> list[str]:
    """Return every page on which a case is told without being opened."""
    desk = at_desk(user)
    given = {"HTTP_X_PREVIEW": "1"}
    return [
        check_page(desk.get(f"{CASES}?view=all&q=Haddad")),
        check_page(desk.get(f"{CASES}?view=decided")),
        check_page(desk.get("/admin/search/?q=Haddad")),
        desk.get(f"{CASES}{one}/preview/", **given).content.decode(),
    ]


def test_no_list_tells_who_may_sample_a_case_how_it_was_decided(sample: Sample, ben: User) -> None:
    for html in found_by(ben, sample.case_id):
        assert "in quality sample" in html.lower()
        assert not [word for word in TELLING if word in html]
    judged(sample, ben)
    assert "opened" not in SecondLook.objects.get().data, "nothing was told, so nothing was seen"


@pytest.mark.parametrize("who", ["decider", "judged", "looked", "examiner"])
def test_it_is_told_to_who_decided_or_judged_and_to_who_takes_no_looks(
    sample: Sample, ben: User, olivia: User, who: str
) -> None:
    reader = {"decider": olivia, "judged": ben, "looked": person("carla", SENIOR)}.get(who)
    if who in ("judged", "looked"):
        judged(sample, ben)
    if who == "looked":
        second_looks.record_second_look(sample=sample, by=ben, verdict="AGREE", note=NOTE, now=NOON)
    for html in found_by(reader or person("edgar", "Examiner"), sample.case_id):
        assert "in quality sample" not in html.lower() and "approved" in html.lower()


def test_a_preview_before_the_case_was_sampled_told_the_decision(sample: Sample, ben: User) -> None:
    address = f"{CASES}{sample.case_id}/preview/"
    given = {"what": "review.case", "ref": str(sample.case_id), "address": address}
    reads.record_read(by=ben, now=NOON - timedelta(days=2), **given)
    judged(sample, ben)
    assert SecondLook.objects.get().data["opened"]


def test_another_case_of_the_party_tells_earlier_outcomes(sample: Sample, ben: User) -> None:
    other = case("2", party="Somebody Else")
    at_desk(ben).get(f"{CASES}{other.pk}/")
    assert find_first_exposure(sample, ben) is None
    at_desk(ben).get(f"{CASES}{case('3').pk}/")
    assert find_first_exposure(sample, ben)


@pytest.mark.parametrize(
    ("what", "day", "tells"),
    [("cases", 5, True), ("decisions", 5, True), ("reads", 5, False), ("decisions", 8, False)],
)
def test_an_export_of_its_time_tells_the_decision(
    sample: Sample, ben: User, what: str, day: int, tells: bool
) -> None:
    since = OCTOBER.replace(day=day, hour=0)
    export_request = ExportRequest(what=what, since=since, until=since + timedelta(days=1))
    b"".join(exports.start_export(asked=export_request, by=ben, now=NOON))
    assert (find_first_exposure(sample, ben) is not None) is tells


def test_what_a_sampler_types_waits_in_the_browser_until_it_is_stored(
    sample: Sample, ben: User
) -> None:
    desk = at_desk(ben)
    for step, given in (("judge", OWN), ("look", {"verdict": "AGREE", "note": NOTE})):
        assert f'data-draft="sample-{sample.pk}-{step}"' in page(sample, ben)
        html = check_page(desk.post(f"{PAGE}{sample.pk}/{step}/", given, follow=True))
        assert f"stored-sample-{sample.pk}-{step}" in html


@pytest.mark.parametrize(("verdict", "told"), [("DISAGREE", True), ("AGREE", False)])
def test_who_disagrees_is_told_what_to_do(
    sample: Sample, ben: User, verdict: str, told: bool
) -> None:
    judged(sample, ben)
    second_looks.record_second_look(sample=sample, by=ben, verdict=verdict, note=NOTE, now=NOON)
    html = page(sample, ben)
    link = f'<a href="{CASES}{sample.case_id}/">refer case {sample.case_id}</a>'
    assert (link in html) is told and ("ask the client for a new screen" in html) is told
    case_page = check_page(at_desk(ben).get(f"{CASES}{sample.case_id}/"))
    assert f'action="{CASES}{sample.case_id}/refer/"' in case_page
