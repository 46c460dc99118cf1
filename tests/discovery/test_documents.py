"""What machines read about a service is what its rows are, and every example of it runs."""

import json
import re
import shlex
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.access.keys.authentication import list_key_headers
from apps.entry.discovery import llms_txt
from apps.platform.api.operations import Operation
from apps.platform.api.routers import operations_of_service
from apps.platform.api.schema import openapi_document, problems_by_status
from config.services import SERVICES
from tests.for_each import for_each
from tests.openapi import check_answer

pytestmark = pytest.mark.django_db
TOLD = tuple(SERVICES)
FREE = [
    service for service in TOLD if all(row.access.open for row in operations_of_service(service))
]
BEARER = ("integration", "settlement")  # every key travels as a bearer token
each = for_each("service", TOLD)
each_free = for_each("service", FREE)
EVERY = [row for service in TOLD for row in operations_of_service(service)]


def text(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    return str(answer.content.decode())


@cache
def full_text(service: str) -> str:
    return text(f"/{service}/llms-full.txt")


def part(row: Operation) -> str:
    """Return what llms-full.txt says of a row."""
    whole = full_text(row.service)
    _, _, rest = whole.partition(f"\n## {row.method} {row.address}\n")
    return rest.split("\n## ")[0]


def title(row: Operation) -> str:
    return f"{row.service} {row.method} {row.path}"


@each
def test_the_index_has_every_endpoint_with_its_sentence_and_no_other(service: str) -> None:
    listed = re.findall(r"^- \[(GET|POST|PUT|DELETE) (/\S*)\]\((\S+)\): (.+)$",
                        text(f"/{service}/llms.txt"), flags=re.M)  # fmt: skip
    assert listed == [
        (row.method, row.address, f"http://testserver/{service}{row.address}",
         row.summary)
        for row in operations_of_service(service)
    ]  # fmt: skip


@each
def test_the_index_names_documents_that_are_there(service: str) -> None:
    said = text(f"/{service}/llms.txt")
    matches = re.findall(r"\((http://testserver/\S+)\)", said.partition("## Documents")[2])
    assert len(matches) == len(llms_txt.DOCUMENTS)
    for address in matches:
        assert Client().get(urlsplit(address).path).status_code == 200, address
    assert said.startswith(f"# {SERVICES[service].title}\n\n> ")
    assert f"Version {SERVICES[service].version}." in said


@each
def test_the_full_text_has_a_part_for_every_row_and_no_other(service: str) -> None:
    parts = re.findall(r"^## (\S+) (\S+)$", text(f"/{service}/llms-full.txt"), flags=re.M)
    assert parts == [(row.method, row.address) for row in operations_of_service(service)]


@for_each("row", EVERY, ids=title)
def test_a_part_says_all_that_the_row_says(row: Operation) -> None:
    said = part(row)
    assert row.description in said
    for name, one in (row.request().fields if row.request else {}).items():
        needed = "required" if one.required else "optional"
        line = next(line for line in said.splitlines() if line.startswith(f"- `{name}` ("))
        assert needed in line and (one.help_text or "") in line
    for name in row.response().fields:
        assert f"\n- `{name}` (" in said.partition("Answer:")[2]
    for status, about in problems_by_status(row).items():  # each code with its sentence
        assert f"- {status}: {about}" in said


@for_each("row", EVERY, ids=title)
def test_a_part_has_every_field_of_the_document_and_no_other(row: Operation) -> None:
    described = openapi_document(row.service, "")
    matches = re.findall(r"^ *- `(\w+)` \(", part(row).partition("Answer:")[2], flags=re.M)
    responses = described["paths"][row.address][row.method.lower()]["responses"]
    good = responses[str(row.statuses[0])]
    assert matches == names(good["content"]["application/json"]["schema"], described["components"])


def names(schema: Any, components: Any) -> list[str]:
    """Return the names of all fields of a schema, each before those within it."""
    for one in (schema, *schema.get("allOf", ())):
        if "$ref" in one:
            return names(components["schemas"][one["$ref"].rpartition("/")[2]], components)
    if schema.get("type") == "array":
        return names(schema["items"], components)
    found = []
    for name, inner in schema.get("properties", {}).items():
        found += [name, *names(inner, components)]
    return found


@for_each("row", [row for row in EVERY if row.service in FREE], ids=title)
def test_its_example_runs_as_it_stands_and_answers_as_documented(
    loaded: Any, row: Operation
) -> None:
    [command] = re.findall(r"```sh\n(.+)\n```", part(row))
    words = shlex.split(command)
    assert words[:2] == ["curl", "-sS"]
    options = dict(pairwise(words))
    [address] = [word for word in words if word.startswith("http")]
    there = urlsplit(address)
    sent = {"data": options["-d"], "content_type": "application/json"} if "-d" in options else {}
    answer = APIClient().generic(
        options.get("-X", "GET"), there.path, QUERY_STRING=there.query, **sent
    )
    assert answer.status_code in row.statuses, answer.content
    check_answer(
        row.service,
        row.method,
        row.address,
        answer.json(),
        answer.status_code,
    )
    assert json.loads(options.get("-d", "{}")) == (dict(row.example) if row.has_body else {})


def test_services_whose_keys_no_plugin_can_send_have_none() -> None:
    assert {"stability", "esg"} <= set(FREE)
    for service in set(TOLD) - set(FREE) - set(BEARER):
        assert any("X-API-Key" in list_key_headers(row.access.keys) or row.access.pays
                   for row in operations_of_service(service))  # fmt: skip
        assert Client().get(f"/{service}/.well-known/ai-plugin.json").status_code == 404


@for_each("service", BEARER)
def test_a_plugin_of_a_service_with_bearer_keys_asks_its_user_for_one(service: str) -> None:
    body = Client().get(f"/{service}/.well-known/ai-plugin.json").json()
    assert body["auth"] == {"type": "user_http", "authorization_type": "bearer"}
    assert len(body["description_for_model"]) <= 8000


@each_free
def test_the_plugin_leads_to_the_document(service: str) -> None:
    body = Client().get(f"/{service}/.well-known/ai-plugin.json").json()
    assert (body["schema_version"], body["auth"]) == ("v1", {"type": "none"})
    assert body["name_for_model"] == f"{service}_oracle" and len(body["name_for_human"]) <= 20
    for row in operations_of_service(service):
        assert f"{row.method} {row.address}: {row.summary}." in body["description_for_model"]
        assert row.access.open  # or `auth` would not be true
    described = Client().get(urlsplit(body["api"]["url"]).path).json()
    assert body["api"]["type"] == "openapi" and described["openapi"].startswith("3.0")
    assert body["legal_info_url"] == f"http://testserver/{service}/docs"


@each
def test_on_a_host_of_its_own_there_is_no_prefix(service: str, settings: Any) -> None:
    host = f"{service}.example"
    settings.SERVICE_HOSTS, settings.ALLOWED_HOSTS = {service: host}, [host]
    said = Client().get("/llms.txt", headers={"host": host}).content.decode()
    assert f"Paths are below http://{host}. " in said and f"(http://{host}/health)" in said
    if service in FREE:
        body = Client().get("/.well-known/ai-plugin.json", headers={"host": host}).json()
        assert body["api"]["url"] == f"http://{host}/openapi.json"


@each
def test_nothing_can_be_sent_to_a_text(service: str) -> None:
    for path in (llms_txt.INDEX, llms_txt.FULL):
        assert Client().post(f"/{service}/{path}").status_code == 405


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("screen", ["-X POST", '-H "X-API-Key: $KEY"', " http://x/compliance/screen "]),
        ("register", ['-H "Authorization: Bearer $KEY"']),
        ("screen-stored", ['"http://x/compliance/screen/$SCREEN_ID"']),
        ("usage", ["'http://x/compliance/usage?month=2026-11'"]),
    ],
)
def test_an_example_names_the_key_and_the_ids_that_it_needs(name: str, words: list[str]) -> None:
    row = next(row for row in operations_of_service("compliance") if row.name == name)
    assert all(word in llms_txt.build_curl_example(row, "http://x") for word in words)


def test_texts_and_cards_count_against_the_free_rate_of_who_reads_them(settings: Any) -> None:
    settings.FREE_RATE_PER_MINUTE = 2
    paths = ("/esg/llms.txt", "/.well-known/agent-card.json", "/compliance/llms-full.txt")
    status_codes = [Client().get(path).status_code for path in paths]
    assert status_codes == [200, 200, 429]
    late = Client().get("/llms.txt")
    assert late.json()["code"] == "rate_limited" and int(late["Retry-After"]) > 0
    other = Client(REMOTE_ADDR="203.0.113.9").get("/llms.txt")
    assert other.status_code == 200
