"""Present a product's answer for its page, by its layout. Pure; templates render it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.insight.intelligence import labels
from apps.insight.intelligence.labels import NONE
from apps.insight.intelligence.layouts import Layout
from apps.insight.intelligence.layouts.layout import LayoutBars, LayoutTable, TableColumn

Body = Mapping[str, Any]
TITLE_TEMPLATE = "{title}"
SMALL_NUMBER = re.compile(r"−?\d{1,2}(\.\d{1,2})?")
# further columns of an input, after its contribution
INPUT_COLUMNS = (
    TableColumn("Score", "score", "score"),
    TableColumn("Signal", "signal", "code"),
    TableColumn("State", "status", "code"),
    TableColumn("Value", "_figure"),
    TableColumn("As of", "asOf", "day"),
    TableColumn("Source", "source", "source"),
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell with its heading; `bar` is the length of its bar, 0 to 100.

    `kind` is the CSS class: `num` for columns of numbers, `num bar` with bars.
    """

    head: str
    text: str
    kind: str
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table for rendering: column headings (text, kind) and rows (name, cells)."""

    title: str
    note: str
    empty: str
    heads: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[TableCell, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """The parts of an answer that a page shows."""

    label: str
    headline: str
    scale: str
    regime: str
    story: str
    facts: tuple[tuple[str, str], ...]
    first: tuple[TableView, ...]
    made_of: tuple[TableView, ...]
    tables: tuple[TableView, ...]
    draws: tuple[str, ...]


def present_answer(layout: Layout, body: Body) -> AnswerView:
    """Return the view of an answer by its layout."""
    lists = [_present_bars(bar, body) for bar in layout.bars]
    facts = (
        (fact.title, labels.format_value_at(body, fact.path, fact.form)) for fact in layout.facts
    )
    return AnswerView(
        label=labels.fill_template(layout.label, body),
        headline=labels.format_value_at(body, layout.headline, layout.form),
        scale=labels.fill_template(layout.scale, body),
        regime=labels.format_value_at(body, layout.regime, "code") if layout.regime else "",
        story=labels.fill_template(layout.story, body),
        facts=tuple((title, text) for title, text in facts if text != NONE),
        first=tuple(_present_table(table, body) for table in layout.tables if table.first),
        made_of=tuple(list_ for list_ in lists if list_.rows),
        tables=tuple(_present_table(table, body) for table in layout.tables if not table.first),
        draws=_choose_charted_series(layout, body),
    )


def iterate_rows(body: Body, path: str, within: str = "") -> Iterator[Body]:
    """Yield the rows of a list or of a mapping at a path; see LayoutTable."""
    value = labels.value_at_path(body, path)
    if isinstance(value, Mapping):
        listed: list[Body] = [{**_with_figure(entry), "_key": key} for key, entry in value.items()]
    else:
        listed = [_with_figure(entry) for entry in value or ()]
    for row in listed:
        if within:
            yield from ({**_with_figure(inner), "_of": row} for inner in row.get(within) or ())
        else:
            yield row


def _with_figure(content: Any) -> Body:
    row = content if isinstance(content, Mapping) else {"_value": content}
    if row.get("value") is None:
        return row
    figure = f"{labels.format_number(row['value'])} {row.get('unit', '')}".strip()
    return {**row, "_figure": figure}


def _present_table(table: LayoutTable, body: Body) -> TableView:
    rows = list(iterate_rows(body, table.path, table.within))
    cells = [
        (
            labels.fill_template(table.name, row),
            tuple(_present_cell(column, row) for column in table.columns),
        )
        for row in rows
    ]
    return _build_table_view(
        table.title,
        table.head,
        cells,
        note=table.note,
        empty=table.empty,
    )


def _present_bars(bars: LayoutBars, body: Body) -> TableView:
    """Return a table with a bar for each row's contribution; the longest is 100."""
    rows = list(iterate_rows(body, bars.path))
    if bars.ranked:
        rows.sort(key=lambda row: -_size_of_value(row, bars.adds))
    most = max((_size_of_value(row, bars.adds) for row in rows), default=Decimal(0)) or Decimal(1)
    names = [labels.fill_template(bars.name, row) for row in rows]
    cells = []
    for name, bar_row in zip(names, rows, strict=True):
        adds = TableCell(
            bars.head,
            labels.format_value_at(bar_row, bars.adds, bars.form),
            kind="num bar",
            bar=round(100 * _size_of_value(bar_row, bars.adds) / most),
        )
        rest = tuple(
            _present_cell(column, bar_row)
            for column in INPUT_COLUMNS
            if bars.adds != "value" or column.path != "_figure"
        )
        # rates of many pairs have one title
        shared = bars.name == TITLE_TEMPLATE and names.count(name) > 1
        # the series title, if the row has no name or shares it with others
        name_of_input = (
            labels.title_of_series(bar_row["series"])
            if "series" in bar_row and (name in ("", NONE) or shared)
            else name
        )
        cells.append((name_of_input, (adds, *rest) if bars.adds else rest))
    return _build_table_view(bars.title, "Part", cells)


def _size_of_value(row: Body, path: str) -> Decimal:
    return abs(Decimal(str(labels.value_at_path(row, path) or 0)))


def _present_cell(column: TableColumn, row: Body) -> TableCell:
    text = labels.format_value_at(row, column.path, column.form)
    return TableCell(column.head, text, "num" if column.form in labels.NUMERIC else "")


def _build_table_view(
    title: str,
    head: str,
    rows: Sequence[tuple[str, tuple[TableCell, ...]]],
    *,
    note: str = "",
    empty: str = "",
) -> TableView:
    """Return a table, leaving out columns that are empty in every row."""
    width = len(rows[0][1]) if rows else 0
    columns = [n for n in range(width) if any(cells[n].text != NONE for _, cells in rows)]
    even = [_align_decimals([cells[n] for _, cells in rows]) for n in columns]
    heads = tuple((rows[0][1][n].head, rows[0][1][n].kind) for n in columns)
    return TableView(
        title,
        note,
        empty,
        ((head, ""), *heads),
        tuple((name, tuple(cells[at] for cells in even)) for at, (name, _) in enumerate(rows)),
    )


def _align_decimals(cells: Sequence[TableCell]) -> list[TableCell]:
    """Return the cells of a column, small numbers padded to the same number of decimals."""
    texts = [cell.text for cell in cells if cell.text != NONE]
    most = max((len(text.partition(".")[2]) for text in texts), default=0)
    if not most or not all(SMALL_NUMBER.fullmatch(text) for text in texts):
        return list(cells)
    return [
        cell if cell.text == NONE else replace(cell, text=_pad_decimals(cell.text, most))
        for cell in cells
    ]


def _pad_decimals(text: str, places: int) -> str:
    whole, _, part = text.partition(".")
    return f"{whole}.{part.ljust(places, '0')}"


def _choose_charted_series(layout: Layout, body: Body) -> tuple[str, ...]:
    """Return the series to chart: those of the layout, or the largest contributors."""
    if layout.draws:
        return tuple(labels.fill_template(draw, body) for draw in layout.draws)
    for bar in layout.bars:
        rows = [row for row in iterate_rows(body, bar.path) if row.get("series")]
        rows.sort(key=lambda row: -_size_of_value(row, bar.adds))
        if rows:
            return tuple(row["series"] for row in rows)
    return tuple(source["series"] for source in body.get("sources", ()))
