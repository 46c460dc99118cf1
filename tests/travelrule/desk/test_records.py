"""The desk's pages of travel-rule records: found by what they name, told whole, proved."""

import csv
import io
import json
import subprocess
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.backoffice.oversight.models import ExportEvent, ReadEvent
from apps.payments.payments.instructions import Instruction, Party
from apps.payments.payments.services.accept_payment import accept_payment
from apps.payments.travelrule.models import RecordKey, TravelRecord
from apps.payments.travelrule.rules.us_threshold import format_usd
from apps.platform.api.callers import Caller
from apps.platform.ledger import sealer
from apps.platform.ledger.models import LegalHold
from tests.conftest import NOON
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person
from tests.strangers.readers import read_xlsx
from tests.travelrule.desk.conftest import DAY, recorded
from tests.travelrule.engagements import engaged
from tests.travelrule.erasure import erased
from tests.travelrule.test_receive import message, receive

pytestmark = pytest.mark.django_db
LIST = "/admin/travelrule/travelrecord/"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"name": "alder"}, {"Alder"}),
        ({"name": "alder", "role": "beneficiary"}, set()),
        ({"name": "heron", "role": "beneficiary"}, {"Alder", "Birch", "Cedar"}),
        ({"account": "GB29 nwbk 6016"}, {"Birch"}),
        ({"least": "3000.00", "most": "4500"}, {"Alder"}),
        ({"least": "3000.01", "most": "4499.99"}, set()),
        ({"owner": "account:2"}, {"Birch"}),
        ({"direction": "INBOUND"}, {"Cedar"}),
        ({"status": "EXEMPT"}, {"Birch"}),
        ({"applies": "no"}, {"Birch"}),
        ({"reason": "RECEIVED"}, {"Cedar"}),
        ({"since": "2026-11-20", "until": "2026-11-20"}, {"Alder", "Cedar"}),
        ({"since": "2026-11-21"}, {"Birch"}),
        ({"status": "NONSENSE", "since": "yesterday", "least": "x"}, {"Alder", "Birch", "Cedar"}),
    ],
)
def test_the_list_is_narrowed_by_what_examiners_ask_for(
    asked: dict[str, str], found: set[str]
) -> None:
    recorded("Alder Ltd")
    later = DAY + timedelta(days=1)
    recorded("Birch Ltd", amount="2999.99", owner="account:2", account="GB29NWBK6016", at=later)
    recorded("Cedar Ltd", amount="9000", direction="INBOUND", owner="")
    html = check_page(at_desk(person("olivia", OFFICER)).get(LIST, asked))
    assert {name for name in ("Alder", "Birch", "Cedar") if f"{name} Ltd" in html} == found


def test_the_list_turns_by_place_and_shows_each_record_once() -> None:
    for number in range(120):
        recorded(f"Company{number:03d} Ltd", at=DAY + timedelta(seconds=number // 3))
    desk, address, seen = at_desk(person("olivia", OFFICER)), LIST, []
    for rows in (50, 50, 20):
        html = check_page(desk.get(address))
        here = [part[:3] for part in html.split(">Company")[1:]]
        assert len(set(here)) == rows
        seen += list(dict.fromkeys(here))
        turn = html.partition('">Next 50<')[0].rpartition('href="')[2]
        address = LIST + turn.replace("&amp;", "&")
    assert seen == sorted(set(seen), reverse=True) and len(seen) == 120


def test_a_list_of_many_takes_as_many_queries_as_one_of_few(
    django_assert_max_num_queries: Any,
) -> None:
    desk = at_desk(person("olivia", OFFICER))
    recorded()
    desk.get(LIST)

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            assert desk.get(LIST, {"name": "plover"}).status_code == 200
        return len(seen)

    few = queries()
    for number in range(8):
        recorded(account=f"ACC{number}")
    assert queries() == few
    assert few <= 13


def test_a_settled_payment_is_told_whole_with_its_payment(recorded: Callable[..., str]) -> None:
    payment = recorded(amount="3000.00")
    record = TravelRecord.objects.get()
    html = check_page(at_desk(person("edgar", "Examiner")).get(f"{LIST}{record.pk}/"))
    assert "Microsoft Corporation to Blue Heron Stationery Limited" in html
    assert "INR2EJN1ERAN0W5ZP974" in html and "GLEIF: " in html  # its LEI, and who that is
    assert "Rule TR-A6" in html and "3,000.00 USD or more" in html
    assert payment in html and "/admin/payments/payment/" in html
    assert "not every step is sealed yet" in html and "not sealed yet" in html
    sealer.seal_all_ledgers(now=record.created_at)
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"{LIST}{record.pk}/"))
    assert "sealed at position 1" in html and "not sealed yet" not in html


