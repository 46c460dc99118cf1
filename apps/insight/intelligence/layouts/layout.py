"""Definitions of layouts: which parts of a product's answer its page shows, and how. Pure.

Paths are dotted wire names of the body; forms are those of apps/insight/intelligence/labels.py.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table: its heading, where its value is in a row, and its form."""

    head: str
    path: str
    form: str = "plain"


@dataclass(frozen=True, slots=True)
class LayoutFact:
    """A single figure or word with a title."""

    title: str
    path: str
    form: str = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutTable:
    """A list in the body, or a mapping, whose rows then have their key as `_key`.

    A row that is not a mapping is its own `_value`. With `within`, the rows are those of a list
    inside each row, which they reach as `_of`. `name` fills the first column; `empty` is shown
    where there are no rows. A table with `first` comes before the components of the headline.
    """

    title: str
    path: str
    name: str
    columns: tuple[TableColumn, ...]
    head: str = "Name"
    within: str = ""
    note: str = ""
    empty: str = "None."
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutBars:
    """A list whose contributions sum to a score, as bars, with further columns where rows have
    them.

    `adds` is the path of a row's contribution, `form` its format; `ranked` puts the largest first.
    Without `adds` the rows are inputs that contribute to no score, and there are no bars.
    """

    path: str
    title: str = "Components"
    name: str = "{title}"
    adds: str = "contribution"
    head: str = "Adds"
    form: str = "score"
    ranked: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The page of a product: a headline (label, value, scale, word), a story, facts, bars, tables.

    `label`, `scale` and `story` are sentences with slots (labels.py). `draws` are templates that
    name the series whose histories are charted, or a composite, whose parts are; without any, the
    largest contributors are charted.
    """

    label: str
    headline: str
    form: str = "score"
    scale: str = "of 100"
    regime: str = "regime"
    story: str = ""
    facts: tuple[LayoutFact, ...] = ()
    bars: tuple[LayoutBars, ...] = ()
    tables: tuple[LayoutTable, ...] = ()
    draws: tuple[str, ...] = ()
