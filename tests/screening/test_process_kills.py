"""kill -9 in the middle of a combined screen and of the decision on its case, at each step.

Nothing is lost, nothing doubled: what was not answered left nothing, and asked again is made once.
AML screens and counted decisions: tests/aml; re-screens: tests/screening/rescreening; lookups:
tests/esg.
"""

import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.db.models import Sum
from rest_framework.test import APIClient

from apps.access.keys.models import UsageCount
from apps.backoffice.review import services as actions
from apps.backoffice.review.models import Action, Case, DecisionEvent
from apps.backoffice.review.services import case_decisions
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.combined import services as conclude
from apps.compliance.screening.models import Screen
from apps.platform.api import idempotency
from apps.platform.api.models import IdempotentCall
from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from apps.reference.watchlists.models import Party
from tests.review.people import OFFICER, SENIOR, person
from tests.screening.conftest import PATH

pytestmark = [pytest.mark.processes, pytest.mark.django_db(transaction=True)]
Act = Callable[[], Any]
PARTIAL = {"name": "Lazarus Trading Group", "country": "DE"}
NOTE = "The papers name the same directors and the same seat."


def killed(act: Act, owner: Any, name: str, *, later: bool) -> None:
    """Do something in a child that dies before, or just after, it calls a function."""
    connections.close_all()
    real = getattr(owner, name)
    child = os.fork()
    if not child:

        def deadly(*given: Any, **more: Any) -> Any:
            if later:
                real(*given, **more)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(owner, name, deadly)
        try:
            act()
        finally:
            os._exit(0)  # the step was never reached
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, status


def screens() -> dict[str, int]:
    """Count all that a screen leaves."""
    billed = UsageCount.objects.aggregate(calls=Sum("calls"))["calls"] or 0
    left = {"screens": Screen, "cases": Case, "steps": DecisionEvent, "parties": Party}
    return {name: model.objects.count() for name, model in left.items()} | {"billed": billed}


ONCE = {"screens": 1, "cases": 1, "steps": 1, "parties": 1, "billed": 1}


@pytest.fixture
def whole() -> Iterator[None]:
    """Look at the end whether the ledgers are whole."""
    yield
    sealer.seal_all_ledgers(now=now())
    for name in ("screens", "decisions", "sar"):
        assert verifier.verify_ledger(ledger=name).faults == [], name


@pytest.mark.parametrize(
    ("owner", "name", "later"),
    [
        (conclude, "_write_screen", False),
        (conclude, "_write_screen", True),
        (conclude, "_open_case", True),
        (conclude, "_remember_parties", True),
        (idempotency.Claim, "complete", True),
    ],
    ids=["before", "screen stored", "case opened", "party kept", "answer kept"],
)
def test_a_screen_killed_before_it_is_answered_leaves_nothing_and_is_made_once(
    whole: None, alice: APIClient, owner: Any, name: str, later: bool
) -> None:
    def ask() -> Any:
        return alice.post(PATH, PARTIAL, format="json", headers={"Idempotency-Key": "K-1"})

    killed(ask, owner, name, later=later)
    assert set(screens().values()) == {0}
    again = ask()
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_in_progress")
    # a minute later nobody works on it any more
    IdempotentCall.objects.update(lease_until=now() - timedelta(seconds=1))
    answer = ask()
    assert (answer.status_code, answer.json()["decision"]) == (200, "FLAGGED")
    assert ask().json() == answer.json() and screens() == ONCE


def test_a_screen_killed_as_it_is_answered_is_stored_once_and_answered_again(
    whole: None, alice: APIClient
) -> None:
    def ask() -> Any:
        return alice.post(PATH, PARTIAL, format="json", headers={"Idempotency-Key": "K-1"})

    _killed_after(ask)
    assert screens() == ONCE
    answer = ask()
    assert answer["Idempotent-Replayed"] == "true"
    assert answer.json()["screenId"] == str(Screen.objects.get().screen_id)
    assert Case.objects.get().ref == answer.json()["screenId"] and screens() == ONCE


def _killed_after(act: Act) -> None:
    """Do something in a child that dies once it is done."""
    connections.close_all()
    child = os.fork()
    if not child:
        act()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


def decisions() -> tuple[str, list[str], int]:
    """Return how a case stands, its steps, and how many entries the SAR log has."""
    steps = DecisionEvent.objects.order_by("pk").values_list("action", flat=True)
    return Case.objects.get().status, list(steps), SarEntry.objects.count()


@pytest.mark.parametrize(
    ("name", "later"),
    [
        ("record_decision_event", False),
        ("record_decision_event", True),
        ("enter_true_match", True),
        ("end_contradicted_known", True),
    ],
    ids=["case decided", "step recorded", "matter opened", "all done"],
)
def test_a_decision_killed_before_it_is_stored_leaves_nothing_and_is_taken_once(
    whole: None, screen: Any, name: str, later: bool
) -> None:
    act = _waiting(screen)
    before = decisions()
    killed(act, case_decisions, name, later=later)
    assert decisions() == before
    act()
    status, steps, entries = decisions()
    assert (status, steps.count(Action.DECIDED), entries) == ("DECIDED", 1, 1)
    with pytest.raises(actions.AlreadyDecided):
        act()


def test_a_decision_killed_once_it_is_stored_is_not_taken_again(whole: None, screen: Any) -> None:
    act = _waiting(screen)
    _killed_after(act)
    stands = decisions()
    assert stands[0] == "DECIDED" and stands[1].count(Action.DECIDED) == 1 and stands[2] == 1
    with pytest.raises(actions.AlreadyDecided):
        act()
    assert decisions() == stands


def _waiting(screen: Any) -> Act:
    """Return the last step of a case: its party is found to be the listed one."""
    screen(**PARTIAL)
    case = Case.objects.get()
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    said = {"reason_code": "LISTED_PARTY", "note": NOTE}
    if not case.needs_second:
        return lambda: actions.decide_case(
            case=Case.objects.get(), by=first, outcome="REJECT", now=now(), **said
        )
    actions.decide_case(case=case, by=first, outcome="REJECT", now=now(), **said)
    return lambda: actions.confirm_decision(case=Case.objects.get(), by=second, now=now(), **said)
