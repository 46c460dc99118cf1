"""What is not as expected is an officer's to look at, and what they decide moves the order."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import case_types, services
from apps.backoffice.review.models import Case
from apps.payments.chain import expected_transfers, tasks
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.integrity import verify_orders
from apps.payments.chain.models import ChainEvent, Order
from apps.platform.common.clock import now as real
from apps.platform.jobs.models import Job
from tests.chain.conftest import EURC, Local, cursor
from tests.chain.fault_proxy import faulty
from tests.chain.sample_orders import BASE, PAYEE, PAYER
from tests.chain.test_node_faults import silent
from tests.review.people import NOTE, OFFICER, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db


def decide(case: Case, outcome: str, reason: str) -> None:
    """Decide a case, by two officers where it asks for two."""
    said = {"reason_code": reason, "note": NOTE, "now": real()}
    case = services.decide_case(case=case, by=officer("olivia", OFFICER), outcome=outcome, **said)
    if case.needs_second:
        services.confirm_decision(case=case, by=officer("samir", SENIOR), **said)


def officer(name: str, role: str) -> User:
    """Return somebody of the desk, the same each time."""
    return User.objects.filter(username=name).first() or person(name, role)


def rules() -> list[tuple[str, str]]:
    """Return the rules of all cases with their risks."""
    return [(case.rules[0]["ref"], case.risk) for case in Case.objects.order_by("pk")]


@pytest.mark.parametrize(
    ("change", "named", "rule"),
    [
        ({"sum_": "249"}, False, ("MATCH-8", "LOW")),
        ({"sum_": "249"}, True, ("MATCH-7", "MEDIUM")),
        ({"token": EURC}, True, ("MATCH-7", "MEDIUM")),
        ({"to": PAYER}, True, ("MATCH-11", "MEDIUM")),
    ],
)
def test_a_transfer_of_another_amount_token_or_payee_is_one_case(
    local: Local, order: Any, change: dict[str, str], named: bool, rule: tuple[str, str]
) -> None:
    wanted = order()
    tx = local.pay(**change)
    if named:
        expected_transfers.report_transaction(wanted, tx, now=local.now())
    for _ in range(3):
        local.look()
    assert rules() == [rule]
    case = Case.objects.get()
    assert case.evidence["seen"]["txHash"] == tx and case.evidence["expected"]["amount"] == "250"
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{case.pk}/"))
    at = Order.objects.get().pk
    assert f"/admin/chain/order/{at}/" in html and tx in html and PAYEE in html


def test_what_reverted_moved_nothing_and_is_no_case(local: Local, order: Any) -> None:
    wanted = order()
    expected_transfers.report_transaction(wanted, local.pay(by=PAYER), now=local.now())
    local.look()
    assert (
        "failed on the chain" in expected_transfers.load_transfer_status(wanted).why
        and not Case.objects.exists()
    )


def test_one_transfer_named_for_two_orders_is_a_case(local: Local, order: Any) -> None:
    order()
    tx = local.pay()
    local.look()
    second = order()
    expected_transfers.report_transaction(second, tx, now=local.now())
    local.look()
    assert rules() == [("MATCH-12", "MEDIUM")]
    assert Case.objects.get().ref.startswith(str(second))


def test_a_transfer_that_fits_several_orders_is_a_case_of_each(local: Local, order: Any) -> None:
    first, second = order(), order()
    tx = local.pay()
    local.mine(20)
    local.look()
    assert rules() == [("MATCH-5", "MEDIUM")] * 2
    decide(Case.objects.earliest("pk"), "APPROVE", "PAID_ANEW")
    decide(Case.objects.latest("pk"), "REJECT", "WITHDRAWN")
    assert [expected_transfers.load_transfer_status(one).state for one in (first, second)] == [
        "SEEN",
        "EXPIRED",
    ]
    for _ in range(3):
        local.look()
    assert (
        Case.objects.count() == 2 and expected_transfers.load_transfer_status(first).state == "SEEN"
    )
    assert (
        tx in expected_transfers.load_transfer_status(first).why
        and expected_transfers.load_transfer_status(second).closed
    )
    local.pay()
    local.mine(20)
    local.look()
    assert [expected_transfers.load_transfer_status(one).state for one in (first, second)] == [
        "FINAL",
        "EXPIRED",
    ]
    assert list(verify_orders(lambda _: None)) == []


def test_what_came_late_is_a_case(local: Local, order: Any) -> None:
    order()
    local.rpc("evm_increaseTime", 3700)
    local.mine(1)
    local.look()
    local.pay()
    local.look()
    assert rules() == [("MATCH-6", "MEDIUM")]


def test_what_comes_to_an_order_that_was_ended_is_a_case(local: Local, order: Any) -> None:
    wanted = order()
    local.pay("249")
    local.look()
    decide(Case.objects.get(), "REJECT", "RETURNED")
    assert expected_transfers.load_transfer_status(wanted).state == "EXPIRED"
    local.pay()
    local.mine(20)
    local.look()
    assert expected_transfers.load_transfer_status(wanted).state == "EXPIRED"
    assert "after the order was ended" in expected_transfers.load_transfer_status(wanted).why
    assert rules()[1:] == [("MATCH-6", "MEDIUM")]


@pytest.fixture
def undone(local: Local, order: Any) -> Any:
    """An order whose transfer was final, and was taken back."""
    wanted = order()
    local.pay()
    local.mine(14)
    local.look()
    assert expected_transfers.load_transfer_status(wanted).state == "FINAL"
    local.rpc("anvil_reorg", 15, [])
    local.look()
    return wanted


def test_what_the_chain_took_back_is_a_grave_case_of_two_officers(undone: Any) -> None:
    case = Case.objects.get()
    assert rules() == [("CH-6", "HIGH")] and case.needs_second
    assert (
        case.evidence["seen"]["txHash"] == expected_transfers.load_transfer_status(undone).tx_hash
    )
    assert "do not pay again" in expected_transfers.load_transfer_status(undone).why


def test_what_was_taken_back_waits_on_and_then_runs_out(local: Local, undone: Any) -> None:
    tx = expected_transfers.load_transfer_status(undone).tx_hash
    decide(Case.objects.get(), "APPROVE", "COMES_AGAIN")
    transfer_status = expected_transfers.load_transfer_status(undone)
    assert (transfer_status.state, transfer_status.tx_hash) == ("SEEN", tx)
    local.rpc("evm_increaseTime", 3700)
    local.mine(1)
    local.look()
    assert (
        expected_transfers.load_transfer_status(undone).state == "EXPIRED"
        and not expected_transfers.load_transfer_status(undone).closed
    )


def test_what_was_taken_back_is_ended_and_whoever_expected_it_told(undone: Any) -> None:
    Job.objects.filter(name="chain.tell").delete()
    decide(Case.objects.get(), "REJECT", "LOSS")
    assert (
        expected_transfers.load_transfer_status(undone).state == "EXPIRED"
        and expected_transfers.load_transfer_status(undone).closed
    )
    assert Job.objects.filter(name="chain.tell", key=str(undone)).exists()
    assert ChainEvent.objects.latest("pk").turn == "CH-14"


def test_an_order_that_went_on_is_not_moved_by_what_was_decided_of_its_past(
    local: Local, undone: Any
) -> None:
    local.pay()
    local.mine(1)
    local.look()
    assert expected_transfers.load_transfer_status(undone).state == "CONFIRMING"
    decide(Case.objects.get(), "REJECT", "LOSS")
    assert expected_transfers.load_transfer_status(undone).state == "CONFIRMING"


@pytest.mark.django_db(transaction=True)
def test_nodes_that_differ_for_minutes_are_one_case(
    local: Local, order: Any, settings: Any
) -> None:
    order()
    local.look()
    local.pay()
    local.mine(3)
    with faulty(local.url) as proxy:
        settings.EVM_RPC_URLS = [local.url, proxy.url]
        proxy.lies = silent
        local.look()
        assert cursor().troubled_at and not Case.objects.exists()
        for minutes in (4, 5, 9):
            later = cursor().troubled_at + timedelta(minutes=minutes)  # type: ignore[operator]
            with pytest.raises(tasks.job_queue.RetryLater):
                tasks.watch_chain(BASE, later)
            assert Case.objects.count() == (minutes >= 5)
        case = Case.objects.get()
        assert "differ in events" in case.summary and "there are 0 events" in case.summary
        decide(case, "APPROVE", "NODE_MENDED")
        proxy.lies = lambda _, said: said
        local.look()
    assert not cursor().trouble and Order.objects.get().state == "CONFIRMING"


def test_a_large_one_takes_two_officers() -> None:
    kind = case_types.get_case_type("chain_transfer")
    for amount, second in (("99999.999999", None), ("100000", "CHAIN-SECOND-2")):
        stakes = case_types.Stakes("MEDIUM", Decimal(amount), None)
        rule = kind.second(stakes)
        assert (rule.ref if rule else None) == second
    assert CHAINS[BASE].caip2 == BASE


@pytest.mark.parametrize("outcome", ["APPROVE", "REJECT"])
def test_naming_a_transaction_does_not_take_an_unclear_one_from_the_officer(
    local: Local, order: Any, outcome: str
) -> None:
    """Money came that fits two: whoever names any hash does not have it run out unseen."""
    first, second = order(), order(owner="account:2")
    local.pay()
    local.look()
    case = Case.objects.get(ref__startswith=str(first))
    transfer_status = expected_transfers.report_transaction(
        first, "0x" + "ee" * 32, now=local.now()
    )
    assert transfer_status.state == "CONFLICT"
    local.rpc("evm_increaseTime", 3700)
    local.mine(1)
    local.look()
    assert [expected_transfers.load_transfer_status(one).state for one in (first, second)] == [
        "CONFLICT"
    ] * 2
    decide(case, outcome, "PAID_ANEW" if outcome == "APPROVE" else "WITHDRAWN")
    assert expected_transfers.load_transfer_status(first).state == (
        "SEEN" if outcome == "APPROVE" else "EXPIRED"
    )
    assert list(verify_orders(lambda _: None)) == []
