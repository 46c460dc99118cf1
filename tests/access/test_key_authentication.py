"""Keys: who is let in, by which header, and what a refusal tells."""

import hmac
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from apps.access.keys import models
from apps.access.keys.models import (
    PREFIXES,
    Account,
    ApiKey,
    KeyKind,
    issue_api_key,
    issue_successor,
)
from apps.platform.crypto.random_secrets import hash_secret

pytestmark = [pytest.mark.urls("tests.access.endpoints"), pytest.mark.django_db]
SUBSCRIPTION, BEARER, INTERNAL = (
    f"/compliance/test/{name}" for name in ("subscription", "bearer", "internal")
)


@pytest.fixture
def alice(db: Any, noon: Any) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=noon)


@pytest.fixture
def key(alice: Account) -> Callable[..., models.IssuedKey]:
    """Issue a key for Alice; `ends` is in seconds from now."""

    def make(kind: KeyKind = KeyKind.SUBSCRIPTION, ends: float | None = None) -> models.IssuedKey:
        now = timezone.now()
        expires = None if ends is None else now + timedelta(seconds=ends)
        return issue_api_key(account=alice, kind=kind, now=now, expires_at=expires)

    return make


def ask(path: str, **headers: str) -> Any:
    return APIClient().get(path, headers={k.replace("_", "-"): v for k, v in headers.items()})


def refusal(response: Any, status: int, code: str) -> None:
    assert (response.status_code, response.json()["code"]) == (status, code), response.content


@pytest.mark.parametrize(
    ("path", "kind", "header", "scheme"),
    [
        (SUBSCRIPTION, KeyKind.SUBSCRIPTION, "X-API-Key", ""),
        (BEARER, KeyKind.INSTITUTION, "Authorization", "Bearer "),
        (BEARER, KeyKind.MASTER, "Authorization", "bearer "),
        (INTERNAL, KeyKind.INTERNAL, "X-Internal-Key", ""),
    ],
)
def test_each_kind_comes_in_its_header(
    key: Any, alice: Account, path: str, kind: KeyKind, header: str, scheme: str
) -> None:
    secret = key(kind).secret
    answer = APIClient().get(path, headers={header: f"{scheme}{secret}"})
    assert answer.json() == {"ref": f"account:{alice.pk}", "kind": kind, "name": "Alice Ltd"}
    for other in {"X-API-Key", "Authorization", "X-Internal-Key"} - {header}:
        misplaced = APIClient().get(path, headers={other: f"{scheme}{secret}"})
        refusal(misplaced, 401, "wrong_key_header")
        assert header in misplaced.json()["detail"] and "WWW-Authenticate" in misplaced.headers


@pytest.mark.parametrize(
    ("path", "headers", "challenge"),
    [
        (SUBSCRIPTION, {}, 'ApiKey header="X-API-Key"'),
        (SUBSCRIPTION, {"X_API_Key": "  "}, 'ApiKey header="X-API-Key"'),
        (BEARER, {"Authorization": "Basic abc"}, "Bearer"),
        (BEARER, {"Authorization": "Bearer"}, "Bearer"),
        (INTERNAL, {}, 'ApiKey header="X-Internal-Key"'),
    ],
)
def test_a_missing_key_is_401_and_says_what_is_wanted(
    path: str, headers: dict[str, str], challenge: str
) -> None:
    answer = ask(path, **headers)
    refusal(answer, 401, "missing_key")
    assert answer["WWW-Authenticate"] == challenge


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s[:-1] + ("a" if s[-1] != "a" else "b"),
        lambda s: s + "a",
        lambda s: s[:-1],
        lambda s: s[: len("svc_sub_") + 10],
        lambda s: s.lower(),
        lambda s: "svc_api_" + s[len("svc_sub_") :],
        lambda s: s[len("svc_sub_") :],
        lambda s: "svc_sub_" + "\x00" * 53,
        lambda s: "svc_sub_" + "é" * 53,
        lambda s: "svc_sub_",
        lambda s: "x" * 5000,
    ],
)
def test_what_is_not_exactly_a_key_is_401(key: Any, change: Callable[[str], str]) -> None:
    answer = ask(SUBSCRIPTION, X_API_Key=change(key().secret))
    refusal(answer, 401, "unknown_key")
    assert answer["WWW-Authenticate"] == 'ApiKey header="X-API-Key"'