def test_an_inbound_message_is_shown_as_it_came_and_harms_nobody(sample: Any) -> None:
    hostile = "<script>alert(1)</script>"
    sent = message()
    sent["payloadMetadata"] = {"note": hostile}
    receive(sent)
    record = TravelRecord.objects.get()
    desk = at_desk(person("edgar", "Examiner"))
    html = check_page(desk.get(f"{LIST}{record.pk}/"))
    assert "&lt;script&gt;alert(1)" in html and hostile not in html
    raw = desk.get(f"{LIST}{record.pk}/raw/")
    assert json.loads(raw.content) == sent
    assert raw["Content-Type"] == "application/octet-stream"
    assert raw["Content-Disposition"].startswith("attachment")
    assert at_desk(person("olivia", OFFICER)).get(f"{LIST}{record.pk}/raw/").status_code == 403


def test_a_record_that_was_altered_is_marked_and_not_taken_away() -> None:
    record = recorded()
    TravelRecord.objects.update(amount="1.00")
    desk = at_desk(person("edgar", "Examiner"))
    assert "Integrity check failed" in check_page(desk.get(LIST))
    assert "Integrity check failed" in check_page(desk.get(f"{LIST}{record.pk}/"))
    names = zipfile.ZipFile(unpacked(desk.post(f"{LIST}{record.pk}/zip/"))).namelist()
    assert f"records/{record.record_id}/NOT-AS-RECORDED.txt" in names
    assert not [name for name in names if name.endswith("message.json")]


def test_a_message_that_was_erased_is_told_so_and_one_that_lost_its_key_is_not() -> None:
    record = recorded()
    RecordKey.objects.all().delete()
    desk = at_desk(person("edgar", "Examiner"))
    assert "its key is missing and no purge is recorded" in check_page(desk.get(LIST))
    assert "erased" not in check_page(desk.get(f"{LIST}{record.pk}/"))
    erased(record)
    assert "erased, or its retention has ended" in check_page(desk.get(LIST))
    assert "The message is not shown" in check_page(desk.get(f"{LIST}{record.pk}/"))


@pytest.mark.parametrize("role", ["Operator", "Registrar"])
def test_who_has_no_business_with_personal_data_opens_none_of_it(role: str) -> None:
    record = recorded()
    desk = at_desk(person("otto", role))
    for address in (LIST, f"{LIST}overview/", f"{LIST}{record.pk}/", f"{LIST}{record.pk}/raw/"):
        assert desk.get(address).status_code == 403
    assert (
        str(record.pk)
        not in check_page(desk.get("/admin/search/", {"q": "plover"})).partition("Travel-rule")[2]
    )


@pytest.mark.parametrize("text", ["Grey Plover", "plover trading", "0xab", "HASH", "ID"])
def test_a_record_is_found_by_the_search_of_every_page(text: str) -> None:
    record = recorded(account="0xAB", tx_hash="0x" + "5" * 64)
    asked = {"HASH": record.tx_hash, "ID": str(record.record_id)}.get(text, text)
    answer = at_desk(person("olivia", OFFICER)).get("/admin/search/", {"q": asked})
    address = f"{LIST}{record.pk}/"
    if text in ("HASH", "ID"):
        assert (answer.status_code, answer["Location"]) == (302, address)
    else:
        assert address in check_page(answer)


