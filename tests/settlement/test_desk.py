"""Settlements on the desk: the list, one whole, the search, and who may settle by two people."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from apps.payments.settlement.institution_access import approvals, selectors
from apps.payments.settlement.institution_access.services import access_changes
from apps.payments.settlement.institution_access.services.access_changes import AccessConflict
from apps.payments.settlement.models import AccessChange, Settlement, SettlementAccess
from apps.platform.common.clock import now
from apps.platform.desk.previews import SEEN
from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import wallet
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.settlement.conftest import PAYER, approved, senior

pytestmark = pytest.mark.django_db
LIST = "/admin/settlement/settlement/"
CHANGES = "/admin/settlement/accesschange/"


@pytest.fixture
def olivia() -> Any:
    return at_desk(person("olivia", OFFICER))


def test_the_list_and_a_page_say_how_a_settlement_stands(
    known: str, bank: Any, settle: Callable[..., Any], olivia: Any
) -> None:
    made = settle(sandbox=False, client=bank, referenceId="R-77")
    settle()
    html = check_page(olivia.get(LIST))
    assert "R-77" in html and "Alder Bank" in html and "Rehearsal" in html
    assert "Awaiting settlement" in html
    row = Settlement.objects.get(sandbox=False)
    html = check_page(olivia.get(f"{LIST}{row.pk}/"))
    for words in (made["settlementId"], "SET-3", "Sanctions", PAYER, made["quote"]["quoteId"]):
        assert words in html
    assert "Integrity check failed" not in html


def test_the_list_of_changes_names_the_institution(bank: Any) -> None:
    assert "Alder Bank" in check_page(at_desk(senior("sena")).get(CHANGES))


@pytest.mark.parametrize(
    ("query", "there"),
    [("text=R-77", True), ("text=R-78", False), ("state=HELD", False), ("kind=sandbox", False),
     ("kind=real", True), ("state=AWAITING_SETTLEMENT", True), ("after=x&state=none", True)],
)  # fmt: skip
def test_the_list_is_narrowed(
    known: str, bank: Any, settle: Callable[..., Any], olivia: Any, query: str, there: bool
) -> None:
    settle(sandbox=False, client=bank, referenceId="R-77")
    assert ("R-77</td>" in check_page(olivia.get(f"{LIST}?{query}"))) is there


def test_an_altered_settlement_shows(
    known: str, bank: Any, settle: Callable[..., Any], olivia: Any
) -> None:
    settle(sandbox=False, client=bank)
    Settlement.objects.update(recipient=wallet(99))
    row = Settlement.objects.get()
    assert "Integrity check failed" in check_page(olivia.get(LIST))
    assert "Integrity check failed" in check_page(olivia.get(f"{LIST}{row.pk}/"))


def test_the_list_takes_as_many_queries_for_many_as_for_few(
    known: str,
    steady: None,
    settle: Callable[..., Any],
    olivia: Any,
    django_assert_max_num_queries: Any,
) -> None:
    settle()
    check_page(olivia.get(LIST))
    for _ in range(5):
        settle()
    with django_assert_max_num_queries(12):
        check_page(olivia.get(LIST))


def test_two_officers_decide_who_may_settle(steady: None) -> None:
    client = key_client("Alder Bank", "INSTITUTION")
    owner = f"account:{client.account.pk}"  # type: ignore[attr-defined]
    samir = at_desk(senior("samir"))
    body = {"owner": owner, "allowed": "on", "wallets": f"{PAYER}\n", "reason": "In the beta now."}
    shown = samir.post(f"{CHANGES}add/", body)
    assert not AccessChange.objects.exists()
    mark = shown.context["adminform"].form.mark
    assert samir.post(f"{CHANGES}add/", body | {SEEN: mark}).status_code == 302
    change = AccessChange.objects.get()
    assert (change.wallets, change.allowed, change.state) == ([PAYER], True, "PROPOSED")
    with pytest.raises(AccessConflict, match="Another"):
        access_changes.approve_access_change(change=change, by=change.proposed_by, now=now())
    sena = at_desk(senior("sena"))
    html = check_page(sena.get(f"{CHANGES}{change.pk}/change/"))
    assert "but only from these wallets" in html and PAYER in html
    assert "Alder Bank" in check_page(sena.get("/admin/approvals/"))
    access_changes.approve_access_change(change=change, by=senior("sena"), now=now())
    access = selectors.load_verified_access(owner)
    assert access and access.wallets == [PAYER] and access.version == 1
    assert "Alder Bank" in check_page(sena.get("/admin/settlement/settlementaccess/"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"wallets": []}, "needs a wallet"),
        ({"wallets": ["nowhere"]}, "not a wallet"),
        ({"wallets": ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"]}, "not an EVM wallet"),
        ({"owner": "account:999999"}, "not a client"),
        ({"owner": "agent:1"}, "not a client"),
    ],
)
def test_what_may_not_stand_is_not_proposed(
    steady: None, change: dict[str, Any], says: str
) -> None:
    client = key_client("Alder Bank", "INSTITUTION")
    stated = {"owner": f"account:{client.account.pk}", "allowed": True, "wallets": [PAYER]}  # type: ignore[attr-defined]
    with pytest.raises(AccessConflict, match=says):
        access_changes.draft_access_change(stated=stated | change, reason="They are in the beta.")


def test_who_is_let_in_may_be_shut_out_again(
    bank: Any, known: str, settle: Callable[..., Any]
) -> None:
    approved(bank, PAYER, allowed=False)
    told = settle(sandbox=False, client=bank, status=403)
    assert told["code"] == "settlement_not_approved"
    assert SettlementAccess.objects.get().version == 2


def test_a_rejected_change_changes_nothing(steady: None) -> None:
    client = key_client("Alder Bank", "INSTITUTION")
    stated = {"owner": f"account:{client.account.pk}", "allowed": True, "wallets": [PAYER]}  # type: ignore[attr-defined]
    first, second = senior("samir"), senior("sena")
    change = access_changes.propose_access_change(
        stated=stated, reason="They are in.", by=first, now=now()
    )
    access_changes.reject_access_change(
        change=change, by=second, now=now(), note="They are not in the beta."
    )
    assert not SettlementAccess.objects.exists()


def test_a_change_is_not_approved_over_one_that_came_in_between(steady: None) -> None:
    client = key_client("Alder Bank", "INSTITUTION")
    stated = {"owner": f"account:{client.account.pk}", "allowed": True, "wallets": [PAYER]}  # type: ignore[attr-defined]
    change = access_changes.propose_access_change(
        stated=stated, reason="They are in.", by=senior("samir"), now=now()
    )
    SettlementAccess.objects.create(
        owner=stated["owner"], allowed=False, wallets=[], version=1, changed_at=now()
    )
    with pytest.raises(AccessConflict, match="changed since"):
        access_changes.approve_access_change(change=change, by=senior("sena"), now=now())
    assert not SettlementAccess.objects.get().allowed


def test_what_waits_is_shown_to_who_may_decide_it_alone(steady: None) -> None:
    client = key_client("Alder Bank", "INSTITUTION")
    stated = {"owner": f"account:{client.account.pk}", "allowed": True, "wallets": [PAYER]}  # type: ignore[attr-defined]
    access_changes.propose_access_change(
        stated=stated, reason="They are in.", by=senior("samir"), now=now()
    )
    onlooker = person("ona")
    onlooker.user_permissions.set(
        Permission.objects.filter(content_type__app_label="settlement", codename__startswith="view")
    )
    assert onlooker.has_perm("settlement.view_accesschange")
    assert approvals.PENDING(onlooker, now()) is None
    assert approvals.PENDING(senior("sena"), now()) is not None
