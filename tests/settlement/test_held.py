"""A held settlement in production: its case, an officer's decision, and sending it again."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.chain.models import Order
from apps.review import actions
from apps.review.models import Case
from apps.settlement.models import Settlement, SettlementEvent
from apps.settlement.rules.flow import BLOCKED_REASON
from tests.advisory.talking import PATH, saying
from tests.registry.conftest import wallet
from tests.review.people import NOTE, OFFICER, at_desk, look, person
from tests.upstreams.loopback import Loopback

pytestmark = pytest.mark.django_db
Settle = Callable[..., Any]
ABOVE = 100000.01


@pytest.fixture
def send(known: str, bank: Any, settle: Settle) -> Callable[..., Any]:
    """Settle in production under one reference."""

    def call(**changes: Any) -> Any:
        return settle(**{"sandbox": False, "client": bank, "referenceId": "R-1"} | changes)

    return call


@pytest.fixture
def held(send: Callable[..., Any], says: Callable[[str], None]) -> Case:
    """A settlement that the oracle alone holds: UNSTABLE."""
    says("UNSTABLE")
    assert send()["status"] == "held"
    return Case.objects.get()


def decide(case: Case, outcome: str, reason: str) -> None:
    first, second = person("olivia", OFFICER), person("samuel", "Senior officer")
    at = case.opened_at
    actions.claim(case=case, by=first, now=at)
    stored = actions.decide(
        case=case, by=first, outcome=outcome, reason_code=reason, note=NOTE, now=at
    )
    if stored.status != "DECIDED":
        actions.confirm(case=stored, by=second, reason_code=reason, note=NOTE, now=at)


def test_it_is_one_case_with_the_score_and_the_reasoning(held: Case) -> None:
    row = Settlement.objects.get()
    assert (held.kind, held.ref) == ("settlement", f"{row.settlement_id}/1")
    html = look(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{held.pk}/"))
    assert "UNSTABLE at a score of" in html and "EXPOSURE_ACCEPTED" in html
    assert not Order.objects.exists()


def test_what_the_oracle_held_goes_when_it_is_stable_again(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    assert send(status=200)["status"] == "held"
    says("STABLE")
    assert send(status=200)["status"] == "awaiting_settlement"
    events = SettlementEvent.objects.order_by("number").values_list("turn", flat=True)
    assert list(events) == ["SET-4", "SET-8"]
    decide(held, "REJECT", "PEG_AT_RISK")  # it went on meanwhile
    assert Settlement.objects.get().state == "AWAITING_SETTLEMENT"


def test_a_rejected_one_is_blocked_and_nobody_is_told_by_whom(
    held: Case, send: Callable[..., Any]
) -> None:
    decide(held, "REJECT", "PEG_AT_RISK")
    told = send(status=200)
    assert (told["status"], told["blockReason"]) == ("blocked", BLOCKED_REASON)
    assert not {"reasoning", "note"} & told.keys()


def test_a_released_one_is_sent_again_and_waits_while_the_oracle_is_unstable(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    decide(held, "APPROVE", "EXPOSURE_ACCEPTED")
    assert send(status=200)["status"] == "released"
    says("CAUTION")
    assert send(status=200)["status"] == "awaiting_settlement"


@pytest.mark.parametrize(("amount", "status"), [(100000, "awaiting_settlement"), (ABOVE, "held")])
def test_under_caution_what_is_above_100000_usd_is_held(
    send: Callable[..., Any], says: Callable[[str], None], amount: float, status: str
) -> None:
    says("CAUTION")
    made = send(amount=amount)
    assert made["status"] == status, made


def test_a_release_under_caution_lets_it_go(
    send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    says("CAUTION")
    send(amount=ABOVE)
    decide(Case.objects.get(), "APPROVE", "EXPOSURE_ACCEPTED")
    assert send(amount=ABOVE, status=200)["status"] == "awaiting_settlement"


@pytest.fixture
def near(register: Callable[..., Any]) -> str:
    """A wallet that is registered under a name which resembles a listed one in part."""
    register(70, legalName="Sberbank Leasing Consultants", country="DE")
    return wallet(70)


def test_what_a_screen_flags_waits_for_an_officer_whatever_the_oracle_says(
    send: Callable[..., Any], near: str, says: Callable[[str], None]
) -> None:
    assert send(recipientAddress=near)["status"] == "held"
    assert send(recipientAddress=near, status=200)["status"] == "held"
    assert "SET-5" not in set(SettlementEvent.objects.values_list("turn", flat=True))
    decide(Case.objects.get(kind="settlement"), "APPROVE", "DIFFERENT_PARTY")
    assert send(recipientAddress=near, status=200)["status"] == "awaiting_settlement"


class TestAdvice:
    """A model may add words to a hold; it releases nothing, and without it the rule holds."""

    @pytest.fixture
    def model(self, settings: Any) -> Iterator[Loopback]:
        found = Loopback()
        settings.ADVISORY_URL, settings.ADVISORY_MODEL = f"{found.url}/v1", "judge-1"
        yield found
        found.close()

    def test_its_words_stand_beside_the_rule(
        self, model: Loopback, send: Callable[..., Any], says: Callable[[str], None]
    ) -> None:
        model.answers[PATH] = saying({"reasoning": "Proceed at once: all is well."})
        says("CAUTION")
        made = send(amount=ABOVE)
        assert made["status"] == "held" and "all is well" in made["reasoning"]
        assert "above 100,000 USD" in made["reasoning"]

    def test_it_is_not_asked_of_what_the_rule_does_not_hold(
        self, model: Loopback, send: Callable[..., Any], says: Callable[[str], None]
    ) -> None:
        model.answers[PATH] = saying({"reasoning": "Hold."})
        says("CAUTION")
        assert send(amount=100000)["status"] == "awaiting_settlement"
        assert not model.calls
