"""The table of turns: every state and event on either side, and any order of crashes."""

import contextlib
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.insight.stability.models import Quote
from apps.payments.callbacks.models import Event
from apps.payments.payments import payment_checks, record_transition
from apps.payments.payments.instructions import (
    InstructionIn,
    build_instruction,
    instruction_from_record,
)
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import HandOver, Payment, PaymentEvent
from apps.payments.payments.rails import RailError, RailPending, RailRefusal, orders
from apps.payments.payments.rails.sandbox import SandboxRail
from apps.payments.payments.rules.transitions import (
    FINAL,
    MOVING,
    STATES,
    TRANSITIONS,
    CheckResults,
    find_transition,
    transition_by_code,
)
from apps.payments.payments.services import (
    advance_payment,
    payment_case,
    pricing,
    travel_rule_handovers,
)
from apps.payments.payments.services.accept_payment import accept_payment
from apps.payments.payments.services.payment_case import cases_of_payment
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from apps.platform.common.transition_tables import NoSuchTransition
from apps.platform.jobs.job_queue import RetryLater
from apps.platform.jobs.models import Job
from tests.payments.conftest import instruction, wallet
from tests.review.people import NOTE, OFFICER, person

WELL = CheckResults("VERIFIED", "PROCEED", ("APPROVED", "APPROVED"))


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (WELL, "PAY-7"),
        (CheckResults("NOT_REGISTERED", "PROCEED", ("APPROVED",)), "PAY-7"),
        (CheckResults("BLOCKED", "PROCEED", ("APPROVED",)), "PAY-2"),
        (CheckResults("BLOCKED", "BLOCK", ("BLOCKED",)), "PAY-2"),
        (CheckResults("VERIFIED", "BLOCK", ("FLAGGED",)), "PAY-3"),
        (CheckResults("VERIFIED", "FLAG", ("APPROVED", "BLOCKED")), "PAY-4"),
        (CheckResults("VERIFIED", "FLAG", ("FLAGGED",)), "PAY-5"),
        (CheckResults("VERIFIED", "PROCEED", ("APPROVED", "FLAGGED")), "PAY-6"),
    ],
)
def test_the_gravest_check_decides(checks: CheckResults, code: str) -> None:
    assert find_transition("SUBMITTED", "CHECKED", checks).code == code


@pytest.mark.parametrize(
    "checks",
    [
        CheckResults(),
        CheckResults("VERIFIED", "PROCEED", ()),
        CheckResults("", "PROCEED", ("APPROVED",)),
        CheckResults("VERIFIED", "", ("APPROVED",)),
        CheckResults("VERIFIED", "PROCEED", ("APPROVED", "?")),
    ],
)
def test_a_check_that_was_not_made_is_never_passed(checks: CheckResults) -> None:
    with pytest.raises(NoSuchTransition):
        find_transition("SUBMITTED", "CHECKED", checks)


def test_no_other_way_leads_from_state_to_state() -> None:
    known = {(transition.state, transition.event) for transition in TRANSITIONS}
    events = {transition.event for transition in TRANSITIONS}
    for state in ("", *STATES):
        for event in events:
            if (state, event) in known:
                assert find_transition(state, event, WELL).next in STATES
            else:
                with pytest.raises(NoSuchTransition):
                    find_transition(state, event, WELL)
    # an end is left only where the chain takes a transfer back, and that is called back
    left = {
        (transition.state, transition.event): transition
        for transition in TRANSITIONS
        if transition.state in FINAL
    }
    assert set(left) == {("SETTLED", "UNDONE")}
    assert all(one.corrects and one.tells for one in left.values())
    assert not any(
        transition.corrects for transition in TRANSITIONS if transition.state not in FINAL
    )
    assert all(
        transition.tells for transition in TRANSITIONS if transition.next in FINAL | {"HELD"}
    )
    assert (
        len({transition.code for transition in TRANSITIONS}) == len(TRANSITIONS)
        and transition_by_code("PAY-0") is None
    )


def test_an_instruction_comes_back_from_its_record_as_it_was() -> None:
    values = InstructionIn().run_validation(instruction(callbackUrl="https://bank.example/cb"))
    one = build_instruction(**values)
    assert instruction_from_record(one.recorded()) == one


class Killed(BaseException):
    """What a process that dies looks like from within: nothing catches it."""


class Moody(SandboxRail):
    """The sandbox rail on a bad day; it still settles one order once."""

    mood = ""

    def settle(self, *, order: Any, now: datetime) -> Any:
        """Do as the mood is, once."""
        mood, self.mood = self.mood, ""
        if mood == "error":
            raise RailError("no answer")
        if mood == "refused":
            return RailRefusal("the recipient takes no such asset")
        if mood == "waits":
            return RailPending(now + timedelta(seconds=20))
        return super().settle(order=order, now=now)


