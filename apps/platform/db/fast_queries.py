"""Rows found and changed by the values of their columns, by statements that are composed once.

What `filter(…).first()` and `filter(…).update(…)` would do, without composing them anew: the hot
path repeats a few, and composing one takes Django longer than the database takes to answer it.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Model

_SIGNS = {"": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
ConditionShape = tuple[tuple[str, Any], ...]


def fetch_first(
    model: type[Model], *, where: Mapping[str, Any], order: tuple[str, ...] = ()
) -> Any:
    """Return the first row in which columns have values, or None.

    `where` names columns as the model does (`payment_id`), with `__gt`, `__gte`, `__lt` or `__lte`
    behind it for another comparison; None is no value. `order` as `order_by` has it.
    """
    sql, names, steps = _select_sql(model, _condition_shape(where), order, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(sql, _prepare_values(model, where))
        row = cursor.fetchone()
    if row is None:
        return None
    read = list(row)
    for place, column, converters in steps:
        for converter in converters:
            read[place] = converter(read[place], column, connection)
    return model.from_db(connection.alias, names, read)


def update_where(
    model: type[Model],
    *,
    where: Mapping[str, Any],
    change: Mapping[str, Any],
    add: Mapping[str, Any] | None = None,
) -> int:
    """Change columns of the rows in which others have values; return of how many.

    `where` as in `fetch_first`; `add` holds what is added to a column, as the database counts it.
    """
    more = add or {}
    sql = _update_sql(model, tuple(change), tuple(more), _condition_shape(where))
    values = [_prepare_value(model, name, one) for name, one in change.items()]
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
    found = {field.attname: field for field in model._meta.concrete_fields}
    return found[name]


def _condition_shape(where: Mapping[str, Any]) -> ConditionShape:
    """Return what a condition looks like: flags and nulls are part of its text, not values."""
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
    """Write a condition; flags as Django writes them, so that partial indexes serve."""
    said = []
    for told, value in shape:
        name, _, sign = told.partition("__")
        column = f'"{_find_field(model, name).column}"'
        if value is None:
            said.append(f"{column} IS NULL")
        elif value is ...:
            said.append(f"{column} {_SIGNS[sign]} %s")
        else:
            said.append(column if value else f"NOT {column}")
    return " AND ".join(said)


@cache
def _select_sql(
    model: type[Model], shape: ConditionShape, order: tuple[str, ...], vendor: str
) -> Any:
    fields = model._meta.concrete_fields
    names = ", ".join(f'"{field.column}"' for field in fields)
    sql = f'SELECT {names} FROM "{model._meta.db_table}" WHERE {_condition_sql(model, shape)}'  # noqa: S608
    if order:
        sides = ((one.lstrip("-"), "DESC" if one.startswith("-") else "ASC") for one in order)
        sql += " ORDER BY " + ", ".join(f'"{_find_field(model, a).column}" {b}' for a, b in sides)
    steps = []
    for place, one in enumerate(fields):
        column = one.cached_col
        found = [
            *connection.ops.get_db_converters(column),
            *column.get_db_converters(connection),
        ]
        if found:
            steps.append((place, column, found))
    return f"{sql} LIMIT 1", [field.attname for field in fields], steps


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