def test_expired_and_revoked_keys_are_401_in_the_same_words(key: Any) -> None:
    expired, revoked, alive = key(ends=-0.001), key(), key(ends=30)
    revoked.key.revoke(now=timezone.now())
    bodies = [
        ask(SUBSCRIPTION, X_API_Key=secret).json()
        for secret in (expired.secret, revoked.secret, "svc_sub_" + "a" * 53)
    ]
    assert bodies[0] == bodies[1] == bodies[2] and bodies[0]["status"] == 401
    assert ask(SUBSCRIPTION, X_API_Key=alive.secret).status_code == 200


def test_usable_ends_with_the_moment(key: Any, noon: Any) -> None:
    found = key().key
    for field in ("expires_at", "revoked_at"):
        setattr(found, field, noon)
        assert found.usable(noon - timedelta(microseconds=1)) and not found.usable(noon)
        ApiKey.objects.filter(pk=found.pk).update(**{field: noon})
        usable = ApiKey.objects.usable
        assert usable(noon - timedelta(seconds=1)).exists() and not usable(noon).exists()
        ApiKey.objects.filter(pk=found.pk).update(**{field: None})
        setattr(found, field, None)


def test_revoking_twice_keeps_the_first_moment(key: Any, noon: Any) -> None:
    found = key().key
    found.revoke(now=noon)
    found.revoke(now=noon + timedelta(days=1))
    assert found.revoked_at == noon


def test_a_good_key_of_another_kind_is_403(key: Any) -> None:
    refusal(ask(SUBSCRIPTION, X_API_Key=key(KeyKind.DATA).secret), 403, "wrong_key_kind")
    signing = key(KeyKind.SIGNING).secret
    refusal(ask(BEARER, Authorization=f"Bearer {signing}"), 403, "wrong_key_kind")


def test_keys_are_compared_in_constant_time_known_or_not(key: Any, monkeypatch: Any) -> None:
    compared: list[tuple[str, str]] = []
    real = hmac.compare_digest

    def noting(a: str, b: str) -> bool:
        compared.append((a, b))
        return real(a, b)

    monkeypatch.setattr(models.hmac, "compare_digest", noting)
    made = key()
    wrong, unknown = made.secret[:-1] + "_", "svc_sub_" + "a" * 53
    ask(SUBSCRIPTION, X_API_Key=made.secret)
    ask(SUBSCRIPTION, X_API_Key=wrong)
    ask(SUBSCRIPTION, X_API_Key=unknown)
    ask(SUBSCRIPTION, X_API_Key="nonsense")
    assert [b for _, b in compared if isinstance(b, str)] == [
        hash_secret(s) for s in (made.secret, wrong, unknown, "nonsense")
    ]


def test_a_call_costs_one_look_up_and_no_write(key: Any) -> None:
    secret = key().secret
    ask(SUBSCRIPTION, X_API_Key=secret)
    with CaptureQueriesContext(connection) as queries:
        assert ask(SUBSCRIPTION, X_API_Key=secret).status_code == 200
    assert [q["sql"].split()[0] for q in queries] == ["SELECT"]
    with CaptureQueriesContext(connection) as queries:
        ask(SUBSCRIPTION, X_API_Key="nonsense")
    assert len(queries) == 0


