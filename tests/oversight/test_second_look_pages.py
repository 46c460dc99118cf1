"""A second look stands on the case and on its sheet once it was taken, and not before."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.oversight.models import Sample, SecondLook
from apps.backoffice.oversight.services import samples, second_looks
from apps.backoffice.review.models import Case
from tests.oversight.test_samples import OCTOBER, closed
from tests.platform.tampering import sql, without_triggers
from tests.review.people import NOON, OFFICER, approve, at_desk, case, check_page, person

pytestmark = pytest.mark.django_db
OWN = "I would have asked for the passport."
FOUND = "The birth date was not looked at."


@pytest.fixture
def sample() -> Sample:
    closed(person("olivia", OFFICER), 1)
    samples.sample_month(month="2026-10", now=NOON)
    return Sample.objects.get()


def judge(sample: Sample, by: User, outcome: str = "REJECT", code: str = "OTHER") -> None:
    second_looks.record_blind_verdict(
        sample=sample, by=by, outcome=outcome, reason_code=code, note=OWN, now=NOON
    )


def take(sample: Sample, by: User, verdict: str = "DISAGREE") -> None:
    second_looks.record_second_look(sample=sample, by=by, verdict=verdict, note=FOUND, now=NOON)


def pages(desk: Client, one: Case) -> tuple[str, str]:
    """Return the page of a case, and its sheet."""
    address = f"/admin/review/case/{one.pk}/"
    return check_page(desk.get(address)), check_page(desk.get(f"{address}evidence/"))


def test_that_somebody_disagrees_stands_on_the_case_and_on_its_sheet(sample: Sample) -> None:
    ben = person("ben", OFFICER)
    judge(sample, ben)
    take(sample, ben)
    for reader in (person("edgar", "Examiner"), User.objects.get(username="olivia"), ben):
        page, sheet = pages(at_desk(reader), sample.case)
        for html in (page, sheet):
            assert OWN in html and FOUND in html and "another outcome" in html
            assert "Own verdict: reject" in html and ">Disagree</span> ben" in html
        assert "Second look disagrees" in page and f"/sample/{sample.pk}/" in page
        assert "(quality sample for 2026-10): disagrees" in sheet


def test_who_agrees_is_told_without_an_alarm(sample: Sample) -> None:
    ben = person("ben", OFFICER)
    judge(sample, ben, "APPROVE", "NAME_ONLY")
    take(sample, ben, "AGREE")
    page, sheet = pages(at_desk(person("edgar", "Examiner")), sample.case)
    assert "Second look disagrees" not in page and "it disagrees" not in sheet
    assert ">Agree</span> ben" in page and "same outcome and reason" in sheet


def test_nothing_of_it_is_told_before_the_look_is_taken(sample: Sample) -> None:
    """Who judged blind has said nothing of the decision yet; others may still judge it blind."""
    ben, carla = person("ben", OFFICER), person("carla", OFFICER)
    for reader in (ben, carla, person("edgar", "Examiner")):
        for html in pages(at_desk(reader), sample.case):
            assert "econd look" not in html
    judge(sample, ben)
    for reader in (ben, carla, person("eve", "Examiner"), User.objects.get(username="olivia")):
        for html in pages(at_desk(reader), sample.case):
            assert OWN not in html and "Own verdict" not in html and "econd look" not in html
    judge(sample, carla, "APPROVE", "NAME_ONLY")
    take(sample, ben)
    page, _ = pages(at_desk(carla), sample.case)
    assert page.count(OWN) == 2 and FOUND in page


def test_a_sampler_who_has_seen_the_case_before_is_told_to_have_done_so(sample: Sample) -> None:
    ben = person("ben", OFFICER)
    pages(at_desk(ben), sample.case)
    judge(sample, ben)
    take(sample, ben, "AGREE")
    for html in pages(at_desk(person("edgar", "Examiner")), sample.case):
        assert html.count("Saw the decision before judging") == 1


def test_who_may_read_no_samples_is_told_nothing(sample: Sample, monkeypatch: Any) -> None:
    ben, reader = person("ben", OFFICER), person("rita", "Examiner")
    judge(sample, ben)
    take(sample, ben)
    real = User.has_perm
    hidden = "oversight.view_sample"
    monkeypatch.setattr(
        User, "has_perm", lambda user, name, obj=None: name != hidden and real(user, name, obj)
    )
    for html in pages(at_desk(reader), sample.case):
        assert FOUND not in html and "econd look" not in html


def test_a_look_that_was_written_in_is_not_told(sample: Sample) -> None:
    ben = person("ben", OFFICER)
    judge(sample, ben)
    take(sample, ben, "AGREE")
    with without_triggers():
        sql(f"UPDATE {SecondLook._meta.db_table} SET verdict = 'DISAGREE' WHERE verdict = 'AGREE'")
        page, sheet = pages(at_desk(person("edgar", "Examiner")), sample.case)
        assert "Second look disagrees" not in page and FOUND not in page + sheet


def test_other_cases_show_none(sample: Sample) -> None:
    ben = person("ben", OFFICER)
    judge(sample, ben)
    take(sample, ben)
    other = approve(case("other", evidence={}, now=OCTOBER), ben, now=OCTOBER)
    for html in pages(at_desk(person("edgar", "Examiner")), other):
        assert not re.search("[Ss]econd look", html)