@pytest.fixture
def paid() -> TravelRecord:
    """The record of a payment that its institution calls INV-7."""
    instruction = Instruction(
        reference="INV-7", amount=Decimal(250), currency="USD", asset="USDC",
        creditor=Party(name="Blue Heron Stationery Limited", wallet=f"0x{91:040x}"),
        debtor=Party(name="Alder Ltd"),
    )  # fmt: skip
    payment = accept_payment(
        instruction=instruction, caller=Caller("account:1", "INSTITUTION"), now=NOON
    ).payment
    return recorded(payment_id=payment.payment_id, reference="INV-7")


@pytest.mark.parametrize("by_id", [True, False])
def test_a_record_is_found_by_its_payments_id_and_by_what_the_institution_calls_it(
    paid: TravelRecord, by_id: bool
) -> None:
    other = recorded()
    text = str(paid.payment_id) if by_id else "INV-7"
    desk = at_desk(person("edgar", "Examiner"))
    listed = check_page(desk.get(LIST, {"payment": text}))
    assert f"{LIST}{paid.pk}/" in listed and f"{LIST}{other.pk}/" not in listed
    assert f"{LIST}{paid.pk}/" not in check_page(desk.get(LIST, {"payment": "INV-8"}))
    if not by_id:
        assert f"{LIST}{paid.pk}/" in check_page(desk.get("/admin/search/", {"q": text}))
    assert "institution’s reference <code>INV-7</code>" in check_page(desk.get(f"{LIST}{paid.pk}/"))


def test_a_hold_is_placed_on_all_steps_of_a_record_from_its_page_and_lifted() -> None:
    record = recorded()
    desk = at_desk(person("sybil", SENIOR))
    html = check_page(desk.get(f"{LIST}{record.pk}/"))
    assert f"/admin/core/legalhold/?find={record.record_id}" in html
    given = {"find": str(record.record_id), "record": f"travelrule.travelrecord:{record.pk}"}
    given["reason"] = "Subpoena 17 of the district court."
    assert desk.post("/admin/core/legalhold/place/", given).status_code == 302
    hold = LegalHold.objects.get()
    assert (hold.ledger, hold.record_id) == ("travel_rule", record.events.get().pk)
    assert "Subpoena 17" in check_page(desk.get(f"{LIST}{record.pk}/"))
    assert f"Travel-rule record {record.record_id}" in check_page(
        desk.get("/admin/core/legalhold/")
    )


def unpacked(answer: Any) -> io.BytesIO:
    assert answer.status_code == 200 and answer["Content-Type"] == "application/zip"
    return io.BytesIO(b"".join(answer.streaming_content))


def test_what_is_taken_away_holds_its_own_hashes_and_is_on_record(
    sample: Any, tmp_path: Path
) -> None:
    receive(message())
    record = TravelRecord.objects.get()
    sealer.seal_all_ledgers(now=record.created_at)
    desk = at_desk(person("edgar", "Examiner"))
    zipfile.ZipFile(unpacked(desk.post(f"{LIST}{record.pk}/zip/"))).extractall(tmp_path)
    folder = tmp_path / "records" / str(record.record_id)
    assert json.loads((folder / "raw.bin").read_bytes()) == message()
    named = json.loads((folder / "message.json").read_text())["originator"]
    assert "Grey Plover" in json.dumps(named)
    assert json.loads((folder / "history.json").read_text())[0]["position"] == 1
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert (summary["takenBy"], summary["ledger"]["position"]) == ("edgar", 1)
    checked = ["sha256sum", "-c", "SHA256SUMS"]
    assert subprocess.run(checked, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    (folder / "raw.bin").write_bytes(b"{}")
    assert subprocess.run(checked, cwd=tmp_path, check=False, capture_output=True).returncode == 1
    phases = list(ExportEvent.objects.order_by("pk").values_list("what", "phase"))
    assert phases == [("travel-records", "STARTED"), ("travel-records", "FINISHED")]


def test_an_outbound_record_is_taken_away_with_what_was_instructed(
    recorded: Callable[..., str],
) -> None:
    recorded()
    record = TravelRecord.objects.get()
    desk = at_desk(person("edgar", "Examiner"))
    archive = zipfile.ZipFile(unpacked(desk.post(f"{LIST}{record.pk}/zip/")))
    document = json.loads(archive.read(f"records/{record.record_id}/instruction.json"))
    assert document["creditor"]["name"] == "Blue Heron Stationery Limited"


@pytest.mark.parametrize(
    ("amount", "told"),
    [
        ("2999.995627", "2,999.995627"), ("2999.99", "2,999.99"), ("3000", "3,000.00"),
        ("3000.000001", "3,000.000001"), ("115.1500", "115.15"), ("0", "0.00"),
        ("12345678.9", "12,345,678.90"),
    ],
)  # fmt: skip
def test_an_amount_below_the_threshold_is_never_rounded_up_to_it(amount: str, told: str) -> None:
    assert format_usd(Decimal(amount)) == told


def test_a_record_just_below_the_threshold_says_so() -> None:
    record = recorded("Alder Ltd", amount="2999.995627")
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"{LIST}{record.pk}/"))
    assert "2,999.995627 USD" in html
    assert html.count("3,000.00 USD") == html.count("3,000.00 USD or more") == 1


