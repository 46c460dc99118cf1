"""manage.py print_settings: the table of environment variables, for the README."""

from typing import Any

from django.core.management.base import BaseCommand

from config.env import VARIABLES


def table() -> str:
    """Return the Markdown table of every variable the settings read."""
    rows = ["| variable | default | what it does |", "| --- | --- | --- |"]
    for name in sorted(VARIABLES):
        one = VARIABLES[name]
        shown = f"`{one.default}`" if one.default else ""
        rows.append(f"| `{name}` | {shown} | {one.about} |")
    return "\n".join(rows)


class Command(BaseCommand):
    help = "Print the table of environment variables in Markdown."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(table())