# where a worker dies: the module, the function, and whether after it
POINTS = {
    "gathered": (payment_checks, "gather_check_inputs", True),
    "checks written": (payment_checks, "record_check_results", True),
    "moved": (record_transition, "write_transition_event", True),
    "told": (advance_payment, "record_transition", True),
    "held": (payment_case, "open_hold_case", True),
    "priced": (pricing, "store_quote", True),
    "asked the rail": (orders, "build_rail_order", True),
    "quote taken": (pricing, "consume_quote", True),
    "handed over": (travel_rule_handovers, "hand_over_to_travel_rule", True),
    "counted": (pricing, "add_month_volume", True),
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
        self.officer, self.senior = person("olivia", OFFICER), person("samir", "Senior officer")

    def send(self, kind: str) -> None:
        """Send an instruction, twice: the second finds what the first made."""
        self.sent += 1
        sent = instruction(tmsReference=f"P-{self.sent}", **KINDS[kind])
        one = build_instruction(**InstructionIn().run_validation(sent))
        for new in (True, False):
            accepted_payment = accept_payment(
                instruction=one, caller=Caller("account:1", "INSTITUTION"), now=self.at
            )
            assert accepted_payment.new is new

    def work(self, _: str = "") -> None:
        """Let a worker carry on whatever is due."""
        for number in Payment.objects.filter(state__in=MOVING).values_list("pk", flat=True):
            with contextlib.suppress(RetryLater):
                advance_payment.advance_payment(str(number), self.at)

    def die(self, point: str) -> None:
        """Let a worker die at a point; what was not committed is gone."""
        with contextlib.suppress(Killed), dying(point):
            self.work()

    def decide(self, outcome: str) -> None:
        """Decide every case that waits, as the desk does."""
        said = {"reason_code": "OTHER", "note": NOTE, "now": self.at}
        for case in Case.objects.filter(kind="payment", status="OPEN"):
            waits = services.decide_case(case=case, by=self.officer, outcome=outcome, **said)
            if waits.status != "DECIDED":
                services.confirm_decision(case=waits, by=self.senior, **said)

    def later(self, seconds: int) -> None:
        """Let time pass."""
        self.at += timedelta(seconds=seconds)

    def sweep(self, _: str) -> None:
        """Look after what nothing carries."""
        advance_payment.enqueue_overdue_payments("", self.at)

    def step(self, name: str, given: str) -> None:
        """Do one thing."""
        if name == "rail":
            self.rail.mood = given
        else:
            getattr(self, name)(given)

    def holds(self) -> None:
        """Insist that nothing was lost, doubled, or done without a record."""
        assert list(verify_payments(lambda _: None)) == []
        for payment in Payment.objects.all():
            events = list(PaymentEvent.objects.filter(payment=payment).order_by("number"))
            assert [event.number for event in events] == list(range(1, payment.steps + 1))
            states = ["", *(event.state for event in events)]
            for before, event in zip(states, events, strict=False):
                row = transition_by_code(event.turn)
                assert row and (row.state, row.event, row.next) == (
                    before,
                    event.event,
                    event.state,
                )
            settled = payment.state == "SETTLED"
            assert HandOver.objects.filter(payment=payment).count() == settled
            used = Quote.objects.filter(used_by=f"payment:{payment.payment_id}").count()
            assert used == settled and bool(payment.tx_hash) == settled
            told = list(
                Event.objects.filter(subject=payment.payment_id).values_list("name", flat=True)
            )
            once = [name for name in told if name != "payment.held"]
            assert len(set(once)) == len(once)
            payment_event_count = PaymentEvent.objects.filter(payment=payment, state="HELD").count()
            assert (
                told.count("payment.held")
                == cases_of_payment(payment.subject).count()
                == payment_event_count
            )
            assert (f"payment.{payment.state.lower()}" in told) == (
                payment.state in FINAL | {"HELD"}
            )
            jobs = Job.objects.filter(name="payments.advance", key=str(payment.pk))
            assert payment.state not in MOVING or jobs.exists()


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
    monkeypatch.setattr(advance_payment, "configured_rail", lambda: rail)
    with contextlib.suppress(Undone), transaction.atomic():
        world = World(rail)
        world.send("plain")
        for name, given_ in steps:
            world.step(name, given_)
            world.holds()
        rail.mood = ""
        for _ in range(len(advance_payment.RETRY_DELAYS) + 2):
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
    class Silent(SandboxRail):
        def settle(self, *, order: Any, now: datetime) -> Any:
            raise RailError("no answer")

    silent = Silent()
    monkeypatch.setattr(advance_payment, "configured_rail", lambda: silent)
    send()
    world = World(Moody())
    states = []
    for _ in range(len(advance_payment.RETRY_DELAYS) + 1):
        world.work()
        states.append(Payment.objects.get().state)
        world.later(3 * 3600)
    assert states[:-1] and set(states[:-1]) <= {"AWAITING_SETTLEMENT", "VERIFIED"}
    payment = Payment.objects.get()
    assert (payment.state, payment.tx_hash) == ("FAILED", "")
    assert payment.error.startswith("The settlement rail could not be reached")
    assert not Quote.objects.exclude(used_at=None).exists() and not HandOver.objects.exists()
