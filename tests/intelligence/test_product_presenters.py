"""What pages show of an answer, as words, tables, lines and arrows."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from apps.insight.intelligence import diagrams, labels, quality_messages
from apps.insight.intelligence.history_charts import build_history_chart, split_at_gaps
from apps.insight.intelligence.layouts import answer_page
from apps.insight.intelligence.layouts.layout import Layout, LayoutBars, LayoutTable, TableColumn
from apps.insight.intelligence.methods.layer_graph import CausalGraph
from apps.insight.intelligence.methods.layer_regression import EdgeEvidence
from apps.insight.intelligence.rules.layer_links import LINKS
from apps.insight.intelligence.templatetags.prose import coded


def test_prose_is_escaped_within_code_and_without() -> None:
    assert coded("a < `b < c`") == "a &lt; <code>b &lt; c</code>"


def test_each_kind_of_reason_has_its_sentence() -> None:
    gold = {"series": "gold", "source": "world-bank", "asOf": "2026-05-31T00:00:00.000Z"}
    older = {"series": "wheat", "source": "world-bank", "asOf": "2026-04-30T00:00:00.000Z"}
    quality = quality_messages.describe_quality(
        {
            "dataQuality": "PARTIAL",
            "coverage": 0.7,
            "reasons": [
                "stale:copper",
                "proxy:wheat",
                "static:corn",
                "missing:silver",
                "short:cocoa",
            ],
            "missing": ["copper", "silver", "us.epu.30d", "cocoa"],
            "sources": [gold, older],
        }
    )
    assert quality.why == (
        "Too old to be used: Copper.",
        "No data for: Silver; Uncertainty of economic policy, United States, mean of thirty days.",
        "History too short to be used: Cocoa.",
        "Proxy used for data that is not public: Wheat, US hard red winter.",
        "Static table, not updated: Maize.",
        "The oldest figure is of 30\xa0Apr\xa02026 (Wheat, US hard red winter), the newest of "
        "31\xa0May\xa02026 (Gold).",
    )
    assert quality.means.startswith("An input is missing")


def test_figures_of_one_day_are_told_by_that_day() -> None:
    gold = {"series": "gold", "source": "world-bank", "asOf": "2026-05-31T00:00:00.000Z"}
    body = {"dataQuality": "LIVE", "coverage": 1, "reasons": [], "missing": []}
    quality = quality_messages.describe_quality({**body, "sources": [gold, gold]})
    assert quality.why == ("Figures are of 31\xa0May\xa02026.",)


def test_a_sample_without_series_is_told_too() -> None:
    body = {"dataQuality": "ESTIMATED", "coverage": 1, "reasons": ["sample"], "missing": []}
    assert quality_messages.describe_quality(body).why == ("Based on the bundled sample.",)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, "0"),
        (1.22927626, "1.23"),
        (27.68852303, "27.69"),
        (99.994, "99.99"),
        (372.12, "372.1"),
        (999.96, "1,000"),
        (13543.19, "13,543"),
        (-0.5, "−0.5"),
        (0.005, "0.01"),
        (0.00449, "0.004"),
        (-0.00000001, "0.0000"),
    ],
)
def test_a_number_has_the_decimals_that_its_size_asks_for(value: float, told: str) -> None:
    assert labels.format_number(value) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [(0, "0\xa0%"), (0.0004, "under\xa00.1\xa0%"), (0.0005, "0.1\xa0%"), (0.0999, "10.0\xa0%"),
     (0.1, "10\xa0%"), (0.5329, "53\xa0%"), (1, "100\xa0%")],
)  # fmt: skip
def test_a_chance_is_told_in_hundredths(value: float, told: str) -> None:
    assert labels.format_share(value) == told


def test_what_adds_most_is_first_and_has_the_longest_bar() -> None:
    body = {"parts": [{"title": "A", "contribution": 1}, {"title": "B", "contribution": 4}]}
    (made,) = answer_page.present_answer(
        Layout(label="", headline="", bars=(LayoutBars(path="parts"),)), body
    ).made_of
    assert [(name, cells[0].bar) for name, cells in made.rows] == [("B", 100), ("A", 25)]


def test_a_column_that_no_row_fills_is_left_out() -> None:
    columns = (TableColumn("Score", "score", "score"), TableColumn("Unit", "unit"))
    table = LayoutTable(title="T", path="parts", name="{name}", columns=columns)
    body = {"parts": [{"name": "A", "score": None}, {"name": "B", "unit": "x"}]}
    (made,) = answer_page.present_answer(
        Layout(label="", headline="", tables=(table,)), body
    ).tables
    assert made.heads == (("Name", ""), ("Unit", ""))
    assert [[cell.text for cell in cells] for _, cells in made.rows] == [["–"], ["x"]]


@pytest.mark.parametrize(
    ("values", "told"),
    [((0.7, 0.51, None), ["0.70", "0.51", "–"]), ((7, 99.5), ["7.0", "99.5"]),
     ((100, 0.51), ["100", "0.51"]), ((1, 2), ["1", "2"])],
)  # fmt: skip
def test_small_numbers_below_each_other_have_as_many_decimals(
    values: tuple[float | None, ...], told: list[str]
) -> None:
    table = LayoutTable(title="T", path="x", name="{n}", columns=(TableColumn("V", "v", "number"),))
    body = {"x": [{"n": "A", "v": value} for value in values]}
    (made,) = answer_page.present_answer(
        Layout(label="", headline="", tables=(table,)), body
    ).tables
    assert [cells[0].text for _, cells in made.rows] == told


def days_of(*numbers: int) -> list[tuple[date, Decimal]]:
    """Return a history with a value of one on each of these days of 2026."""
    return [(date(2026, 1, 1) + timedelta(days=n), Decimal(1)) for n in numbers]


@pytest.mark.parametrize(
    ("cadence", "days", "parts"),
    [
        ("day", (0, 1, 13, 14), 1),
        ("day", (0, 1, 14, 15), 2),
        # one and six tenths of the usual distance, 31 days, are longer than a month may be
        ("month", (0, 31, 59, 90, 139), 1),
        ("month", (0, 31, 59, 90, 140), 2),
        ("year", (0, 365, 915), 1),
        ("year", (0, 365, 730, 1281), 1),
        ("year", (0, 365, 730, 1315), 2),
    ],
)
def test_a_line_is_open_where_a_value_is_missing(
    cadence: str, days: tuple[int, ...], parts: int
) -> None:
    assert len(split_at_gaps(days_of(*days), cadence)) == parts


def test_a_chart_reaches_to_the_day_of_the_picture_though_its_series_ends_before() -> None:
    values = days_of(0, 1, 2, 60)
    history_chart = build_history_chart(
        "Gold", values, cadence="day", since=date(2026, 1, 1), until=date(2026, 4, 11)
    )
    assert history_chart is not None
    assert history_chart.path == "M0.0,60.0 L10.0,60.0 20.0,60.0 M600.0,60.0 h0"
    assert history_chart.gaps == 1
    assert (history_chart.marks[0], history_chart.marks[-1]) == ("Jan 2026", "Apr 2026")
    assert history_chart.text == "Gold: between 1 and 1, latest 1 on 2\xa0Mar\xa02026"


def test_one_value_makes_no_chart() -> None:
    until = date(2026, 4, 11)
    assert (
        build_history_chart("Gold", days_of(0), cadence="day", since=date(2026, 1, 1), until=until)
        is None
    )


def test_an_edge_has_the_weight_that_is_passed_on_though_figures_contradict_it() -> None:
    edges = tuple(EdgeEvidence(months=100, strength=-0.4, p=0.01, found=True) for _ in LINKS)
    causal_graph = CausalGraph(links=LINKS, edges=edges, weights=tuple(0.2 for _ in LINKS))
    graph_drawing = diagrams.draw_causal_graph(causal_graph, path=["L2", "L4", "L6"], first="L2")
    assert {arrow.weight for arrow in graph_drawing.arrows} == {"+0.20"}
    assert {arrow.figures for arrow in graph_drawing.arrows} == {"−0.40"}
    assert {arrow.state for arrow in graph_drawing.arrows} == {"contradicted"}
    assert [(arrow.source, arrow.target) for arrow in graph_drawing.arrows if arrow.leading] == [
        ("L2", "L4"), ("L4", "L6"),
    ]  # fmt: skip
