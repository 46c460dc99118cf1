"""An officer decides the case of a settlement while it is sent again: one of the two wins."""

from collections.abc import Callable
from typing import Any

from apps.backoffice.review import integrity, services
from apps.backoffice.review.models import Case, DecisionEvent, Status
from apps.payments.chain.models import Order
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.platform.common.problems import DomainError
from tests.review.people import NOTE, OFFICER, person
from tests.review.test_races import _at_once
from tests.settlement.conftest import SETTLE, asks

ENDS = {
    ("RETIRED", "AWAITING_SETTLEMENT"),  # it was sent again first
    ("DECIDED", "BLOCKED"),  # the officer was first
}


def test_a_case_is_either_decided_or_retired_and_the_settlement_agrees(
    transactional_db: None,
    known: str,
    bank: Any,
    settle: Callable[..., Any],
    says: Callable[[str], None],
) -> None:
    officer = person("olivia", OFFICER)
    for turn in range(2):  # more of them would be flagged as a pattern
        says("UNSTABLE")
        asked = {"sandbox": False, "referenceId": f"R-{turn}", "amount": 101 + 37 * turn}
        body = asks(**asked)
        settle(client=bank, body=asked)
        case = Case.objects.latest("pk")
        services.claim_case(case=case, by=officer, now=case.opened_at)
        says("STABLE")

        def again(body: Any = body) -> int:
            return int(bank.post(SETTLE, body, format="json").status_code)

        def reject(case: Case = case) -> Any:
            return services.decide_case(
                case=case, by=officer, outcome="REJECT", reason_code="PEG_AT_RISK", note=NOTE,
                now=case.opened_at,
            )  # fmt: skip

        sent, decided = _at_once([again, reject])
        assert sent in (200, 409), sent
        assert isinstance(decided, Case | DomainError), decided
        case.refresh_from_db()
        row = Settlement.objects.latest("pk")
        assert (case.status, row.state) in ENDS, (sent, decided)
        ends = DecisionEvent.objects.filter(case=case, action__in=["DECIDED", "RETIRED"])
        assert ends.count() == 1
        assert SettlementEvent.objects.filter(settlement=row).count() == row.steps == 2
        assert Order.objects.filter(order_id=row.order_id).exists() is (
            case.status == Status.RETIRED
        )
    assert not list(integrity.verify_cases(lambda count: None))
