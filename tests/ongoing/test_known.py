"""What officers know of a pair, as a change of the list meets it."""

from datetime import date
from typing import Any

import pytest

from apps.ongoing.picture import listed_labels
from apps.ongoing.rules import RULINGS, Pair, rule
from apps.review import actions
from apps.review.actions import known_steps
from apps.review.actions.knowing import Proposed
from apps.review.models import Case, KnownFalsePositive
from tests.review.people import OFFICER, SENIOR, person

pytestmark = pytest.mark.django_db
NOTE = "Only the name agrees, because the places and the trade are others."


@pytest.mark.parametrize(
    ("pair", "code", "opens"),
    [
        (Pair(44, None), "clear", False),
        (Pair(45, None), "added", True),
        (Pair(45, 44), "risen", True),
        (Pair(69, 45), "same", False),
        (Pair(70, 69), "risen", True),
        (Pair(100, 70), "same", False),
        (Pair(69, None, known=True), "known", False),
        (Pair(70, None, known=True), "added", True),
        (Pair(60, 60, woken=True), "woken", True),
        (Pair(60, 60, woken=True, standing=True), "standing", False),
        (Pair(100, None, standing=True), "standing", False),
        (Pair(59, None, holder=True), "clear", False),
        (Pair(60, None, holder=True), "added", True),
        (Pair(60, 59, holder=True), "risen", True),
        (Pair(100, 60, holder=True), "same", False),
        (Pair(69, None, holder=True, known=True), "known", False),
        (Pair(70, None, holder=True, known=True), "added", True),
    ],
)
def test_what_is_news_of_a_pair(pair: Pair, code: str, opens: bool) -> None:
    assert (rule(pair).code, rule(pair).opens) == (code, opens)


def test_every_ruling_is_reached_above() -> None:
    codes = {"clear", "added", "risen", "same", "known", "woken", "standing"}
    assert {one.code for one in RULINGS} == codes


NAME = "Baltazar Quillfeather"


def known_to_be_none(case: Case, first: Any, second: Any, noon: Any) -> KnownFalsePositive:
    """Decide a case so that its match is known to be false, and confirm that as another officer."""
    proposed = Proposed((listed_labels(case.evidence)[0].key,), date(2027, 11, 1))
    told = {"outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE, "now": noon}
    case = actions.decide(case=case, by=first, known=proposed, **told)
    if case.needs_second:
        del told["outcome"]
        actions.confirm(case=case, by=second, **told)
    known = KnownFalsePositive.objects.get()
    known_steps.approve(known=known, by=second, note=NOTE, now=noon)
    return known


@pytest.mark.parametrize(
    ("country", "opened", "why"), [("DE", 1, "woken"), ("FR", 0, "")], ids=["changed", "as it was"]
)
def test_a_known_false_positive_that_the_change_wakes_is_news_though_no_graver(
    goes_live: Any, met: Any, rescreened: Any, house: Any, noon: Any,
    country: str, opened: int, why: str,
) -> None:  # fmt: skip
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    met(NAME)
    goes_live({"2": {"name": NAME, "country": "FR"}})
    rescreened()
    known_to_be_none(Case.objects.get(), first, second, noon)
    goes_live({"2": {"name": NAME, "country": country}, "3": "Nobody At All"})
    assert rescreened().opened == opened
    changes = Case.objects.latest("pk").evidence["changes"]
    assert changes[0]["why"] == (why or "added")
