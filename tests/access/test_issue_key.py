"""manage.py issue_key: one key, shown once, that works."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.access.keys import services
from apps.access.keys.authentication import find_key_by_secret
from apps.access.keys.models import PREFIXES, Account, ApiKey, KeyEvent, KeyKind, KeyRequest
from apps.platform.common.clock import now
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db


def run(capsys: Any, *arguments: str) -> tuple[str, str]:
    """Run the command and return what it printed, and what it said beside."""
    call_command("issue_key", *arguments)
    captured = capsys.readouterr()
    return captured.out.strip(), captured.err.strip()


@pytest.mark.parametrize("kind", KeyKind.values)
def test_a_key_of_each_kind_is_printed_alone_and_works(capsys: Any, kind: str) -> None:
    secret, beside = run(capsys, kind.lower(), "--owner", "Alice Ltd")
    assert secret.startswith(PREFIXES[KeyKind(kind)]) and "\n" not in secret
    key = find_key_by_secret(secret=secret, now=now())
    assert key.kind == kind and key.account.name == "Alice Ltd"
    assert "Alice Ltd" in beside and secret not in beside


def test_json_is_for_scripts(capsys: Any) -> None:
    out, beside = run(capsys, "SUBSCRIPTION", "--owner", "Alice Ltd", "--json")
    document = json.loads(out)
    assert find_key_by_secret(secret=document["key"], now=now()) and beside == ""
    assert (document["kind"], document["owner"]) == ("SUBSCRIPTION", "Alice Ltd")


def test_one_owner_may_have_several_keys(capsys: Any) -> None:
    secrets = {run(capsys, "data", "--owner", " Alice Ltd ")[0] for _ in range(3)}
    assert len(secrets) == 3 and Account.objects.count() == 1 and ApiKey.objects.count() == 3


def test_label_days_and_rate_are_kept(capsys: Any) -> None:
    run(capsys, "data", "--owner", "A", "--label", "ERP", "--days", "30", "--rate", "90")
    key = ApiKey.objects.get()
    assert (key.label, key.rate_per_minute) == ("ERP", 90)
    assert key.expires_at is not None
    assert abs(key.expires_at - timezone.now() - timedelta(days=30)) < timedelta(minutes=1)


def test_without_days_it_never_expires(capsys: Any) -> None:
    run(capsys, "data", "--owner", "A")
    key = ApiKey.objects.get()
    assert key.expires_at is None and key.rate_per_minute is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing", "--owner", "A"],
        ["data"],
        ["data", "--owner", ""],
        ["data", "--owner", "x" * 201],
        ["data", "--owner", "a\u202eb"],
        ["data", "--owner", "A", "--days", "0"],
        ["data", "--owner", "A", "--days", "-1"],
        ["data", "--owner", "A", "--rate", "0"],
        ["data", "--owner", "A", "--rate", "many"],
        ["data", "--owner", "A", "--days", "3651"],
        ["data", "--owner", "A", "--days", "9" * 13],
        ["data", "--owner", "A", "--rate", "1000001"],
        ["data", "--owner", "A", "--label", "x" * 101],
        ["data", "--owner", "A", "--label", "ER\u202eP"],
    ],
)
def test_what_makes_no_sense_is_refused_and_makes_nothing(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("issue_key", *arguments)
    assert not Account.objects.exists() and not ApiKey.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--days", "40000"], "days until it ends may be 1 to 3,650, not 40,000"),
        (["--rate", "1000001"], "calls a minute may be 1 to 1,000,000, not 1,000,001"),
        (["--label", "x" * 101], "The label: It has 101 characters: at most 100 are kept"),
    ],
)
def test_what_no_key_can_be_is_said_alike_at_a_shell_and_by_the_domain(
    arguments: list[str], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("issue_key", "data", "--owner", "A", *arguments)
    name = {"--days": "days", "--rate": "rate_per_minute", "--label": "label"}[arguments[0]]
    value = arguments[1] if name == "label" else int(arguments[1])
    account = Account.objects.create(name="A", created_at=now())
    key_specification = services.KeySpecification(account, "DATA", **{name: value})  # type: ignore[arg-type]
    for issue in (
        lambda: services.issue_key_alone(wanted=key_specification, by="x", now=now()),
        lambda: services.request_key(
            wanted=key_specification,
            why="The bank goes live on Monday.",
            by=person("ada"),
            now=now(),
        ),
    ):
        with pytest.raises(services.KeyRefused, match=said):
            issue()
    assert not ApiKey.objects.exists() and not KeyRequest.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["--days", "3650"], ("", None)),
        (["--rate", "1000000"], ("", 1_000_000)),
        (["--label", "x" * 100], ("x" * 100, None)),
    ],
)
def test_the_most_that_a_key_can_be_is_issued(
    capsys: Any, arguments: list[str], kept: tuple[str, int | None]
) -> None:
    run(capsys, "data", "--owner", "A", *arguments)
    key = ApiKey.objects.get()
    assert (key.label, key.rate_per_minute) == kept


def test_a_reason_at_a_shell_is_kept_whole_or_refused(settings: Any) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, f"a:{'22' * 32}"
    person("ada", "Operator"), person("ben", "Operator")
    two = ["data", "--owner", "A", "--by", "ada", "--confirmed-by", "ben", "--why"]
    with pytest.raises(CommandError, match="It has 501 characters: at most 500 are kept"):
        call_command("issue_key", *two, "x" * 501)
    assert not KeyRequest.objects.exists()
    call_command("issue_key", *two, "x" * 500)
    assert KeyRequest.objects.get().reason == "x" * 500


def test_in_production_two_operators_issue_a_key(capsys: Any, settings: Any) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, f"a:{'22' * 32}"
    person("ada", "Operator"), person("ben", "Operator"), person("olivia", "Compliance officer")
    why = "The bank goes live on Monday."
    for by, confirmed_by, said, fault in (
        ("", "", why, "takes two people"),
        ("ada", "", why, "takes two people"),
        ("ada", "ada", why, "Another operator"),
        ("ada", "olivia", why, "may not decide"),
        ("olivia", "ben", why, "may not propose"),
        ("ada", "nobody", why, "not an active staff"),
        ("ada", "ben", "", "State what the key is needed for"),
    ):
        with pytest.raises(CommandError, match=fault):
            run(capsys, "data", "--owner", "Alice Ltd", "--by", by, "--confirmed-by", confirmed_by,
                "--why", said)  # fmt: skip
    assert not ApiKey.objects.exists() and not Account.objects.exists()
    two = ("--by", "ada", "--confirmed-by", "ben", "--why", why)
    secret, _ = run(capsys, "data", "--owner", "Alice Ltd", *two)
    assert find_key_by_secret(secret=secret, now=now()).account.name == "Alice Ltd"
    kept = KeyEvent.objects.order_by("pk").values_list("state", "by", "words")
    assert list(kept) == [
        ("PROPOSED", "ada", why),
        ("APPROVED", "ben", ""),
        ("ISSUED", "ada", "Collected at a shell"),
    ]  # fmt: skip
    address = f"/admin/access/keyrequest/{KeyRequest.objects.get().pk}/change/"
    html = check_page(at_desk(person("cleo", "Operator")).get(address))
    for step in (
        "Proposed by ada, at a shell",
        "Approved by ben, at a shell",
        "collected by ada, at",
    ):
        assert step in html, step


@pytest.mark.parametrize("ended", [{"is_staff": False}, {"is_active": False}])
@pytest.mark.parametrize("who", ["ada", "ben"])
def test_an_account_that_is_ended_or_no_staff_is_neither_of_the_two(
    settings: Any, who: str, ended: dict[str, bool]
) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, f"a:{'22' * 32}"
    people = {name: person(name, "Operator") for name in ("ada", "ben")}
    type(people[who]).objects.filter(pk=people[who].pk).update(**ended)
    two = ("--by", "ada", "--confirmed-by", "ben", "--why", "The bank goes live on Monday.")
    with pytest.raises(CommandError, match="not an active staff"):
        call_command("issue_key", "data", "--owner", "Alice Ltd", *two)
    assert not ApiKey.objects.exists()