def test_the_last_use_is_written_at_most_once_a_minute(key: Any, noon: Any) -> None:
    found = key().key

    def used(after: float) -> Any:
        found.refresh_from_db()
        found.mark_used(noon + timedelta(seconds=after))
        found.refresh_from_db()
        return (found.last_used_at - noon).total_seconds()

    assert [used(s) for s in (0, 1, 59.9, 60, 61)] == [0, 0, 0, 60, 60]


def test_only_a_digest_of_the_secret_is_stored(key: Any) -> None:
    made = key()
    row = ApiKey.objects.values().get()
    secret = made.secret[len("svc_sub_") + 10 :]
    assert len(secret) == 43 and all(secret not in str(value) for value in row.values())
    assert row["digest"] == hash_secret(made.secret)
    assert secret not in str(made.key) and secret not in repr(made.key)


def test_prefixes_tell_the_kinds_apart() -> None:
    assert set(PREFIXES) == set(KeyKind)
    for prefix in PREFIXES.values():
        assert [p for p in PREFIXES.values() if p.startswith(prefix)] == [prefix]


def test_after_a_rotation_both_keys_work_until_the_overlap_ends(key: Any, noon: Any) -> None:
    old = key()
    ApiKey.objects.filter(pk=old.key.pk).update(rate_per_minute=7)
    old.key.refresh_from_db()
    new = issue_successor(key=old.key, overlap=timedelta(hours=1), now=noon)
    old.key.refresh_from_db()
    assert old.key.expires_at == noon + timedelta(hours=1) and new.key.expires_at is None
    assert (new.key.account, new.key.kind, new.key.rate_per_minute) == (
        old.key.account,
        old.key.kind,
        7,
    )
    issue_successor(key=old.key, overlap=timedelta(hours=5), now=noon)
    old.key.refresh_from_db()
    assert old.key.expires_at == noon + timedelta(hours=1)  # never later than it was


def test_the_document_names_the_header_of_each_operation() -> None:
    from apps.platform.api.schema import openapi_document

    found = openapi_document("compliance", "/compliance")
    schemes = found["components"]["securitySchemes"]
    assert schemes["X-API-Key"] == {"type": "apiKey", "in": "header", "name": "X-API-Key"}
    named = {
        name
        for path in found["paths"].values()
        for operation in path.values()
        for requirement in operation.get("security", [])
        for name in requirement
    }
    assert named and named <= set(schemes)
    assert found["paths"]["/compliance/usage"]["get"]["security"] == [{"X-API-Key": []}]


def test_a_row_for_two_kinds_in_two_headers_takes_either(key: Any, alice: Account) -> None:
    both = "/compliance/test/two-headers"
    subscription, institution = key().secret, key(KeyKind.INSTITUTION).secret
    for headers in ({"X_API_Key": subscription}, {"Authorization": f"Bearer {institution}"}):
        assert ask(both, **headers).json()["ref"] == f"account:{alice.pk}"
    wanted = ask(both)
    refusal(wanted, 401, "missing_key")
    assert wanted["WWW-Authenticate"] == 'ApiKey header="X-API-Key", Bearer'
    # a good key beside a bad one is still a good key; a key in the other's header is not
    assert ask(both, X_API_Key="no", Authorization=f"Bearer {institution}").status_code == 200
    refusal(ask(both, Authorization=f"Bearer {subscription}"), 403, "wrong_key_kind")
    refusal(ask(both, X_API_Key="no"), 401, "unknown_key")


@pytest.mark.parametrize("kind", [KeyKind.SIGNING, KeyKind.MASTER, KeyKind.INSTITUTION])
def test_a_row_that_was_turned_into_another_kind_lets_nobody_in(key: Any, kind: KeyKind) -> None:
    issued = key()
    ApiKey.objects.filter(pk=issued.key.pk).update(kind=kind)
    refusal(ask(SUBSCRIPTION, X_API_Key=issued.secret), 401, "unknown_key")
    refusal(ask(BEARER, Authorization=f"Bearer {issued.secret}"), 401, "unknown_key")
