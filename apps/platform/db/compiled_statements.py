"""Statements that are composed once: the few of the hot path, which every call repeats.

For a look-up by key Django takes four times as long to compose a query as to run it. These write
the same as `save` and `bulk_create`, without signals; nothing here listens to any.
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
    # as Model.save leaves a row: another save would update it
    row._state.adding, row._state.db = False, connection.alias


def insert_if_absent(row: Model, *, unique: tuple[str, ...] = ()) -> bool:
    """Insert a new row as `insert_row` does; False, writing nothing, if `unique` already exists.

    A row that another transaction is inserting is waited for. `unique` names the columns of a
    constraint; without it any unique constraint counts, also a partial one.
    """
    fields = _writable_fields(type(row))
    with connection.cursor() as cursor:
        cursor.execute(_insert_if_absent_sql(type(row), unique), _prepare_values(fields, row))
        inserted_row = cursor.fetchone()
    if inserted_row is None:
        return False
    row.pk = inserted_row[0]
    row._state.adding, row._state.db = False, connection.alias
    return True


def insert_rows(rows: Sequence[Model], *, missing: bool = False) -> None:
    """Insert new rows of one model, with all values set, whose ids are not needed.

    With `missing` rows that already exist stay unchanged.
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
    """Insert rows of one model; if `unique` already exists, update the row's `change` columns.

    The rows are sorted the same way everywhere, so that two transactions do not deadlock.
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
    key, text = model._meta.pk, ", ".join(f'"{name}"' for name in unique)
    returned = f'RETURNING "{key.column if key else "id"}"'
    target = f"({text}) " if text else ""
    return f"{_insert_into_sql(model, 1)} ON CONFLICT {target}DO NOTHING {returned}"


@cache
def _upsert_sql(model: type[Model], rows: int, unique: str, change: tuple[str, ...]) -> str:
    moved = ", ".join(f'"{name}" = EXCLUDED."{name}"' for name in change)
    return f'{_insert_into_sql(model, rows)} ON CONFLICT ("{unique}") DO UPDATE SET {moved}'


class CompiledLookup:
    """A SELECT of named columns by one column's value, with values as the model has them.

    If several rows are found, as with a joined table, the first by `order` counts.
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
            _convert_value(converts, column_value)
            for converts, column_value in zip(converters, row, strict=True)
        )

    def row(self, value: Any) -> Any:
        """Return the row that has the value as its model; `columns` must be all of the model's."""
        first_row = self.first(value)
        return first_row and self.model.from_db(connection.alias, self.columns, first_row)

    def _compiled(self) -> tuple[str, list[Any]]:
        vendor = connection.vendor
        if vendor not in self._made:
            # composed with a value that both text and number columns accept
            matching = self.model._default_manager.filter(**{self.by: 0})
            rows_of_key = matching.order_by(*self.order).values_list(*self.columns)
            compiler = rows_of_key.query.get_compiler(connection.alias)
            sql, _ = compiler.as_sql()
            ops = connection.ops
            converters = [
                (column, [*ops.get_db_converters(column), *column.get_db_converters(connection)])
                for column, _, _ in compiler.select
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

    `compose` gets a number of placeholder texts and returns a query of values; wherever the query
    compares with one of them, the values of a call take its place. The columns hold texts and whole
    numbers.
    """

    def __init__(self, compose: Callable[[Sequence[str]], Any]) -> None:
        self.compose = compose
        self._made: dict[tuple[str, int], tuple[str, tuple[Any, ...]]] = {}

    def rows(self, values: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return the rows for some values; without values no query runs."""
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
    """A placeholder in a composed query for the value at a position."""

    place: int

    def __new__(cls, place: int) -> "_ValueMarker":
        # begins with a NUL, so that no constant of the query is taken for a marker
        mark = super().__new__(cls, f"\x00{place}")
        mark.place = place
        return mark
