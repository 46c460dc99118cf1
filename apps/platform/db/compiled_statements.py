"""Statements that are composed once: the few of the hot path, which every call repeats.

Composing a query takes Django four times as long as running it by key. What these write is what
`save` and `bulk_create` would write, without signals; nothing here listens to any.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model


def insert_row(row: Model) -> None:
    """Insert a new row, all of whose values are set, and give it its id."""
    fields = _writable_fields(type(row))
    with connection.cursor() as cursor:
        cursor.execute(_insert_sql(type(row)), _prepare_values(fields, row))
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def insert_if_absent(row: Model, *, unique: tuple[str, ...] = ()) -> bool:
    """Insert a new row as `insert_row` does; False, and nothing is written, where `unique` stands.

    One that another transaction is inserting is waited for. The columns are those of a constraint;
    without any, whatever is unique counts, also among some rows only.
    """
    fields = _writable_fields(type(row))
    with connection.cursor() as cursor:
        cursor.execute(_insert_if_absent_sql(type(row), unique), _prepare_values(fields, row))
        found = cursor.fetchone()
    if found is None:
        return False
    row.pk = found[0]
    row._state.adding, row._state.db = False, connection.alias
    return True


def insert_rows(rows: Sequence[Model], *, missing: bool = False) -> None:
    """Insert new rows of one model, all of whose values are set and whose ids nobody asks for.

    With `missing` those that are there already stay as they are.
    """
    if not rows:
        return
    model = type(rows[0])
    fields = _writable_fields(model)
    with connection.cursor() as cursor:
        values = [value for row in rows for value in _prepare_values(fields, row)]
        unless = " ON CONFLICT DO NOTHING" if missing else ""
        cursor.execute(f"{_insert_into_sql(model, len(rows))}{unless}", values)


def upsert_rows(rows: Sequence[Model], *, unique: str, change: tuple[str, ...]) -> None:
    """Insert rows of one model; where `unique` stands already, its `change` columns move.

    The rows come in one order everywhere, so that two transactions do not wait for each other.
    """
    if not rows:
        return
    model = type(rows[0])
    fields = _writable_fields(model)
    values = [value for row in rows for value in _prepare_values(fields, row)]
    with connection.cursor() as cursor:
        cursor.execute(_upsert_sql(model, len(rows), unique, change), values)


@cache
def _writable_fields(model: type[Model]) -> list[Any]:
    return [
        concrete_field
        for concrete_field in model._meta.concrete_fields
        if concrete_field is not model._meta.auto_field
    ]


def _prepare_values(fields: Sequence[Any], row: Model) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


@cache
def _insert_into_sql(model: type[Model], rows: int) -> str:
    names = [f'"{field.column}"' for field in _writable_fields(model)]
    marks = f"({', '.join(['%s'] * len(names))})"
    values = ", ".join([marks] * rows)
    return f'INSERT INTO "{model._meta.db_table}" ({", ".join(names)}) VALUES {values}'  # noqa: S608


@cache
def _insert_sql(model: type[Model]) -> str:
    key = model._meta.pk
    return f'{_insert_into_sql(model, 1)} RETURNING "{key.column if key else "id"}"'


@cache
def _insert_if_absent_sql(model: type[Model], unique: tuple[str, ...]) -> str:
    key, held = model._meta.pk, ", ".join(f'"{name}"' for name in unique)
    returned = f'RETURNING "{key.column if key else "id"}"'
    target = f"({held}) " if held else ""
    return f"{_insert_into_sql(model, 1)} ON CONFLICT {target}DO NOTHING {returned}"


@cache
def _upsert_sql(model: type[Model], rows: int, unique: str, change: tuple[str, ...]) -> str:
    moved = ", ".join(f'"{name}" = EXCLUDED."{name}"' for name in change)
    return f'{_insert_into_sql(model, rows)} ON CONFLICT ("{unique}") DO UPDATE SET {moved}'


class CompiledLookup:
    """A SELECT of named columns by one column's value, with values as the model has them.

    Where several rows are found, as of a table that is joined, the first of `order` counts.
    """

    def __init__(
        self, model: type[Model], *, by: str, columns: tuple[str, ...], order: tuple[str, ...] = ()
    ) -> None:
        self.model, self.by, self.columns, self.order = model, by, columns, order
        self._made: dict[str, tuple[str, list[Any]]] = {}

    def first(self, value: Any) -> tuple[Any, ...] | None:
        """Return the columns of the row that has the value, or None."""
        sql, converters = self._compiled()
        with connection.cursor() as cursor:
            cursor.execute(sql, [value])
            row = cursor.fetchone()
        if row is None:
            return None
        return tuple(
            _convert_value(converts, found) for converts, found in zip(converters, row, strict=True)
        )

    def row(self, value: Any) -> Any:
        """Return the row that has the value as its model, which `columns` must be all of."""
        found = self.first(value)
        return found and self.model.from_db(connection.alias, self.columns, found)

    def _compiled(self) -> tuple[str, list[Any]]:
        vendor = connection.vendor
        if vendor not in self._made:
            # composed for a value that columns of text and of numbers both take
            held = self.model._default_manager.filter(**{self.by: 0})
            found = held.order_by(*self.order).values_list(*self.columns)
            compiler = found.query.get_compiler(connection.alias)
            sql, _ = compiler.as_sql()
            ops = connection.ops
            converters = [
                (one, [*ops.get_db_converters(one), *one.get_db_converters(connection)])
                for one, _, _ in compiler.select
            ]
            self._made[vendor] = sql, converters
        return self._made[vendor]


def _convert_value(converts: Any, value: Any) -> Any:
    column, steps = converts
    for step in steps:
        value = step(value, column, connection)
    return value


class CompiledSelect:
    """A SELECT of plain columns that is composed once for each number of values.

    `compose` gets so many texts and returns a query of values; wherever the query compares with
    one of them, the values of a call take its place. The columns hold texts and whole numbers.
    """

    def __init__(self, compose: Callable[[Sequence[str]], Any]) -> None:
        self.compose = compose
        self._made: dict[tuple[str, int], tuple[str, tuple[Any, ...]]] = {}

    def rows(self, values: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows for some values; no query for none."""
        if not values:
            return []
        sql, params = self._composed(len(values))
        taken = [
            values[parameter.place] if isinstance(parameter, _ValueMarker) else parameter
            for parameter in params
        ]
        with connection.cursor() as cursor:
            cursor.execute(sql, taken)
            return list(cursor.fetchall())

    def _composed(self, count: int) -> tuple[str, tuple[Any, ...]]:
        key = connection.vendor, count
        if key not in self._made:
            marks = [_ValueMarker(place) for place in range(count)]
            by_text = {str(mark): mark for mark in marks}
            sql, params = self.compose(marks).query.sql_with_params()
            self._made[key] = sql, tuple(by_text.get(parameter, parameter) for parameter in params)
        return self._made[key]


class _ValueMarker(str):
    """Stands in a composed query for the value at a place."""

    place: int

    def __new__(cls, place: int) -> "_ValueMarker":
        mark = super().__new__(cls, f"\x00{place}")
        mark.place = place
        return mark
