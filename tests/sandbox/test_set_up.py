"""The first minute's people and keys: never in production, nobody else's to read, kept."""

import stat
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.gates import UnknownKey, find
from apps.access.models import ApiKey
from apps.sandbox.actions import NotASandbox, kept, set_up
from tests.review.people import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def test_production_gets_no_people_no_keys_and_no_sample(settings: Any, folder: Path) -> None:
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        set_up(now=NOON)
    assert not User.objects.exists() and not ApiKey.objects.exists()
    assert not list(folder.iterdir())


def test_a_sandbox_that_became_production_shows_nothing(settings: Any) -> None:
    set_up(now=NOON)
    assert kept().keys
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        kept()


def test_what_it_keeps_is_for_its_owner_to_read_alone(folder: Path) -> None:
    set_up(now=NOON)
    for name in ("sandbox.json", "keys.json"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_again_it_changes_nothing_and_a_revoked_key_is_made_anew() -> None:
    first = set_up(now=NOON)
    assert set_up(now=NOON) == first
    secret = first.keys["subscription"]
    find(secret=secret, now=NOON).revoke(now=NOON)
    again = set_up(now=NOON)
    assert again.people == first.people
    changed = {name for name in first.keys if again.keys[name] != first.keys[name]}
    assert changed == {"subscription"}
    with pytest.raises(UnknownKey):
        find(secret=secret, now=NOON)
    assert find(secret=again.keys["subscription"], now=NOON)


def test_nobody_of_it_is_a_superuser() -> None:
    set_up(now=NOON)
    assert User.objects.exists() and not User.objects.filter(is_superuser=True).exists()
