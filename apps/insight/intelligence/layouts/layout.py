"""What a row of the layouts says: which parts of a product's answer its page shows, and how. Pure.

Paths are names of the body, as the wire has them, parted by dots; forms are those of
apps/insight/intelligence/labels.py.
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
    """A figure or a word that stands for itself."""

    title: str
    path: str
    form: str = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutTable:
    """A list of the body, or a mapping of it: of that each row has its own name as `_key`.

    A row that is no mapping is its own `_value`. With `within`, rows are those of a list inside
    each row, which have what is around them as `_of`. `name` fills the first column; `empty` is
    said where there are no rows. A `first` one stands before what the headline is made of.
    """

    title: str
    path: str
    name: str
    columns: tuple[TableColumn, ...]
    head: str = "Name"
    within: str = ""
    note: str = ""
    empty: str = "There is none."
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutBars:
    """A list whose contributions sum to a score, as bars; other columns as far as rows have them.

    `adds` is where a row has its part, `form` how that is told; what adds most is first where rows
    are `ranked`. Without `adds` the rows are inputs that add to nothing, and there are no bars.
    """

    path: str
    title: str = "What it is made of"
    name: str = "{title}"
    adds: str = "contribution"
    head: str = "Adds"
    form: str = "score"
    ranked: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The page of a product: a headline (label, value, scale, word), a story, facts, bars, tables.

    `label`, `scale` and `story` are sentences with slots (labels.py). `draws` are templates of
    series whose histories are drawn, or of a composite, whose parts are; without any, those that
    add most are.
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
