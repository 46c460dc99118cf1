"""Page, JSON and Markdown tell the same of every figure, and nothing of the machine's places."""

import json
import re
from html import unescape
from importlib.metadata import version
from pathlib import Path
from tempfile import gettempdir

import pytest
from jsonschema import Draft202012Validator

from benchmarks.report import json_report, markdown, page
from benchmarks.report.command_runner import ROOT, data_folder, last_line
from benchmarks.report.figures import Report

SCHEMA = json.loads((ROOT / "benchmarks/report/schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def pages(report: Report) -> tuple[str, str]:
    """The page as text without its marks, and the Markdown."""
    text = re.sub(r"<[^>]+>", " ", page.html(report))
    return " ".join(unescape(text).split()), markdown.text(report)


def test_the_json_is_as_its_schema_says(report: Report) -> None:
    assert version("jsonschema")
    Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(json.dumps(json_report.as_json(report)))
    assert [
        str(error.message) for error in Draft202012Validator(SCHEMA).iter_errors(document)
    ] == []


def test_page_and_markdown_have_every_value_of_the_json(
    report: Report, pages: tuple[str, str]
) -> None:
    for figure in json.loads(json.dumps(json_report.as_json(report)))["figures"]:
        cells = [cell for row in (figure["table"] or {"rows": []})["rows"] for cell in row]
        words = [figure["title"], figure["means"], figure["command"], *cells]
        words += [figure["why"] or figure["state"]]
        words += [part for stat in figure["stats"] for part in (stat["label"], stat["text"])]
        html, text = pages
        for word in words:
            assert word in html, word
            assert word.replace("|", "/") in text or figure["state"] == "measured", word


def test_a_goal_is_told_with_whether_it_is_reached(pages: tuple[str, str]) -> None:
    html, text = pages
    assert "goal: 40 %, reached" in html and "(goal: 40 %, reached)" in text


def test_what_is_told_is_escaped(report: Report) -> None:
    html = page.html(report)
    assert "<broke>" not in html and "&lt;broke&gt;" in html
    assert "peer <b>" not in html and "peer &lt;b&gt;" in html


def test_the_page_needs_no_script_and_fetches_nothing(report: Report) -> None:
    html = page.html(report)
    assert not re.search(r"<script|\son\w+=|\sstyle=|https?://|url\(|@import", html)
    assert "default-src 'none'" in html


def test_every_chart_has_a_title_and_a_description(report: Report) -> None:
    charts = re.findall(r"<svg .*?</svg>", page.html(report), flags=re.S)
    assert len(charts) == 3
    for chart in charts:
        named = re.search(r'aria-labelledby="(\S+) (\S+)"', chart)
        assert named and all(f'id="{group}">' in chart for group in named.groups())


def test_nothing_of_the_places_of_a_machine_is_told(report: Report) -> None:
    for text in (page.html(report), markdown.text(report), json.dumps(json_report.as_json(report))):
        assert str(ROOT) not in text and str(Path.home()) not in text.replace("/root/", "")


def test_what_a_command_says_is_told_without_the_places_of_the_machine() -> None:
    said = f"first\nno {data_folder().resolve()}/a.csv in {ROOT}/run nor {gettempdir()}/x.json\n\n"
    assert last_line(said) == "no ../shared/data/a.csv in ./run nor …/x.json"
    assert last_line(" \n") == "it printed nothing"


def test_a_report_says_when_it_was_made_and_with_what(pages: tuple[str, str]) -> None:
    for text in pages:
        assert "A quick report of commit abc, made 2026-11-24T12:00:00Z with Python 3.11.7" in text
        assert "4 measured, 1 absent, 1 left out, 1 failed" in text
