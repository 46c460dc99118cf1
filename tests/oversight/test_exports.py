"""Exports: streamed, escaped, hashed, signed, and on record before the first byte leaves."""

import csv
import hashlib
import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.oversight import exports
from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.backoffice.oversight.services import reads
from apps.platform.crypto.signatures import is_signed_by_us
from apps.platform.desk.export_registry import ExportRequest
from apps.platform.ledger import sealer
from tests.review.people import NOON, NOTE, OFFICER, approve, at_desk, case, check_page, person

pytestmark = pytest.mark.django_db
PAGE = "/admin/oversight/exportevent/"
RUN = f"{PAGE}run/"
DAYS = {"since": "2026-11-01", "until": "2026-11-30"}


@pytest.fixture
def edgar() -> Client:
    return at_desk(person("edgar", "Examiner"))


def asked(what: str, since: datetime = NOON, hours: int = 24) -> ExportRequest:
    return ExportRequest(what, since, since + timedelta(hours=hours))


def opened(stream: Any) -> tuple[list[list[str]], dict[str, Any], bytes]:
    """Return the rows, the manifest and the CSV of an export."""
    archive = zipfile.ZipFile(io.BytesIO(b"".join(stream)))
    assert archive.testzip() is None
    name = next(name for name in archive.namelist() if name.endswith(".csv"))
    text = archive.read(name)
    rows = list(csv.reader(io.StringIO(text.decode("utf-8-sig"), newline="")))
    return rows, json.loads(archive.read("manifest.json")), text


def run(what: str, by: User | None = None, **span: Any) -> Any:
    return exports.start_export(asked=asked(what, **span), by=by or person("x"), now=NOON)


def test_an_export_holds_every_row_and_a_signed_manifest_of_its_hash() -> None:
    olivia = person("olivia", OFFICER)
    approve(case("1", evidence={}), olivia)
    case("2", evidence={})
    sealer.seal_all_ledgers(now=NOON)
    rows, manifest, text = opened(run("cases", olivia))
    assert rows[0] == list(exports.load_export_types()["cases"].columns) and len(rows) == 3
    assert rows[1][4] == "Chen Haddad" and rows[1][14] == "APPROVE"
    assert manifest["sha256"] == hashlib.sha256(text).hexdigest()
    assert (manifest["rows"], manifest["exportedBy"]) == (2, "olivia")
    assert manifest["ledger"]["position"] == 3
    assert is_signed_by_us(manifest)


def test_decisions_are_exported_with_note_and_seal() -> None:
    approve(case(evidence={}), person("olivia", OFFICER))
    sealer.seal_all_ledgers(now=NOON)
    rows, _, _ = opened(run("decisions"))
    decided = dict(zip(rows[0], rows[2], strict=True))
    assert (decided["action"], decided["officer"], decided["note"]) == ("DECIDED", "olivia", NOTE)
    assert decided["ledger position"] == "2" and len(decided["ledger digest"]) == 64


def test_reads_are_exported_without_those_of_the_sar_log() -> None:
    olivia = person("olivia")
    reads.record_read(by=olivia, what="review.case", ref="7", now=NOON, query="q=%3Dcmd")
    reads.record_read(by=olivia, what="sar.sarentry", ref="7", now=NOON)
    rows, _, text = opened(run("reads"))
    assert len(rows) == 2 and rows[1][2:5] == ["olivia", "review.case", "7"]
    assert b"sar" not in text


def test_what_a_spreadsheet_would_run_is_escaped() -> None:
    case(party="=HYPERLINK(“x”)", evidence={})
    rows, _, _ = opened(run("cases"))
    assert rows[1][4].startswith("'=HYPERLINK")


def test_only_the_span_is_exported_its_end_not_included() -> None:
    for ref, moment in (("a", NOON - timedelta(seconds=1)), ("b", NOON),
                        ("c", NOON + timedelta(hours=24))):  # fmt: skip
        case(ref, now=moment, evidence={})
    rows, _, _ = opened(run("cases"))
    assert [row[2] for row in rows[1:]] == ["b"]


