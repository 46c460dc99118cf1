"""A product's answer as its page shows it, by its layout. Pure; the templates write it."""

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
# what else is told of an input beside what it adds
INPUT_COLUMNS = (
    TableColumn("Score", "score", "score"),
    TableColumn("Signal", "signal", "code"),
    TableColumn("State", "status", "code"),
    TableColumn("Value", "_figure"),
    TableColumn("Of", "asOf", "day"),
    TableColumn("Source", "source", "source"),
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell under its heading; `bar` is how long a bar beside it is, 0 to 100.

    `kind` is how it stands: `num` where numbers stand below each other, `num bar` with bars.
    """

    head: str
    text: str
    kind: str
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class TableView:
    """A table as it is written: the headings of its columns (text, kind), and rows
    (name, cells).
    """

    title: str
    note: str
    empty: str
    heads: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[TableCell, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """What a page shows of an answer."""

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
    """Return what the page of a product shows of an answer."""
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
    """Yield the rows of a list or of a mapping at a path; see Table."""
    found = labels.value_at_path(body, path)
    if isinstance(found, Mapping):
        listed: list[Body] = [{**_with_figure(one), "_key": key} for key, one in found.items()]
    else:
        listed = [_with_figure(one) for one in found or ()]
    for one in listed:
        if within:
            yield from ({**_with_figure(inner), "_of": one} for inner in one.get(within) or ())
        else:
            yield one


def _with_figure(found: Any) -> Body:
    row = found if isinstance(found, Mapping) else {"_value": found}
    if row.get("value") is None:
        return row
    figure = f"{labels.format_number(row['value'])} {row.get('unit', '')}".strip()
    return {**row, "_figure": figure}


def _present_table(table: LayoutTable, body: Body) -> TableView:
    found = list(iterate_rows(body, table.path, table.within))
    cells = [
        (
            labels.fill_template(table.name, one),
            tuple(_present_cell(column, one) for column in table.columns),
        )
        for one in found
    ]
    return _build_table_view(
        table.title,
        table.head,
        cells,
        note=table.note,
        empty=table.empty,
    )


def _present_bars(bars: LayoutBars, body: Body) -> TableView:
    """Return a list with a bar for what each row adds: the longest is 100."""
    found = list(iterate_rows(body, bars.path))
    if bars.ranked:
        found.sort(key=lambda one: -_size_of_value(one, bars.adds))
    most = max((_size_of_value(one, bars.adds) for one in found), default=Decimal(0)) or Decimal(1)
    names = [labels.fill_template(bars.name, one) for one in found]
    cells = []
    for name, one in zip(names, found, strict=True):
        adds = TableCell(
            bars.head,
            labels.format_value_at(one, bars.adds, bars.form),
            kind="num bar",
            bar=round(100 * _size_of_value(one, bars.adds) / most),
        )
        rest = tuple(
            _present_cell(column, one)
            for column in INPUT_COLUMNS
            if bars.adds != "value" or column.path != "_figure"
        )
        shared = bars.name == TITLE_TEMPLATE and names.count(name) > 1
        cells.append((_name_of_input(name, one, shared), (adds, *rest) if bars.adds else rest))
    return _build_table_view(bars.title, "Part", cells)


def _size_of_value(row: Body, path: str) -> Decimal:
    return abs(Decimal(str(labels.value_at_path(row, path) or 0)))


def _name_of_input(name: str, row: Body, shared: bool) -> str:
    """Return the name of an input: by its series where it has none, or shares it with others."""
    return (
        labels.title_of_series(row["series"])
        if "series" in row and (name in ("", NONE) or shared)
        else name
    )


def _present_cell(column: TableColumn, row: Body) -> TableCell:
    text = labels.format_value_at(row, column.path, column.form)
    return TableCell(column.head, text, "num" if column.form in labels.NUMERIC else "")


def _build_table_view(
    title: str,
    head: str,
    found: Sequence[tuple[str, tuple[TableCell, ...]]],
    *,
    note: str = "",
    empty: str = "",
) -> TableView:
    """Return a table without the columns that no row fills."""
    width = len(found[0][1]) if found else 0
    kept = [n for n in range(width) if any(cells[n].text != NONE for _, cells in found)]
    even = [_align_decimals([cells[n] for _, cells in found]) for n in kept]
    heads = tuple((found[0][1][n].head, found[0][1][n].kind) for n in kept)
    return TableView(
        title,
        note,
        empty,
        ((head, ""), *heads),
        tuple((name, tuple(cells[at] for cells in even)) for at, (name, _) in enumerate(found)),
    )


def _align_decimals(cells: Sequence[TableCell]) -> list[TableCell]:
    """Return the cells of a column; of small numbers each with as many decimals as any has."""
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
    """Return the series whose histories are drawn: as its layout says, or what adds most."""
    if layout.draws:
        return tuple(labels.fill_template(draw, body) for draw in layout.draws)
    for bar in layout.bars:
        found = [row for row in iterate_rows(body, bar.path) if row.get("series")]
        found.sort(key=lambda one: -_size_of_value(one, bar.adds))
        if found:
            return tuple(one["series"] for one in found)
    return tuple(one["series"] for one in body.get("sources", ()))
