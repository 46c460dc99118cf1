"""manage.py print_integrity: how each table is proved, for docs/security.md."""

from typing import Any

from django.core.management.base import BaseCommand

from config.integrity import BESIDE, PROVED, UNCOMPARED


def format_integrity_table() -> str:
    """Return the Markdown tables: what proves each table, what does not, and where nothing must."""
    rows = ["| table | who alters it | how it is proved |", "| --- | --- | --- |"]
    rows += [f"| `{label}` | {proof.would} | {proof.told} |" for label, proof in PROVED.items()]
    rows += ["", "| table | what nothing compares | what whoever writes it gains |"]
    rows += ["| --- | --- | --- |"]
    for label, parts in UNCOMPARED.items():
        rows += [f"| `{label}` | {_format_names(names)} | {why} |" for names, why in parts]
    rows += ["", "| table | why nothing hangs on it |", "| --- | --- |"]
    rows += [f"| `{label}` | {why} |" for label, why in BESIDE.items()]
    return "\n".join(rows)


def _format_names(names: tuple[str, ...]) -> str:
    """Return columns as code, and what else may be done to a row as words."""
    return ", ".join(name if " " in name else f"`{name}`" for name in names)


class Command(BaseCommand):
    help = "Print in Markdown how each table is proved against whoever can write the database."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(format_integrity_table())
