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

GOOD = "b1946ac92492d2347c6235b4d2611184e0a6f7c3d85b9120f4c7ae6d3e58f0b2"


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
    assert env.read_integer("TESTED", 7, about="x") == number


@pytest.mark.parametrize("value", ["x", "-1", "1.5", "1e3", "٣", "0x10", "1_000"])
def test_what_is_no_whole_number_is_refused(given: Any, value: str) -> None:
    given(value)
    assert "whole number" in refusal(lambda: env.read_integer("TESTED", 7, about="x"))


def test_the_least_is_taken_and_less_is_not(given: Any) -> None:
    given("1")
    assert env.read_integer("TESTED", 7, about="x", least=1) == 1
    given("0")
    assert "from 1" in refusal(lambda: env.read_integer("TESTED", 7, about="x", least=1))


@pytest.mark.parametrize(
    ("value", "flag"),
    [(None, True), ("", True), ("no", False), ("0", False), ("False", False), ("YES", True)],
)
def test_flags(given: Any, value: str | None, flag: bool) -> None:
    given(value)
    assert env.read_flag("TESTED", True, about="x") is flag


def test_what_is_neither_yes_nor_no_is_refused(given: Any) -> None:
    given("maybe")
    assert "yes or no" in refusal(lambda: env.read_flag("TESTED", True, about="x"))


def test_choices_have_a_default_and_no_others(given: Any) -> None:
    options = ("sandbox", "production")
    given(None)
    assert env.read_choice("TESTED", options, about="x") == "sandbox"
    given("Production")
    assert "sandbox, production" in refusal(lambda: env.read_choice("TESTED", options, about="x"))


def test_an_address_has_40_hex_characters(given: Any) -> None:
    given(None)
    assert env.read_chain_address("TESTED", about="x") == ""
    for good in ("0x" + "aB" * 20, "0x" + "0" * 40):
        given(good)
        assert env.read_chain_address("TESTED", about="x") == good
    for bad in ("0x" + "a" * 39, "0x" + "a" * 41, "a" * 40, "0x" + "g" * 40, "0x" + "a" * 40 + "x"):
        given(bad)
        assert "40 hex characters" in refusal(lambda: env.read_chain_address("TESTED", about="x"))


def test_networks_are_ranges_and_nothing_else(given: Any) -> None:
    given("10.1.0.0/16, fd00::/8,127.0.0.1")
    networks = env.read_networks("TESTED", about="x")
    assert [str(network) for network in networks] == ["10.1.0.0/16", "fd00::/8", "127.0.0.1/32"]
    given(None)
    assert env.read_networks("TESTED", about="x") == ()
    for bad in ("localhost", "10.1.0.1/16", "10.0.0.0/33"):
        given(bad)
        assert bad in refusal(lambda: env.read_networks("TESTED", about="x"))


def test_words_and_pairs(given: Any) -> None:
    given(" a, ,b ,")
    assert env.read_list("TESTED", about="x") == ["a", "b"]
    given("a=1, b = x=y ")
    assert env.read_pairs("TESTED", about="x") == {"a": "1", "b": "x=y"}
    for bad in ("a", "a=", "=b", "a=1,b"):
        given(bad)
        assert "key=value" in refusal(lambda: env.read_pairs("TESTED", about="x"))


def test_every_variable_that_is_read_is_noted_with_its_default(given: Any) -> None:
    given("secret value")
    env.read_text("TESTED", "the default", about="what it does")
    variable = env.Variable("TESTED", "what it does", "the default")
    assert list(env.VARIABLES.items()) == [("TESTED", variable)]


# --- secrets --------------------------------------------------------------------------


