"""What a transaction has done so far, whether it can be done again, and who waits for it."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.apps import apps

INSERT = re.compile(r'^(INSERT (?:OR IGNORE )?INTO "\w+" \()(.*?)(\) VALUES \()', re.DOTALL)
Row = tuple[str, int]  # a table, and the number of a row of it
TABLE = re.compile(r'(?:INTO|UPDATE|FROM)\s+"?(\w+)')


@dataclass(slots=True)
class Footsteps:
    """Where others were: rows that they changed, and tables with what else they did there.

    What is added waits for nobody, unless the same stands already: then it `meets` that.
    """

    rows: set[Row] = field(default_factory=set)
    adds: set[str] = field(default_factory=set)
    meets: set[str] = field(default_factory=set)
    deletes: set[str] = field(default_factory=set)
    locks: set[str] = field(default_factory=set)


def lay(raw: Any) -> None:
    """Have the database keep a trail of the rows that are changed, once for a connection."""
    raw.execute("CREATE TEMP TABLE trail (place INTEGER PRIMARY KEY, name, number)")
    tables = raw.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in tables:
        if name.startswith("sqlite_"):
            continue
        for what in ("UPDATE", "DELETE"):
            raw.execute(
                f'CREATE TEMP TRIGGER "{name} {what}" AFTER {what} ON main."{name}" BEGIN '
                f"INSERT INTO trail (name, number) VALUES ('{name}', old.rowid); END"
            )


def trail(raw: Any, since: int) -> set[Row]:
    """Return the rows that were changed since a place of the trail."""
    return set(raw.execute("SELECT name, number FROM temp.trail WHERE place > ?", (since,)))


def place(raw: Any) -> int:
    """Return where the trail ends now."""
    return int(raw.execute("SELECT ifnull(max(place), 0) FROM temp.trail").fetchone()[0])


@contextmanager
def followed(watched: Sequence[Footsteps], sql: str, table: str) -> Iterator[None]:
    """Note a statement that the block executes, for those who watch."""
    meets = sql.startswith("INSERT OR") or "ON CONFLICT" in sql
    try:
        yield
    except BaseException:
        meets = True
        raise
    finally:
        for footsteps in watched:
            if sql.startswith("INSERT"):
                footsteps.adds.add(table)
                footsteps.meets |= {table} if meets else set()
            elif sql.startswith("DELETE"):
                footsteps.deletes.add(table)


@dataclass(slots=True)
class Statement:
    """A statement that writes, or marks a savepoint; `changed` rows, the last of them `row`."""

    sql: str
    params: Any
    many: bool
    before: int  # rows changed on the connection before it
    changed: int = 0
    row: int = 0
    settled: bool = False

    @property
    def table(self) -> str:
        """The table that it writes to; empty for a mark."""
        return "" if self.marks else table_of(self.sql)

    @property
    def marks(self) -> bool:
        """Whether it writes nothing."""
        return not self.sql.startswith(("INSERT", "UPDATE", "DELETE"))

    @property
    def inserts(self) -> bool:
        """Whether it may add rows."""
        return self.sql.startswith("INSERT")

    @property
    def asked(self) -> int:
        """How many rows it asks for; 0 where that cannot be read from it."""
        parts = INSERT.match(self.sql)
        return 0 if parts is None else 1 + self.sql.count("), (", parts.end())

    def again(self) -> tuple[str, Any]:
        """Return what does it again; rows that it made keep their numbers."""
        if not self.row:
            return self.sql, self.params
        parts = INSERT.match(self.sql)
        assert parts is not None  # others are not let in otherwise
        if '"id"' in parts[2]:
            return self.sql, self.params
        values = self.sql[parts.end() :].replace("), (", "), (%s, ")
        width, numbered = len(self.params) // self.asked, list[Any]()
        for index in range(self.asked):
            numbered += [self.row - self.asked + index + 1, *self.params[index * width :][:width]]
        return f"{parts[1]}rowid, {parts[2]}{parts[3]}%s, {values}", numbered


@dataclass(slots=True)
class Steps:
    """What a transaction has done."""

    since: int = 0  # where its trail begins
    read: bool = False
    locked: bool = False
    closed: bool = False  # something was written that could not be written again as it was
    written: list[Statement] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether others may come in now: something was done, and no lock is held."""
        return not (self.locked or self.closed) and (self.read or bool(self.written))

    @property
    def standing(self) -> list[Statement]:
        """What is to be done again: what changed nothing is what it was, and holds nothing."""
        return [one for one in self.written if one.marks or one.changed]

    def settle(self, raw: Any) -> None:
        """Note what the last statement came to; before the next one, as its cursor is closed."""
        if not self.written or (last := self.written[-1]).settled:
            return
        last.settled = True
        if last.marks:
            return
        last.changed = raw.total_changes - last.before
        # what a statement read for itself may be otherwise by then
        self.closed |= last.many or (bool(last.changed) and "SELECT " in last.sql)
        # a row that is changed counts twice, for the trail's own; one that is added once
        if last.inserts and last.changed and last.changed != 2 * last.asked:
            (last.row,) = raw.execute("SELECT last_insert_rowid()").fetchone()
            self.closed |= last.changed != last.asked

    def reserve(self, raw: Any) -> None:
        """Let nobody else have the numbers of rows that were made: sequences are not taken back."""
        for one in self.written:
            if one.row:
                raw.execute(
                    "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?",
                    (one.row, one.table),
                )

    def waits(self, rows: set[Row], came: Footsteps) -> bool:
        """Tell whether who came might have waited for this, which changed some rows.

        A row that is made holds those that it refers to against locks and deletion. What is locked,
        or stands already, is told by table, which is more than by row.
        """
        changed = {table for table, _ in rows}
        made = {one.table for one in self.standing if not one.marks and one.inserts}
        tables = {one.table for one in self.standing if one.sql.startswith("DELETE")}
        return bool(
            rows & came.rows
            or changed & (came.locks | came.meets)
            or _referred(made) & (came.locks | came.deletes)
            or _referred(came.adds) & tables
        )


@cache
def table_of(sql: str) -> str:
    """Return the table that a statement writes to."""
    match = TABLE.search(sql)
    assert match is not None, sql
    return match[1]


def _referred(tables: set[str]) -> set[str]:
    return {parent for table in tables for parent in _parents(table)}


@cache
def _parents(table: str) -> frozenset[str]:
    """Return the tables that rows of a table refer to."""
    return frozenset(
        concrete_field.related_model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model._meta.db_table == table
        for concrete_field in model._meta.concrete_fields
        if concrete_field.is_relation and concrete_field.related_model is not None
    )
