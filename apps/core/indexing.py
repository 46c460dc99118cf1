"""Indexes on tables that may be large, made while others write to them."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddIndex


class AddIndexBesideWriters(AddIndexConcurrently):
    """Adds an index without a wait for who writes, where the database can.

    A migration with it is not atomic. One that was broken off leaves an index that is not valid:
    it is dropped before the migration is run again (docs/operations.md).
    """

    def database_forwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        """Add the index."""
        self._way(app_label, editor, after).database_forwards(
            self, app_label, editor, before, after
        )

    def database_backwards(self, app_label: str, editor: Any, before: Any, after: Any) -> None:
        """Take the index away."""
        self._way(app_label, editor, before).database_backwards(
            self, app_label, editor, before, after
        )

    def _way(self, app_label: str, editor: Any, state: Any) -> type[AddIndex]:
        table = state.apps.get_model(app_label, self.model_name)._meta.db_table
        return AddIndexConcurrently if beside_writers(editor, table) else AddIndex


def beside_writers(editor: Any, table: str) -> bool:
    """Tell whether a table's indexes can be made while others write: PostgreSQL, not in parts."""
    if editor.connection.vendor != "postgresql":
        return False
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT relkind FROM pg_class WHERE oid = to_regclass(%s)", [table])
        row = cursor.fetchone()
    return bool(row and row[0] == "r")
