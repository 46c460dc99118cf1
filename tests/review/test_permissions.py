"""Who reaches what at the desk: every group, every page and step that stands."""

from typing import Any

import pytest

from apps.access.models import Account, Kind, issue
from apps.core.models import Job, JobState, Periodic
from apps.review.models import Case, DecisionEvent
from config.roles import ROLES
from tests.review.people import NOON, at_desk, case, look, person

OFFICER, SENIOR, REGISTRAR, EXAMINER, OPERATOR = ROLES
EVERYBODY = set(ROLES)

# address, method, who may; {case} and the like are filled in
TABLE: tuple[tuple[str, str, set[str]], ...] = (
    ("", "get", EVERYBODY),
    ("password_change/", "get", EVERYBODY),
    ("review/case/", "get", {OFFICER, SENIOR, EXAMINER}),
    ("review/case/{case}/", "get", {OFFICER, SENIOR, EXAMINER}),
    ("review/case/{case}/claim/", "post", {OFFICER, SENIOR}),
    ("review/case/{case}/decide/", "post", {OFFICER, SENIOR}),
    ("review/case/{case}/confirm/", "post", {SENIOR}),
    ("review/case/{case}/return/", "post", {SENIOR}),
    ("review/case/next/", "post", {OFFICER, SENIOR}),
    ("review/decisionevent/", "get", {EXAMINER}),
    ("review/decisionevent/{event}/change/", "get", {EXAMINER}),
    ("review/decisionevent/{event}/delete/", "get", set()),
    ("review/decisionevent/add/", "get", set()),
    ("core/ledgerhead/", "get", {EXAMINER}),
    ("core/job/", "get", {OPERATOR}),
    ("core/job/{job}/change/", "get", {OPERATOR}),
    ("core/job/{job}/retry/", "post", {OPERATOR}),
    ("core/job/{job}/delete/", "get", set()),
    ("core/job/add/", "get", set()),
    ("core/periodic/", "get", {OPERATOR}),
    ("core/periodic/core.seal/change/", "get", {OPERATOR}),
    ("core/periodic/core.seal/delete/", "get", set()),
    ("core/periodic/add/", "get", set()),
    ("upstreams/upstreamstate/", "get", {OPERATOR}),
    ("access/account/", "get", {OPERATOR}),
    ("access/account/add/", "get", {OPERATOR}),
    ("access/account/{account}/change/", "get", {OPERATOR}),
    ("access/account/{account}/usage/", "get", {OPERATOR}),
    ("access/account/{account}/delete/", "get", set()),
    ("access/account/usage/", "get", {OPERATOR}),
    ("access/apikey/", "get", {OPERATOR}),
    ("access/apikey/issue/", "get", {OPERATOR}),
    ("access/apikey/{key}/change/", "get", {OPERATOR}),
    ("access/apikey/{key}/rotate/", "post", {OPERATOR}),
    ("access/apikey/{key}/revoke/", "post", {OPERATOR}),
    ("access/apikey/{key}/delete/", "get", set()),
    ("access/apikey/add/", "get", set()),
    ("auth/user/", "get", set()),
    ("auth/group/", "get", set()),
)
GONE = ("django_q/schedule/", "django_q/ormq/", "core/seal/", "review/case/{case}/delete/")


@pytest.fixture
def things(db: Any) -> dict[str, Any]:
    account = Account.objects.create(name="Alice Ltd", created_at=NOON)
    failed = {"state": JobState.FAILED, "eta": NOON, "created_at": NOON, "attempts": 1}
    return {
        "case": case().pk,
        "event": DecisionEvent.objects.get().pk,
        "job": Job.objects.create(name="core.seal", **failed).pk,
        "account": account.pk,
        "key": issue(account=account, kind=Kind.SUBSCRIPTION, now=NOON).key.pk,
    }


@pytest.mark.parametrize("group", ROLES)
def test_each_group_reaches_exactly_its_pages(things: dict[str, Any], group: str) -> None:
    assert Periodic.objects.filter(pk="core.seal").exists()
    desk = at_desk(person("somebody", group))
    wrong = []
    for address, method, who in TABLE:
        given = {"overlap": "24"} if "rotate" in address else {}
        answer = getattr(desk, method)(f"/admin/{address.format(**things)}", given)
        reached = answer.status_code != 403
        if reached != (group in who):
            wrong.append((address, answer.status_code))
        elif method == "get":
            look(answer, 200 if reached else 403)
    assert not wrong


@pytest.mark.parametrize("address", GONE)
def test_what_must_not_be_edited_has_no_page_even_for_a_superuser(
    things: dict[str, Any], address: str
) -> None:
    desk = at_desk(person("root", superuser=True))
    assert desk.get(f"/admin/{address.format(**things)}").status_code == 404


@pytest.mark.parametrize("group", ROLES)
def test_the_menu_holds_no_page_that_cannot_be_opened(things: dict[str, Any], group: str) -> None:
    desk = at_desk(person("somebody", group))
    _, found, rest = look(desk.get("/admin/")).partition('aria-label="Pages"')
    menu = rest.split("</nav>")[0]
    assert bool(found) is (group != REGISTRAR)  # who has nothing to see has no menu
    for address in {part.split('"')[0] for part in menu.split('href="')[1:]}:
        assert desk.get(address).status_code == 200, address


def test_strangers_are_sent_to_sign_in(things: dict[str, Any], client: Any) -> None:
    for address, method, _ in TABLE:
        answer = getattr(client, method)(f"/admin/{address.format(**things)}")
        assert answer.status_code == 302 and "/admin/login/" in answer["Location"], address
    look(client.get("/admin/login/"))


def test_a_user_who_is_no_staff_stays_outside(things: dict[str, Any]) -> None:
    olivia = person("olivia", OFFICER)
    olivia.is_staff = False
    olivia.save()
    assert at_desk(olivia).get("/admin/review/case/").status_code == 302


def test_a_superuser_sees_every_page_without_a_fault_of_policy(things: dict[str, Any]) -> None:
    desk = at_desk(person("root", superuser=True))
    gone = ("delete", "decisionevent/add", "job/add", "periodic/add", "apikey/add")
    for address, method, _ in TABLE:
        if method == "get" and not any(part in address for part in gone):
            look(desk.get(f"/admin/{address.format(**things)}"))
    assert Case.objects.count() == 1
