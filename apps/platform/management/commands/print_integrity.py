"""manage.py print_integrity: how each table is verified, for docs/security.md."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any, TypeVar

from django.core.management.base import BaseCommand

from apps.platform.ledger.table_proofs import BESIDE, PROVED, UNCOMPARED

Value = TypeVar("Value")


def format_integrity_table() -> str:
    """Return the Markdown tables: each table's proof, its gaps, and tables that need none."""
    rows = ["| table | an attacker who alters it | how it is verified |", "| --- | --- | --- |"]
    rows += [
        f"| `{label}` | {proof.would} | {proof.description} |" for label, proof in _in_order(PROVED)
    ]
    rows += ["", "| table | not compared | effect of altering it |"]
    rows += ["| --- | --- | --- |"]
    for label, parts in _in_order(UNCOMPARED):
        rows += [f"| `{label}` | {_format_names(names)} | {why} |" for names, why in parts]
    rows += ["", "| table | why it needs no protection |", "| --- | --- |"]
    rows += [f"| `{label}` | {why} |" for label, why in _in_order(BESIDE)]
    return "\n".join(rows)


def _in_order(table: Mapping[str, Value]) -> list[tuple[str, Value]]:
    """Return the rows sorted by the labels of their tables."""
    return sorted(table.items(), key=itemgetter(0))


def _format_names(names: tuple[str, ...]) -> str:
    """Format columns as code, and other changes to a row as words."""
    return ", ".join(name if " " in name else f"`{name}`" for name in names)


class Command(BaseCommand):
    help = "Print in Markdown how changes to each table in the database are detected."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(format_integrity_table())
