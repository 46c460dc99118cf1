"""Opening personal data is on record, without any page having to remember it."""

import logging
import re
from io import StringIO
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client

from apps.backoffice.oversight import middleware
from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.oversight.services import reads as reads_module
from apps.backoffice.sar.models import SarRead
from apps.compliance.screening.models import Screen
from apps.platform.common.logging_filters import ConfidentialPathFilter
from apps.platform.desk.page_titles import IMPERSONAL, PAGES, WORK_LISTS
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests import desk_table
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, at_desk, case, check_page, person

CASES = "/admin/review/case/"
LOG = "/admin/oversight/readevent/"


@pytest.fixture
def olivia(db: Any) -> Client:
    return at_desk(person("olivia", OFFICER))


def seen() -> list[tuple[str, str, str]]:
    rows = ReadEvent.objects.order_by("pk").select_related("by")
    return [(event.by.username, event.what, event.ref) for event in rows]


def test_every_page_of_the_desk_is_judged_personal_or_not() -> None:
    label_lowers = {model._meta.label_lower for model in admin.site._registry}
    assert label_lowers >= IMPERSONAL - {"oversight.health"} and label_lowers >= WORK_LISTS
    personal = label_lowers - IMPERSONAL
    assert personal == {
        "agents.agent", "agents.agentevent", "aml.activitychange", "aml.activitydeclaration",
        "aml.amlscreen", "aml.walletprofile",
        "auth.user", "auth.group", "callbacks.delivery", "chain.order",
        "chain.transfer", "oversight.sample", "pain001.paymentfile",
        "payments.payment", "review.case", "review.decisionevent",
        "review.knownfalsepositive", "paywall.paymentclaim", "paywall.receipt",
        "paywall.streamsession", "registry.entitychange", "registry.registration",
        "registry.walletimport", "reports.paidreport",
        "sar.sarentry", "sar.sarread", "screening.reportrecord", "screening.screen",
        "esg.paireport",
        "staff.peopleevent", "staff.person", "travelrule.drawnsample", "travelrule.engagement",
        "travelrule.travelrecord", "travelrule.vasp", "travelrule.vaspchange", "registry.vopcheck",
        "watchlists.entitystate", "watchlists.party",
        "banking.banktransaction", "banking.recipient", "banking.send", "banking.wire",
        "settlement.accesschange", "settlement.settlement", "settlement.settlementaccess",
    }  # fmt: skip


def test_opening_a_case_is_recorded(olivia: Client) -> None:
    new_case = case(evidence={})
    assert olivia.get(f"{CASES}{new_case.pk}/").status_code == 200
    assert seen() == [("olivia", "review.case", str(new_case.pk))]
    event = ReadEvent.objects.get()
    assert event.data == {"address": f"{CASES}{new_case.pk}/", "query": ""}


def test_the_queue_is_no_news_but_a_search_in_it_is(olivia: Client) -> None:
    olivia.get(CASES)
    assert seen() == []
    olivia.get(f"{CASES}?q=Haddad")
    assert seen() == [("olivia", "review.case", "")]
    assert ReadEvent.objects.get().data["query"] == "q=Haddad"


def test_what_was_searched_for_is_in_the_payload_alone(olivia: Client) -> None:
    olivia.get(f"{CASES}?q=Haddad")
    assert "Haddad" not in str(ReadEvent.objects.get().envelope())


def test_what_was_not_shown_is_not_recorded(olivia: Client) -> None:
    new_case = case(evidence={})
    olivia.get(f"{CASES}99999/")
    olivia.get("/admin/screening/screen/")
    olivia.get(f"{CASES}{new_case.pk}")
    Client().get(f"{CASES}{new_case.pk}/")
    olivia.post(f"{CASES}{new_case.pk}/claim/")
    assert seen() == []


def test_a_refused_step_shows_the_case_and_is_recorded(olivia: Client) -> None:
    new_case = case(evidence={})
    answer = olivia.post(f"{CASES}{new_case.pk}/decide/", {"note": NOTE})
    assert answer.status_code == 400
    assert seen() == [("olivia", "review.case", str(new_case.pk))]


@pytest.mark.parametrize("count", [2, 12])
def test_a_page_of_several_cases_is_a_read_of_each(
    olivia: Client, django_assert_max_num_queries: Any, count: int
) -> None:
    cases = [case(str(number)) for number in range(count)]
    chosen = {"case": [one.pk for one in cases]}
    numbers = [str(one.pk) for one in cases]
    # six of them hold whoever sends it against the record of their account
    with django_assert_max_num_queries(21):
        answer = olivia.post(f"{CASES}bulk/", chosen | {"do": "clear"}, follow=True)
    assert answer.status_code == 200
    assert seen() == [("olivia", "review.case", number) for number in numbers]
    assert ReadEvent.objects.first().data["address"] == f"{CASES}bulk/clear/"  # type: ignore[union-attr]
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="reads").faults == []


