"""What of the specification is told as shown is served and tested, and what is not is told."""

import re
from collections import Counter
from typing import Any

import pytest

from benchmarks import coverage
from tests.docs.citations import stands
from tests.shared_data import folder

TABLE = coverage.table()
ENDPOINTS = [row["what"] for row in TABLE if row["kind"] == "endpoint"]


def test_every_row_has_a_place_that_stands_in_the_specification() -> None:
    for row in TABLE:
        document, section = row["place"].split(" §")
        assert stands(f"document {document}", section, ""), row
        assert row["kind"] in coverage.KINDS and row["what"]
    assert max(Counter((row["place"], row["what"]) for row in TABLE).values()) == 1


def test_every_test_that_a_row_names_stands_in_the_tree() -> None:
    named = [row["test"] for row in TABLE if row["test"]]
    assert len(named) > 100
    assert [test for test in named if coverage.tested(test) != (test, "")] == []


@pytest.mark.parametrize("what", ENDPOINTS)
def test_every_endpoint_of_the_specification_is_served_and_tested(what: str) -> None:
    by, lacks = coverage.endpoint(what)
    assert lacks == "" and by.startswith("tests/")


@pytest.mark.parametrize(
    ("what", "lacks"),
    [
        ("GET /compliance/vop/nothing", "not served"),
        ("PUT /compliance/register", "not served"),
        ("POST /stability/llms.txt", "not served"),
    ],
)
def test_what_is_not_served_is_told(what: str, lacks: str) -> None:
    assert coverage.endpoint(what) == ("", lacks)


def test_an_address_that_no_test_names_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "tests", lambda: {"tests/a.py": '"/stability/quoted"'})
    assert coverage.endpoint("GET /stability/quote") == ("", "no test names its address")


def test_a_test_that_is_not_there_shows_nothing() -> None:
    gone = "tests/quality/test_specification_coverage.py::test_nothing_of_that_name"
    assert coverage.tested(gone) == ("", f"{gone} is no test")
    assert coverage.tested("") == ("", "no test shows it by itself")


def test_shares_are_of_the_rows_and_what_is_missing_is_among_them() -> None:
    kinds: dict[str, Any] = coverage.measured()["kinds"]
    assert set(kinds) == {*coverage.KINDS, "rule of the code"}
    for kind, one in kinds.items():
        assert one["of"] == len(one["rows"]) > 0, kind
        assert one["shown"] == sum(not row["lacks"] for row in one["rows"])
    assert kinds["rule of the code"]["of"] > 50


def test_the_table_has_every_endpoint_of_the_documents() -> None:
    papers = sorted((folder().parent / "spec").glob("[123]-*.md"))
    if not papers:
        pytest.skip("needs the specification beside the shared data")
    text = "".join(path.read_text(encoding="utf-8").split("## 4. Endpoints")[1].split("\n## 5")[0]
                   for path in papers)  # fmt: skip
    named = re.findall(r"^\| (?:GET|POST|DELETE)[^|]* \| (/[^|]+?) \|", text, flags=re.M)
    told = {path.split("?")[0] for paths in named for path in paths.split(", ")}
    told |= set(re.findall(r"^\| (?:POST )?([a-z][\w/:-]+) \| [\d.]+ \|", text, flags=re.M))
    assert len(told) > 80
    held = [endpoint.split(" ")[1] for endpoint in ENDPOINTS]
    assert [path for path in told if not any(one.endswith(path) for one in held)] == []