def test_an_export_is_on_record_before_and_after() -> None:
    olivia = person("olivia")
    stream = run("cases", olivia)
    started = ExportEvent.objects.get()
    assert (started.phase, started.by, started.what) == (Phase.STARTED, olivia, "cases")
    assert started.data["from"] == "2026-11-20T12:00:00.000Z"
    _, manifest, _ = opened(stream)
    finished = ExportEvent.objects.get(phase=Phase.FINISHED)
    assert finished.data["sha256"] == manifest["sha256"]
    assert str(finished.export_id) == manifest["export"]


def test_an_export_that_is_broken_off_stays_on_record_as_started() -> None:
    case(evidence={})
    stream = run("cases")
    next(stream)
    stream.close()
    assert [event.phase for event in ExportEvent.objects.all()] == [Phase.STARTED]


def test_it_streams_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "BATCH", 2)
    for number in range(7):
        case(str(number), evidence={})
    pieces = list(run("cases"))
    assert len(pieces) == 6  # the heading, 7 rows in batches of two, then the manifest
    assert len(opened(pieces)[0]) == 8


def test_the_page_streams_an_archive_to_an_examiner(edgar: Client) -> None:
    case(evidence={})
    check_page(edgar.get(PAGE))
    answer = edgar.post(RUN, {"what": "cases", **DAYS})
    assert answer.status_code == 200 and answer.streaming
    assert answer["Content-Disposition"] == (
        'attachment; filename="cases-2026-11-01-2026-11-30.zip"'
    )
    assert "no-store" in answer["Cache-Control"]
    rows, manifest, _ = opened(answer.streaming_content)
    assert len(rows) == 2
    assert manifest["until"] == "2026-12-01T00:00:00.000Z"
    html = check_page(edgar.get(PAGE))
    assert "Finished" in html and manifest["sha256"] in html


@pytest.mark.parametrize(
    "given",
    [
        {"what": "sar", **DAYS},
        {"what": "cases"},
        {"what": "cases", "since": "2026-11-02", "until": "2026-11-01"},
        {"what": "cases", "since": "2025-11-01", "until": "2026-11-03"},
        {"what": "cases", "since": "x", "until": "y"},
    ],
)
def test_what_makes_no_sense_is_refused_and_not_on_record(
    edgar: Client, given: dict[str, str]
) -> None:
    assert "errorlist" in check_page(edgar.post(RUN, given), 400)
    assert not ExportEvent.objects.exists()


def test_an_examiner_without_the_right_to_export_sees_no_form() -> None:
    from django.contrib.auth.models import Permission

    vera = person("vera")
    vera.user_permissions.add(Permission.objects.get(codename="view_exportevent"))
    assert "Export as CSV" not in check_page(at_desk(vera).get(PAGE))
    assert at_desk(vera).post(RUN, {"what": "cases", **DAYS}).status_code == 403


def test_a_day_is_a_day_in_utc(edgar: Client) -> None:
    edgar.post(RUN, {"what": "cases", "since": "2026-11-20", "until": "2026-11-20"})
    assert ExportEvent.objects.get().data == {
        "from": "2026-11-20T00:00:00.000Z",
        "until": "2026-11-21T00:00:00.000Z",
    }
    assert datetime(2026, 11, 20, tzinfo=UTC) < NOON


def test_the_days_of_an_export_are_told_as_they_were_asked_for(edgar: Client) -> None:
    list(edgar.post(RUN, {"what": "cases"} | DAYS).streaming_content)
    one = {"what": "cases", "since": "2026-11-20", "until": "2026-11-20"}
    list(edgar.post(RUN, one).streaming_content)
    html = check_page(edgar.get(PAGE))
    matches = re.findall(r'data-label="Of">([^<]+)</td>', html)
    assert {"01 Nov 2026 to 30 Nov 2026", "20 Nov 2026"} <= set(matches) and "to before" not in html
