"""manage.py aml_backtest: what it reads, what it refuses, and the figures that it writes."""

import csv
import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.compliance.aml.backtest.dataset_parser import FIRST, DatasetError, read_dataset
from apps.compliance.aml.backtest.ranking_metrics import (
    DRAWS,
    TOP,
    average_precision,
    compute_auc,
    measure_ranking,
    precision_at,
)
from apps.compliance.aml.rules.profile import DAY
from apps.compliance.aml.rules.scorecard import COHORTS
from apps.compliance.aml.rules.signal_context import USD

MEASURES = {"auc", "average_precision", "precision_at_100"}


def table(path: Path, *rows: dict[str, Any]) -> None:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def steps(folder: Path) -> Path:
    """Write a folder of AMLSim's sample: accounts that trade, and collectors that are bad."""
    chance = random.Random(3)
    pays = []
    for day in range(240):
        for _ in range(3):
            who = chance.randrange(20)
            pays.append((f"a{who}", f"a{(who + 1) % 20}", chance.randrange(200, 400), day))
    for mule in range(4):
        for n in range(12):
            pays.append((f"s{mule}{n}", f"m{mule}", 900, 120 + mule * 20 + n))
    rows = [{"sourceNodeId": a, "targetNodeId": b, "value": v, "time": t} for a, b, v, t in pays]
    names = [*sorted({pay[side] for pay in pays for side in (0, 1)}), "never"]
    nodes = [{"nodeid": name, "isFraud": int(name.startswith("m"))} for name in names]
    table(folder / "transactions.csv", *rows)
    table(folder / "nodes.csv", *nodes)
    return folder


def dated(path: Path, *pays: tuple[str, str, str, str]) -> None:
    names = ("orig_acct", "bene_acct", "base_amt", "tran_timestamp")
    table(path, *(dict(zip(names, pay, strict=True)) for pay in pays))


def test_the_command_writes_its_figures_and_says_how_far_it_is(tmp_path: Path) -> None:
    out, output, progress = tmp_path / "out.json", io.StringIO(), io.StringIO()
    call_command(
        "aml_backtest", str(steps(tmp_path)), "--json", str(out), stdout=output, stderr=progress
    )
    document = json.loads(out.read_text())
    assert document["static"].keys() >= MEASURES and document["calibrated"].keys() >= MEASURES
    assert set(document["cohorts"]) == set(COHORTS)
    for way in ("static", "calibrated"):
        for name in MEASURES:
            low, high = document[way]["intervals"][name]
            assert 0 <= low <= document[way][name] <= high <= 1, (way, name)
    assert document["static"]["auc"] > 0.9  # collectors of twelve are what it looks for
    assert document["data"] == {"name": tmp_path.name, "payments": 768, "accounts": 73, "bad": 4}
    assert sum(cohort["accounts"] for cohort in document["cohorts"].values()) == 73
    assert not any(cohort["proves"] for cohort in document["cohorts"].values())
    words = output.getvalue()
    assert "static" in words and "too few to prove anything" in words and "(" in words
    text = progress.getvalue()
    assert text.count("Replaying 768 payments") == 2 and "100 %" in text


def test_all_files_are_read_whatever_their_packing(tmp_path: Path) -> None:
    dated(tmp_path / "tx_1.csv", ("A", "B", "10.5", "2017-01-02T00:00:00"))
    dated(tmp_path / "tx_2.csv.gz", ("C", "D", "7", "2017-01-01T00:00:00+01:00"))
    table(tmp_path / "sar_accounts_1.csv", {"ACCOUNT_ID": "D"})
    data = read_dataset(tmp_path)
    assert [payment.sender for payment in data.payments] == ["C", "A"]  # in the order of time
    assert data.payments[0].at == FIRST - 3600 and data.payments[1].at == FIRST + DAY
    assert data.payments[1].amount == 10.5 * USD
    assert (data.accounts, data.bad) == ({"A", "B", "C", "D"}, {"D"})


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("A", "B", "-1", "2017-01-01"), "negative"),
        (("A", "B", "much", "2017-01-01"), "not an amount"),
        (("A", "B", "NaN", "2017-01-01"), "not an amount"),
        (("A", "B", "1", "yesterday"), "isoformat"),
    ],
)
def test_a_bad_line_is_told_and_nothing_is_replayed(
    tmp_path: Path, row: tuple[str, str, str, str], said: str
) -> None:
    dated(tmp_path / "tx_1.csv", row)
    table(tmp_path / "sar_accounts_1.csv", {"ACCOUNT_ID": "A"})
    with pytest.raises(CommandError, match=f"Nothing was replayed: .*{said}"):
        call_command("aml_backtest", str(tmp_path))


def test_a_folder_of_another_layout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"neither nodes\.csv"):
        call_command("aml_backtest", str(tmp_path))
    dated(tmp_path / "tx_1.csv", ("A", "B", "1", "2017-01-01"))
    with pytest.raises(CommandError, match="labels no account"):
        call_command("aml_backtest", str(tmp_path))
    (tmp_path / "tx_1.csv").write_text("orig_acct,bene_acct\nA,B\n")
    with pytest.raises(CommandError, match="base_amt"):
        call_command("aml_backtest", str(tmp_path))
    (tmp_path / "tx_1.csv").write_text("orig_acct,bene_acct\nA\n")
    with pytest.raises(DatasetError, match="different columns"):
        read_dataset(tmp_path)
    (tmp_path / "tx_1.csv").unlink()
    (tmp_path / "tx_1.csv.gz").write_bytes(b"no gzip at all")
    with pytest.raises(CommandError, match="Nothing was replayed"):
        call_command("aml_backtest", str(tmp_path))


@pytest.mark.parametrize(
    ("scores", "bad", "wanted"),
    [
        ([4, 3, 2, 1], [1, 1, 0, 0], (1.0, 1.0)),
        ([4, 3, 2, 1], [0, 0, 1, 1], (0.0, 5 / 12)),
        ([4, 3, 2, 1], [1, 0, 1, 0], (0.75, 5 / 6)),
        ([1, 1, 1, 1], [1, 0, 1, 0], (0.5, 5 / 6)),
    ],
)
def test_figures_are_those_computed_by_hand(
    scores: list[int], bad: list[int], wanted: tuple[float, float]
) -> None:
    numbers, flags = np.array(scores, float), np.array(bad, bool)
    assert (compute_auc(numbers, flags), average_precision(numbers, flags)) == pytest.approx(wanted)


def test_precision_is_of_the_hundred_that_score_highest() -> None:
    scores = np.arange(TOP + 50, dtype=float)
    bad = scores >= 120  # 30 of them
    assert precision_at(scores, bad) == pytest.approx(0.3)


def test_an_interval_holds_its_figure_and_is_the_same_each_time() -> None:
    chance = np.random.default_rng(1)
    bad = chance.random(400) < 0.2
    scores = chance.random(400) + 0.4 * bad
    first, again = measure_ranking(scores, bad), measure_ranking(scores, bad)
    assert first == again and DRAWS >= 200
    for one in first.values():
        assert one.low < one.value < one.high and one.high - one.low < 0.3