def test_a_proposal_to_clear_is_a_read_of_its_cases_and_of_no_other(olivia: Client) -> None:
    case("other")
    cases = [case(str(number)) for number in range(3)]
    said = {"reason": "NAME_ONLY", "note": NOTE}
    answer = olivia.post(f"{CASES}bulk/clear/", said | {"case": [one.pk for one in cases]})
    assert answer.status_code == 302 and seen() == []
    assert olivia.get(answer["Location"]).status_code == 200
    assert seen() == [("olivia", "review.case", str(one.pk)) for one in cases]


def test_the_pane_beside_the_queue_is_a_read_of_its_case(olivia: Client) -> None:
    new_case = case(evidence={})
    answer = olivia.get(f"{CASES}{new_case.pk}/preview/", headers={"X-Preview": "1"})
    assert answer.status_code == 200
    assert seen() == [("olivia", "review.case", str(new_case.pk))]


def test_a_page_of_no_personal_data_is_not_recorded(db: Any) -> None:
    desk = at_desk(person("otto", "Operator"))
    for address in ("/admin/", "/admin/core/job/", "/admin/access/apikey/"):
        assert desk.get(address).status_code == 200
    assert seen() == []


def test_an_examiner_opening_records_is_recorded(db: Any) -> None:
    things = desk_table.make_things()
    desk = at_desk(person("edgar", "Examiner"))
    screen = Screen.objects.get(pk=things["screening/screen"])
    desk.get(f"/admin/screening/screen/{screen.pk}/")
    desk.get("/admin/screening/screen/")
    desk.get(f"/admin/review/decisionevent/{things['review/decisionevent']}/history/")
    assert seen() == [
        ("edgar", "screening.screen", str(screen.pk)),
        ("edgar", "screening.screen", ""),
        ("edgar", "review.decisionevent", str(things["review/decisionevent"])),
    ]


def test_a_page_whose_reading_cannot_be_recorded_is_not_shown(
    olivia: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**given: Any) -> None:
        raise RuntimeError("the ledger is away")

    monkeypatch.setattr(middleware, "record_read", broken)
    olivia.raise_request_exception = False
    assert olivia.get(f"{CASES}{case(evidence={}).pk}/").status_code == 500


def test_reads_of_the_sar_log_go_elsewhere(db: Any) -> None:
    sybil = person("sybil")
    reads_module.record_read(by=sybil, what="sar.sarentry", ref="1", now=NOON)
    reads_module.record_read(
        by=sybil, what="review.case", ref="1", now=NOON, address="/a", query="b"
    )
    assert seen() == [("sybil", "review.case", "1")]
    assert SarRead.objects.get().ref == "1"
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="reads").faults == []


def test_the_examiners_page_shows_who_opened_what(db: Any, olivia: Client) -> None:
    new_case = case(evidence={})
    olivia.get(f"{CASES}{new_case.pk}/")
    edgar = at_desk(person("edgar", "Examiner"))
    html = check_page(edgar.get("/admin/oversight/readevent/"))
    assert "olivia" in html and f'href="{CASES}{new_case.pk}/"' in html
    assert "olivia" in check_page(edgar.get("/admin/oversight/readevent/?q=olivia"))
    response = edgar.get("/admin/oversight/readevent/?q=nobody")
    assert f'href="{CASES}{new_case.pk}/"' not in check_page(response)


def test_the_read_log_links_what_its_reader_may_open_and_nothing_else(db: Any) -> None:
    things = desk_table.make_things()
    root, edgar = person("root", superuser=True), at_desk(person("edgar", "Examiner"))
    personal = [page for page in sorted(PAGES) if page.replace(".", "/") in things]
    assert len(personal) > 8
    for what in personal:
        ref = str(things[what.replace(".", "/")])
        reads_module.record_read(by=root, what=what, ref=ref, now=NOON, address="/admin/logout/")
        reads_module.record_read(by=root, what=what, ref="", now=NOON, address="/admin/logout/")
    html = check_page(edgar.get(LOG))
    links = set(re.findall(r'class="field-page"><a data-row href="([^"]+)">', html))
    assert f"{CASES}{things['review/case']}/" in links and CASES in links
    assert f"/admin/screening/screen/{things['screening/screen']}/" in links
    assert {edgar.get(address).status_code for address in links} == {200}
    lists = {what: f"/admin/{what.replace('.', '/')}/" for what in personal}
    closed = [list_ for list_ in lists.values() if edgar.get(list_).status_code == 403]
    assert closed and not any(link.startswith(one) for one in closed for link in links)


