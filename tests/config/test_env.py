"""The environment: typed, documented, and refused with advice where it is weak."""

import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

GOOD = "0123456789abcdef" * 4


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    """Set the variable under test."""
    monkeypatch.setattr(env, "VARIABLES", {})

    def put(value: str | None) -> None:
        if value is None:
            monkeypatch.delenv("TESTED", raising=False)
        else:
            monkeypatch.setenv("TESTED", value)

    return put


def refusal(read: Callable[[], Any]) -> str:
    """Return the advice of a refusal, which must name the variable."""
    with pytest.raises(ImproperlyConfigured) as refused:
        read()
    assert str(refused.value).startswith("TESTED ")
    return str(refused.value)


# --- the helpers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "number"), [(None, 7), ("", 7), ("  ", 7), ("0", 0), (" 12 ", 12), ("007", 7)]
)
def test_whole_numbers(given: Any, value: str | None, number: int) -> None:
    given(value)
    assert env.whole("TESTED", 7, about="x") == number


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "1e3", "٣", "0x10", "1_000"])
def test_what_is_no_whole_number_is_refused(given: Any, value: str) -> None:
    given(value)
    assert "whole number" in refusal(lambda: env.whole("TESTED", 7, about="x"))


def test_the_least_is_taken_and_less_is_not(given: Any) -> None:
    given("1")
    assert env.whole("TESTED", 7, about="x", least=1) == 1
    given("0")
    assert "from 1" in refusal(lambda: env.whole("TESTED", 7, about="x", least=1))


@pytest.mark.parametrize(
    ("value", "flag"),
    [(None, True), ("", True), ("no", False), ("0", False), ("False", False), ("YES", True)],
)
def test_flags(given: Any, value: str | None, flag: bool) -> None:
    given(value)
    assert env.flag("TESTED", True, about="x") is flag


def test_what_is_neither_yes_nor_no_is_refused(given: Any) -> None:
    given("maybe")
    assert "yes or no" in refusal(lambda: env.flag("TESTED", True, about="x"))


def test_choices_have_a_default_and_no_others(given: Any) -> None:
    options = ("sandbox", "production")
    given(None)
    assert env.choice("TESTED", options, about="x") == "sandbox"
    given("Production")
    assert "sandbox, production" in refusal(lambda: env.choice("TESTED", options, about="x"))


def test_an_address_has_40_hex_characters(given: Any) -> None:
    given(None)
    assert env.address("TESTED", about="x") == ""
    for good in ("0x" + "aB" * 20, "0x" + "0" * 40):
        given(good)
        assert env.address("TESTED", about="x") == good
    for bad in ("0x" + "a" * 39, "0x" + "a" * 41, "a" * 40, "0x" + "g" * 40, "0x" + "a" * 40 + "x"):
        given(bad)
        assert "40 hex characters" in refusal(lambda: env.address("TESTED", about="x"))


def test_networks_are_ranges_and_nothing_else(given: Any) -> None:
    given("10.1.0.0/16, fd00::/8,127.0.0.1")
    found = env.networks("TESTED", about="x")
    assert [str(one) for one in found] == ["10.1.0.0/16", "fd00::/8", "127.0.0.1/32"]
    given(None)
    assert env.networks("TESTED", about="x") == ()
    for bad in ("localhost", "10.1.0.1/16", "10.0.0.0/33"):
        given(bad)
        assert bad in refusal(lambda: env.networks("TESTED", about="x"))


def test_words_and_pairs(given: Any) -> None:
    given(" a, ,b ,")
    assert env.words("TESTED", about="x") == ["a", "b"]
    given("a=1, b = x=y ")
    assert env.pairs("TESTED", about="x") == {"a": "1", "b": "x=y"}
    for bad in ("a", "a=", "=b", "a=1,b"):
        given(bad)
        assert "key=value" in refusal(lambda: env.pairs("TESTED", about="x"))


def test_every_variable_that_is_read_is_noted_with_its_default(given: Any) -> None:
    given("secret value")
    env.text("TESTED", "the default", about="what it does")
    noted = env.Variable("TESTED", "what it does", "the default")
    assert list(env.VARIABLES.items()) == [("TESTED", noted)]


# --- secrets --------------------------------------------------------------------------


def read_secret(production: bool, folder: Path) -> Callable[[], str]:
    return lambda: env.secret("TESTED", production=production, folder=folder, about="x")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "missing"),
        ("", "missing"),
        (GOOD[:31], "too short"),
        ("a" * 64, "too uniform"),
        ("123456789" * 8, "too uniform"),
    ],
)
def test_production_refuses_weak_secrets_with_advice(
    given: Any, tmp_path: Path, value: str | None, what: str
) -> None:
    given(value)
    advice = refusal(read_secret(True, tmp_path))
    assert what in advice and "openssl rand" in advice
    assert not value or value not in advice
    assert not list(tmp_path.iterdir())


