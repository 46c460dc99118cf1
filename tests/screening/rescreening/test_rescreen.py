"""A change of a list, held against the parties that came up before it."""

import io
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening import health
from apps.compliance.screening import tasks as work
from apps.compliance.screening.models.rescreens import Rescreen, Stage
from apps.compliance.screening.rescreening import case_decisions, due_runs
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists.models import Party
from apps.reference.watchlists.services.screened_parties import forget_parties

pytestmark = pytest.mark.django_db
IVAN, NAME = "Ivan Petrovich Gromyko", "Baltazar Quillfeather"


def test_a_new_entry_opens_a_case_of_whom_it_matches_and_of_nobody_else(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    goes_live({"1": IVAN})
    rescreened()
    met(NAME, "Somebody Else Entirely")
    goes_live({"1": IVAN, "2": NAME})
    run = rescreened()
    case = Case.objects.get()
    assert (case.kind, case.party, case.owner, case.risk) == (
        "rescreen", NAME, "account:1", "HIGH")  # fmt: skip
    assert (run.entries, run.opened, run.verified, run.stage) == (1, 1, 4, Stage.DONE)
    assert case.rules[0]["code"] == "rescreen.match"
    assert case.evidence["changes"][0]["why"] == "added"


def test_the_same_change_again_opens_nothing_more(
    goes_live: Any, met: Any, rescreened: Any, rescreen: Any
) -> None:
    met(NAME)
    goes_live({"2": NAME})
    rescreened()
    assert rescreen() is None
    assert Case.objects.count() == 1


def test_an_entry_that_did_not_change_is_not_held_again(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    goes_live({"2": NAME})
    rescreened()
    met(NAME)  # its own screen had the entry
    goes_live({"2": NAME, "3": IVAN})
    assert rescreened().opened == 0
    assert not Case.objects.exists()


def test_a_change_that_makes_a_match_graver_is_news(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    goes_live({"2": "Baltazar Abernathy"})
    rescreened()
    met(NAME)
    goes_live({"2": NAME})
    run = rescreened()
    change = Case.objects.get().evidence["changes"][0]
    assert (run.opened, change["why"], change["fields"]) == (1, "risen", ["names"])
    assert 0 <= change["before"] < 70


def test_a_change_that_makes_no_match_graver_is_none(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    goes_live({"2": {"name": NAME, "country": "FR"}})
    rescreened()
    met(NAME)
    goes_live({"2": {"name": NAME, "country": "DE"}})
    run = rescreened()
    assert (run.opened, run.skipped) == (0, {"same": 2})  # once more in the late look


def test_whoever_came_up_while_hosts_had_the_old_index_is_held_late(
    goes_live: Any, met: Any, rescreen: Any, noon: Any
) -> None:
    goes_live({"2": NAME})
    run = rescreen()
    assert run.stage == Stage.LATE and run.settles_at >= noon + timedelta(seconds=900)
    met(NAME, now=noon + timedelta(minutes=5))
    run = rescreen(now=noon + timedelta(hours=1))
    assert (run.stage, run.opened) == (Stage.DONE, 1)


def test_a_list_that_was_off_begins_anew(
    goes_live: Any, met: Any, rescreened: Any, house: Any, noon: Any
) -> None:
    goes_live({"2": NAME})
    rescreened()
    house.refresh_from_db()
    house.switch(enabled=False, now=noon + timedelta(hours=1))
    met(NAME)
    assert rescreened is not None and list(due_runs.find_due_lists()) == []
    house.switch(enabled=True, now=noon + timedelta(hours=2))
    run = rescreened(now=noon + timedelta(hours=3))
    assert (run.since, run.opened) == (0, 1)


@pytest.mark.parametrize("kind", ["registered", "screened", "owner"])
def test_a_registered_party_that_is_matched_fully_enters_the_log_and_no_other(
    goes_live: Any, met: Any, rescreened: Any, kind: str
) -> None:
    met(NAME, kind=kind, reference="registration:7")
    goes_live({"2": NAME})
    rescreened()
    case = Case.objects.get()
    entries = SarEntry.objects.filter(kind="rescreen", ref=case.ref)
    assert entries.count() == (1 if kind == "registered" else 0)


def test_each_client_has_a_case_of_its_own(goes_live: Any, met: Any, rescreened: Any) -> None:
    met(NAME, owner="account:1")
    met(NAME, owner="account:2")
    goes_live({"2": NAME})
    rescreened()
    assert sorted(Case.objects.values_list("owner", flat=True)) == ["account:1", "account:2"]


def test_a_pair_whose_case_is_open_gets_no_second(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    met(NAME)
    goes_live({"2": {"name": NAME}})
    rescreened()
    met(NAME, kind="registered", reference="registration:7")
    goes_live({"2": {"name": NAME, "birth_date": "1970"}})
    run = rescreened()
    assert (run.opened, run.skipped.get("standing")) == (0, 4)


def test_a_run_that_another_process_goes_on_with_is_left(
    goes_live: Any, met: Any, rescreen: Any, monkeypatch: Any
) -> None:
    from apps.compliance.screening.rescreening import runner

    met(NAME)
    goes_live({"2": NAME})
    judge = runner._open_cases_of_batch

    def overtaken(run: Rescreen, *rest: Any) -> Any:
        Rescreen.objects.filter(pk=run.pk).update(party=99)
        return judge(run, *rest)

    monkeypatch.setattr(runner, "_open_cases_of_batch", overtaken)
    with pytest.raises(runner.RunTakenOver):
        rescreen()
    assert not Case.objects.exists()


def test_a_batch_that_another_process_did_meanwhile_is_not_done_again(
    goes_live: Any, met: Any, rescreen: Any, house: Any, noon: Any, monkeypatch: Any
) -> None:
    from apps.compliance.screening.rescreening import runner

    met(NAME)
    goes_live({"2": NAME})
    open_changed_entries = runner.open_changed_entries

    def slow(**given: Any) -> Any:
        Rescreen.objects.update(party=Party.objects.get().pk)  # its batch is committed
        return open_changed_entries(**given)

    monkeypatch.setattr(runner, "open_changed_entries", slow)
    monkeypatch.setattr(
        runner, "_open_cases_of_batch", lambda *_: pytest.fail("it was judged again")
    )
    with pytest.raises(runner.RunTakenOver):
        rescreen()
    assert not Case.objects.exists()


def test_health_is_degraded_while_a_run_stopped_or_a_change_waits_long(
    goes_live: Any, rescreened: Any, noon: Any
) -> None:
    goes_live({"2": NAME})
    soon, late = noon + timedelta(hours=5), noon + timedelta(hours=7)
    assert (
        health.check_rescreening(soon)["status"] == "ok"
        and health.check_rescreening(soon)["waiting"] == 1
    )
    assert health.check_rescreening(late)["status"] == "degraded"
    run = rescreened()
    assert health.check_rescreening(late)["status"] == "ok"
    Rescreen.objects.filter(pk=run.pk).update(stage=Stage.MAIN)
    run.went_wrong("ValueError: no")
    rescreening = health.check_rescreening(noon)
    assert (rescreening["status"], rescreening["failed"]) == ("degraded", ["house"])
    assert any(
        "The run stopped for: house" in one for one in health.describe_rescreening(rescreening)
    )


def test_a_dry_run_counts_and_writes_nothing(goes_live: Any, met: Any, house: Any) -> None:
    met(NAME)
    goes_live({"2": NAME})
    out = io.StringIO()
    call_command("rescreen_parties", "--dry-run", stdout=out)
    assert "1 cases would open; pairs: added 1" in out.getvalue()
    assert not Rescreen.objects.exists() and not Case.objects.exists()
    call_command("rescreen_parties", stdout=out)
    assert "1 changed entries, 1 candidates of 1 parties, 1 cases" in out.getvalue()


@pytest.mark.parametrize(("after", "again"), [(0, 5), (59, 5), (60, 30)])
def test_an_index_that_is_not_there_yet_is_looked_for_soon_and_later_less_often(
    goes_live: Any, met: Any, noon: Any, monkeypatch: Any, after: int, again: int
) -> None:
    met(NAME)
    goes_live({"2": NAME})

    def none(*_: Any, **given: Any) -> Any:
        raise engines.ListsUnavailable("There is no index yet.")

    monkeypatch.setattr(engines, "load_current_engine", none)
    with suppress(RetryLater):
        work.rescreen_parties("house", noon)
    moment = noon + timedelta(seconds=after)
    with pytest.raises(RetryLater) as come:
        work.rescreen_parties("house", moment)
    assert come.value.eta == moment + timedelta(seconds=again)


def test_the_job_comes_again_for_the_late_look_and_is_planned_as_a_list_goes_live(
    goes_live: Any, met: Any, noon: Any
) -> None:
    met(NAME)
    goes_live({"2": NAME})
    assert Job.objects.filter(name="ongoing.rescreen", key="house").exists()
    with pytest.raises(RetryLater) as again:
        work.rescreen_parties("house", noon)
    assert again.value.eta == Rescreen.objects.get().settles_at
    work.rescreen_parties("house", again.value.eta)
    assert Rescreen.objects.get().stage == Stage.DONE and Case.objects.count() == 1


def test_many_parties_are_filed_and_found_by_the_index(
    goes_live: Any, met: Any, rescreen: Any, monkeypatch: Any
) -> None:
    from apps.compliance.screening.rescreening import party_index, runner

    monkeypatch.setattr(runner, "FEW", 1)
    met(NAME, "Maria Schmidt", "Hans Gruber", "Acme Ltd")
    met("Somebody Long Ago", now=datetime(2020, 1, 1, tzinfo=UTC))
    Party.objects.update(first_seen=datetime(2020, 1, 1, tzinfo=UTC))
    goes_live({"2": NAME})
    run = rescreen()
    assert party_index.newest_index_path() is not None
    assert (run.candidates, run.verified, run.opened) == (1, 1, 1)


def test_a_decision_that_a_registered_party_is_listed_ends_its_registration(
    goes_live: Any, met: Any, rescreened: Any, noon: Any, monkeypatch: Any
) -> None:
    ended: list[dict[str, Any]] = []
    monkeypatch.setattr(
        case_decisions, "end_listed_registration", lambda **given: ended.append(given)
    )
    met(NAME, kind="registered", reference="registration:7")
    goes_live({"2": NAME})
    rescreened()
    case = Case.objects.get()
    case_decisions.apply_rescreen_decision(ref=case.ref, outcome="APPROVE", now=noon)
    assert ended == []
    case_decisions.apply_rescreen_decision(ref=case.ref, outcome="REJECT", now=noon)
    assert ended == [{"pk": 7, "case": case.ref, "now": noon}]


def test_a_party_leaves_with_the_last_record_in_which_it_came_up(met: Any, db: Any) -> None:
    met(NAME, reference="screen:1")
    met(IVAN, reference="screen:2")
    forget_parties(reference="screen:1")
    assert [party.name for party in Party.objects.all()] == [IVAN]


def test_a_party_whose_name_takes_too_long_waits_for_an_officer_once(
    goes_live: Any, met: Any, rescreened: Any, settings: Any
) -> None:
    goes_live({"1": IVAN})
    rescreened()
    met("Somebody Else Entirely")
    settings.SCREEN_CPU_MILLISECONDS = 0
    goes_live({"1": IVAN, "2": NAME})
    assert rescreened().opened == 1
    case = Case.objects.get()
    assert (case.party, case.risk) == ("Somebody Else Entirely", "MEDIUM")
    assert [rule["code"] for rule in case.rules] == ["name.not_checked"]
    assert "takes too long" in case.rules[0]["sentence"]
    goes_live({"1": IVAN, "2": NAME, "3": "Olaf Someone"})
    assert rescreened().opened == 0  # the first case waits


def test_a_party_that_is_compared_in_time_opens_nothing(
    goes_live: Any, met: Any, rescreened: Any
) -> None:
    goes_live({"1": IVAN})
    rescreened()
    met("Somebody Else Entirely")
    goes_live({"1": IVAN, "2": NAME})
    assert rescreened().opened == 0
