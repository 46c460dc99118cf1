"""The table of turns: every state and event on either side, and any order of crashes."""

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.callbacks.models import Event
from apps.core.callers import Caller
from apps.core.clock import now
from apps.core.jobs import Again
from apps.core.models import Job
from apps.payments import advancing, checking, moving, pricing, reviewing, settling
from apps.payments.accepting import accept
from apps.payments.instructions import InstructionIn, from_record, instruction_of
from apps.payments.models import HandOver, Payment, PaymentEvent
from apps.payments.projection import compare
from apps.payments.rails import RailError, Refused, Waits
from apps.payments.rails.sandbox import Sandbox
from apps.payments.rules.lifecycle import (
    FINAL,
    MOVING,
    STATES,
    TURNS,
    Checks,
    NoTurn,
    by_code,
    turn,
)
from apps.review.models import Case
from apps.stability.models import Quote
from tests.payments.conftest import instruction, wallet

WELL = Checks("VERIFIED", "PROCEED", ("APPROVED", "APPROVED"))


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (WELL, "PAY-7"),
        (Checks("NOT_REGISTERED", "PROCEED", ("APPROVED",)), "PAY-7"),
        (Checks("BLOCKED", "PROCEED", ("APPROVED",)), "PAY-2"),
        (Checks("BLOCKED", "BLOCK", ("BLOCKED",)), "PAY-2"),
        (Checks("VERIFIED", "BLOCK", ("FLAGGED",)), "PAY-3"),
        (Checks("VERIFIED", "FLAG", ("APPROVED", "BLOCKED")), "PAY-4"),
        (Checks("VERIFIED", "FLAG", ("FLAGGED",)), "PAY-5"),
        (Checks("VERIFIED", "PROCEED", ("APPROVED", "FLAGGED")), "PAY-6"),
    ],
)
def test_the_gravest_check_decides(checks: Checks, code: str) -> None:
    assert turn("SUBMITTED", "CHECKED", checks).code == code


@pytest.mark.parametrize(
    "checks",
    [Checks(), Checks("VERIFIED", "PROCEED", ()), Checks("", "PROCEED", ("APPROVED",)),
     Checks("VERIFIED", "", ("APPROVED",)), Checks("VERIFIED", "PROCEED", ("APPROVED", "?"))],
)  # fmt: skip
def test_a_check_that_was_not_made_is_never_passed(checks: Checks) -> None:
    with pytest.raises(NoTurn):
        turn("SUBMITTED", "CHECKED", checks)


def test_no_other_way_leads_from_state_to_state() -> None:
    known = {(one.state, one.event) for one in TURNS}
    events = {one.event for one in TURNS}
    for state in ("", *STATES):
        for event in events:
            if (state, event) in known:
                assert turn(state, event, WELL).next in STATES
            else:
                with pytest.raises(NoTurn):
                    turn(state, event, WELL)
    # an end is left only where the chain takes a transfer back, and that is called back
    left = {(one.state, one.event): one for one in TURNS if one.state in FINAL}
    assert set(left) == {("SETTLED", "UNDONE")}
    assert all(one.corrects and one.tells for one in left.values())
    assert not any(one.corrects for one in TURNS if one.state not in FINAL)
    assert all(one.tells for one in TURNS if one.next in FINAL | {"HELD"})
    assert len({one.code for one in TURNS}) == len(TURNS) and by_code("PAY-0") is None


def test_an_instruction_comes_back_from_its_record_as_it_was() -> None:
    values = InstructionIn().run_validation(instruction(callbackUrl="https://bank.example/cb"))
    one = instruction_of(**values)
    assert from_record(one.recorded()) == one


class Killed(BaseException):
    """What a process that dies looks like from within: nothing catches it."""


class Moody(Sandbox):
    """The sandbox rail on a bad day; it still settles one order once."""

    mood = ""

    def settle(self, *, order: Any, now: datetime) -> Any:
        """Do as the mood is, once."""
        mood, self.mood = self.mood, ""
        if mood == "error":
            raise RailError("no answer")
        if mood == "refused":
            return Refused("the recipient takes no such asset")
        if mood == "waits":
            return Waits(now + timedelta(seconds=20))
        return super().settle(order=order, now=now)


# where a worker dies: the module, the function, and whether after it
POINTS = {
    "gathered": (checking, "gather", True),
    "checks written": (checking, "conclude", True),
    "moved": (moving, "record", True),
    "told": (advancing, "move", True),
    "held": (reviewing, "hold", True),
    "priced": (pricing, "conclude", True),
    "asked the rail": (settling, "order_of", True),
    "quote taken": (pricing, "consume", True),
    "handed over": (settling, "hand_over", True),
    "counted": (pricing, "count", True),
}


@contextlib.contextmanager
def dying(point: str) -> Iterator[None]:
    """Let the first call of a point kill the worker, after it did its work."""
    module, name, _ = POINTS[point]
    real = getattr(module, name)

    def deadly(*given: Any, **more: Any) -> Any:
        real(*given, **more)
        raise Killed(point)

    setattr(module, name, deadly)
    try:
        yield
    finally:
        setattr(module, name, real)


KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "listed": {"creditor": {"name": "Lazarus Group", "walletAddress": wallet(71)}},
    "near": {"creditor": {"name": "Sberbank Leasing Consultants", "walletAddress": wallet(72)}},
    "euro": {"currency": "EUR", "settlementAsset": "USDC"},
}
STEPS = st.one_of(
    st.tuples(st.just("send"), st.sampled_from(sorted(KINDS))),
    st.tuples(st.just("work"), st.just("")),
    st.tuples(st.just("die"), st.sampled_from(sorted(POINTS))),
    st.tuples(st.just("rail"), st.sampled_from(["error", "refused", "waits"])),
    st.tuples(st.just("decide"), st.sampled_from(["APPROVE", "REJECT"])),
    st.tuples(st.just("later"), st.sampled_from([10, 60, 400, 8000])),
    st.tuples(st.just("sweep"), st.just("")),
)


class World:
    """One run: an institution, its payments, a rail, and a clock."""

    def __init__(self, rail: Moody) -> None:
        self.rail, self.at, self.sent = rail, now(), 0

    def send(self, kind: str) -> None:
        """Send an instruction, twice: the second finds what the first made."""
        self.sent += 1
        sent = instruction(tmsReference=f"P-{self.sent}", **KINDS[kind])
        one = instruction_of(**InstructionIn().run_validation(sent))
        for new in (True, False):
            found = accept(instruction=one, caller=Caller("account:1", "INSTITUTION"), now=self.at)
            assert found.new is new

    def work(self, _: str = "") -> None:
        """Let a worker carry on whatever is due."""
        for number in Payment.objects.filter(state__in=MOVING).values_list("pk", flat=True):
            with contextlib.suppress(Again):
                advancing.advance(str(number), self.at)

    def die(self, point: str) -> None:
        """Let a worker die at a point; what was not committed is gone."""
        with contextlib.suppress(Killed), dying(point):
            self.work()

    def decide(self, outcome: str) -> None:
        """Decide every case that waits, as the desk does."""
        for case in Case.objects.filter(kind="payment"):
            reviewing.decided(ref=case.ref, outcome=outcome, now=self.at)

    def later(self, seconds: int) -> None:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)

    def sweep(self, _: str) -> None:
        """Look after what nothing carries."""
        advancing.sweep("", self.at)

    def step(self, name: str, given: str) -> None:
        """Do one thing."""
        if name == "rail":
            self.rail.mood = given
        else:
            getattr(self, name)(given)

    def holds(self) -> None:
        """Insist that nothing was lost, doubled, or done without a record."""
        assert list(compare(lambda _: None)) == []
        for one in Payment.objects.all():
            events = list(PaymentEvent.objects.filter(payment=one).order_by("number"))
            assert [event.number for event in events] == list(range(1, one.steps + 1))
            states = ["", *(event.state for event in events)]
            for before, event in zip(states, events, strict=False):
                row = by_code(event.turn)
                assert row and (row.state, row.event, row.next) == (
                    before,
                    event.event,
                    event.state,
                )
            settled = one.state == "SETTLED"
            assert HandOver.objects.filter(payment=one).count() == settled
            used = Quote.objects.filter(used_by=f"payment:{one.payment_id}").count()
            assert used == settled and bool(one.tx_hash) == settled
            told = Event.objects.filter(subject=one.payment_id).values_list("name", flat=True)
            assert len(set(told)) == len(told)
            assert (f"payment.{one.state.lower()}" in told) == (one.state in FINAL | {"HELD"})
            held = Case.objects.filter(kind="payment", ref=one.subject).exists()
            assert held == ("HELD" in states)
            jobs = Job.objects.filter(name="payments.advance", key=str(one.pk))
            assert one.state not in MOVING or jobs.exists()


@pytest.mark.django_db
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(STEPS, min_size=1, max_size=14))
def test_no_order_of_crashes_loses_or_doubles_a_payment(
    sample: Any, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, Any]]
) -> None:
    rail = Moody()
    monkeypatch.setattr(advancing, "rail", lambda: rail)
    with contextlib.suppress(Undone), transaction.atomic():
        world = World(rail)
        world.send("plain")
        for name, given_ in steps:
            world.step(name, given_)
            world.holds()
        rail.mood = ""
        for _ in range(len(advancing.WAITS) + 2):
            world.later(3 * 3600)
            world.work()
        world.holds()
        assert not Payment.objects.filter(state__in=MOVING).exists()
        raise Undone


class Undone(Exception):
    """Ends an example: nothing of it stays for the next."""


@pytest.mark.django_db
def test_a_rail_that_never_answers_ends_in_a_failure_that_says_so(
    send: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent(Sandbox):
        def settle(self, *, order: Any, now: datetime) -> Any:
            raise RailError("no answer")

    silent = Silent()
    monkeypatch.setattr(advancing, "rail", lambda: silent)
    send()
    world = World(Moody())
    states = []
    for _ in range(len(advancing.WAITS) + 1):
        world.work()
        states.append(Payment.objects.get().state)
        world.later(3 * 3600)
    assert states[:-1] and set(states[:-1]) <= {"AWAITING_SETTLEMENT", "VERIFIED"}
    payment = Payment.objects.get()
    assert (payment.state, payment.tx_hash) == ("FAILED", "")
    assert payment.error.startswith("The settlement rail could not be reached")
    assert not Quote.objects.exclude(used_at=None).exists() and not HandOver.objects.exists()
