"""The page of the method says what the tables say, and the tables name series that there are."""

from pathlib import Path

from apps.signals.series import row_of
from apps.stability.oracle.adaptive_shapes import TierWeightsOut
from apps.stability.oracle.rules.layers import TIERS, series_of
from apps.stability.oracle.rules.method import page
from apps.stability.oracle.rules.printed import tables

PAGE = Path(__file__).resolve().parents[3] / "docs" / "stability-method.md"


def test_the_page_is_what_the_tables_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), (
        "run: ./run manage print_stability_method > docs/stability-method.md"
    )


def test_every_series_that_the_oracle_reads_is_a_row_of_the_table_of_series() -> None:
    assert [name for name in series_of() if row_of(name) is None] == []


def test_every_row_of_a_table_has_a_cell_for_each_head() -> None:
    for title, head, rows in tables():
        assert rows and all(len(row) == len(head) and all(row) for row in rows), title


def test_the_weights_that_are_told_are_those_of_the_tiers() -> None:
    assert tuple(TierWeightsOut().fields) == TIERS
