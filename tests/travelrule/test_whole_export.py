"""GET /travel-rule/export with `format`: all that is chosen, streamed and on record."""

import csv
import hashlib
import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.travelrule.models import RecordKey, TravelRecord
from apps.payments.travelrule.services.record_payments import record_settled_payments
from apps.platform.common.clock import now
from apps.platform.common.spreadsheets import stream_xlsx
from apps.platform.crypto.signatures import is_signed_by_us
from tests.api.endpoint_walk import key_client
from tests.strangers.readers import read_csv, read_xlsx
from tests.travelrule.test_export import EXPORT, export
from tests.travelrule.test_receive import message, receive

pytestmark = pytest.mark.django_db


def whole(client: Any, form: str, **query: Any) -> bytes:
    answer = client.get(EXPORT, {"format": form} | query)
    assert answer.status_code == 200, answer.content
    assert answer.streaming
    return b"".join(answer)


def rows(raw: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))


def lines(raw: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in raw.splitlines()]


def test_ndjson_has_each_record_as_the_page_has_it_and_ends_with_the_manifest(
    three: list[str],
    examiner: Any,
) -> None:
    *found, last = lines(whole(examiner, "ndjson"))
    assert [one["record"] for one in found] == export(examiner)["records"]
    manifest = last["manifest"]
    assert is_signed_by_us(manifest) and is_signed_by_us(manifest["root"])
    assert (manifest["records"], manifest["withheld"], manifest["waiting"]) == (3, 0, 0)
    assert manifest["root"]["size"] == 3


def test_tables_say_by_what_the_institution_calls_a_payment(three: Any, examiner: Any) -> None:
    found = rows(whole(examiner, "csv"))
    assert [one["tmsReference"] for one in found] == ["INV-0", "INV-1", "INV-2"]
    found = rows(whole(examiner, "csv", preset="ffiec"))
    assert [one["Originator reference"] for one in found] == ["INV-0", "INV-1", "INV-2"]


def test_csv_has_a_row_for_each_record_and_its_parties(three: Any, examiner: Any) -> None:
    found = rows(whole(examiner, "csv"))
    assert [one["paymentId"] for one in found] == three
    assert found[1]["amountUsd"] == "5000"
    assert found[1]["originator name"] and found[1]["beneficiary accounts"].startswith("0x")
    assert found[1]["originator VASP"] == "Sandbox operator"


def test_the_examiners_preset_has_the_columns_of_appendix_o(three: Any, examiner: Any) -> None:
    [first, *_] = rows(whole(examiner, "csv", preset="ffiec"))
    assert list(first)[:5] == [
        "Date", "Direction", "Role of this institution", "Originator full name",
        "Originator address",
    ]  # fmt: skip
    assert (first["Direction"], first["Role of this institution"]) == ("Outgoing", "Originating")


def test_the_date_is_that_of_execution_and_beside_it_when_it_was_recorded(
    settled: Any, bank: Any, examiner: Any
) -> None:
    """A ledger that stood still for two days does not move the day of a transfer."""
    payment = settled(amount="4000.00")
    paid = bank.get(f"/integration/payments/{payment}").json()["settledAt"]
    record_settled_payments("", now() + timedelta(days=2))
    [told] = export(examiner, to=int((now() + timedelta(days=3)).timestamp()))["records"]
    assert told["executedAt"] == paid
    until = int((now() + timedelta(days=3)).timestamp())
    [row] = rows(whole(examiner, "csv", preset="ffiec", to=until))
    assert row["Date"][:19] == datetime.fromtimestamp(paid, UTC).isoformat()[:19]
    assert row["Recorded"][:10] == (now() + timedelta(days=2)).date().isoformat()
    [full] = rows(whole(examiner, "csv", to=until))
    assert full["executedAt"] == row["Date"]


@pytest.mark.parametrize(
    ("kind", "told"), [("TXID", "12-3456789"), ("SOCS", "12-3456789"), ("RAID", ""), ("CCPT", "")]
)
def test_a_number_is_a_taxpayers_only_where_a_tax_authority_gave_it(
    sample: Any, examiner: Any, kind: str, told: str
) -> None:
    said = message()
    number = {"nationalIdentifier": "12-3456789", "nationalIdentifierType": kind}
    person = {"name": {"nameIdentifier": [{"primaryIdentifier": "Fairweather",
                                           "secondaryIdentifier": "Jane",
                                           "nameIdentifierType": "LEGL"}]}}  # fmt: skip
    address = {"addressType": "HOME", "streetName": "Elm Street", "buildingNumber": "12",
               "postCode": "62701", "townName": "Springfield", "country": "US"}  # fmt: skip
    natural = {**person, "nationalIdentification": number, "geographicAddress": [address]}
    said["originator"]["originatorPersons"] = [{"naturalPerson": natural}]
    receive(said)
    [row] = rows(whole(examiner, "csv", preset="ffiec"))
    assert row["Originator TIN"] == told
    assert row["Originator address"] == "12, Elm Street, 62701, Springfield, US"
    assert row["Beneficiary address"] == ""
    [full] = rows(whole(examiner, "csv"))
    assert (full["originator tax number"], full["executedAt"]) == (told, "")


def test_status_time_and_cursor_choose_what_streams(three: list[str], examiner: Any) -> None:
    assert [r["paymentId"] for r in rows(whole(examiner, "csv", status="STORED"))] == [three[1]]
    at = int(TravelRecord.objects.get(payment_id=three[1]).created_at.timestamp())
    assert [r["paymentId"] for r in rows(whole(examiner, "csv", to=at))] == three[:2]
    cursor = export(examiner, limit=1)["nextCursor"]
    assert [r["paymentId"] for r in rows(whole(examiner, "csv", cursor=cursor))] == three[1:]


