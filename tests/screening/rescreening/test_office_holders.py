"""A change of a list of office holders, held against the parties whose check asked for them."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.evidence_view import sanctions_lists
from apps.compliance.screening import tasks as work
from apps.compliance.screening.case_types.rescreens import RESCREEN
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening import due_runs, party_index, runner
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Party, Source, SourceKind, SourceTopic
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
NAME, OTHER = "Baltazar Quillfeather", "Ivan Petrovich Gromyko"
NEAR = "Baltasar Quilfeathers"
Load = Callable[..., None]


@pytest.fixture
def offices(db: Any) -> Source:
    """An in-house list of office holders, with nothing loaded."""
    return Source.objects.create(
        slug="offices",
        title="Offices",
        topic=SourceTopic.PEP,
        kind=SourceKind.IN_HOUSE,
        format="csv",
        minimum_percent=0,
    )


@pytest.fixture
def change(goes_live: Load, offices: Source) -> Load:
    """Load the list of office holders; beside it stands one of sanctioned parties."""
    goes_live({"9": "Zebulon Tarkwhistle"})

    def load(parties: Any) -> None:
        goes_live(parties, source=offices)

    return load


def held(source: Source, noon: Any) -> Rescreen:
    """Hold known parties against what changed of a list, to the end of the late look."""
    for _ in range(2):
        run = due_runs.find_unfinished_run(source) or work._find_or_plan_run(source.slug, noon)
        assert run
        on = runner.prepare_run_context(
            engine=engine.load_current_engine(noon, need=()),
            now=noon,
            progress=lambda parties: None,
        )
        run = runner.continue_run(run=run, on=on, now=noon)
    assert run.stage == Stage.DONE
    return run


def test_a_new_office_holder_opens_a_case_of_whom_was_checked_for_them_alone(
    change: Load, met: Any, offices: Source, noon: Any
) -> None:
    met(NAME, owner="account:1", pep=True)
    met(NAME, owner="account:2")
    met(OTHER, owner="account:1", pep=True)
    change({"1": NAME})
    run = held(offices, noon)
    case = Case.objects.get()
    assert (case.kind, case.party, case.owner, case.risk, case.risk_score) == (
        "rescreen", NAME, "account:1", "MEDIUM", 80)  # fmt: skip
    assert [rule["code"] for rule in case.rules] == ["rescreen.holder"]
    assert "100 %: Baltazar Quillfeather (offices). The entry is new." in case.rules[0]["sentence"]
    assert not case.evidence["sanctions"] and case.evidence["pep"][0]["score"] == 100
    assert [listed_party.key for listed_party in label_listed_parties(case.evidence)] == [
        "offices:offices:1"
    ]
    assert sanctions_lists(case.evidence) == set()
    assert run.opened == 1 and not SarEntry.objects.exists()


def test_what_was_known_before_is_no_news_and_a_closer_name_is(
    change: Load, met: Any, offices: Source, noon: Any
) -> None:
    change({"1": NAME})
    held(offices, noon)
    met(NAME, pep=True)  # its own check had the entry
    change({"1": {"name": NAME, "country": "NO"}})
    run = held(offices, noon)
    assert (run.opened, run.skipped["same"]) == (0, 2) and not Case.objects.exists()
    change({"1": {"name": OTHER, "country": "NO"}})
    held(offices, noon)
    change({"1": NAME})
    assert held(offices, noon).opened == 1
    assert Case.objects.get().evidence["changes"][0]["why"] == "risen"


def test_an_office_holder_counts_from_sixty_percent_and_not_from_forty_five(
    change: Load, met: Any, offices: Source, house: Source, goes_live: Load, noon: Any
) -> None:
    faint = "B Quillfeather"
    met(faint, pep=True)
    change({"1": NAME})
    assert held(offices, noon).opened == 0
    goes_live({"9": "Zebulon Tarkwhistle", "10": NAME})
    held(house, noon)
    case = Case.objects.get()
    assert 45 <= case.risk_score < 60 and case.rules[0]["code"] == "rescreen.partial"


def test_the_same_name_on_a_list_of_each_kind_is_a_case_of_each(
    goes_live: Load, met: Any, house: Source, offices: Source, noon: Any
) -> None:
    met(NAME, pep=True)
    goes_live({"9": "Zebulon Tarkwhistle", "1": NAME})
    goes_live({"1": NAME}, source=offices)
    held(house, noon)
    held(offices, noon)
    assert [c.rules[0]["code"] for c in Case.objects.order_by("pk")] == [
        "rescreen.match",
        "rescreen.holder",
    ]


def test_where_nobody_was_checked_for_them_a_whole_list_is_held_against_nobody(
    change: Load, met: Any, offices: Source, noon: Any
) -> None:
    met(NAME)
    change({"1": NAME})
    run = held(offices, noon)
    assert (run.entries, run.candidates, run.verified, run.opened) == (1, 0, 0, 0)


def test_many_parties_are_found_by_the_index(
    change: Load, met: Any, offices: Source, noon: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(runner, "FEW", 1)
    met(NEAR, "Maria Schmidt", "Hans Gruber", pep=True)
    met(NAME)
    Party.objects.update(first_seen="2020-01-01T00:00:00Z")
    change({"1": NAME})
    run = held(offices, noon)
    assert party_index.newest_index_path() is not None
    assert (run.candidates, run.verified) == (2, 2)
    assert Case.objects.get().party == NEAR


def test_an_officer_accepts_a_relationship_with_an_office_holder(
    change: Load, met: Any, offices: Source, noon: Any
) -> None:
    met(NAME, pep=True)
    change({"1": NAME})
    held(offices, noon)
    case, olivia = Case.objects.get(), person("olivia", OFFICER)
    codes = {
        outcome: [
            reason.code
            for reason in RESCREEN.offered(outcome=outcome, refs=[r["ref"] for r in case.rules])
        ]
        for outcome in ("APPROVE", "REJECT")
    }
    assert codes == {
        "APPROVE": ["DIFFERENT_PARTY", "NAME_ONLY", "PEP_ACCEPTED", "OTHER"],
        "REJECT": ["PEP_DECLINED", "NOT_IDENTIFIED", "OTHER"],
    }
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{case.pk}/"))
    assert "Politically exposed" in html and "What changed" in html
    case = services.decide_case(
        case=case, by=olivia, outcome="APPROVE", reason_code="PEP_ACCEPTED",
        note="The source of funds was shown by contracts.", now=noon,
    )  # fmt: skip
    assert case.outcome == "APPROVE" and not SarEntry.objects.exists()


def test_one_change_of_a_list_of_both_kinds_is_one_case_with_both_reasons(
    goes_live: Load, met: Any, house: Source, noon: Any
) -> None:
    met(NAME, pep=True)
    Source.objects.filter(pk=house.pk).update(topic=SourceTopic.MIXED)
    both = {str(n): {"name": NAME, "topic": what} for n, what in enumerate(("sanction", "pep"))}
    goes_live(both)
    run = held(house, noon)
    case = Case.objects.get()
    assert [rule["code"] for rule in case.rules] == ["rescreen.match", "rescreen.holder"]
    assert (run.opened, case.risk, case.risk_score) == (1, "HIGH", 100)
    assert len(case.evidence["sanctions"]) == len(case.evidence["pep"]) == 1
