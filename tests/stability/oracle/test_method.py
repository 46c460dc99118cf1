"""The page of the method says what the tables say, and the tables name series that there are."""

from pathlib import Path

from apps.insight.stability.oracle.rules.docs import build_rule_tables
from apps.insight.stability.oracle.rules.layers import TIERS, list_oracle_series
from apps.insight.stability.oracle.rules.method_page import render_method_page
from apps.insight.stability.oracle.serializers.adaptive import TierWeightsOut
from apps.reference.signals.series import find_series

PAGE = Path(__file__).resolve().parents[3] / "docs" / "stability-method.md"


def test_the_page_is_what_the_tables_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_method_page(), (
        "run: ./run manage print_stability_method > docs/stability-method.md"
    )


def test_every_series_that_the_oracle_reads_is_a_row_of_the_table_of_series() -> None:
    assert [name for name in list_oracle_series() if find_series(name) is None] == []


def test_every_row_of_a_table_has_a_cell_for_each_head() -> None:
    for title, head, rows in build_rule_tables():
        assert rows and all(len(row) == len(head) and all(row) for row in rows), title


def test_the_weights_that_are_told_are_those_of_the_tiers() -> None:
    assert tuple(TierWeightsOut().fields) == TIERS
