"""A held settlement in production: its case, an officer's decision, and sending it again."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import integrity, services
from apps.backoffice.review.models import BulkClear, Case, DecisionEvent, Status
from apps.compliance.aml.models import WalletProfile
from apps.compliance.screening.rules import screen
from apps.payments.chain.models import Order
from apps.payments.settlement import check_judgements
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.payments.settlement.rules.check_references import IDENTITY
from apps.payments.settlement.rules.flow import BLOCKED_REASON, HELD_REASON
from apps.payments.settlement.services import settlement_case
from apps.platform.common.problems import Conflict
from tests.advisory.fake_chat_api import PATH, saying
from tests.payees.registration.conftest import wallet
from tests.review.people import NOTE, OFFICER, at_desk, check_page, person
from tests.settlement.conftest import senior
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
    return Case.objects.get(kind="settlement")


def decide(case: Case, outcome: str, reason: str, also: list[str] | None = None) -> None:
    """Decide a case by two officers where it asks for two; `also` is answered beside the reason."""
    user = User.objects.filter(username="olivia").first()
    first, second = user or person("olivia", OFFICER), senior("samuel")
    at = case.opened_at
    services.claim_case(case=case, by=first, now=at)
    stored = services.decide_case(
        case=case, by=first, outcome=outcome, reason_code=reason, note=NOTE, now=at, also=also
    )
    if stored.status != "DECIDED":
        services.confirm_decision(case=stored, by=second, reason_code=reason, note=NOTE, now=at)


def test_it_is_one_case_with_the_score_and_the_reasoning(held: Case) -> None:
    row = Settlement.objects.get()
    assert (held.kind, held.ref) == ("settlement", f"{row.settlement_id}/1")
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{held.pk}/"))
    assert "UNSTABLE at a score of" in html and "EXPOSURE_ACCEPTED" in html
    assert not Order.objects.exists()


def test_sent_again_under_another_status_of_the_oracle_it_tells_that_status(
    send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    says("UNSTABLE")
    first = send(amount=ABOVE)
    case = Case.objects.get(kind="settlement")
    assert first["oracleStatus"] == "UNSTABLE" and "says UNSTABLE" in first["reasoning"]
    says("CAUTION")
    again = send(amount=ABOVE, status=200)
    assert (again["status"], again["oracleStatus"]) == ("held", "CAUTION")
    assert "says CAUTION" in again["reasoning"] and "UNSTABLE" not in again["reasoning"]
    assert SettlementEvent.objects.count() == 1
    assert Case.objects.get(kind="settlement", status=Status.OPEN) == case


@pytest.mark.usefixtures("known_payer")
@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_sent_again_under_another_status_its_case_is_decided_as_before(
    send: Callable[..., Any], says: Callable[[str], None], outcome: str
) -> None:
    says("UNSTABLE")
    send(amount=ABOVE)
    says("CAUTION")
    send(amount=ABOVE, status=200)
    case = Case.objects.get(kind="settlement")
    decide(case, outcome, "EXPOSURE_ACCEPTED" if outcome == "APPROVE" else "PEG_AT_RISK")
    goes = "awaiting_settlement" if outcome == "APPROVE" else "blocked"
    assert send(amount=ABOVE, status=200)["status"] == goes


def test_what_the_oracle_held_goes_when_it_is_stable_again(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    assert send(status=200)["status"] == "held"
    says("STABLE")
    assert send(status=200)["status"] == "awaiting_settlement"
    events = SettlementEvent.objects.order_by("number").values_list("turn", flat=True)
    assert list(events) == ["SET-4", "SET-8"]


def test_what_is_held_enters_no_profile_until_it_goes(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    assert not any(wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all())
    says("STABLE")
    assert send(status=200)["status"] == "awaiting_settlement"
    assert [wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all()] == [
        1,
        1,
    ]


@pytest.fixture
def went(held: Case, send: Callable[..., Any], says: Callable[[str], None]) -> Case:
    """The case of a settlement that was sent again once the oracle was STABLE, and went."""
    says("STABLE")
    assert send(status=200)["status"] == "awaiting_settlement"
    held.refresh_from_db()
    return held


def test_the_case_of_a_hold_that_is_over_is_retired_by_nobody(went: Case) -> None:
    assert went.status == Status.RETIRED and not went.outcome and went.first_by is None
    last = DecisionEvent.objects.filter(case=went).latest("pk")
    assert (last.action, last.by) == ("RETIRED", None)
    assert last.data["note"] == (
        "It was sent again. No check found anything against it: the caller executes the transfer."
    )
    assert not list(integrity.verify_cases(lambda count: None))


def test_nobody_decides_a_case_that_was_retired(went: Case) -> None:
    with pytest.raises(Conflict, match="retired"):
        decide(went, "REJECT", "PEG_AT_RISK")
    assert Settlement.objects.get().state == "AWAITING_SETTLEMENT"
    page = at_desk(person("oskar", OFFICER)).get(f"/admin/review/case/{went.pk}/")
    assert "without a decision" in check_page(page) and "It was sent again." in check_page(page)


def test_a_first_decision_that_waited_is_void(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    first, at = person("olivia", OFFICER), held.opened_at
    said = {"reason_code": "EXPOSURE_ACCEPTED", "note": NOTE, "now": at}
    two = BulkClear.objects.create(entity_key="", proposed_by=first, proposed_at=at)
    services.decide_case(case=held, by=first, outcome="APPROVE", bulk=two, **said)
    says("STABLE")
    assert send(status=200)["status"] == "awaiting_settlement"
    held.refresh_from_db()
    assert held.status == Status.RETIRED
    with pytest.raises(Conflict, match="retired"):
        services.confirm_decision(case=held, by=person("samuel", "Senior officer"), **said)
    assert not list(integrity.verify_cases(lambda count: None))


def test_a_case_into_which_others_were_merged_waits_on_for_them(
    held: Case, send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    send(referenceId="R-2")
    twin, by = Case.objects.exclude(pk=held.pk).get(), person("olivia", OFFICER)
    services.merge_case(duplicate=twin, into=held, by=by, note=NOTE, now=held.opened_at)
    says("STABLE")
    send(status=200)
    held.refresh_from_db()
    assert held.status == Status.OPEN
    send(referenceId="R-2", status=200)
    twin.refresh_from_db()
    assert (twin.status, twin.merged_into) == (Status.RETIRED, None)
    assert not list(integrity.verify_cases(lambda count: None))


@pytest.mark.parametrize("steps", ["/0", "/2", ""])
def test_a_decision_on_another_hold_of_it_changes_nothing(held: Case, steps: str) -> None:
    row = Settlement.objects.get()
    settlement_case.apply_case_decision(
        ref=f"{row.settlement_id}{steps}", outcome="APPROVE", now=held.opened_at
    )
    row.refresh_from_db()
    assert (row.state, row.steps) == ("HELD", 1)


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


@pytest.fixture
def known_payer(register: Callable[..., Any]) -> None:
    """The wallet that pays is registered: its first payment may be large."""
    register(52)


@pytest.mark.usefixtures("known_payer")
@pytest.mark.parametrize(("amount", "status"), [(100000, "awaiting_settlement"), (ABOVE, "held")])
def test_under_caution_what_is_above_100000_usd_is_held(
    send: Callable[..., Any], says: Callable[[str], None], amount: float, status: str
) -> None:
    says("CAUTION")
    made = send(amount=amount)
    assert made["status"] == status, made


@pytest.mark.usefixtures("known_payer")
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
    case = Case.objects.get(kind="settlement")
    decide(case, "APPROVE", "DIFFERENT_PARTY", also=case.refs)
    assert send(recipientAddress=near, status=200)["status"] == "awaiting_settlement"


def test_a_release_lets_go_what_it_answers_and_nothing_else(
    send: Callable[..., Any], near: str
) -> None:
    send(recipientAddress=near)
    first = Case.objects.get(kind="settlement")
    assert IDENTITY in first.refs
    decide(first, "APPROVE", "DIFFERENT_PARTY")
    assert Settlement.objects.get().seen[0] == "sanctions"
    assert send(recipientAddress=near, status=200)["status"] == "held"
    second = Case.objects.filter(kind="settlement").latest("pk")
    assert second.pk != first.pk and IDENTITY in second.refs


def test_a_match_of_another_listed_party_is_held_anew_after_a_release(
    send: Callable[..., Any], near: str, monkeypatch: Any
) -> None:
    send(recipientAddress=near)
    case = Case.objects.get(kind="settlement")
    decide(case, "APPROVE", "DIFFERENT_PARTY", also=case.refs)
    monkeypatch.setattr(check_judgements, "_digest_findings", lambda *given: "another listed party")
    assert send(recipientAddress=near, status=200)["status"] == "held"
    assert Case.objects.filter(kind="settlement").count() == 2


def test_a_flagged_one_tells_nobody_which_check_flags_it(
    send: Callable[..., Any], near: str, flow: Callable[..., Any], bank: Any
) -> None:
    made = send(recipientAddress=near)
    body = bank.get(f"/settlement/settle/{made['settlementId']}").json()
    fed = bank.get("/integration/payments/events").content.decode()
    asked = flow(recipientAddress=near)
    for said in (made, body, asked):
        shown = {check["name"]: check for check in said["checks"]}
        for told in ("outcome", "rule", "ruleReference", "message", "source"):
            assert shown["aml"][told] == shown["sanctions"][told], told
        assert shown["aml"]["outcome"] == "HOLD"
    assert HELD_REASON in made["reasoning"] and asked["blockReason"] == HELD_REASON
    for said in (str(made), str(body), str(asked), fed):
        assert not [one for one in ("FLOW-6", 'FLOW-2"', "Sanctions", "fficer") if one in said]


def test_without_a_reference_a_held_one_is_given_one_by_which_it_is_sent_again(
    send: Callable[..., Any], says: Callable[[str], None]
) -> None:
    says("UNSTABLE")
    made = send(referenceId=None)
    assert made["referenceId"] == made["settlementId"]
    says("STABLE")
    again = send(referenceId=made["referenceId"], status=200)
    assert (again["status"], again["settlementId"]) == (
        "awaiting_settlement", made["settlementId"],
    )  # fmt: skip


class TestHeldAnew:
    """What another check holds as it is sent again is a new hold, with a case of its own."""

    @pytest.fixture
    def flagged(self, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
        """Let the combined screen flag whoever is paid, from now on, or flag nobody any more."""
        judged = screen.judge_screen

        def call(flags: bool = True) -> None:
            def found(facts: Any) -> Any:
                near = replace(facts, sanctions_score=58, sanctions_name="Sberbank Leasing")
                return judged(near if flags else facts)

            monkeypatch.setattr(screen, "judge_screen", found)

        return call

    def test_of_what_the_oracle_held_it_tells_how_it_stands_now(
        self, held: Case, send: Callable[..., Any], says: Callable[[str], None], flagged: Any
    ) -> None:
        says("STABLE")
        flagged()
        again = send(status=200)
        assert (again["status"], again["oracleStatus"]) == ("held", "STABLE")
        assert HELD_REASON in again["reasoning"] and "once the" not in again["reasoning"]
        held.refresh_from_db()
        assert held.status == Status.RETIRED
        case = Case.objects.get(kind="settlement", status=Status.OPEN)
        assert "compliance check" in case.summary
        assert send(status=200) == again
        assert Case.objects.filter(kind="settlement").count() == 2

    def test_what_waits_for_an_officer_still_does_once_the_oracle_alone_holds_it(
        self, send: Callable[..., Any], says: Callable[[str], None], flagged: Any
    ) -> None:
        flagged()
        send()
        says("UNSTABLE")
        assert send(status=200)["oracleStatus"] == "UNSTABLE"
        flagged(False)
        says("STABLE")
        assert send(status=200)["status"] == "held"
        assert Settlement.objects.get().held_for == ["sanctions", "stability"]

    def test_of_a_released_one_a_case_opens_and_its_release_covers_both(
        self, held: Case, send: Callable[..., Any], says: Callable[[str], None], flagged: Any
    ) -> None:
        decide(held, "APPROVE", "EXPOSURE_ACCEPTED")
        says("CAUTION")
        flagged()
        assert send(status=200)["status"] == "held"
        case = Case.objects.get(kind="settlement", status=Status.OPEN)
        turns = SettlementEvent.objects.order_by("number").values_list("turn", flat=True)
        assert list(turns) == ["SET-4", "SET-14", "SET-19"]
        decide(case, "APPROVE", "DIFFERENT_PARTY")
        assert send(status=200)["status"] == "awaiting_settlement"


@pytest.mark.usefixtures("known_payer")
class TestAdvice:
    """A model may add words to a hold; it releases nothing, and without it the rule holds."""

    @pytest.fixture
    def model(self, settings: Any) -> Iterator[Loopback]:
        loopback = Loopback()
        settings.ADVISORY_URL, settings.ADVISORY_MODEL = f"{loopback.url}/v1", "judge-1"
        yield loopback
        loopback.close()

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
