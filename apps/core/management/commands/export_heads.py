"""manage.py export_heads: print the signed heads, to be kept where this system cannot write."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from apps.core.clock import now
from apps.core.housekeeping import heads


class Command(BaseCommand):
    help = "Print where each ledger ends, signed; `verify_ledger --heads` checks against it."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(heads(now()), sort_keys=True))