def test_the_read_log_calls_pages_by_words_and_what_was_asked_for_too(db: Any) -> None:
    assert set(PAGES) >= {model._meta.label_lower for model in admin.site._registry} - IMPERSONAL
    olivia = person("olivia", OFFICER)
    for what in PAGES:
        for ref in ("", "7"):
            reads_module.record_read(
                by=olivia, what=what, ref=ref, now=NOON, query="q=Had+dad&view=all"
            )
    edgar = at_desk(person("edgar", "Examiner"))
    html = check_page(edgar.get(LOG)) + check_page(edgar.get(f"{LOG}?p=2"))
    shown = re.sub(r'href="[^"]*"|name="[^"]*"', "", html)
    for what, words in PAGES.items():
        assert what not in shown, what
        if not what.startswith("sar."):
            assert all(word in html for word in words), what
    assert "searched for: Had dad, view: all" in html


def test_a_page_of_another_release_stands_for_itself_without_a_link(db: Any) -> None:
    reads_module.record_read(by=person("olivia", OFFICER), what="moon.phase", ref="x", now=NOON)
    html = check_page(at_desk(person("edgar", "Examiner")).get(LOG))
    assert "moon.phase</td>" in html


def test_looking_up_reads_takes_as_many_queries_for_many_as_for_few(
    db: Any, django_assert_max_num_queries: Any
) -> None:
    somebody = person("somebody")
    for number in range(60):
        reads_module.record_read(by=somebody, what="review.case", ref=str(number), now=NOON)
    edgar = at_desk(person("edgar", "Examiner"))
    with django_assert_max_num_queries(14):
        edgar.get("/admin/oversight/readevent/")


def test_opening_what_needs_ones_approval_is_recorded(db: Any) -> None:
    desk = at_desk(person("samir", SENIOR))
    assert desk.get("/admin/approvals/").status_code == 200
    assert seen() == [("samir", "desk.approvals", "")]
    otto = at_desk(person("olaf", OFFICER))
    otto.get("/admin/approvals/?kind=nonsense")
    assert len(seen()) == 1, "what was not shown is no read"
    edgar = at_desk(person("edgar", "Examiner"))
    html = check_page(edgar.get(LOG))
    assert "Needs my approval" in html and "desk.approvals</" not in html


def test_a_search_for_an_entry_of_the_sar_log_is_told_to_its_own_readers_alone(db: Any) -> None:
    samir, olivia = person("samir", SENIOR), person("olivia", OFFICER)
    for user in (samir, olivia):
        at_desk(user).get("/admin/search/", {"q": "SAR log entry 21"})
    reads = ReadEvent.objects.filter(by=samir)
    assert reads.exists() and {event.data["query"] for event in reads} == {""}
    assert {event.data["query"] for event in SarRead.objects.all()} == {"q=SAR+log+entry+21"}
    assert {event.data["query"] for event in ReadEvent.objects.filter(by=olivia)} == {
        "q=SAR+log+entry+21"
    }


def _hushed(handler: Any) -> bool:
    return any(isinstance(filter_, ConfidentialPathFilter) for filter_ in handler.filters)


def test_the_log_of_the_process_names_no_address_of_the_sar_log(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = at_desk(person("samir", SENIOR))
    console = next(handler for handler in logging.getLogger().handlers if _hushed(handler))
    output = StringIO()
    monkeypatch.setattr(console, "stream", output)  # what it had may be closed by now
    assert desk.get("/admin/sar/sarentry/1/step/").status_code == 405
    assert desk.get("/admin/sar/sarentry/999/").status_code == 404
    assert desk.get("/admin/review/case/999/").status_code == 404
    text = output.getvalue()
    assert "/admin/review/case/999/" in text and "sar" not in text.lower()


def test_an_error_of_the_sar_log_is_told_without_its_address() -> None:
    words = ("Internal Server Error", "/admin/sar/sarentry/1/")
    record = logging.LogRecord("django.request", logging.ERROR, "", 1, "%s: %s", words, None)
    assert ConfidentialPathFilter().filter(record)
    assert record.getMessage() == "Internal Server Error: /admin/"
