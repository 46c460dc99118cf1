"""SFDR reports at the desk: read with charts, taken along as JSON, CSV and XLSX."""

import csv
import io
import json
import xml.etree.ElementTree as tree
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.oversight.models import ReadEvent
from apps.insight.esg.models.sfdr_reports import PaiReport
from apps.insight.esg.sfdr.exports import FIGURES, INDICATORS
from tests.esg.conftest import MICROSOFT
from tests.esg.sfdr.conftest import COMPANY, given
from tests.platform.tampering import sql, without_triggers
from tests.review.people import SENIOR, at_desk, check_page, person
from tests.strangers.readers import read_xlsx

pytestmark = pytest.mark.django_db
SHEETS = ("Summary", "Indicators", "Parts", "Quarters", "Figures")


@pytest.fixture
def made(report: Callable[..., Any]) -> dict[str, Any]:
    inputs = given(**COMPANY | {"board_female_share": "10"})
    held = [{"lei": MICROSOFT, "value": 10_000_000, "inputs": inputs}]
    return dict(report(holdings=held, portfolioName="=HYPERLINK(1) fund"))


def address(tail: str = "change/") -> str:
    return f"/admin/esg/paireport/{PaiReport.objects.get().pk}/{tail}"


def desk() -> Any:
    return at_desk(person("sybil", SENIOR))


def test_a_page_shows_every_indicator_with_its_coverage_and_status(made: dict[str, Any]) -> None:
    page = check_page(desk().get(address()))
    for told in ("=HYPERLINK(1) fund", "2025-Q4", "Board gender diversity", "Elevated",
                 "400 tCO2e", "2022/1288", "Women among board members", "CALLER",
                 "Review below 33, elevated below 20", "Review above 100,000",
                 "MICROSOFT CORPORATION", "up to 31 Dec 2025", "<td class=\"num\">no </td>",
                 "100,000,000 EUR", "10,000,000 EUR",
                 "For one day", "Holdings are weighted by value",
                 "supplied by the client"):  # fmt: skip
        assert told in page, told
    assert page.count("<svg") >= 18
    assert ReadEvent.objects.get().what == "esg.paireport"


def test_the_json_is_what_was_given_with_every_figure(made: dict[str, Any]) -> None:
    answer = desk().get(address("json/"))
    document = json.loads(answer.content)
    assert document["report"] == made and len(document["figures"]) == len(COMPANY)
    assert made["reportId"] in answer["Content-Disposition"]


def test_the_csv_has_summary_indicators_parts_and_figures(made: dict[str, Any]) -> None:
    text = b"".join(desk().get(address("csv/")).streaming_content).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    titles = [at for at, row in enumerate(rows) if len(row) == 1]
    assert [rows[at][0] for at in titles] == list(SHEETS)
    at = titles[1]
    assert rows[at + 1] == list(INDICATORS)
    assert [row[0] for row in rows[at + 2 : at + 20]] == [str(n) for n in range(1, 19)]
    assert rows[titles[4] + 1] == list(FIGURES)
    # a spreadsheet would take it for a formula
    assert ["name", "'=HYPERLINK(1) fund"] in rows


def test_the_xlsx_has_a_sheet_for_each_and_no_formula(made: dict[str, Any]) -> None:
    given = b"".join(desk().get(address("xlsx/")).streaming_content)
    book = zipfile.ZipFile(io.BytesIO(given))
    sheets = tree.fromstring(book.read("xl/workbook.xml"))
    names = [one.get("name") for one in sheets.iter() if one.tag.endswith("}sheet")]
    assert names == list(SHEETS)
    second = tree.fromstring(book.read("xl/worksheets/sheet2.xml"))
    assert len([one for one in second.iter() if one.tag.endswith("}row")]) == 19
    for number in range(1, len(SHEETS) + 1):
        sheet = tree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml"))
        assert not [one for one in sheet.iter() if one.tag.endswith("}f")]
    xlsx = read_xlsx(given)
    assert list(xlsx) == list(SHEETS)
    assert ["name", "'=HYPERLINK(1) fund"] in xlsx["Summary"]


def test_a_report_that_was_altered_is_neither_shown_nor_given(made: dict[str, Any]) -> None:
    with without_triggers():
        sql("UPDATE sfdr_paireport SET computed = 18")
    sybil = desk()
    page = check_page(sybil.get(address()))
    assert "Integrity check failed" in page and "Board gender diversity" not in page
    for form in ("json", "csv", "xlsx"):
        assert sybil.get(address(f"{form}/")).status_code == 404
