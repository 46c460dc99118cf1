"""A product's answer as its page shows it, by its layout. Pure; the templates write it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from apps.intelligence import wording
from apps.intelligence.layouts import Layout
from apps.intelligence.layouts.shape import Bars, Column, Table
from apps.intelligence.wording import NONE

Body = Mapping[str, Any]
TITLED = "{title}"
SMALL = re.compile(r"−?\d{1,2}(\.\d{1,2})?")
# what else is told of an input beside what it adds
BESIDE = (
    Column("Score", "score", "score"),
    Column("Signal", "signal", "code"),
    Column("State", "status", "code"),
    Column("Value", "_figure"),
    Column("Of", "asOf", "day"),
    Column("Source", "source", "source"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell under its heading; `bar` is how long a bar beside it is, 0 to 100.

    `kind` is how it stands: `num` where numbers stand below each other, `num bar` with bars.
    """

    head: str
    text: str
    kind: str
    bar: int | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A table as it is written: the headings of its columns (text, kind), and rows
    (name, cells)."""

    title: str
    note: str
    empty: str
    heads: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """What a page shows of an answer."""

    label: str
    headline: str
    scale: str
    regime: str
    story: str
    facts: tuple[tuple[str, str], ...]
    first: tuple[Listed, ...]
    made_of: tuple[Listed, ...]
    tables: tuple[Listed, ...]
    draws: tuple[str, ...]


def face(layout: Layout, body: Body) -> Face:
    """Return what the page of a product shows of an answer."""
    lists = [_bars(one, body) for one in layout.bars]
    facts = ((one.title, wording.told(body, one.path, one.form)) for one in layout.facts)
    return Face(
        label=wording.filled(layout.label, body),
        headline=wording.told(body, layout.headline, layout.form),
        scale=wording.filled(layout.scale, body),
        regime=wording.told(body, layout.regime, "code") if layout.regime else "",
        story=wording.filled(layout.story, body),
        facts=tuple((title, text) for title, text in facts if text != NONE),
        first=tuple(_table(one, body) for one in layout.tables if one.first),
        made_of=tuple(one for one in lists if one.rows),
        tables=tuple(_table(one, body) for one in layout.tables if not one.first),
        draws=_draws(layout, body),
    )


def rows(body: Body, path: str, within: str = "") -> Iterator[Body]:
    """Yield the rows of a list or of a mapping at a path; see Table."""
    found = wording.at(body, path)
    if isinstance(found, Mapping):
        listed: list[Body] = [{**_row(one), "_key": key} for key, one in found.items()]
    else:
        listed = [_row(one) for one in found or ()]
    for one in listed:
        if within:
            yield from ({**_row(inner), "_of": one} for inner in one.get(within) or ())
        else:
            yield one


def _row(found: Any) -> Body:
    row = found if isinstance(found, Mapping) else {"_value": found}
    if row.get("value") is None:
        return row
    figure = f"{wording.number(row['value'])} {row.get('unit', '')}".strip()
    return {**row, "_figure": figure}


def _table(made: Table, body: Body) -> Listed:
    found = list(rows(body, made.path, made.within))
    cells = [
        (wording.filled(made.name, one), tuple(_cell(column, one) for column in made.columns))
        for one in found
    ]
    return _listed(made.title, made.head, cells, note=made.note, empty=made.empty)


def _bars(made: Bars, body: Body) -> Listed:
    """Return a list with a bar for what each row adds: the longest is 100."""
    found = list(rows(body, made.path))
    if made.ranked:
        found.sort(key=lambda one: -_size(one, made.adds))
    most = max((_size(one, made.adds) for one in found), default=Decimal(0)) or Decimal(1)
    names = [wording.filled(made.name, one) for one in found]
    cells = []
    for name, one in zip(names, found, strict=True):
        adds = Cell(
            made.head,
            wording.told(one, made.adds, made.form),
            kind="num bar",
            bar=round(100 * _size(one, made.adds) / most),
        )
        rest = tuple(_cell(column, one) for column in BESIDE if made.adds != "value"
                     or column.path != "_figure")  # fmt: skip
        shared = made.name == TITLED and names.count(name) > 1
        cells.append((_named(name, one, shared), (adds, *rest) if made.adds else rest))
    return _listed(made.title, "Part", cells)


def _size(row: Body, path: str) -> Decimal:
    return abs(Decimal(str(wording.at(row, path) or 0)))


def _named(name: str, row: Body, shared: bool) -> str:
    """Return the name of an input: by its series where it has none, or shares it with others."""
    return (
        wording.title(row["series"]) if "series" in row and (name in ("", NONE) or shared) else name
    )


def _cell(column: Column, row: Body) -> Cell:
    text = wording.told(row, column.path, column.form)
    return Cell(column.head, text, "num" if column.form in wording.NUMERIC else "")


def _listed(
    title: str,
    head: str,
    found: Sequence[tuple[str, tuple[Cell, ...]]],
    *,
    note: str = "",
    empty: str = "",
) -> Listed:
    """Return a table without the columns that no row fills."""
    width = len(found[0][1]) if found else 0
    kept = [n for n in range(width) if any(cells[n].text != NONE for _, cells in found)]
    even = [_even([cells[n] for _, cells in found]) for n in kept]
    heads = tuple((found[0][1][n].head, found[0][1][n].kind) for n in kept)
    return Listed(
        title,
        note,
        empty,
        ((head, ""), *heads),
        tuple((name, tuple(cells[at] for cells in even)) for at, (name, _) in enumerate(found)),
    )


def _even(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of a column; of small numbers each with as many decimals as any has."""
    texts = [one.text for one in cells if one.text != NONE]
    most = max((len(one.partition(".")[2]) for one in texts), default=0)
    if not most or not all(SMALL.fullmatch(one) for one in texts):
        return list(cells)
    return [
        one if one.text == NONE else replace(one, text=_padded(one.text, most)) for one in cells
    ]


def _padded(text: str, places: int) -> str:
    whole, _, part = text.partition(".")
    return f"{whole}.{part.ljust(places, '0')}"


def _draws(layout: Layout, body: Body) -> tuple[str, ...]:
    """Return the series whose histories are drawn: as its layout says, or what adds most."""
    if layout.draws:
        return tuple(wording.filled(one, body) for one in layout.draws)
    for made in layout.bars:
        found = [one for one in rows(body, made.path) if one.get("series")]
        found.sort(key=lambda one: -_size(one, made.adds))
        if found:
            return tuple(one["series"] for one in found)
    return tuple(one["series"] for one in body.get("sources", ()))
