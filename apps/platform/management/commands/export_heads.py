"""manage.py export_heads: print the signed heads, to be kept where this system cannot write."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from apps.platform.common.clock import now
from apps.platform.ledger.verification.signed_heads import build_signed_heads


class Command(BaseCommand):
    help = "Print where each ledger ends, signed; `verify_ledger --heads` checks against it."

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            stated = build_signed_heads(now())
        except DatabaseError as error:
            raise CommandError(f"the ledgers cannot be read: {error}") from error
        self.stdout.write(json.dumps(stated, sort_keys=True))