def table_of(answer: Any) -> list[dict[str, str]]:
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/csv")
    raw = b"".join(answer.streaming_content)
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))


def test_what_the_list_finds_is_taken_as_a_spreadsheet_and_is_on_record() -> None:
    recorded("Alder Ltd")
    for number in range(60):  # more than a page
        recorded("Birch Ltd", at=DAY + timedelta(seconds=number), amount="3000.00")
    desk = at_desk(person("edgar", "Examiner"))
    assert "Download spreadsheet" in check_page(desk.get(LIST))
    given = {"asked": "?name=birch&least=3000", "form": "csv"}
    found = table_of(desk.post(f"{LIST}table/", given))
    assert len(found) == 60
    assert {one["Originator full name"] for one in found} == {"Birch Ltd"}
    started, finished = ExportEvent.objects.order_by("pk")
    assert (started.what, started.by.get_username()) == ("travel-table", "edgar")
    assert started.data["filter"] == "?name=birch&least=3000.00"
    assert (finished.phase, finished.data["rows"]) == ("FINISHED", 60)
    book = desk.post(f"{LIST}table/", given | {"form": "xlsx"})
    [(_, [heading, *lines])] = read_xlsx(b"".join(book.streaming_content)).items()
    assert len(lines) == 60 and {"Birch Ltd"} == {
        dict(zip(heading, line, strict=True))["Originator full name"] for line in lines
    }


def test_an_examiner_takes_the_records_of_the_scope_and_no_others() -> None:
    recorded("Alder Ltd", owner="account:1")
    recorded("Birch Ltd", owner="account:2")
    recorded("Cedar Ltd", owner="account:1", at=DAY + timedelta(days=40))
    vera = person("vera", "Visiting examiner")
    engaged(
        vera,
        institutions=["account:1"],
        records_from=date(2026, 11, 1),
        records_to=date(2026, 11, 30),
    )
    desk = at_desk(vera)
    found = table_of(desk.post(f"{LIST}table/", {"asked": "", "form": "csv"}))
    assert [one["Originator full name"] for one in found] == ["Alder Ltd"]
    assert ExportEvent.objects.earliest("pk").data["authority"] == "Supervisory authority"
    reads = ReadEvent.objects.filter(by=vera)
    assert f"{LIST}table/" in [one.data["address"] for one in reads]


@pytest.mark.parametrize("form", ["", "pdf", "zip"])
def test_a_table_of_another_form_is_refused(form: str) -> None:
    recorded()
    answer = at_desk(person("edgar", "Examiner")).post(f"{LIST}table/", {"form": form})
    assert answer.status_code == 400
    assert not ExportEvent.objects.exists()


def test_who_may_take_nothing_away_takes_no_table() -> None:
    recorded()
    desk = at_desk(person("olivia", OFFICER))
    assert "Download spreadsheet" not in check_page(desk.get(LIST))
    assert desk.post(f"{LIST}table/", {"form": "csv"}).status_code == 403
