"""What weighs heavily asks once more who somebody is; nothing typed is lost by that."""

import fnmatch
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from apps.access.keys.models import Account, ApiKey
from apps.backoffice.review.models import BulkClear, Case, Status
from apps.backoffice.review.services import merge_case
from apps.backoffice.staff.forms_awaiting_proof import get_proof_need
from apps.platform.desk.step_up import EVERYDAY, STEP_UP
from tests.review.people import NOON, approve, case, check_page
from tests.staff.people import (
    PASSWORD,
    PROVE,
    Clock,
    code_of,
    sign_in,
    staff,
    with_app,
)

GO_ON = "/admin/account/go-on/"
NOTE = 'Two papers seen: "A & B" <both>\nsigned; grüße. '


class Hidden(HTMLParser):
    """Reads the form that waits: where it goes, and with what."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action, self.fields = "", {}
        self._in = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        given = dict(attrs)
        if tag == "form":
            self._in = "data-go-on" in given
            self.action = given["action"] if self._in else self.action
        if tag == "input" and self._in and given["name"] != "csrfmiddlewaretoken":
            self.fields[given["name"]] = given.get("value", "")


def waiting(risk: str = "HIGH", **given: Any) -> Case:
    """Return a case that a first officer approved, and that waits for the second."""
    return approve(case("high", risk=risk, evidence={}, **given), staff("first"))


def confirm(client: Client, one: Case) -> Any:
    typed = {"proposed": one.first_outcome, "reason": "NAME_ONLY", "note": NOTE}
    return client.post(f"/admin/review/case/{one.pk}/confirm/", typed)


def senior(clock: Clock, client: Client) -> Client:
    staff("samir", "Senior officer")
    sign_in(client, "samir")
    return client


def test_a_high_approval_asks_for_a_fresh_proof_and_keeps_what_was_typed(
    clock: Clock, client: Client
) -> None:
    one, desk = waiting(), senior(clock, client)
    clock.on(minutes=5)
    answer = confirm(desk, one)
    assert answer.status_code == 303 and answer["Location"].startswith(PROVE)
    one.refresh_from_db()
    assert one.status == Status.AWAITING_SECOND
    page = check_page(desk.get(answer["Location"]))
    assert "What you typed is kept" in page
    assert desk.post(answer["Location"], {"password": "wrong"}).status_code == 200
    proved = desk.post(answer["Location"], {"password": PASSWORD})
    assert (proved.status_code, proved["Location"]) == (302, GO_ON)
    form = Hidden(check_page(desk.get(GO_ON)))
    assert form.action == f"/admin/review/case/{one.pk}/confirm/"
    assert form.fields["note"] == NOTE
    assert desk.post(form.action, form.fields).status_code == 302
    one.refresh_from_db()
    assert one.status == Status.DECIDED
    assert desk.get(GO_ON).status_code == 302, "it goes on its way once"


def test_within_five_minutes_nothing_is_asked(clock: Clock, client: Client) -> None:
    one, desk = waiting(), senior(clock, client)
    clock.on(minutes=4, seconds=59)
    assert confirm(desk, one).status_code == 302


@pytest.mark.parametrize(("risk", "asked"), [("HIGH", True), ("MEDIUM", False)])
def test_the_first_approval_of_a_high_case_is_asked_too(
    clock: Clock, client: Client, risk: str, asked: bool
) -> None:
    one, desk = case("one", risk=risk, evidence={}), senior(clock, client)
    clock.on(minutes=6)
    place, typed = f"/admin/review/case/{one.pk}/decide/", {"reason_APPROVE": "NAME_ONLY"}
    answer = desk.post(place, typed | {"outcome": "APPROVE", "note": NOTE})
    assert (answer.status_code == 303) is asked
    rejected = desk.post(place, {"outcome": "REJECT", "note": "no"})
    assert rejected.status_code != 303


def test_a_high_case_asks_also_through_the_case_that_it_was_merged_into(
    clock: Clock, client: Client
) -> None:
    new_case = case("one", amount_usd=Decimal(10_000_000), evidence={})
    grave = case("two", risk="HIGH", evidence={})
    olivia, desk = staff("olivia", "Compliance officer"), senior(clock, client)
    merge_case(duplicate=grave, into=new_case, by=olivia, note=NOTE, now=NOON)
    clock.on(minutes=6)
    typed = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE}
    assert desk.post(f"/admin/review/case/{new_case.pk}/decide/", typed).status_code == 303
    approved = approve(Case.objects.get(pk=new_case.pk), olivia)
    assert approved.status == Status.AWAITING_SECOND
    assert confirm(desk, approved).status_code == 303


def test_clearing_together_asks_where_a_high_case_was_merged_into_one_of_them(
    clock: Clock, client: Client
) -> None:
    one, grave = case("one", evidence={}), case("two", risk="HIGH", evidence={})
    olivia, desk = staff("olivia", "Compliance officer"), senior(clock, client)
    clock.on(minutes=6)
    bulk = BulkClear.objects.create(entity_key="OFAC SDN:1", proposed_by=olivia, proposed_at=NOON)
    Case.objects.filter(pk=one.pk).update(bulk=bulk)
    place = f"/admin/review/case/bulk/{bulk.pk}/confirm/"
    assert desk.post(place).status_code != 303
    Case.objects.filter(pk=grave.pk).update(merged_into=one)
    assert desk.post(place).status_code == 303


def test_what_needs_no_proof_is_not_asked(clock: Clock, client: Client) -> None:
    one, desk = waiting("MEDIUM", amount=None), senior(clock, client)
    clock.on(minutes=6)
    assert confirm(desk, one).status_code != 303
    assert desk.get("/admin/").status_code == 200


def test_who_may_see_no_case_does_not_learn_its_risk(clock: Clock, client: Client) -> None:
    one = waiting()
    staff("oscar", "Operator")
    sign_in(client, "oscar")
    clock.on(minutes=6)
    assert confirm(client, one).status_code == 403


def test_who_has_a_second_factor_proves_with_that_and_not_by_password(
    clock: Clock, client: Client
) -> None:
    one = waiting()
    secret, _ = with_app(staff("samir", "Senior officer"), clock.moment)
    sign_in(client, "samir")
    client.post("/admin/account/second/", {"code": code_of(secret, clock.moment)})
    clock.on(minutes=6)
    place = confirm(client, one)["Location"]
    assert client.post(place, {"password": PASSWORD}).status_code == 200
    assert confirm(client, one).status_code == 303
    assert client.post(place, {"code": code_of(secret, clock.moment)}).status_code == 302


def test_keys_ask_before_they_are_issued_rotated_or_revoked(clock: Clock, client: Client) -> None:
    account = Account.objects.create(name="Alice Ltd", created_at=NOON)
    staff("oscar", "Operator")
    sign_in(client, "oscar")
    clock.on(minutes=6)
    client.get("/admin/access/apikey/issue/")
    once = client.session["access_once"]
    typed = {"account": account.pk, "kind": "DATA", "label": "Zürich", "once": once}
    response = client.post("/admin/access/apikey/issue/", typed)
    assert response.status_code == 303 and not ApiKey.objects.exists()
    client.post(response["Location"], {"password": PASSWORD})
    form = Hidden(check_page(client.get(GO_ON)))
    check_page(client.post(form.action, form.fields))
    key = ApiKey.objects.get()
    assert key.label == "Zürich"
    clock.on(minutes=6)
    for step in ("rotate", "revoke"):
        place = f"/admin/access/apikey/{key.pk}/{step}/"
        assert client.post(place, {"overlap": "24"}).status_code == 303
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize(("seconds", "kept"), [(599, True), (600, False)])
def test_a_form_waits_ten_minutes(clock: Clock, client: Client, seconds: int, kept: bool) -> None:
    one, desk = waiting(), senior(clock, client)
    clock.on(minutes=5)
    confirm(desk, one)
    clock.on(seconds=seconds)
    assert (desk.get(GO_ON).status_code == 200) is kept
    assert ("staff_held" in desk.session) is kept


def test_what_was_typed_is_not_in_clear_in_the_session(clock: Clock, client: Client) -> None:
    one, desk = waiting(), senior(clock, client)
    clock.on(minutes=5)
    confirm(desk, one)
    held = desk.session["staff_held"]
    assert "Two papers seen" not in str(held) and "NAME_ONLY" not in str(held)


@pytest.mark.parametrize("fields", ["secret-key:AAAA", "gone:AAAA", [["note", "as it was kept"]]])
def test_a_form_that_cannot_be_read_any_more_is_forgotten(
    clock: Clock, client: Client, fields: Any
) -> None:
    one, desk = waiting(), senior(clock, client)
    clock.on(minutes=5)
    confirm(desk, one)
    session = desk.session
    session["staff_held"] = session["staff_held"] | {"fields": fields}
    session.save()
    assert desk.get(GO_ON).status_code == 302
    assert "staff_held" not in desk.session


def test_an_address_of_elsewhere_is_not_followed(clock: Clock, client: Client) -> None:
    desk = senior(clock, client)
    proved = desk.post(f"{PROVE}?next=https://evil.example/", {"password": PASSWORD})
    assert proved["Location"] == "/admin/account/"


def test_ten_wrong_proofs_are_enough(clock: Clock, client: Client) -> None:
    desk = senior(clock, client)
    tried = []
    for number in range(11):
        where = f"198.51.100.{number}"
        tried.append(desk.post(PROVE, {"password": "x"}, REMOTE_ADDR=where).status_code)
    assert tried == [200] * 10 + [429]


# --- by default -------------------------------------------------------------------------


def named(patterns: Any = None, prefix: str = "") -> set[str]:
    """Return the names of all addresses of the desk."""
    found: set[str] = set()
    for url_pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(url_pattern, URLResolver):
            inner = f"{prefix}{url_pattern.namespace}:" if url_pattern.namespace else prefix
            found |= named(url_pattern.url_patterns, inner)
        elif url_pattern.name:
            found.add(f"{prefix}{url_pattern.name}")
    return found


# what moves money, access, lists or rules is done at an address that ends so
GRAVE = (
    "_add", "_change", "_changelist", "_decide", "_issue", "_rotate", "_revoke", "_draw", "_end",
    "_extend", "_register", "_upgrade", "_prove", "_deactivate", "_place", "_lift", "_start",
    "_refresh", "_delete",
)  # fmt: skip


def test_every_name_that_is_listed_is_an_address() -> None:
    names = named()
    assert {one for one in STEP_UP if one not in names} == set()
    assert {one for one in EVERYDAY if not fnmatch.filter(names, one)} == set()
    assert all(len(why) > 10 for why in EVERYDAY.values())


def test_whatever_is_sent_at_the_desk_asks_unless_it_says_why_not() -> None:
    free = {
        name
        for name in named()
        if name.startswith("admin:") and name.endswith(GRAVE) and not get_proof_need(name)
    }
    # casework, and pages of which nothing can be sent but what is done once more
    assert {name.rpartition("_")[0] for name in free} <= {
        "admin:review_case", "admin:review_bulk", "admin:oversight_sample", "admin:sar_sarentry",
        "admin:travelrule_travelrecord", "admin:travelrule_drawnsample", "admin:core_job",
        "admin:callbacks_endpoint", "admin:review_case_bulk", "admin:signals_observation",
        "admin:signals_fetch", "admin:password",
    }  # fmt: skip
    assert get_proof_need("admin:something_that_is_added_tomorrow") == "sent"
    assert get_proof_need("staff:security") is None and get_proof_need("compliance:screen") is None


@pytest.mark.parametrize(
    "name",
    [
        "banking_wire_decide",
        "settlement_accesschange_decide",
        "countries_countrychange_add",
        "countries_countrychange_decide",
        "watchlists_sourcechange_decide",
        "watchlists_source_changelist",
        "travelrule_vaspchange_decide",
        "travelrule_engagement_decide",
        "travelrule_engagement_end",
        "review_knownfalsepositive_decide",
        "review_knownfalsepositive_extend",
        "registry_entitychange_decide",
        "registry_registration_register",
        "registry_registration_deactivate",
        "aml_weightchange_decide",
        "stability_tierchange_decide",
        "access_apikey_issue",
        "core_periodic_change",
        "core_legalhold_lift",
        "agents_agent_revoke",
    ],
)
def test_what_moves_money_access_lists_or_rules_asks(name: str) -> None:
    assert get_proof_need(f"admin:{name}") == "sent" and f"admin:{name}" in named()


@pytest.mark.parametrize("minutes", [4, 5])
def test_a_list_is_refreshed_by_who_proved_it_just_now(
    clock: Clock, client: Client, minutes: int
) -> None:
    staff("otto", "Operator")
    sign_in(client, "otto")
    clock.on(minutes=minutes)
    answer = client.post("/admin/watchlists/source/", {"action": "refresh"})
    asked = answer.status_code == 303 and answer["Location"].startswith(PROVE)
    assert asked is (minutes == 5)
