"""Append-only tables: triggers in the database itself, on PostgreSQL and SQLite.

An UPDATE is refused unless it blanks the purgeable columns and changes nothing else, which is how a
payload leaves at the end of its retention; a DELETE is always refused.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import connections, migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Model

REFUSAL = "append-only table"


def trigger_statements(
    vendor: str, table: str, columns: Sequence[str], purgeable: Sequence[str]
) -> list[str]:
    """Return the SQL that makes a table append-only; `columns` are all of its columns."""
    kept_columns = [c for c in columns if c not in purgeable]
    # null-safe: with `=` a NULL would make the condition NULL, and the trigger would not fire
    same = "IS NOT DISTINCT FROM" if vendor == "postgresql" else "IS"
    unchanged = [f'NEW."{c}" {same} OLD."{c}"' for c in kept_columns]
    blanked = [f"NEW.\"{c}\" {same} ''" for c in purgeable]
    # all purgeable columns at once: a payload without
    # its salt could not be told from an altered one
    allowed = " AND ".join(unchanged + blanked) if purgeable else "FALSE"
    return (_postgresql_triggers if vendor == "postgresql" else _sqlite_triggers)(table, allowed)


def trigger_names(table: str, vendor: str) -> set[str]:
    """Return the names of the triggers that a table must have."""
    kinds = ("update", "delete", "truncate") if vendor == "postgresql" else ("update", "delete")
    return {f"{table}_no_{kind}" for kind in kinds}


def _sqlite_triggers(table: str, allowed: str) -> list[str]:
    statements = []
    for kind, when in (("UPDATE", f"WHEN NOT ({allowed})"), ("DELETE", "")):
        name = f"{table}_no_{kind.lower()}"
        statements.append(f'DROP TRIGGER IF EXISTS "{name}"')
        statements.append(
            f'CREATE TRIGGER "{name}" BEFORE {kind} ON "{table}" {when} '
            f"BEGIN SELECT RAISE(ABORT, '{REFUSAL} {table}'); END"
        )
    return statements


def _refusal_function_body(table: str) -> str:
    """Return the body of the trigger function on PostgreSQL; any other body is a fault."""
    # 23001 is restrict_violation, which Django raises as an IntegrityError
    return f" BEGIN RAISE EXCEPTION '{REFUSAL} {table}' USING ERRCODE = '23001'; END "


def _postgresql_triggers(table: str, allowed: str) -> list[str]:
    function = f'"{table}_append_only"'
    statements = [
        f"CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$"
        f"{_refusal_function_body(table)}$$"
    ]
    scopes = (
        ("UPDATE", "ROW", f"WHEN (NOT ({allowed}))"),
        ("DELETE", "ROW", ""),
        # row triggers do not fire for it
        ("TRUNCATE", "STATEMENT", ""),
    )
    for kind, scope, when in scopes:
        name = f"{table}_no_{kind.lower()}"
        statements.append(f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"')
        statements.append(
            f'CREATE TRIGGER "{name}" BEFORE {kind} ON "{table}" '
            f"FOR EACH {scope} {when} EXECUTE FUNCTION {function}()"
        )
    return statements


class AppendOnly(migrations.operations.base.Operation):
    """Migration operation: `AppendOnly("Screen")` makes a model's table append-only."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def state_forwards(self, app_label: str, state: Any) -> None:
        """Change nothing: triggers are not part of the model state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, _: Any, to_state: Any
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        # historical models carry no class attributes
        purgeable = tuple(getattr(apps.get_model(app_label, self.model_name), "PURGEABLE", ()))
        install_triggers(schema_editor, model, purgeable)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: Any, _: Any
    ) -> None:
        table = from_state.apps.get_model(app_label, self.model_name)._meta.db_table
        vendor = schema_editor.connection.vendor
        on = f' ON "{table}"' if vendor == "postgresql" else ""
        for name in sorted(trigger_names(table, vendor)):
            schema_editor.execute(f'DROP TRIGGER IF EXISTS "{name}"{on}', params=None)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (self.__class__.__name__, [self.model_name], {})

    def describe(self) -> str:
        return f"Make {self.model_name} append-only"


def install_triggers(
    schema_editor: BaseDatabaseSchemaEditor, model: type[Model], purgeable: Iterable[str]
) -> None:
    """Create (or replace) the triggers of one model's table."""
    columns = _model_columns(model)
    vendor = schema_editor.connection.vendor
    for sql in trigger_statements(vendor, model._meta.db_table, columns, list(purgeable)):
        # with params=None Django leaves percent signs alone
        schema_editor.execute(sql, params=None)


