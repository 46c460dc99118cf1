"""import_list, build_index, keep_index and list_versions."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection

from apps.platform.common.clock import now
from apps.platform.desk.role_sync import ensure_staff_user
from apps.reference.watchlists import indexes
from apps.reference.watchlists.integrity import verify_lists
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.management.commands import keep_index
from apps.reference.watchlists.models import Source, SourceEvent

Write = Callable[..., Path]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_new_name_makes_an_in_house_list_with_a_mapping(db: Any, tmp_path: Path) -> None:
    path = tmp_path / "liste.csv"
    path.write_text("ID,Nom\n1,Jean\n")
    mapped = ("--map", "entity_id=ID", "--map", "name=Nom", "--topic", "pep", "--title", "Interne")
    said = run("import_list", "interne", str(path), *mapped)
    assert "interne 1 is live: 1 parties, 1 added" in said
    source = Source.objects.get(slug="interne")
    assert (source.title, source.topic, source.kind) == ("Interne", "pep", "in_house")
    assert source.columns == {"entity_id": "ID", "name": "Nom"}
    assert "already live" in run("import_list", "interne", str(path))


def test_a_new_list_that_is_refused_leaves_nothing_behind(db: Any, tmp_path: Path) -> None:
    path = tmp_path / "liste.csv"
    path.write_text("ID,Nom\n1,Jean\n")
    with pytest.raises(CommandError, match="expected the column"):
        run("import_list", "NEW", str(path), "--topic", "pep")
    assert not Source.objects.filter(slug="NEW").exists()
    mapped = ("--map", "entity_id=ID", "--map", "name=Nom")
    assert "NEW 1 is live" in run("import_list", "NEW", str(path), *mapped)
    assert Source.objects.get(slug="NEW").topic == "sanction"
    with pytest.raises(CommandError, match="expected the column 'surname'"):
        run("import_list", "NEW", str(path), "--map", "entity_id=ID", "--map", "name=surname")
    assert Source.objects.get(slug="NEW").columns == {"entity_id": "ID", "name": "Nom"}


def test_an_operator_says_when_a_list_was_published_and_that_it_is_a_part(
    db: Any, write: Write, settings: Any
) -> None:
    path = str(write("a.csv", {"1": "A"}))
    run("import_list", "house", path, "--published", "2026-11-19", "--partial")
    live = Source.objects.get(slug="house").live
    assert live and live.partial and live.by_hand
    assert f"{live.published_at:%F %R}" == "2026-11-19 00:00"
    with pytest.raises(CommandError, match="--published"):
        run("import_list", "house", path, "--published", "yesterday")


def test_rows_may_be_appended_to_an_in_house_list(db: Any, write: Write) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    said = run("import_list", "house", str(write("a.csv", {"1": "A", "2": "B"})))
    assert "house 2 is live: 2 parties, 1 added, 0 changed, 0 removed" in said


def test_a_known_official_list_is_loaded_from_files_of_its_own_format(
    db: Any, write: Write
) -> None:
    with pytest.raises(CommandError, match="un-sc: expected"):
        run("import_list", "un-sc", str(write("a.csv", {"1": "A"})))
    with pytest.raises(CommandError, match="not an in-house list"):
        run("import_list", "un-sc", str(write("a.csv", {"1": "A"})), "--map", "name=x")
    with pytest.raises(CommandError, match="lists sanction"):
        run("import_list", "un-sc", str(write("a.csv", {"1": "A"})), "--topic", "pep")


def test_a_source_that_is_off_is_screened_against_when_that_is_asked(db: Any, write: Write) -> None:
    path = str(write("a.csv", {"1": "A"}))
    run("import_list", "house", path)
    Source.objects.update(enabled=False)
    run("import_list", "house", path)
    assert load_current_set().versions == {}
    run("import_list", "house", path, "--enable")
    assert load_current_set().versions == {"house": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bad slug!",), "slug"),
        (("house", "--map", "name"), "FIELD=COLUMN"),
    ],
)
def test_what_makes_no_sense_is_refused(
    db: Any, write: Write, arguments: tuple[str, ...], said: str
) -> None:
    slug, *rest = arguments
    with pytest.raises(CommandError, match=said):
        run("import_list", slug, str(write("a.csv", {"1": "A"})), *rest)


def test_a_shrunken_list_needs_a_word(db: Any, write: Write) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A", "2": "B"})))
    smaller = str(write("b.csv", {"1": "A"}))
    with pytest.raises(CommandError, match="--accept-shrink"):
        run("import_list", "house", smaller)
    assert "1 removed" in run("import_list", "house", smaller, "--accept-shrink")


def test_the_index_is_built_once(db: Any, write: Write) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    assert "Built the index" in run("build_index")
    assert "already exists" in run("build_index")


def test_the_keeper_builds_what_changed(db: Any, write: Write) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    assert "Built" in run("keep_index", "--once")
    assert run("keep_index", "--once") == ""
    run("import_list", "house", str(write("a.csv", {"1": "A", "2": "B"})))
    assert "{'house': 2}" in run("keep_index", "--once")


def test_the_keeper_outlives_a_full_disk(
    db: Any, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    output = StringIO()
    keeper = keep_index.Command(stdout=StringIO(), stderr=output)
    written, tries = indexes._write_index, iter((True, False))

    def write_once_there_is_room(*given: Any) -> Any:
        if next(tries):
            raise OSError(ENOSPC, "full")
        keeper.stopping = True
        return written(*given)

    monkeypatch.setattr(indexes, "_write_index", write_once_there_is_room)
    monkeypatch.setattr(keep_index, "close_old_connections", lambda: None)  # this test's own
    keeper._keep(0.0, once=False)
    assert "The index could not be built" in output.getvalue()
    assert indexes.is_index_built(load_current_set().id)


def test_one_look_that_fails_says_so_by_its_status(
    db: Any, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    with monkeypatch.context() as full:
        full.setattr(
            indexes, "_write_index", lambda *_: (_ for _ in ()).throw(OSError(ENOSPC, "full"))
        )
        with pytest.raises(CommandError, match="The index could not be built"):
            run("keep_index", "--once")
    assert not indexes.is_index_built(load_current_set().id)
    assert "Built" in run("keep_index", "--once")


KEEPER = """
import django, sys
django.setup()
from pathlib import Path
from django.conf import settings
settings.VAR_DIR = Path(sys.argv[2])
settings.DATABASES["default"]["NAME"] = sys.argv[1]
from django.core.management import call_command
call_command("keep_index", "--every", "0.1")
"""


@pytest.mark.processes
@pytest.mark.django_db(transaction=True)
def test_one_keeper_per_host_and_it_stops_cleanly(write: Write, own_folder: Path) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    arguments = [str(connection.settings_dict["NAME"]), str(own_folder)]
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, *arguments], stdout=subprocess.PIPE, text=True
    )
    assert keeper.stdout
    try:
        assert "Built the index" in keeper.stdout.readline()
        assert indexes.is_index_built(load_current_set().id)
        with pytest.raises(CommandError, match="Another keep_index"):
            run("keep_index", "--once")
        run("import_list", "house", str(write("a.csv", {"1": "A", "2": "B"})))
        assert "{'house': 2}" in keeper.stdout.readline()
        keeper.send_signal(signal.SIGTERM)
        assert keeper.wait(60) == 0
    finally:
        keeper.kill()
        keeper.wait()
        keeper.stdout.close()


def test_versions_and_their_reports_can_be_read(db: Any, write: Write) -> None:
    run("import_list", "house", str(write("a.csv", {"1": "A"})))
    run("import_list", "house", str(write("a.csv", {"1": "A", "2": "B"})))
    assert "house: sanction, version 2, 2 parties" in run("list_versions")
    said = run("list_versions", "house")
    assert "house 2 live" in said
    assert "house 1 superseded" in said
    report = json.loads(run("list_versions", "house", "--report", "2"))
    assert report["added"] == [{"id": "2", "name": "B"}]
    with pytest.raises(CommandError, match="no version 9"):
        run("list_versions", "house", "--report", "9")
    with pytest.raises(CommandError, match="No source nowhere"):
        run("list_versions", "nowhere")


def test_versions_tell_what_is_required_published_and_a_part(
    db: Any, write: Write, settings: Any
) -> None:
    settings.REQUIRED_SOURCES = ["house"]
    path = str(write("a.csv", {"1": "A"}))
    run("import_list", "house", path, "--published", "2026-11-19", "--partial")
    said = run("list_versions")
    assert "house (required): sanction, version 1, 1 parties, published 2026-11-19 00:00" in said
    assert "a part of the list" in said


# --- what takes two people ----------------------------------------------------------


def test_in_production_two_operators_tell_when_a_list_was_published(
    shrunken: list[str], write: Write
) -> None:
    same = ["import_list", "house", str(write("c.csv", {str(n): f"New {n}" for n in range(10)}))]
    pair = ["--by", "ada", "--confirmed-by", "ben"]
    for day in ("2025-11-18", "2025-11-19"):  # the second tells it of the same files
        run(*same, "--published", day, *pair)
        live = Source.objects.get(slug="house").live
        assert live and f"{live.published_at:%F}" == "2025-11-18"
    notes = live.report["notes"]
    assert notes == ["Published on 2025-11-18 00:00, as stated at the import."]
    kept = SourceEvent.objects.order_by("pk").values_list("field", "state", "by", "after")
    assert list(kept)[:2] == [
        ("published", "PROPOSED", "ada", "2025-11-18T00:00:00+00:00"),
        ("published", "APPROVED", "ben", "2025-11-18T00:00:00+00:00"),
    ]
    assert list(verify_lists(lambda done: None)) == []


@pytest.fixture
def shrunken(db: Any, write: Write, settings: Any) -> list[str]:
    """The command that takes a house list of one party where ten were, switched off besides."""
    settings.LEDGER_KEYS, settings.PRODUCTION = f"a:{'22' * 32}", True
    run("import_list", "house", str(write("a.csv", {str(n): f"Party {n}" for n in range(10)})))
    Source.objects.get(slug="house").switch(enabled=False, now=now())
    for name in ("ada", "ben"):
        ensure_staff_user(username=name, group="Operator", password="a long password")
    return ["import_list", "house", str(write("b.csv", {"1": "Party 1"})), "--accept-shrink"]


def test_in_production_a_shrunken_list_and_a_switch_take_two_operators(
    shrunken: list[str],
) -> None:
    run(*shrunken, "--enable", "--by", "ada", "--confirmed-by", "ben")
    source = Source.objects.get(slug="house")
    assert source.enabled and source.live and source.live.total == 1
    kept = SourceEvent.objects.order_by("pk").values_list("field", "state", "by")
    assert list(kept) == [
        ("shrink", "PROPOSED", "ada"), ("shrink", "APPROVED", "ben"),
        ("enabled", "PROPOSED", "ada"), ("enabled", "APPROVED", "ben"),
    ]  # fmt: skip
    first = SourceEvent.objects.order_by("pk")[0]
    assert (first.before, first.after) == (1, ["b.csv"])
    assert list(verify_lists(lambda done: None)) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "two people"),
        (["--by", "ada"], "two people"),
        (["--confirmed-by", "ben"], "two people"),
        (["--by", "ada", "--confirmed-by", "ada"], "Another operator"),
        (["--by", "ada", "--confirmed-by", "gone"], "'gone' is not an active staff account"),
        (["--by", "ada", "--confirmed-by", "nobody"], "'nobody' is not an active staff account"),
        (["--by", "ada", "--confirmed-by", "guest"], "'guest' is not an active staff account"),
        (["--by", "exa", "--confirmed-by", "ben"], "'exa' may not propose"),
        (["--by", "ada", "--confirmed-by", "exa"], "'exa' may not decide"),
    ],
)
@pytest.mark.parametrize("what", [["--accept-shrink"], ["--enable"], ["--published", "2026-11-19"]])
def test_in_production_one_person_with_a_shell_changes_nothing(
    shrunken: list[str], given: list[str], said: str, what: list[str], write: Write
) -> None:
    ensure_staff_user(username="exa", group="Examiner", password="a long password")
    gone = ensure_staff_user(username="gone", group="Operator", password="a long password")
    guest = ensure_staff_user(username="guest", group="Operator", password="a long password")
    User.objects.filter(pk=gone.pk).update(is_active=False)
    User.objects.filter(pk=guest.pk).update(is_staff=False)
    with pytest.raises(CommandError, match=said):
        run(*shrunken[:3], *what, *given)
    source = Source.objects.get(slug="house")
    assert not source.enabled and source.live and source.live.total == 10
    assert not SourceEvent.objects.exists()


def test_an_import_that_weakens_nothing_takes_one_person(shrunken: list[str], write: Write) -> None:
    more = write("c.csv", {str(number): f"Party {number}" for number in range(11)})
    assert "house 2 is live" in run("import_list", "house", str(more))


def test_a_sandbox_stays_simple(shrunken: list[str], settings: Any) -> None:
    settings.PRODUCTION = False
    run(*shrunken, "--enable")
    source = Source.objects.get(slug="house")
    assert source.enabled and source.live and source.live.total == 1
    assert not SourceEvent.objects.exists()
