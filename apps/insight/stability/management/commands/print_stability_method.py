"""manage.py print_stability_method: how a score of the oracle is made, for docs."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.insight.stability.oracle.rules.method_page import render_method_page


class Command(BaseCommand):
    help = "Print docs/stability-method.md from the tables of the oracle."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(render_method_page(), ending="")
