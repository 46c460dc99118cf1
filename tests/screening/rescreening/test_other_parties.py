"""Two parties of one name: what officers know, or look at, of one says nothing of the other."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import get_party_details
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.models.rescreens import Rescreen
from apps.compliance.screening.rescreening import due_runs
from apps.compliance.screening.rescreening.evidence_view import build_evidence_view
from apps.reference.watchlists.models import Source
from tests.review.people import OFFICER, SENIOR, person

pytestmark = pytest.mark.django_db
NAME, LISTED = "B Quillfeather", "Baltazar Quillfeather"
NOTE = "Only the name agrees, because the places and the trade are others."
Again = Callable[[], Rescreen]


@pytest.fixture
def again(house: Source, rescreened: Any, noon: Any) -> Again:
    """Hold all parties against the whole list once more, as after an upgrade."""

    def run() -> Rescreen:
        due_runs.plan_run(source=house, begins=0, now=noon)
        done = rescreened()
        assert isinstance(done, Rescreen)
        return done

    return run


def find_another(case: Case, noon: Any) -> KnownFalsePositive:
    """Find, as two officers, that the party of a case is another than the listed one."""
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    key = label_listed_parties(case.evidence)[0].key
    proposed = KnownProposal(
        (key,), date(2027, 11, 1), get_party_details(build_evidence_view(case.evidence))
    )
    said = {"reason_code": "NAME_ONLY", "note": NOTE, "now": noon}
    case = services.decide_case(case=case, by=first, outcome="APPROVE", known=proposed, **said)
    if case.needs_second:
        services.confirm_decision(case=case, by=second, **said)
    known_false_positive_decisions.approve_known(
        known=KnownFalsePositive.objects.get(), by=second, note=NOTE, now=noon
    )
    return KnownFalsePositive.objects.get()


@pytest.fixture
def known(goes_live: Any, met: Any, rescreened: Any, noon: Any) -> KnownFalsePositive:
    """A party whose partial match two officers found to be none."""
    met(NAME, birth_date="1980-05-01", address="Hauptstrasse 1, Bern")
    goes_live({"1": LISTED, "9": "Zebulon Tarkwhistle"})
    rescreened()
    case = Case.objects.get()
    assert 45 <= case.risk_score < 70
    return find_another(case, noon)


def test_a_known_false_positive_holds_for_its_own_party(
    known: KnownFalsePositive, again: Again
) -> None:
    run = again()
    assert (run.opened, run.skipped) == (0, {"known": 2})  # also in the late look


@pytest.mark.parametrize(
    "other",
    [
        {"birth_date": "1961-05-01", "address": "Hauptstrasse 1, Bern"},
        {"birth_date": "1980-05-01"},
        {"birth_date": "1980-05-01", "address": "Hauptstrasse 1, Bern", "wallet": "0xabc"},
        {},
    ],
    ids=["another birth date", "less", "more", "nothing"],
)
def test_a_known_false_positive_says_nothing_of_a_namesake(
    known: KnownFalsePositive, met: Any, again: Again, other: dict[str, str]
) -> None:
    met(NAME, **other)
    assert again().opened == 1
    assert Case.objects.latest("pk").evidence["party"].get("birthDate", "") == other.get(
        "birth_date", ""
    )


@pytest.mark.parametrize(
    ("other", "cases"),
    [
        ({"birth_date": "1980-05-01"}, 1),
        ({"birth_date": "1961-05-01"}, 2),
        ({}, 2),
        ({"birth_date": "1980-05-01", "lei": "529900T8BM49AURSDO55"}, 2),
    ],
    ids=["the same party registered", "another birth date", "less", "more"],
)
def test_an_open_case_stands_for_its_own_party_alone(
    goes_live: Any, met: Any, rescreened: Any, again: Again, other: dict[str, str], cases: int
) -> None:
    met(LISTED, birth_date="1980-05-01")
    goes_live({"1": LISTED, "9": "Zebulon Tarkwhistle"})
    rescreened()
    met(LISTED, kind="registered", reference="registration:7", **other)
    again()
    assert Case.objects.count() == cases
