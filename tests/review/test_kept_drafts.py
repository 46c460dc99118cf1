"""What an officer sent comes back with the refusal, under the form that it was typed into."""

import re

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page

pytestmark = pytest.mark.django_db
TEXT = "A senior should look at the passport."


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.backoffice.review.admin.cases.now", lambda: NOON)


def boxes(html: str) -> dict[str, tuple[bool, str]]:
    """Return the boxes of a page by name: whether each is shown, and its text."""
    matches = re.findall(
        r'data-kept="\d+-(\w+)"( hidden)?>\s*<label>[^<]*<textarea rows="5" readonly>([^<]*)<', html
    )
    return {name: (not hidden, text) for name, hidden, text in matches}


@pytest.mark.parametrize(
    ("step", "given", "name"),
    [
        ("decide", {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY"}, "decision"),
        ("escalate", {}, "escalate"),
        ("snooze", {"until": "2026-11-23"}, "snooze"),
    ],
)
def test_where_a_colleague_decided_meanwhile_the_text_is_given_back(
    olivia: User, ben: User, step: str, given: dict[str, str], name: str
) -> None:
    new_case = case()
    approve(new_case, ben)
    answer = at_desk(olivia).post(
        f"/admin/review/case/{new_case.pk}/{step}/", given | {"note": TEXT}
    )
    found = boxes(check_page(answer, 409))
    assert found.pop(name) == (True, TEXT)
    assert found and set(found.values()) == {(False, "")}


def test_where_the_form_still_stands_there_is_no_box_and_the_form_has_the_text(
    olivia: User,
) -> None:
    new_case = case()
    html = check_page(
        at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/escalate/", {"note": "no"}), 400
    )
    assert set(boxes(html)) == {"merge"} and html.count(">no</textarea>") == 1


def test_of_a_case_that_went_to_the_seniors_the_second_question_is_given_back(
    olivia: User, ben: User
) -> None:
    new_case = case()
    services.escalate_case(case=new_case, by=ben, note=NOTE, now=NOON)
    answer = at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/escalate/", {"note": TEXT})
    assert boxes(check_page(answer, 400))["escalate"] == (True, TEXT)


def test_what_was_found_suspicious_is_given_back_to_who_may_not_refer(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_case = case()
    sample_case_type.use(monkeypatch, decides="review.assign_case")
    answer = at_desk(olivia).post(f"/admin/review/case/{new_case.pk}/refer/", {"note": TEXT})
    found = boxes(check_page(answer, 403))
    assert found["refer"] == (True, TEXT) and found["decision"] == (False, "")


def test_a_first_decision_that_was_returned_meanwhile_gives_the_note_to_the_new_form(
    olivia: User, samir: User, sofia: User
) -> None:
    one = approve(case(risk="HIGH"), olivia)
    back = services.return_decision(case=one, by=samir, note=NOTE, now=NOON)
    given = {"proposed": "APPROVE", "reason": "NAME_ONLY", "note": TEXT}
    html = check_page(at_desk(sofia).post(f"/admin/review/case/{back.pk}/confirm/", given), 409)
    assert Case.objects.get(pk=one.pk).status == "OPEN"
    assert "decision" not in boxes(html) and html.count(f">{TEXT}</textarea>") == 1
