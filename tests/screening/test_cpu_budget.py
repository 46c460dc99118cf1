"""A screen that takes too long is answered, flagged, and says that it was not checked."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.reference.names import cpu_budget
from apps.reference.watchlists import indexes
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET, screen_cpu_budget
from apps.reference.watchlists.live_list_sets import load_current_set
from tests.screening.conftest import CLEAN

LISTED_WALLET = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"


@pytest.fixture
def no_time(settings: Any) -> None:
    """A budget that is used up before anything is compared."""
    settings.SCREEN_CPU_MILLISECONDS = 0


@pytest.fixture
def some_time(monkeypatch: Any, settings: Any) -> Iterator[Any]:
    """A clock that goes on by a millisecond at each look: `some_time(30)` looks are within."""
    looks = [0]

    def clock() -> float:
        looks[0] += 1
        return looks[0] / 1000

    monkeypatch.setattr(cpu_budget.time, "thread_time", clock)

    def give(milliseconds: int) -> None:
        settings.SCREEN_CPU_MILLISECONDS = milliseconds

    yield give


def test_a_quarter_of_the_budget_is_left_for_evidence(monkeypatch: Any, settings: Any) -> None:
    settings.SCREEN_CPU_MILLISECONDS = 1000
    spent = iter([0.0, 0.74, 0.76])
    monkeypatch.setattr(cpu_budget.time, "thread_time", lambda: next(spent))
    with screen_cpu_budget():
        cpu_budget.check_cpu_budget()
        with pytest.raises(cpu_budget.CpuBudgetExceeded):
            cpu_budget.check_cpu_budget()


def test_a_screen_without_time_is_flagged_and_waits_for_an_officer(
    screen: Any, no_time: None
) -> None:
    found = screen()
    assert (found["decision"], found["rules"]) == ("FLAGGED", ["name.not_checked"])
    assert found["ruleReferences"] == ["D §4 fail closed, name"]
    assert found["reasons"] == [f"Name not fully checked: {OVER_BUDGET}"]
    case = Case.objects.get()
    assert case.rules[0]["code"] == "name.not_checked"


def test_in_time_the_same_is_approved(screen: Any) -> None:
    assert screen()["decision"] == "APPROVED"


def test_what_was_found_in_time_still_blocks(screen: Any, some_time: Any) -> None:
    some_time(400)
    assert screen(name="Lazarus Group", aliases=[CLEAN])["decision"] == "BLOCKED"
    for milliseconds in range(10, 200, 10):
        some_time(milliseconds)
        found = screen(name="Lazarus Group", aliases=[f"{CLEAN} {index}" for index in range(9)])
        if found["decision"] == "BLOCKED" and "name.not_checked" in found["rules"]:
            break
    else:
        pytest.fail("no budget ended between the first name and the last")


def test_a_listed_wallet_blocks_though_no_name_can_be_compared(screen: Any, no_time: None) -> None:
    found = screen(walletAddress=LISTED_WALLET)
    assert found["decision"] == "BLOCKED" and "name.not_checked" in found["rules"]


def test_office_holders_that_could_not_be_looked_for_flag(screen: Any, some_time: Any) -> None:
    for milliseconds in range(1, 100):
        some_time(milliseconds)
        found = screen(name=f"{CLEAN} {milliseconds}", individual=True)
        assert (found["decision"] == "APPROVED") is ("name.not_checked" not in found["rules"])
        if found["decision"] == "APPROVED":
            return
    pytest.fail("no budget was enough")


def test_a_replay_knows_that_there_was_no_time(screen: Any, settings: Any) -> None:
    settings.SCREEN_CPU_MILLISECONDS = 0
    screen()
    settings.SCREEN_CPU_MILLISECONDS = 1000
    assert replay_screen(record=Screen.objects.get()).agrees


def test_a_pep_report_says_that_it_was_not_checked(alice: Any, no_time: None) -> None:
    body = {"name": "Philippa Quenneville-Thackeray"}
    report = alice.post("/compliance/compliance/pep-screen", body, format="json").json()
    assert report["fatfR12"]["checked"] is False
    assert report["fatfR12"]["unread"] == [OVER_BUDGET]


def test_rows_of_a_file_are_not_screened(sample: None, tmp_path: Path, no_time: None) -> None:
    indexes.build_set_index(load_current_set())
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("name,schema\nBlue Heron Limited,Organization\n")
    call_command("screen_names", str(source), str(target))
    (row,) = csv.DictReader(target.read_text().splitlines())
    assert (row["status"], row["reason"]) == ("not_screened", OVER_BUDGET)
