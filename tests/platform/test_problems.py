"""Every error of an API path is application/problem+json and tells no secrets."""

import json
from itertools import product
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, override_settings

from apps.platform.api.shapes import Shape
from apps.platform.apps import require_valid_settings
from apps.platform.common.problems import PROBLEM_TYPE
from apps.platform.desk import error_pages
from tests.for_each import for_each
from tests.platform.endpoints import RAISED

NOTE = "/compliance/test/note"
pytestmark = pytest.mark.urls("tests.platform.endpoints")


@pytest.fixture
def http(db: Any) -> Client:
    return Client(raise_request_exception=False)


def problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """Return the problem in a response after checking all that every problem has."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.content)
    assert body["status"] == status and body["code"] == code
    assert body["type"] == f"urn:svc:problem:{code}"
    assert body["title"] and body["detail"] and body["message"] == body["detail"]
    assert set(body) <= {"type", "title", "status", "detail", "code", "message", "errors"}
    for leak in ("secret", "Traceback", "<html", "ZeroDivision"):
        assert leak not in response.content.decode()
    assert "Content-Security-Policy" in response
    return body


def send(http: Client, body: Any, content_type: str = "application/json", **more: Any) -> Any:
    return http.post(NOTE, data=body, content_type=content_type, **more)


RAISING = (
    ("domain", 400, "invalid_request"),
    ("not-found", 404, "not_found"),
    ("conflict", 409, "conflict"),
    ("unavailable", 503, "unavailable"),
    ("http404", 404, "not_found"),
    ("denied", 403, "forbidden"),
    ("too-big", 413, "too_large"),
    ("suspicious", 400, "invalid_request"),
    ("throttled", 429, "rate_limited"),
    ("unauthenticated", 403, "forbidden"),
    ("drf-denied", 403, "forbidden"),
    ("drf-teapot", 500, "internal_error"),
    ("database", 503, "unavailable"),
    ("bug", 500, "internal_error"),
    ("invalid", 400, "invalid_request"),
    ("invalid-text", 400, "invalid_request"),
)


@for_each(("what", "status", "code"), RAISING)
def test_whatever_a_view_raises_is_a_problem(
    http: Client, what: str, status: int, code: str
) -> None:
    problem(http.get(f"/compliance/test/raise/{what}"), status, code)


def test_every_way_to_raise_is_in_the_table_above() -> None:
    assert {what for what, _, _ in RAISING} == set(RAISED)


@for_each(("what", "seconds"), [("unavailable", "8"), ("throttled", "10"), ("database", "5")])
def test_retry_after_is_whole_seconds_rounded_up(http: Client, what: str, seconds: str) -> None:
    assert http.get(f"/compliance/test/raise/{what}")["Retry-After"] == seconds


def test_field_errors_are_rows_with_dotted_paths(http: Client) -> None:
    body = problem(http.get("/compliance/test/raise/invalid"), 400, "invalid_request")
    assert body["errors"] == [
        {"field": "a.b", "message": "One."},
        {"field": "a.b", "message": "Two."},
        {"field": "rows.1.c", "message": "X."},
    ]
    own = problem(http.get("/compliance/test/raise/domain"), 400, "invalid_request")
    assert own["errors"] == [{"field": "a.b", "message": "Wrong."}]


def test_a_bug_is_logged_with_its_trace(http: Client, caplog: Any) -> None:
    http.get("/compliance/test/raise/bug")
    assert "ZeroDivisionError" in caplog.text


UNKNOWN = (
    "/compliance/nothing",
    "/compliance",
    "/compliance/",
    "/compliance/test/note/",
    "/compliance/%ff",
    "/compliance/../compliance/x",
    "/.well-known/nothing",
)
METHODS = ("get", "post", "put", "delete", "options", "patch")


@for_each(("path", "method"), product(UNKNOWN, METHODS))
def test_unknown_paths_of_a_service_are_problems(http: Client, path: str, method: str) -> None:
    problem(getattr(http, method)(path), 404, "not_found")


def test_unknown_paths_stay_problems_whatever_is_accepted(http: Client) -> None:
    for accept in ("text/html", "application/xml", "image/*;q=0.1", "nonsense"):
        problem(http.get("/compliance/nothing", headers={"Accept": accept}), 404, "not_found")
        assert http.get(NOTE, headers={"Accept": accept})["Content-Type"] == "application/json"


@override_settings(DEBUG=True)
def test_api_errors_are_problems_in_debug_mode_too(http: Client) -> None:
    problem(http.get("/compliance/test/raise/bug"), 500, "internal_error")


def test_pages_for_people_stay_pages(http: Client) -> None:
    response = http.get("/nothing")
    assert response.status_code == 404 and response["Content-Type"].startswith("text/html")


@for_each(
    ("path", "allowed"),
    [
        (NOTE, {"GET", "POST", "HEAD", "OPTIONS"}),
        ("/compliance/test/once", {"POST", "OPTIONS"}),  # a key is not asked for
        ("/compliance/openapi.json", {"GET", "HEAD"}),
        ("/compliance/docs", {"GET", "HEAD"}),
        ("/compliance/health", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_a_wrong_method_is_405_and_says_which_are_allowed(path: str, allowed: set[str]) -> None:
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    for method in ("PUT", "DELETE", "PATCH", "READ", "X-Y"):
        response = strict.generic(method, path)
        problem(response, 405, "method_not_allowed")
        assert {m.strip() for m in response["Allow"].split(",")} <= allowed
    assert {"GET", "POST"} & set(response["Allow"].split(", "))


@for_each(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x", ""],
)
def test_another_media_type_is_415(http: Client, content_type: str) -> None:
    problem(send(http, b'{"text":"a"}', content_type), 415, "unsupported_media_type")


@for_each(
    "content_type", ["application/json", "application/json; charset=utf-8", "APPLICATION/JSON"]
)
def test_json_is_json_however_it_is_spelt(http: Client, content_type: str) -> None:
    assert send(http, b'{"text":"a"}', content_type).json() == {"text": "a"}


def test_a_body_of_the_largest_size_is_taken_and_one_byte_more_is_413(
    http: Client, settings: Any
) -> None:
    body = b'{"text":"a"}'.ljust(settings.API_MAX_BODY)
    assert send(http, body).status_code == 200
    problem(send(http, body + b" "), 413, "too_large")


@for_each(
    "body",
    [b"{", b'{"text":"a","text":"b"}', b"[" * 5000, b"NaN", b"\xff", b'{"text":"\\ud800"}', b" "],
)
def test_malformed_json_is_400(http: Client, body: bytes) -> None:
    problem(send(http, body), 400, "malformed_json")


@for_each(
    ("body", "field"),
    [
        (b"", "text"),
        (b"{}", "text"),
        (b"[]", "body"),
        (b"null", "body"),
        (b"0", "body"),
        (b'"x"', "body"),
        (b'{"text":1}', "text"),
        (b'{"text":"a","amount":"5"}', "amount"),
        (b'{"text":"a","amount":true}', "amount"),
        (b'{"text":"a","x":1}', "x"),
        (b'{"text":"\\u202ea"}', "text"),
    ],
)
def test_invalid_values_name_their_field(http: Client, body: bytes, field: str) -> None:
    found = problem(send(http, body), 400, "invalid_request")
    assert [row["field"] for row in found["errors"]] == [field]


def test_a_query_parameter_that_comes_twice_is_400(http: Client) -> None:
    assert http.get(f"{NOTE}?text=a").json() == {"text": "a"}
    found = problem(http.get(f"{NOTE}?text=a&text=b"), 400, "invalid_request")
    assert found["errors"] == [
        {"field": "text", "message": "This parameter was sent more than once."}
    ]
    problem(http.get(f"{NOTE}?other=a"), 400, "invalid_request")


def test_an_answer_that_cannot_be_rendered_is_a_problem(http: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(Shape, "to_internal_value", lambda self, data: {"text": float("nan")})
    problem(send(http, b'{"text":"a"}'), 500, "internal_error")


def test_a_host_of_its_own_serves_the_service_at_its_root(http: Client, settings: Any) -> None:
    settings.SERVICE_HOSTS = {"compliance": "Compliance.example.com"}
    settings.ALLOWED_HOSTS = ["*"]
    for host in ("compliance.example.com", "COMPLIANCE.example.com:8443"):
        document = http.get("/openapi.json", headers={"Host": host})
        assert document.json()["servers"] == [{"url": "/"}]
        problem(http.get("/nothing", headers={"Host": host}), 404, "not_found")
        problem(http.get("/admin/", headers={"Host": host}), 404, "not_found")
        problem(http.delete("/docs", headers={"Host": host}), 405, "method_not_allowed")
    other = http.get("/openapi.json", headers={"Host": "other.example.com"})
    assert other.status_code == 404 and other["Content-Type"].startswith("text/html")
    assert http.get("/compliance/openapi.json").json()["servers"] == [{"url": "/compliance"}]


def test_a_host_that_is_not_ours_is_refused(http: Client, settings: Any) -> None:
    settings.SERVICE_HOSTS = {"compliance": "compliance.example.com"}
    settings.ALLOWED_HOSTS = ["oracle.example.com", "compliance.example.com"]
    for host in ("evil.example", "compliance.example.com.evil.example", "a b", "[::1"):
        answer = http.get("/compliance/nothing", headers={"Host": host})
        assert answer.status_code == 400 and answer["Content-Type"] == PROBLEM_TYPE
        assert http.get("/", headers={"Host": host}).status_code == 400


def test_a_service_host_that_is_no_service_refuses_to_start(settings: Any) -> None:
    require_valid_settings()
    settings.SERVICE_HOSTS = {"complaince": "x.example.com"}
    with pytest.raises(ImproperlyConfigured, match="the services are compliance"):
        require_valid_settings()


@pytest.mark.parametrize("hosts", [[], ["*"], ["a.example", "*"]])
def test_production_refuses_to_answer_for_any_host(settings: Any, hosts: list[str]) -> None:
    settings.PRODUCTION, settings.ATTESTATION_KEYS = True, f"a:{'11' * 32}"
    settings.LEDGER_KEYS = f"a:{'22' * 32}"
    settings.ALLOWED_HOSTS = ["a.example"]
    require_valid_settings()
    settings.ALLOWED_HOSTS = hosts
    with pytest.raises(ImproperlyConfigured, match=r"ALLOWED_HOSTS .* set it"):
        require_valid_settings()


def test_a_form_without_its_token_gets_our_own_page(rf: Any) -> None:
    assert error_pages.csrf_failure(rf.post("/admin/x")).status_code == 403
    answer = error_pages.csrf_failure(rf.post("/compliance/x"))
    assert answer["Content-Type"] == "application/problem+json"


def test_a_body_with_a_content_encoding_is_415_and_says_so(http: Client) -> None:
    for encoding in ("gzip", "br", "GZIP"):
        refused = send(http, b'{"text":"a"}', headers={"Content-Encoding": encoding})
        assert "Content-Encoding" in problem(refused, 415, "unsupported_media_type")["detail"]
    assert send(http, b'{"text":"a"}', headers={"Content-Encoding": "identity"}).status_code == 200


def test_a_wrong_content_type_says_which_is_right(http: Client) -> None:
    refused = problem(send(http, b"a=1", "text/plain"), 415, "unsupported_media_type")
    assert "application/json" in refused["detail"]


def test_everything_that_is_wrong_is_told_at_once(http: Client) -> None:
    found = problem(send(http, b'{"txet":"a","amount":"x"}'), 400, "invalid_request")
    assert {row["field"] for row in found["errors"]} == {"txet", "text", "amount"}


def test_half_a_character_pair_is_not_called_bad_bytes(http: Client) -> None:
    found = problem(send(http, b'{"text":"\\ud800"}'), 400, "malformed_json")
    assert "half a character pair" in found["detail"]


def test_no_answer_may_be_kept_on_the_way(http: Client) -> None:
    for answer in (send(http, b'{"text":"a"}'), send(http, b"{"), http.get(NOTE)):
        assert answer["Cache-Control"] == "no-store"
        assert int(answer["Content-Length"]) == len(answer.content)
