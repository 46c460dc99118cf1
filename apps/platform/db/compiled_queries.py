"""Find and change rows by column values, with statements that are composed once.

They do what `filter(…).first()` and `filter(…).update(…)` would do, without composing the query
each time: the hot path repeats a few, and composing one takes Django longer than running it takes
the database.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model

_SIGNS = {"": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
ConditionShape = tuple[tuple[str, Any], ...]


def fetch_first(
    model: type[Model],
    *,
    where: Mapping[str, Any],
    order: tuple[str, ...] = (),
    lock: bool = False,
) -> Any:
    """Return the first row in which columns have some values, or None.

    `where` names columns as the model does (`payment_id`), followed by `__gt`, `__gte`, `__lt` or
    `__lte` for another comparison; None is not a valid value. `order` is like that of `order_by`.
    With `lock` the row is locked until the transaction ends, where the database has such locks.
    """
    # by vendor, because the converters of columns depend on it
    sql, names, steps = _select_sql(model, _condition_shape(where), order, connection.vendor)
    if lock and connection.features.has_select_for_update:
        sql += " FOR UPDATE"
    with connection.cursor() as cursor:
        cursor.execute(sql, [*_prepare_values(model, where), 1])
        row = cursor.fetchone()
    if row is None:
        return None
    row_values = list(row)
    for place, column, converters in steps:
        for converter in converters:
            row_values[place] = converter(row_values[place], column, connection)
    return model.from_db(connection.alias, names, row_values)


def fetch_columns(
    model: type[Model],
    columns: tuple[str, ...],
    *,
    where: Mapping[str, Any],
    order: tuple[str, ...] = (),
    limit: int = 1,
) -> list[tuple[Any, ...]]:
    """Return columns of the first rows in which other columns have some values, at most `limit`.

    `where` and `order` are as in `fetch_first`. The columns hold texts and whole numbers: their
    values come as the database has them.
    """
    sql = _columns_sql(model, columns, _condition_shape(where), order)
    with connection.cursor() as cursor:
        cursor.execute(sql, [*_prepare_values(model, where), limit])
        return list(cursor.fetchall())


def update_where(
    model: type[Model],
    *,
    where: Mapping[str, Any],
    change: Mapping[str, Any],
    add: Mapping[str, Any] | None = None,
) -> int:
    """Change columns of the rows in which other columns have some values; return the row count.

    `where` is as in `fetch_first`; `add` holds increments, which the database adds.
    """
    more = add or {}
    sql = _update_sql(model, tuple(change), tuple(more), _condition_shape(where))
    values = [_prepare_value(model, name, new_value) for name, new_value in change.items()]
    with connection.cursor() as cursor:
        cursor.execute(sql, [*values, *more.values(), *_prepare_values(model, where)])
        return int(cursor.rowcount)


def _prepare_value(model: type[Model], name: str, value: Any) -> Any:
    return _find_field(model, name).get_db_prep_save(value, connection)


@cache
def _find_field(model: type[Model], name: str) -> Any:
    """Return a field by its name, that of its column (`payment_id`) or `pk`."""
    if name == "pk":
        return model._meta.pk
    fields_by_attname = {field.attname: field for field in model._meta.concrete_fields}
    return fields_by_attname[name]


def _condition_shape(where: Mapping[str, Any]) -> ConditionShape:
    """Return the shape of a condition: flags and nulls are part of its SQL text, values are not."""
    return tuple(
        (name, value if value is None or value is True or value is False else ...)
        for name, value in where.items()
    )


def _prepare_values(model: type[Model], where: Mapping[str, Any]) -> list[Any]:
    return [
        _prepare_value(model, name.partition("__")[0], value)
        for name, value in where.items()
        if value is not None and value is not True and value is not False
    ]


def _condition_sql(model: type[Model], shape: ConditionShape) -> str:
    """Write a condition; flags as Django writes them, so that partial indexes are used."""
    parts = []
    for condition, value in shape:
        name, _, sign = condition.partition("__")
        column = f'"{_find_field(model, name).column}"'
        if value is None:
            parts.append(f"{column} IS NULL")
        elif value is ...:
            parts.append(f"{column} {_SIGNS[sign]} %s")
        else:
            parts.append(column if value else f"NOT {column}")
    return " AND ".join(parts)


@cache
def _columns_sql(
    model: type[Model], columns: tuple[str, ...], shape: ConditionShape, order: tuple[str, ...]
) -> str:
    names = ", ".join(f'"{_find_field(model, name).column}"' for name in columns)
    sql = f'SELECT {names} FROM "{model._meta.db_table}" WHERE {_condition_sql(model, shape)}'  # noqa: S608
    if order:
        sides = (
            (ordering.lstrip("-"), "DESC" if ordering.startswith("-") else "ASC")
            for ordering in order
        )
        sql += " ORDER BY " + ", ".join(f'"{_find_field(model, a).column}" {b}' for a, b in sides)
    return f"{sql} LIMIT %s"


@cache
def _select_sql(
    model: type[Model], shape: ConditionShape, order: tuple[str, ...], vendor: str
) -> Any:
    fields = model._meta.concrete_fields
    sql = _columns_sql(model, tuple(field.attname for field in fields), shape, order)
    steps = []
    for place, selected_field in enumerate(fields):
        column = selected_field.cached_col
        converters = [
            *connection.ops.get_db_converters(column),
            *column.get_db_converters(connection),
        ]
        if converters:
            steps.append((place, column, converters))
    return sql, [field.attname for field in fields], steps


@cache
def _update_sql(
    model: type[Model], change: tuple[str, ...], add: tuple[str, ...], shape: ConditionShape
) -> str:
    def column(name: str) -> str:
        return f'"{_find_field(model, name).column}"'

    moved = [f"{column(name)} = %s" for name in change]
    moved += [f"{column(name)} = {column(name)} + %s" for name in add]
    table = model._meta.db_table
    return f'UPDATE "{table}" SET {", ".join(moved)} WHERE {_condition_sql(model, shape)}'  # noqa: S608
