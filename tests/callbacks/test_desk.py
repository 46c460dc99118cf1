"""Callbacks at the desk: what is shown, and what staff do, each with a reason that is kept."""

import re
from typing import Any

import pytest

from apps.access.keys.models import Account
from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.models import Delivery, Endpoint, Secret, State, Step
from apps.platform.common.clock import now
from tests.callbacks.receivers import URL, Receivers, delivery, run_until, tell
from tests.conftest import NOON
from tests.desk_table import EXAMINER, OPERATOR
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
WHY = "The receiver says that it is back again."


@pytest.fixture
def owner() -> str:
    return Account.objects.create(name="Alice Ltd", created_at=NOON).ref


@pytest.fixture
def desk() -> Any:
    return at_desk(person("olga", OPERATOR))


def failed(owner: str, receivers: Receivers, answer: int = 500) -> Delivery:
    receivers.always[URL] = answer
    published_event = tell(owner=owner, url=f"{URL}?token=hidden", now=now())
    receivers.always[f"{URL}?token=hidden"] = answer
    run_until(now().replace(year=2099))
    return delivery(published_event)


def test_the_list_and_a_page_say_what_happened_and_hide_tokens_and_bodies(
    owner: str, desk: Any, receivers: Receivers
) -> None:
    row = failed(owner, receivers)
    shown = check_page(desk.get("/admin/callbacks/delivery/"))
    assert "Alice Ltd" in shown and "alice.example" in shown and "Failed" in shown
    page = check_page(desk.get(f"/admin/callbacks/delivery/{row.pk}/"))
    assert page.count("It answered with a status other than 2xx") == 4 and "No. 4" in page
    assert row.event.digest in page
    for hidden in ("token=hidden", "&quot;done&quot;"):
        assert hidden not in page and hidden not in shown


@pytest.mark.parametrize(("query", "there"), [
    ("state=FAILED", True), ("state=DELIVERED", False), ("client=account:99", False),
    ("state=nonsense", True), ("endpoint=999", False), ("after=0", False), ("after=x", True),
])  # fmt: skip
def test_the_list_is_narrowed(
    owner: str, desk: Any, receivers: Receivers, query: str, there: bool
) -> None:
    failed(owner, receivers)
    page = check_page(desk.get(f"/admin/callbacks/delivery/?{query}"))
    assert ("thing.done" in page) is there


def test_a_callback_is_sent_again_with_a_reason(
    owner: str, desk: Any, receivers: Receivers
) -> None:
    row = failed(owner, receivers)
    page = f"/admin/callbacks/delivery/{row.pk}/"
    refused = desk.post(f"{page}resend/", {"note": "why"})
    assert refused.status_code == 400 and not Step.objects.exists()
    answer = desk.post(f"{page}resend/", {"note": WHY})
    assert (answer.status_code, answer["Location"]) == (302, page)
    step = Step.objects.get()
    assert (step.by, step.reason, step.what) == ("olga", WHY, "RESENT")
    receivers.always.clear()
    run_until(now())
    row.refresh_from_db()
    assert row.state == State.DELIVERED
    assert WHY in check_page(desk.get(page))
    again = desk.post(f"{page}resend/", {"note": WHY})
    assert again.status_code == 302


def test_one_that_is_under_way_is_not_sent_twice(
    owner: str, desk: Any, receivers: Receivers
) -> None:
    row = delivery(tell(owner=owner, now=now()))
    answer = desk.post(f"/admin/callbacks/delivery/{row.pk}/resend/", {"note": WHY})
    assert answer.status_code == 400 and "being sent" in check_page(answer, 400)
    assert not Step.objects.exists()


def test_an_endpoint_is_paused_and_resumed_with_reasons(
    owner: str, desk: Any, receivers: Receivers
) -> None:
    row = failed(owner, receivers).endpoint
    page = f"/admin/callbacks/endpoint/{row.pk}/"
    assert desk.post(f"{page}pause/", {"note": WHY}).status_code == 302
    waits = delivery(tell(owner=owner, now=now()))
    run_until(now())
    waits.refresh_from_db()
    assert waits.state == State.PAUSED
    assert "Paused by staff".lower() in check_page(desk.get(page)).lower()
    assert "Paused" in check_page(desk.get("/admin/callbacks/endpoint/?only=paused"))
    receivers.always.clear()
    assert desk.post(f"{page}resume/", {"note": WHY}).status_code == 302
    run_until(now())
    waits.refresh_from_db()
    assert waits.state == State.DELIVERED and Endpoint.objects.get().paused_at is None
    assert [step.what for step in Step.objects.order_by("pk")] == ["PAUSED", "RESUMED"]
    assert desk.post(f"{page}resume/", {"note": WHY}).status_code == 400


def test_all_failed_ones_of_an_endpoint_are_sent_again(
    owner: str, desk: Any, receivers: Receivers
) -> None:
    rows = [failed(owner, receivers) for _ in range(3)]
    page = f"/admin/callbacks/endpoint/{rows[0].endpoint_id}/"
    given = {"note": WHY, "since": f"{now():%Y-%m-%d}"}
    answer = desk.post(f"{page}resend/", given, follow=True)
    assert "Callbacks sent again: 3." in check_page(answer)
    assert Delivery.objects.filter(state=State.PENDING).count() == 3


def test_who_may_only_look_sees_no_buttons_and_can_do_nothing(
    owner: str, receivers: Receivers
) -> None:
    row = failed(owner, receivers)
    looker = at_desk(person("ed", EXAMINER))
    page = check_page(looker.get(f"/admin/callbacks/delivery/{row.pk}/"))
    assert "Send again" not in page
    for address in (f"delivery/{row.pk}/resend/", f"endpoint/{row.endpoint_id}/pause/"):
        assert looker.post(f"/admin/callbacks/{address}", {"note": WHY}).status_code == 403
    assert looker.get("/admin/callbacks/secret/").status_code == 403


def test_a_secret_is_issued_shown_once_and_its_rotation_ended(owner: str, desk: Any) -> None:
    answer = desk.post("/admin/callbacks/secret/issue/", {"client": owner, "note": WHY})
    shown = check_page(answer)
    secret = signing_secrets.derive_secret(owner=owner, generation=1)
    assert re.findall(r"svc_whs_[0-9a-f]{64}", shown) == [secret]
    row = Secret.objects.get()
    page = f"/admin/callbacks/secret/{row.pk}/"
    assert secret not in check_page(desk.get(page)) + check_page(
        desk.get("/admin/callbacks/secret/")
    )
    assert desk.post(f"{page}end/", {"note": WHY}).status_code == 302
    assert signing_secrets.load_live_secrets(owner=owner, now=now()) == signing_secrets.LiveSecrets(
        secret.encode()
    )
    assert [step.what for step in Step.objects.order_by("pk")] == ["ISSUED", "ENDED"]


@pytest.mark.parametrize("given", [
    {"client": "account:999", "note": WHY}, {"note": WHY}, {"client": "account:1", "note": "x"},
])  # fmt: skip
def test_no_secret_is_issued_without_a_client_and_a_reason(
    owner: str, desk: Any, given: dict[str, str]
) -> None:
    assert desk.post("/admin/callbacks/secret/issue/", given).status_code == 400
    assert not Secret.objects.exists()