def test_no_page_bounds_what_streams(three: Any, examiner: Any) -> None:
    assert len(rows(whole(examiner, "csv", limit=1, offset=2))) == 3


@pytest.mark.parametrize("query", [{"format": "pdf"}, {"format": "csv", "cursor": "none"},
                                   {"format": "csv", "preset": "own"},
                                   {"format": "ndjson", "since": 4}])  # fmt: skip
def test_what_cannot_be_exported_is_refused_before_it_streams(
    three: Any,
    examiner: Any,
    query: Any,
) -> None:
    export(examiner, answers=400, **query)


def test_a_cell_that_begins_like_a_formula_is_a_text(recorded: Any, examiner: Any) -> None:
    recorded(creditor={"name": "=HYPERLINK(1)", "walletAddress": "0x" + "5" * 40})
    [row] = rows(whole(examiner, "csv"))
    assert row["beneficiary name"] == "'=HYPERLINK(1)"


def test_the_workbook_is_read_by_strangers(three: Any, examiner: Any) -> None:
    [(_, [heading, *found])] = read_xlsx(whole(examiner, "xlsx")).items()
    table = read_csv(whole(examiner, "csv"))
    assert [heading, *([one or "" for one in row] for row in found)] == table
    assert [dict(zip(heading, row, strict=True))["paymentId"] for row in found] == three


def test_xlsx_has_the_same_cells_as_text(three: Any, examiner: Any) -> None:
    with zipfile.ZipFile(io.BytesIO(whole(examiner, "xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        assert book.testzip() is None
    cells = re.findall(r'<c t="inlineStr" s="1"><is><t xml:space="preserve">([^<]*)</t>', sheet)
    table = list(csv.reader(io.StringIO(whole(examiner, "csv").decode("utf-8-sig"))))
    assert cells == [one.replace("&", "&amp;") for row in table for one in row]
    assert sheet.count("<c ") == len(cells)


def test_a_workbook_holds_what_xml_cannot_and_begins_another_sheet_at_its_bound(
    monkeypatch: Any,
) -> None:
    monkeypatch.setattr("apps.platform.common.spreadsheets.MOST_ROWS", 2)
    made = b"".join(stream_xlsx(("a",), iter([("\x00<",), ("x" * 40_000,), ("3",)])))
    with zipfile.ZipFile(io.BytesIO(made)) as book:
        first, second = (book.read(f"xl/worksheets/sheet{n}.xml").decode() for n in (1, 2))
    assert "\ufffd&lt;" in first and "x" * 32_767 in first and "x" * 32_768 not in first
    assert second.count("<row>") == 2 and ">3<" in second


def test_a_record_that_was_altered_is_named_and_not_told(three: Any, examiner: Any) -> None:
    TravelRecord.objects.filter(payment_id=three[1]).update(amount_usd=1)
    found = lines(whole(examiner, "ndjson"))
    assert found[1]["withheld"]["why"] == "its integrity check failed"
    assert found[-1]["manifest"]["withheld"] == 1
    assert rows(whole(examiner, "csv"))[1]["status"] == "WITHHELD"


def test_a_record_whose_key_is_gone_without_a_purge_is_named(three: Any, examiner: Any) -> None:
    RecordKey.objects.filter(record__payment_id=three[0]).delete()
    assert "no purge" in lines(whole(examiner, "ndjson"))[0]["withheld"]["why"]


@pytest.mark.parametrize("form", ["ndjson", "csv", "xlsx", "zip"])
def test_every_whole_export_is_on_record_with_the_digest_of_what_left(
    three: Any,
    examiner: Any,
    form: str,
) -> None:
    raw = whole(examiner, form, status="EXEMPT")
    started, finished = ExportEvent.objects.order_by("pk")
    assert (started.phase, finished.phase) == (Phase.STARTED, Phase.FINISHED)
    assert started.export_id == finished.export_id
    assert started.caller == f"account:{examiner.account.pk}" and started.by is None
    assert started.data["filter"]["status"] == "EXEMPT"
    assert finished.data["rows"] == 2
    assert finished.data["sha256"] == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize("form", ["ndjson", "csv", "xlsx", "zip"])
def test_the_log_of_exports_has_how_many_records_were_withheld(
    three: Any, examiner: Any, form: str
) -> None:
    TravelRecord.objects.filter(payment_id=three[1]).update(amount_usd=1)
    whole(examiner, form)
    finished = ExportEvent.objects.get(phase=Phase.FINISHED).data
    assert (finished["rows"], finished["records"], finished["withheld"]) == (3, 2, 1)


def test_an_export_that_was_broken_off_is_on_record_as_started(three: Any, examiner: Any) -> None:
    assert next(iter(examiner.get(EXPORT, {"format": "csv"})))
    assert [export_event.phase for export_event in ExportEvent.objects.all()] == [Phase.STARTED]


def test_an_institution_may_not_have_a_whole_export(db: None) -> None:
    assert key_client("Alder", "INSTITUTION").get(EXPORT, {"format": "zip"}).status_code == 403
    assert not ExportEvent.objects.exists()


def test_an_export_costs_the_same_queries_for_any_number(recorded: Any, examiner: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as found:
            whole(examiner, "ndjson")
        return len(found)

    for number in (1, 2):
        recorded(now() - timedelta(minutes=number), tmsReference=f"Q-{number}")
    whole(examiner, "ndjson")
    two = queries()
    for number in (3, 4, 5):
        recorded(now() - timedelta(minutes=number), tmsReference=f"Q-{number}")
    whole(examiner, "ndjson")
    assert queries() == two < 25