def test_a_secret_of_32_characters_is_taken(given: Any, tmp_path: Path) -> None:
    given(GOOD[:32])
    assert read_secret(True, tmp_path)() == GOOD[:32]


def test_the_sandbox_refuses_a_weak_secret_that_somebody_set(given: Any, tmp_path: Path) -> None:
    given("short")
    refusal(read_secret(False, tmp_path))


def test_a_sandbox_secret_survives_a_restart_and_is_private(given: Any, tmp_path: Path) -> None:
    given(None)
    first = read_secret(False, tmp_path / "var")()
    assert len(first) == 64 and read_secret(False, tmp_path / "var")() == first
    other = env.secret("OTHER", production=False, folder=tmp_path / "var", about="x")
    assert other != first and read_secret(False, tmp_path / "var")() == first
    assert (tmp_path / "var" / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert read_secret(False, tmp_path / "elsewhere")() != first


def test_a_damaged_secrets_file_is_an_error_with_advice(given: Any, tmp_path: Path) -> None:
    given(None)
    (tmp_path / "secrets.json").write_text("{")
    with pytest.raises(ImproperlyConfigured, match="damaged: restore it, or remove it"):
        read_secret(False, tmp_path)()


def test_processes_that_start_at_once_agree_on_a_secret(tmp_path: Path) -> None:
    processes = multiprocessing.get_context("fork")
    made, gate = processes.SimpleQueue(), processes.Barrier(4)

    def slow(length: int) -> str:
        time.sleep(0.005)  # so that all are at it at the same time
        return os.urandom(length).hex()

    def work() -> None:
        env.secrets.token_hex = slow
        for number in range(5):
            gate.wait()
            made.put(env.secret(f"S{number}", production=False, folder=tmp_path, about="x"))

    workers = [processes.Process(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    found = {made.get() for _ in range(20)}
    for worker in workers:
        worker.join(30)
    assert len(found) == 5


# --- databases ------------------------------------------------------------------------


def read_database(folder: Path = Path("/var/x")) -> dict[str, Any]:
    return env.database("TESTED", folder, about="x")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:////abs/db.sqlite3", "/abs/db.sqlite3"),
        ("sqlite:///rel/db.sqlite3", "rel/db.sqlite3"),
        ("sqlite:////a%20b/c%23d.sqlite3", "/a b/c#d.sqlite3"),
        ("sqlite://", ":memory:"),
    ],
)
def test_sqlite_addresses(given: Any, url: str, name: str) -> None:
    given(url)
    found = read_database()
    assert found["NAME"] == name
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "recursive_triggers=ON" in found["OPTIONS"]["init_command"]
    assert "secure_delete=ON" in found["OPTIONS"]["init_command"]


def test_the_default_is_a_file_in_the_folder_whatever_its_name(given: Any) -> None:
    given(None)
    assert read_database(Path("/a #b/50%c?"))["NAME"] == "/a #b/50%c?/db.sqlite3"


def test_postgresql_addresses(given: Any) -> None:
    given("postgres://us%40er:p%3A%2Fw@db.example:6432/na%2Dme?sslmode=require")
    found = read_database()
    parts = {k: found[k] for k in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert parts == {
        "NAME": "na-me",
        "USER": "us@er",
        "PASSWORD": "p:/w",
        "HOST": "db.example",
        "PORT": "6432",
        "OPTIONS": env.POSTGRES_LIMITS | {"sslmode": "require"},
    }
    assert found["CONN_MAX_AGE"] == 60 and found["CONN_HEALTH_CHECKS"] is True


def test_waiting_for_a_server_that_is_gone_is_bounded_unless_the_address_says(given: Any) -> None:
    given("postgres://db/x")
    assert read_database()["OPTIONS"]["connect_timeout"] == "5"  # type: ignore[index]
    given("postgres://db/x?connect_timeout=20")
    found: Any = read_database()["OPTIONS"]
    assert (found["connect_timeout"], found["tcp_user_timeout"]) == ("20", "10000")


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:hunter2@h/n",
        "hunter2",
        "postgres://u:hunter2@h",
        "postgres://u:hunter2@h/",
        "postgres://u:hunter2/x@h:port/n",
    ],
)
def test_a_bad_address_is_refused_without_showing_its_password(given: Any, url: str) -> None:
    given(url)
    assert "hunter2" not in refusal(read_database)
