"""An approval answers each rule that brought a case here, not the gravest alone."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.case_types import RuleLabel
from apps.backoffice.review.models import Case
from apps.backoffice.review.unanswered_rules import find_unanswered_rules
from apps.compliance.screening.case_types.screens import SCREEN
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page, confirm

pytestmark = pytest.mark.django_db
INFORMS = "informs-alone"
REASONS = [
    {"ref": sample_case_type.COUNTRY, "sentence": "The country is on the grey list."},
    {"ref": sample_case_type.RESEMBLES, "sentence": "The name resembles a listed one."},
    {"ref": INFORMS, "sentence": "For information."},
]
GREY = {sample_case_type.COUNTRY: "The country is on the grey list."}


@pytest.fixture(autouse=True)
def _levels(monkeypatch: pytest.MonkeyPatch) -> None:
    sample_case_type.use(
        monkeypatch,
        gravity=(frozenset({sample_case_type.RESEMBLES}), frozenset({sample_case_type.COUNTRY})),
        rules={INFORMS: RuleLabel("For information", informs=True)},
    )


def send(one: Case, by: User, also: Sequence[str] = ()) -> Any:
    values = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE, "also": also}
    return at_desk(by).post(f"/admin/review/case/{one.pk}/decide/", values)


@pytest.mark.parametrize(
    ("outcome", "code", "left"),
    [
        ("APPROVE", "NAME_ONLY", GREY),
        ("APPROVE", "OTHER", GREY),
        ("REJECT", "LISTED_PARTY", {}),
    ],
)
def test_an_approval_leaves_open_what_its_reason_does_not_answer(
    outcome: str, code: str, left: dict[str, str]
) -> None:
    assert find_unanswered_rules([case(reasons=REASONS)], outcome=outcome, code=code) == left


def test_what_one_reason_answers_is_not_asked_again() -> None:
    partial, political = "1 §2.7 rule 3 partial", "1 §2.7 rule 4"
    large = "1 §2.7 rule 2 large"
    assert SCREEN.left_open(code="NAME_ONLY", refs=[partial, political]) == frozenset()
    assert SCREEN.left_open(code="NAME_ONLY", refs=[partial, large]) == {large}
    assert SCREEN.left_open(code="OTHER", refs=[partial, large]) == {large}
    assert SCREEN.left_open(code="CHECK_COMPLETED", refs=[large]) == frozenset()


def test_what_is_left_open_is_ticked_and_goes_on_record(olivia: User) -> None:
    new_case = case(reasons=REASONS)
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{new_case.pk}/"))
    assert f'name="also" value="{sample_case_type.COUNTRY}"' in html
    assert f'value="{INFORMS}"' not in html
    assert "grey list. Answered by: …" in html
    refused = send(new_case, olivia)
    assert refused.status_code == 400 and "Address this in the note too" in refused.content.decode()
    send(new_case, olivia, [sample_case_type.COUNTRY])
    event = new_case.events.get(action="DECIDED")
    assert event.data["also"] == [
        {"ref": sample_case_type.COUNTRY, "sentence": GREY[sample_case_type.COUNTRY]}
    ]
    page = check_page(at_desk(olivia).get(f"/admin/review/case/{new_case.pk}/"))
    assert "Also answered: The country is on the grey list." in page


def test_the_second_officer_sees_and_confirms_what_was_answered_too(
    olivia: User, samir: User
) -> None:
    one = approve(case(reasons=REASONS, risk="HIGH"), olivia, also=[sample_case_type.COUNTRY])
    html = check_page(at_desk(samir).get(f"/admin/review/case/{one.pk}/"))
    assert "Also answered: The country" in html.split('class="proposal"')[1].split("</p>")[0]
    assert confirm(one, samir).events.get(action="DECIDED").data["also"]


def test_a_case_of_one_level_asks_for_nothing_more(olivia: User) -> None:
    new_case = case()
    assert 'name="also"' not in check_page(
        at_desk(olivia).get(f"/admin/review/case/{new_case.pk}/")
    )
    send(new_case, olivia)
    assert "also" not in new_case.events.get(action="DECIDED").data


def test_cases_that_are_cleared_together_answer_the_rest_too(olivia: User) -> None:
    cases = [case("1", reasons=REASONS), case("2", reasons=REASONS)]
    address = f"/admin/review/case/bulk/clear/?case={cases[0].pk}&case={cases[1].pk}"
    assert f'name="also" value="{sample_case_type.COUNTRY}" required' in check_page(
        at_desk(olivia).get(address)
    )
    given: dict[str, Any] = {
        "cases": cases, "by": olivia, "reason_code": "NAME_ONLY", "note": NOTE, "now": NOON,
    }  # fmt: skip
    with pytest.raises(services.InvalidDecision, match="Address this in the note too"):
        services.propose_bulk_clear(**given, also=[])
    services.propose_bulk_clear(**given, also=[sample_case_type.COUNTRY])
    assert Case.objects.filter(status="AWAITING_SECOND").count() == 2
