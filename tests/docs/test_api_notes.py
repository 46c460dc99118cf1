"""What docs/api.md tells clients is so: addresses, keys, headers, and five lines of a client."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.urls import Resolver404, resolve
from rest_framework.test import APIClient

from apps.platform.api import idempotency, pagination, shapes
from apps.platform.api.schema import openapi_document
from config.services import SERVICES
from tests.api.endpoint_walk import ROWS, client_for, key_client
from tests.screening.conftest import sample  # noqa: F401

ROOT = Path(__file__).resolve().parents[2]
NOTES = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
TOOL = Path(sys.executable).with_name("openapi-python-client")
TABLE = re.findall(r"^\| `([A-Z]+) (/[^`]+)` \| ([^|]+) \|$", NOTES, flags=re.M)


def test_the_table_of_calls_has_every_row_and_no_other() -> None:
    rows = {(row.method, f"/{row.service}/{row.path}".replace("<str:", "<")) for row in ROWS}
    assert {(method, path) for method, path, _ in TABLE} == rows


def test_the_table_says_who_may_call() -> None:
    asks = {(method, path): who for method, path, who in TABLE}
    for row in ROWS:
        who = asks[row.method, f"/{row.service}/{row.path}".replace("<str:", "<")]
        assert who.startswith("nothing") is row.access.open
        assert ("not counted" in who) is not bool(row.access.rate)
        for kind in row.access.keys:
            assert kind.lower() in who or "key's account" in who


def test_every_address_that_is_named_in_the_documents_is_there() -> None:
    dead = []
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = page.read_text(encoding="utf-8")
        prefixes = "|".join(SERVICES)
        text = re.sub(r"https?://[\w.-]+(?::\d+)?(?=/)", "", text)
        for found in re.findall(rf"(?<![\w.}}])/(?:{prefixes})/[\w./<>-]*", text):
            path = re.sub(r"<\w+>", "00000000-0000-4000-8000-000000000000", found.rstrip("./"))
            try:
                resolve(path)
            except Resolver404:
                dead.append(f"{page.name}: {found}")
    assert dead == []


def test_every_address_below_its_service_is_told_with_its_prefix() -> None:
    """A reader pastes what stands here; `/.well-known/…` without its service answers 404."""
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r"(?<![\w>])/\.well-known/", text), page.name
        bare = re.findall(r"`(?:GET|POST) (/[\w./<>-]+)", text)
        prefixes = tuple(f"/{service}/" for service in SERVICES)
        assert all(path.startswith(prefixes) for path in bare), (page.name, bare)


def test_the_documents_name_the_addresses_of_the_keys_and_papers_that_answer() -> None:
    named = {"/compliance/docs", "/compliance/openapi.json", "/compliance/.well-known/jwks.json"}
    for address in named:
        assert address in NOTES and APIClient().get(address).status_code == 200


def test_the_openapi_names_keys_from_where_the_service_stands() -> None:
    described = openapi_document("compliance", "/compliance")
    assert "/.well-known/jwks.json" in described["paths"]
    told = json.dumps([list(described["paths"].values()), described["components"]])
    assert "`.well-known/jwks.json` of this service" in told
    assert "/.well-known/jwks.json" not in told


def test_numbers_in_the_notes_are_those_of_the_code() -> None:
    told = " ".join(NOTES.split())
    assert f"1 to {idempotency.LONGEST_KEY} printable" in told
    assert f"for {idempotency.KEPT.days * 24} hours" in told
    page = pagination.EncryptedCursorPagination
    assert f"`limit` ({page.page_size}, at most {page.max_page_size})" in told
    assert f"{shapes.Number().decimal_places} decimals" in told.replace(
        "six decimals", "6 decimals"
    )
    assert f"{shapes._EXACT_DIGITS} significant digits" in told


@pytest.mark.django_db
def test_rates_nulls_and_unknown_fields_are_as_told(sample: Any) -> None:  # noqa: F811
    client = key_client("Alice Ltd", "SUBSCRIPTION")
    path = "/compliance/compliance/pep-screen"

    def post(**body: Any) -> Any:
        return client.post(path, body, format="json")

    answers = [post(name="Ann", country=None), post(name=None), post(name="Ann", strange=1)]
    assert [answer.status_code for answer in answers] == [200, 400, 400]
    for answer in answers:
        assert answer["X-RateLimit-Limit"] and answer["X-RateLimit-Reset"]
    assert answers[2].json()["errors"][0]["field"] == "strange"
    left = [int(answer["X-RateLimit-Remaining"]) for answer in answers]
    assert left[0] - left[2] == 2
    calendar = APIClient().get("/compliance/compliance/regulatory-calendar")
    assert calendar["X-RateLimit-Limit"]
    assert "X-RateLimit-Limit" not in APIClient().get("/compliance/health")


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_the_five_lines_of_a_client_screen_a_party(
    sample: Any,  # noqa: F811
    live_server: Any,
    tmp_path: Path,
    monkeypatch: Any,
) -> None:
    [command] = re.findall(r"^openapi-python-client generate --url \S+ (.+)$", NOTES, flags=re.M)
    [lines] = re.findall(r"```python\n(.+?)```", NOTES, flags=re.S)
    described = tmp_path / "openapi.json"
    described.write_text(json.dumps(openapi_document("compliance", "/compliance")))
    (tmp_path / "config.yml").write_text("post_hooks: []\n")
    subprocess.run(
        [TOOL, "generate", "--path", described, "--config", "config.yml", *command.split()],
        cwd=tmp_path, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    monkeypatch.syspath_prepend(str(tmp_path))
    screen = next(row for row in ROWS if row.name == "screen")
    known: dict[str, Any] = {"KEY": client_for(screen)._credentials["HTTP_X_API_KEY"]}
    exec(lines.replace("http://127.0.0.1:8000", live_server.url), known)
    assert known["answer"].decision.value == "BLOCKED"
    for name in [name for name in sys.modules if name.partition(".")[0] == "oracle"]:
        del sys.modules[name]
