"""The first minute's people and keys: never in production, nobody else's to read, kept."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.access.keys.authentication import UnknownKey, find_key_by_secret
from apps.access.keys.models import ApiKey
from apps.entry.sandbox.services import NotASandbox, load_sandbox, set_up_sandbox
from tests.desk.test_proposal_sentences import proposals
from tests.review.people import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


def test_production_gets_no_people_no_keys_and_no_sample(settings: Any, folder: Path) -> None:
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        set_up_sandbox(now=NOON)
    assert not User.objects.exists() and not ApiKey.objects.exists()
    assert not list(folder.iterdir())


def test_a_sandbox_that_became_production_shows_nothing(settings: Any) -> None:
    set_up_sandbox(now=NOON)
    assert load_sandbox().keys
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        load_sandbox()


def test_what_it_keeps_is_for_its_owner_to_read_alone(folder: Path) -> None:
    whole = os.umask(0)
    try:
        set_up_sandbox(now=NOON)
    finally:
        os.umask(whole)
    for name in ("sandbox.json", "keys.json"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600


def test_again_it_changes_nothing_and_a_revoked_key_is_made_anew() -> None:
    first = set_up_sandbox(now=NOON)
    assert set_up_sandbox(now=NOON) == first
    secret = first.keys["subscription"]
    find_key_by_secret(secret=secret, now=NOON).revoke(now=NOON)
    again = set_up_sandbox(now=NOON)
    assert again.people == first.people
    changed = {name for name in first.keys if again.keys[name] != first.keys[name]}
    assert changed == {"subscription"}
    with pytest.raises(UnknownKey):
        find_key_by_secret(secret=secret, now=NOON)
    assert find_key_by_secret(secret=again.keys["subscription"], now=NOON)


def test_whatever_one_of_its_people_proposes_another_can_approve() -> None:
    set_up_sandbox(now=NOON)
    people, lonely = list(User.objects.all()), []
    for model in proposals():
        app, name = model._meta.app_label, model._meta.model_name
        propose, decide = (f"{app}.{verb}_{name}" for verb in ("propose", "decide"))
        proposers = [person for person in people if person.has_perm(propose)]
        assert proposers, propose
        lonely += [
            f"{proposer.username}: {propose}"
            for proposer in proposers
            if not any(other != proposer and other.has_perm(decide) for other in people)
        ]
    assert lonely == []


def test_nobody_of_it_is_a_superuser() -> None:
    set_up_sandbox(now=NOON)
    assert User.objects.exists() and not User.objects.filter(is_superuser=True).exists()