def read_secret(production: bool, folder: Path) -> Callable[[], str]:
    return lambda: env.read_secret("TESTED", production=production, folder=folder, about="x")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "missing"),
        ("", "missing"),
        (GOOD[:31], "too short"),
        ("a" * 64, "too uniform"),
        ("123456789" * 8, "too uniform"),
        ("heron and alder agreed on this secret", "too uniform"),
        ("correct-horse-battery-staple-jumps-quickly", "words"),
        ("CorrectHorseBatteryStapleCompanyOracle1", "words"),
        ("Please-Change-Me-Before-Production-2026", "words"),
        ("django-insecure-Change-This-Key-Now-Please", "words"),
        ("qwertyuiopasdfghjklzxcvbnm1234567890", "words"),
        ("0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "published"),
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


@pytest.mark.parametrize(
    "value",
    [
        "kD3vJq0pZxW8sYb5RtLm2Nf7HgCu9EaX",
        GOOD.upper(),
        "0b9d3c5e-71f2-4a86-9c1d-e4f05a6b7c28",  # a UUID has as many digits as hex has
        "vqjzkxwbpfmtrhclgndsyoueaivqjtkzwxbrpmfhlcgdnysuoeiavzqkjxwtbpmr",
        "0x8f2a559490d4b1c3e60752fb3ad1c9047e8bc615fa2d93807b6ec4d15a09f3e2",
    ],
)
def test_random_characters_of_any_alphabet_are_taken(
    given: Any, tmp_path: Path, value: str
) -> None:
    given(value)
    assert read_secret(True, tmp_path)() == value


def test_the_sandbox_refuses_a_weak_secret_that_somebody_set(given: Any, tmp_path: Path) -> None:
    given("short")
    refusal(read_secret(False, tmp_path))


def test_a_sandbox_secret_survives_a_restart_and_is_private(given: Any, tmp_path: Path) -> None:
    given(None)
    first = read_secret(False, tmp_path / "var")()
    assert len(first) == 64 and read_secret(False, tmp_path / "var")() == first
    other = env.read_secret("OTHER", production=False, folder=tmp_path / "var", about="x")
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
    simple_queue, gate = processes.SimpleQueue(), processes.Barrier(4)

    def slow(length: int) -> str:
        time.sleep(0.005)  # so that all are at it at the same time
        return os.urandom(length).hex()

    def work() -> None:
        env.secrets.token_hex = slow
        for number in range(5):
            gate.wait()
            simple_queue.put(
                env.read_secret(f"S{number}", production=False, folder=tmp_path, about="x")
            )

    workers = [processes.Process(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    found = {simple_queue.get() for _ in range(20)}
    for worker in workers:
        worker.join(30)
    assert len(found) == 5


# --- databases ------------------------------------------------------------------------


def read_database(folder: Path = Path("/var/x")) -> dict[str, Any]:
    return env.read_database("TESTED", folder, about="x")


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
    database = read_database()
    assert database["NAME"] == name
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "recursive_triggers=ON" in database["OPTIONS"]["init_command"]
    assert "secure_delete=ON" in database["OPTIONS"]["init_command"]


def test_the_default_is_a_file_in_the_folder_whatever_its_name(given: Any) -> None:
    given(None)
    assert read_database(Path("/a #b/50%c?"))["NAME"] == "/a #b/50%c?/db.sqlite3"


def test_postgresql_addresses(given: Any) -> None:
    given("postgres://us%40er:p%3A%2Fw@db.example:6432/na%2Dme?sslmode=require")
    database = read_database()
    parts = {k: database[k] for k in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert parts == {
        "NAME": "na-me",
        "USER": "us@er",
        "PASSWORD": "p:/w",
        "HOST": "db.example",
        "PORT": "6432",
        "OPTIONS": env.POSTGRES_LIMITS | {"sslmode": "require"},
    }
    assert database["CONN_MAX_AGE"] == 60 and database["CONN_HEALTH_CHECKS"] is True


@pytest.mark.parametrize(
    "password", ["p@ss/w0rd", "ab/cd+ef==", "50%41bc", "ab#cd", "a[b", "a?b:c", "$HOME ' \" \\ é"]
)
def test_a_password_beside_the_address_is_taken_as_it_is(given: Any, password: str) -> None:
    given("postgres://oracle@db/oracle")
    database = env.read_database("TESTED", Path("/var/x"), about="x", password=password)
    assert (database["PASSWORD"], database["HOST"], database["NAME"]) == (password, "db", "oracle")


@pytest.mark.parametrize("password", ["p@ss/w0rd", "ab/cd+ef==", "ab#cd", "a[b", "a?b", "a:b@c/d"])
def test_a_password_in_the_address_that_breaks_it_is_refused_with_advice_and_not_shown(
    given: Any, password: str
) -> None:
    given(f"postgres://oracle:{password}@postgres/oracle")
    with pytest.raises(ImproperlyConfigured) as refused:
        read_database()
    assert password not in str(refused.value)
    assert "DATABASE_PASSWORD" in str(refused.value) or "%2F" in str(refused.value)


@pytest.mark.parametrize("length", [31, 32])
def test_a_derived_secret_is_the_other_one_or_strong(given: Any, length: int) -> None:
    asked = {"name": "TESTED", "default": "other", "about": "x", "shown": "OTHER"}
    given(None)
    assert env.read_derived_secret(**asked, needed=False) == "other"
    with pytest.raises(ImproperlyConfigured, match="TESTED is missing"):
        env.read_derived_secret(**asked, needed=True)
    value = GOOD[:length]
    given(value)
    if length < env.SHORTEST_SECRET:
        with pytest.raises(ImproperlyConfigured, match="TESTED is too short"):
            env.read_derived_secret(**asked, needed=False)
    else:
        assert env.read_derived_secret(**asked, needed=False) == value


def test_waiting_for_a_server_that_is_gone_is_bounded_unless_the_address_says(given: Any) -> None:
    given("postgres://db/x")
    assert read_database()["OPTIONS"]["connect_timeout"] == "5"  # type: ignore[index]
    given("postgres://db/x?connect_timeout=20")
    options: Any = read_database()["OPTIONS"]
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == ("20", "10000")


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
