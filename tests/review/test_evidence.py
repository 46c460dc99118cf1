"""What the case page draws, whatever domain the evidence came from."""

import logging
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.views.case_page import get_case_permissions
from apps.backoffice.review.views.evidence import draw_case_evidence, flatten_values
from tests.review import sample_case_type
from tests.review.people import NOON, case


def crooked(evidence: dict[str, Any]) -> dict[str, Any]:
    return {"facts": evidence["what was not kept"]}


def upside(evidence: dict[str, Any]) -> dict[str, Any]:
    return {"facts": [{"label": "Score", "value": evidence["engine"]["score"]}], "more": {"a": 1}}


def test_nothing_that_was_known_is_left_out(db: Any) -> None:
    case_evidence = draw_case_evidence(case())
    assert [match["name"] for match in case_evidence["matches"]] == ["HADAD, Chen Ali"]
    assert case_evidence["rest"] == [{"label": "engine score", "value": "0.6123"}]


def test_nested_values_become_rows() -> None:
    given = {"a": {"b": [1, 2], "c": [{"d": "x"}, {"d": ""}]}, "e": None, "f": [], "g": False}
    assert list(flatten_values(given)) == [
        {"label": "a b", "value": "1, 2"},
        {"label": "a c 1 d", "value": "x"},
        {"label": "g", "value": "False"},
    ]


def test_a_domain_draws_its_own_evidence(db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sample_case_type.use(monkeypatch, picture=upside)
    case_evidence = draw_case_evidence(case())
    assert case_evidence["facts"] == [{"label": "Score", "value": "0.6123"}]
    assert (
        case_evidence["rest"] == [{"label": "more a", "value": "1"}]
        and case_evidence["matches"] == []
    )


def test_evidence_that_cannot_be_drawn_is_shown_as_it_is_stored(
    db: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sample_case_type.use(monkeypatch, picture=crooked)
    with caplog.at_level(logging.ERROR):
        case_evidence = draw_case_evidence(case())
    assert {"label": "evidence engine score", "value": "0.6123"} in case_evidence["rest"]
    assert "cannot be displayed" in caplog.text


def test_a_case_of_a_kind_that_left_is_still_shown(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_case = case()
    monkeypatch.delitem(CASE_TYPES, "screen")
    assert draw_case_evidence(new_case)["matches"] and new_case.kind_title == "screen"


def test_nobody_is_offered_to_decide_a_case_of_a_kind_that_left(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_case, root = case(), User.objects.create_superuser("root")
    monkeypatch.delitem(CASE_TYPES, "screen")
    may = get_case_permissions(case=new_case, user=root, now=NOON)
    assert not (may.decide or may.confirm or may.claim or may.route or may.aside)
