"""What officers know of a pair, as a change of the list meets it."""

from datetime import date
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import get_party_details
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.rescreening.evidence_view import build_evidence_view
from apps.compliance.screening.rules.rescreening import RULINGS, MatchPair, select_ruling
from tests.review.people import OFFICER, SENIOR, person

pytestmark = pytest.mark.django_db
NOTE = "Only the name agrees, because the places and the trade are others."


@pytest.mark.parametrize(
    ("pair", "code", "opens"),
    [
        (MatchPair(44, None), "clear", False),
        (MatchPair(45, None), "added", True),
        (MatchPair(45, 44), "risen", True),
        (MatchPair(69, 45), "same", False),
        (MatchPair(70, 69), "risen", True),
        (MatchPair(100, 70), "same", False),
        (MatchPair(69, None, known=True), "known", False),
        (MatchPair(70, None, known=True), "added", True),
        (MatchPair(60, 60, woken=True), "woken", True),
        (MatchPair(60, 60, woken=True, standing=True), "standing", False),
        (MatchPair(100, None, standing=True), "standing", False),
        (MatchPair(59, None, holder=True), "clear", False),
        (MatchPair(60, None, holder=True), "added", True),
        (MatchPair(60, 59, holder=True), "risen", True),
        (MatchPair(100, 60, holder=True), "same", False),
        (MatchPair(69, None, holder=True, known=True), "known", False),
        (MatchPair(70, None, holder=True, known=True), "added", True),
    ],
)
def test_what_is_news_of_a_pair(pair: MatchPair, code: str, opens: bool) -> None:
    assert (select_ruling(pair).code, select_ruling(pair).opens) == (code, opens)


def test_every_ruling_is_reached_above() -> None:
    codes = {"clear", "added", "risen", "same", "known", "woken", "standing"}
    assert {ruling.code for ruling in RULINGS} == codes


NAME = "Baltazar Quillfeather"


def known_to_be_none(case: Case, first: Any, second: Any, noon: Any) -> KnownFalsePositive:
    """Decide a case so that its match is known to be false, and confirm that as another officer."""
    # with what the case knows of its party, as the decision box proposes it
    known_of = get_party_details(build_evidence_view(case.evidence))
    proposed = KnownProposal(
        (label_listed_parties(case.evidence)[0].key,), date(2027, 11, 1), known_of
    )
    told = {"outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE, "now": noon}
    case = services.decide_case(case=case, by=first, known=proposed, **told)
    if case.needs_second:
        del told["outcome"]
        services.confirm_decision(case=case, by=second, **told)
    known_false_positive = KnownFalsePositive.objects.get()
    known_false_positive_decisions.approve_known(
        known=known_false_positive, by=second, note=NOTE, now=noon
    )
    return known_false_positive


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


SECONDS = ("Oduya", "Brankovic", "Lindqvist", "Marchetti", "Okonkwo", "Petrosyan", "Villanueva")
# of so many of that name each is like the party in part
NAMESAKES = {
    str(n): {"name": f"Tamsin {second} Quilter", "country": "FR"}
    for n, second in enumerate(SECONDS, 1)
}


@pytest.mark.parametrize(
    ("change", "stays", "opened"),
    [
        ({}, True, 0),
        ({}, False, 0),
        ({"program": "OTHER"}, False, 0),
        ({"country": "DE"}, False, 1),
        ({"birth_date": "1971-02-03"}, False, 1),
        ({"name": "Tamsin Sandoval Quilter"}, True, 1),
    ],
    ids=["as it was", "reference", "reference and programme", "reference and country",
         "reference and birth date", "one more such entry"],
)  # fmt: skip
def test_an_entry_that_only_changes_its_reference_is_no_news(
    goes_live: Any, met: Any, rescreened: Any, noon: Any,
    change: dict[str, str], stays: bool, opened: int,
) -> None:  # fmt: skip
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    met("Tamsin Quillfeather")
    goes_live(NAMESAKES)
    rescreened()
    known_false_positive = known_to_be_none(Case.objects.get(), first, second, noon)
    reference = known_false_positive.entity.rpartition(":")[2]
    listed = {key: one for key, one in NAMESAKES.items() if stays or key != reference}
    if change or not stays:
        listed |= {"NEW": NAMESAKES[reference] | change}
    goes_live(listed | {"99": "Nobody At All"})
    assert rescreened().opened == opened