def protected_models() -> list[type[Model]]:
    """Return every model that is declared append-only."""
    return [m for m in apps.get_models() if getattr(m, "APPEND_ONLY", False)]


def find_missing_triggers(
    alias: str = "default", *, models: Iterable[type[Model]] | None = None
) -> list[str]:
    """Return missing triggers, as `table: trigger` or `table: trigger column`.

    For all tables, or for those of some `models`.

    A trigger that does not cover a column of its table counts as missing: the column was added
    later, and an UPDATE could change it together with a purge.
    """
    connection = connections[alias]
    standing = _read_installed_triggers(connection)
    tables = set(connection.introspection.table_names())
    missing_triggers: list[str] = []
    for model in protected_models() if models is None else models:
        table = model._meta.db_table
        if table not in tables:
            continue  # before its migration the table does not exist
        for place in (table, *standing.partitions.get(table, ())):
            missing_triggers += _missing_on_table(
                connection, model, place, standing.triggers.get(place, {})
            )
    return missing_triggers


def _missing_on_table(
    connection: Any, model: type[Model], place: str, standing: dict[str, set[str]]
) -> Iterator[str]:
    """Yield the triggers of its model that a table, or a partition of it, lacks."""
    table = model._meta.db_table
    for name in sorted(trigger_names(table, connection.vendor)):
        if name not in standing:
            yield f"{place}: {name}"
        elif name.endswith("_no_update") and getattr(model, "PURGEABLE", None):
            unknown = [c for c in _model_columns(model) if c not in standing[name]]
            there = _present_columns(connection, place) if unknown else set()
            yield from (f"{place}: {name} {c}" for c in unknown if c in there)


def _is_refusing_trigger(name: str, words: set[str], does: str) -> bool:
    """Tell whether a PostgreSQL trigger refuses what its name says: always, or except a purge."""
    table, _, kind = name.rpartition("_no_")
    # a trigger that was replaced by one with a condition may refuse nothing
    always = kind == "update" or "WHEN" not in words
    return does == _refusal_function_body(table) and kind.upper() in words and always


def _present_columns(connection: Any, table: str) -> set[str]:
    """Return the columns that a table already has; a pending migration's column is not a fault."""
    with connection.cursor() as cursor:
        return {row.name for row in connection.introspection.get_table_description(cursor, table)}


def _model_columns(model: type[Model]) -> list[str]:
    return [str(field.column) for field in model._meta.concrete_fields]


@dataclass
class _InstalledTriggers:
    """The definitions of enabled triggers, by table and name; partitions by table."""

    triggers: dict[str, dict[str, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    partitions: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def _read_installed_triggers(connection: Any) -> _InstalledTriggers:
    query = (
        "SELECT relname, tgname, pg_get_triggerdef(t.oid), prosrc FROM pg_trigger t "
        "JOIN pg_class c ON c.oid = tgrelid JOIN pg_proc p ON p.oid = tgfoid "
        # enabled ones only: the owner of a table can disable its triggers and change rows
        "WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') AND pg_table_is_visible(c.oid)"
        if connection.vendor == "postgresql"
        else "SELECT tbl_name, name, sql, NULL FROM sqlite_master WHERE type = 'trigger'"
    )
    installed_triggers = _InstalledTriggers()
    with connection.cursor() as cursor:
        cursor.execute(query)
        for table, name, sql, does in cursor.fetchall():
            words = set(re.findall(r"\w+", sql))
            if does is None or _is_refusing_trigger(name, words, does):
                installed_triggers.triggers[table][name] = words
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT parent.relname, one.relname FROM pg_inherits "
                "JOIN pg_class parent ON parent.oid = inhparent "
                "JOIN pg_class one ON one.oid = inhrelid "
                "WHERE one.relkind = 'r' AND pg_table_is_visible(parent.oid) ORDER BY 1, 2"
            )
            for table, place in cursor.fetchall():
                installed_triggers.partitions[table].append(place)
    return installed_triggers
