"""manage.py issue_key: one key, shown once, that works."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.access.gates import find
from apps.access.models import PREFIXES, Account, ApiKey, Kind
from apps.core.clock import now

pytestmark = pytest.mark.django_db


def run(capsys: Any, *arguments: str) -> tuple[str, str]:
    """Run the command and return what it printed, and what it said beside."""
    call_command("issue_key", *arguments)
    captured = capsys.readouterr()
    return captured.out.strip(), captured.err.strip()


@pytest.mark.parametrize("kind", Kind.values)
def test_a_key_of_each_kind_is_printed_alone_and_works(capsys: Any, kind: str) -> None:
    secret, beside = run(capsys, kind.lower(), "--owner", "Alice Ltd")
    assert secret.startswith(PREFIXES[Kind(kind)]) and "\n" not in secret
    found = find(secret=secret, now=now())
    assert found.kind == kind and found.account.name == "Alice Ltd"
    assert "Alice Ltd" in beside and secret not in beside


def test_json_is_for_scripts(capsys: Any) -> None:
    out, beside = run(capsys, "SUBSCRIPTION", "--owner", "Alice Ltd", "--json")
    found = json.loads(out)
    assert find(secret=found["key"], now=now()) and beside == ""
    assert (found["kind"], found["owner"]) == ("SUBSCRIPTION", "Alice Ltd")


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
    ],
)
def test_what_makes_no_sense_is_refused_and_makes_nothing(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("issue_key", *arguments)
    assert not Account.objects.exists() and not ApiKey.objects.exists()
