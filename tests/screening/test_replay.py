"""manage.py replay_screen: an old screen follows from what was recorded."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import findings
from apps.compliance.screening.rules import screen as rules
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source

SCREENS = [
    {},
    {"name": "Lazarus Group"},
    {"name": "Kim Jong Park"},
    {"country": "HT"},
    {"amount": 100000, "currency": "EUR"},
    {"amount": 1, "currency": "KPW"},
    {"name": "Keir Starmer", "individual": True},
    {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974", "amount": 100000},
    {"name": "Sber Trading Swiss AG", "lei": "506700AUNEQF0C694855"},
    {"lei": "529900T8BM49AURSDO55"},
    {"name": "Kim Jong Un", "entityType": "company", "birthDate": "1991-05"},
    {
        "walletAddress": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96",
        "aliases": ["Hidden Cobra"],
        "nationality": "KP",
        "address": "Pyongyang",
        "identifiers": [{"type": "passport", "value": "AB1234567", "country": "KP"}],
    },
]


def run(*ids) -> str:
    out = StringIO()
    call_command("replay_screen", *[str(id_) for id_ in ids], stdout=out, no_color=True)
    return out.getvalue()


@pytest.mark.parametrize("fields", SCREENS)
def test_a_screen_computed_anew_agrees_with_its_record(screen, fields) -> None:
    answer = screen(**fields)
    screen_replay = replay_screen(record=Screen.objects.get())
    assert screen_replay.agrees, screen_replay
    assert screen_replay.decision == (answer["decision"],) * 2
    assert screen_replay.notes == ()


def test_it_uses_the_lists_of_that_time_not_those_of_today(screen) -> None:
    answer = screen(name="Lazarus Group")
    Source.objects.update(enabled=False)
    engine.reset_engine()
    assert "agrees" in run(answer["screenId"])


def test_a_changed_record_is_found_because_the_decision_is_never_copied(
    screen, monkeypatch
) -> None:
    answer = screen(name="Lazarus Group")
    monkeypatch.setattr(findings, "BLOCK_SCORE", 101)
    with pytest.raises(CommandError, match="1 of 1 differ"):
        run(answer["screenId"])


def test_another_rule_version_is_said(screen, monkeypatch) -> None:
    answer = screen()
    monkeypatch.setattr(rules, "VERSION", "2099-01.1")
    assert "The rules differ: recorded with" in run(answer["screenId"])


def test_an_unknown_screen_is_an_error(db) -> None:
    with pytest.raises(CommandError, match="No screen "):
        run("6f1d4f5e-0000-4000-8000-000000000000")
