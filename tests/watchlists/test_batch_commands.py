"""match_pairs and screen_names: columns kept, progress, and a cut-off run goes on."""

import csv
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.platform.common.clock import now
from apps.platform.common.spreadsheets import BYTE_ORDER_MARK
from apps.reference.watchlists import csv_batch, engine, indexes, lookup
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.management.commands import screen_names
from apps.reference.watchlists.rules.score_limits import to_whole_percent
from apps.reference.watchlists.subjects import Subject

ROWS = [
    ("name", "schema", "country", "birth_date", "note"),
    ("Lazarus Group", "Organization", "", "", "a"),
    ('Blue "Heron", Ltd\nsecond line', "Company", "GB", "", "b"),
    ("Kim Jong Un", "Person", "PRK", "", "c"),
    ("Philippa Quenneville-Thackeray", "Person", "GBR", "1970-01-01", "d"),
]


@pytest.fixture
def lists(db: Any) -> None:
    """The sample, indexed."""
    call_command("load_sample_lists", verbosity=0)
    indexes.build_set_index(load_current_set())


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A file of names to screen."""
    path = tmp_path / "in.csv"
    with path.open("w", newline="") as out:
        csv.writer(out).writerows(ROWS)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    assert path.read_bytes().startswith(BYTE_ORDER_MARK.encode())
    with path.open(encoding="utf-8-sig", newline="") as held:
        return list(csv.DictReader(held))


def test_names_get_their_best_hit_and_keep_their_columns(
    lists: None, names: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    call_command("screen_names", str(names), str(target))
    found = rows(target)
    assert [row["note"] for row in found] == ["a", "b", "c", "d"]
    assert [row["entity_id"] for row in found] == [
        "sample-lazarus-group", "", "sample-kim-jong-un", "",
    ]  # fmt: skip
    assert [float(row["score"]) >= 0.7 for row in found] == [True, False, True, False]
    assert found[0]["dataset"] == "sample-sanctions"
    assert {row["list_set"] for row in found} == {load_current_set().id}


@pytest.mark.parametrize("cutoff", ["70", "1.01", "-0.1", "nan"])
def test_a_cutoff_that_is_no_share_is_refused(
    lists: None, names: Path, tmp_path: Path, cutoff: str
) -> None:
    with pytest.raises(CommandError, match="from 0 to 1"):
        call_command("screen_names", str(names), str(tmp_path / "out.csv"), f"--cutoff={cutoff}")
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("name", "status", "why"),
    [
        ("", "not_screened", "the name is missing"),
        ("  ", "not_screened", "the name is missing"),
        ("x\u200bray", "not_screened", "invisible characters"),
        ("123 456", "not_screened", "no word of it can be read"),
        (" ".join(f"wort{n}" for n in range(40)), "not_screened", "40 words"),
        ("Quenneville " * 30, "not_screened", "more than 300 characters"),
        ("Blue Heron Stationery", "screened", ""),
        ("Kim Jong Un", "screened", ""),
    ],
)
def test_a_row_that_could_not_be_screened_says_why_and_has_no_score(
    lists: None, tmp_path: Path, name: str, status: str, why: str
) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    with source.open("w", newline="") as out:
        csv.writer(out).writerows([("name", "schema"), (name, ""), ("Lazarus Group", "")])
    call_command("screen_names", str(source), str(target))
    row, listed = rows(target)
    assert (row["status"], why in row["reason"]) == (status, True)
    assert (row["score"] == "") is (status == "not_screened")
    assert (row["reason"] == "") is (status == "screened")
    assert (listed["status"], float(listed["score"]) > 0.9) == ("screened", True)


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("Kim Jong Un", "Person"),
        ("Kim Jong", "Person"),
        ("Lazarus Group", "Person"),
        ("Lazarus Group Consulting GmbH", ""),
        ("Kim Jong Un Logistics GmbH", "Organization"),
        ("Anna Muller c/o Kim Jong Un", ""),
        ("Lazarus Group INV 7", "Organization"),
    ],
)
def test_a_file_gets_the_score_of_a_screen(
    lists: None, tmp_path: Path, name: str, schema: str
) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(f"name,schema,birth_date,country\n{name},{schema},1984-01-08,KP\n")
    call_command("screen_names", str(source), str(target), "--cutoff=0")
    told = {"Person": "person", "Organization": "company", "": ""}[schema]
    subject = Subject(name=name, entity_type=told, birth_date="1984-01-08", nationality="KP")
    lookup_result = lookup.match_sanctions(
        engine=engine.load_current_engine(now()), subject=subject
    )
    (row,) = rows(target)
    assert to_whole_percent(float(row["score"])) == lookup_result.score > 0
    assert row["dataset"] in lookup_result.nearest


def test_each_name_of_a_name_field_is_screened(lists: None, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    fields = [
        "Acme Ltd (formerly Lazarus Group)",
        "Anna Muller c/o Kim Jong Un",
        "Lazarus Group INV 7",
    ]
    with source.open("w", newline="") as out:
        csv.writer(out).writerows([("name", "schema"), *((field, "") for field in fields)])
    call_command("screen_names", str(source), str(target))
    assert [row["entity_id"] for row in rows(target)] == [
        "sample-lazarus-group", "sample-kim-jong-un", "sample-lazarus-group",
    ]  # fmt: skip
    assert {float(row["score"]) for row in rows(target)} == {1.0}


@pytest.mark.parametrize("cut", [0, 1, 30, 150, 200, 10_000])
def test_a_run_that_was_cut_off_goes_on_to_the_same_file(
    lists: None, names: Path, tmp_path: Path, cut: int
) -> None:
    whole, target = tmp_path / "whole.csv", tmp_path / "out.csv"
    call_command("screen_names", str(names), str(whole))
    target.write_bytes(whole.read_bytes()[:cut])
    call_command("screen_names", str(names), str(target))
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [0, 2, 60, 118, 119, 120, 10_000])
def test_no_cell_is_a_formula_and_a_run_goes_on_behind_one(
    lists: None, tmp_path: Path, cut: int
) -> None:
    source, whole, target = (tmp_path / name for name in ("in.csv", "whole.csv", "out.csv"))
    with source.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows(
            [
                ["name", "schema", "=note"],
                ["@Lazarus Group", "", "=1+1"],
                ["-2+3", "", "x;=1 Müller 中国石油"],
            ]
        )
    call_command("screen_names", str(source), str(whole))
    first, second = rows(whole)
    assert (first["name"], first["'=note"]) == ("'@Lazarus Group", "'=1+1")
    assert first["entity_id"] == "sample-lazarus-group"  # the name is screened as it came
    assert (second["name"], second["'=note"]) == ("'-2+3", "x;=1 Müller 中国石油")
    target.write_bytes(whole.read_bytes()[:cut])
    call_command("screen_names", str(source), str(target))
    assert target.read_bytes() == whole.read_bytes()


def test_rows_that_are_finished_are_not_judged_again(names: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    judged: list[str] = []

    def judge(row: csv_batch.Row) -> list[str]:
        judged.append(row["note"])
        if row["note"] == "c" and len(judged) == 3:
            raise KeyboardInterrupt
        return ["x"]

    given: dict[str, Any] = {
        "source": names, "target": target, "needs": ["name"], "adds": ["new"],
        "judges": csv_batch.judge_row_by_row(judge), "resume": True,
    }  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        csv_batch.run_csv_batch(**given)
    assert csv_batch.run_csv_batch(**given) == (4, 2)
    assert judged == ["a", "b", "c", "c", "d"]


def test_a_run_does_not_go_on_with_another_input(lists: None, names: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    call_command("screen_names", str(names), str(target))
    names.write_text(names.read_text().replace("Lazarus", "Lazar"))
    with pytest.raises(CommandError, match=r"Row 1 of out\.csv is not that row"):
        call_command("screen_names", str(names), str(target))
    call_command("screen_names", str(names), str(target), "--restart")
    assert rows(target)[0]["name"] == "Lazar Group"


def test_a_run_does_not_go_on_against_other_lists(
    lists: None, names: Path, tmp_path: Path, noon: datetime
) -> None:
    target = tmp_path / "out.csv"
    call_command("screen_names", str(names), str(target))
    target.write_text(
        "\n".join(target.read_text().splitlines()[:2]).replace(load_current_set().id, "0" * 32)
        + "\n"
    )
    with pytest.raises(CommandError, match="begun with list_set 000"):
        call_command("screen_names", str(names), str(target))


@pytest.mark.parametrize(
    ("other", "said"),
    [(("--topic", "pep"), "topic sanction"), (("--cutoff", "0.46"), "cutoff 0.45, this run has")],
)
def test_a_run_does_not_go_on_with_another_question(
    lists: None, names: Path, tmp_path: Path, other: tuple[str, str], said: str
) -> None:
    target = tmp_path / "out.csv"
    call_command("screen_names", str(names), str(target))
    with pytest.raises(CommandError, match=said):
        call_command("screen_names", str(names), str(target), *other)
    call_command("screen_names", str(names), str(target), *other, "--restart")
    assert {row[other[0].removeprefix("--")] for row in rows(target)} == {other[1]}


def test_a_file_without_the_columns_is_refused(lists: None, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("nom\nA\n")
    with pytest.raises(CommandError, match="name, schema"):
        call_command("screen_names", str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))


def test_a_file_with_an_endless_field_is_refused(lists: None, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(f"name,schema\n{'A' * 2_000_001},person\n")
    with pytest.raises(CommandError, match="field larger than field limit"):
        call_command("screen_names", str(tmp_path / "in.csv"), str(tmp_path / "out.csv"))


def test_names_are_not_screened_without_lists(db: Any, names: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No sanction list"):
        call_command("screen_names", str(names), str(tmp_path / "out.csv"))


def test_office_holders_can_be_screened_for(lists: None, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("name,schema\nKeir Starmer,Person\n")
    call_command(
        "screen_names", str(tmp_path / "in.csv"), str(tmp_path / "o.csv"), "--topic", "pep"
    )
    assert rows(tmp_path / "o.csv")[0]["entity_id"] == "sample-keir-starmer"


@pytest.mark.parametrize("indexed", [True, False])
def test_pairs_get_a_score_and_keep_their_columns(db: Any, tmp_path: Path, indexed: bool) -> None:
    if indexed:
        call_command("load_sample_lists", verbosity=0)
        indexes.build_set_index(load_current_set())
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(
        "source,schema,query,candidate,is_match\n"
        "x,Person,Olaf Gustafsson,Gustafsson Olaf,1\n"
        "x,Organization,Blue Heron Ltd,Kwangson Banking,0\n"
    )
    call_command("match_pairs", str(source), str(target), "--profile", "list")
    found = rows(target)
    assert [row["is_match"] for row in found] == ["1", "0"]
    assert float(found[0]["score"]) > 0.9
    assert float(found[1]["score"]) < 0.45


PAYEES = (
    "submitted,registered,expected,alt,category\n"
    "Ann Doe,Ann Doe,MATCH,,same\n"
    "Ann Doe,Zoltan Kiss,CLOSE,NO,other\n"
    "Ann Doe,Zoltan Kiss,CLOSE,,other\n"
)


def test_payees_are_counted_by_category_and_errors_shown(
    db: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, told = tmp_path / "in.csv", tmp_path / "told.json"
    source.write_text(PAYEES)
    given = [str(source), "--profile", "payee", "--errors", "--json", str(told)]
    call_command("match_pairs", *given)
    lines = capsys.readouterr().out.splitlines()
    assert [line[:8] for line in lines[:2]] == ["  other ", "! other "]
    assert "Ann Doe | Zoltan Kiss (P.27 A given or family name differs)" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == ["other", "same", "overall", "3"]
    document = json.loads(told.read_text())
    assert document["categories"]["same"]["strict"] == 1
    assert (document["overall"]["lenient"], document["overall"]["false_no"]) == (0.6667, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("submitted,registered\nA,B\n", "lacks the columns expected"),
        ("submitted,registered,expected\nA,B,PERHAPS\n", "Row 1 of in.csv"),
        ("submitted,registered,expected,alt\nA,B,NO,x\n", "Row 1 of in.csv"),
    ],
)
def test_a_file_of_payees_without_labels_is_refused(
    db: Any, tmp_path: Path, content: str, said: str
) -> None:
    source = tmp_path / "in.csv"
    source.write_text(content)
    with pytest.raises(CommandError, match=said):
        call_command("match_pairs", str(source), "--profile", "payee")


def test_each_profile_says_which_files_it_needs(db: Any, tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_text(PAYEES)
    with pytest.raises(CommandError, match=r"name IN\.csv and OUT\.csv"):
        call_command("match_pairs", str(source))
    with pytest.raises(CommandError, match=r"name only IN\.csv"):
        call_command("match_pairs", str(source), str(tmp_path / "o.csv"), "--profile", "payee")


def test_a_type_in_the_file_hides_nobody(lists: None, tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("name,schema\nLazarus Group,Person\nLazarus Group,Organization\n")
    call_command("screen_names", str(source), str(target))
    person, company = (float(row["score"]) for row in rows(target))
    assert 0.45 <= person <= 0.69 and company == 1


@pytest.mark.parametrize("has_idle_class", [True, False])
def test_a_bulk_run_leaves_the_processor_to_requests(
    has_idle_class: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lowered: list[int] = []
    monkeypatch.setattr(os, "nice", lowered.append)
    if has_idle_class:
        monkeypatch.setattr(os, "SCHED_IDLE", 5, raising=False)
        monkeypatch.setattr(os, "sched_param", lambda priority: priority, raising=False)
        monkeypatch.setattr(
            os, "sched_setscheduler", lambda pid, policy, _: lowered.append(policy), raising=False
        )
    else:
        monkeypatch.delattr(os, "sched_setscheduler", raising=False)
    with pytest.raises(SystemExit):
        screen_names.Command().run_from_argv(["manage.py", "screen_names", "--help"])
    assert lowered == [5 if has_idle_class else screen_names.BULK_NICENESS]
    assert "IN.csv" in capsys.readouterr().out
