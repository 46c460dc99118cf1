"""manage.py issue_key KIND --owner NAME: make a key and print it once."""

import json
from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from apps.access.models import Account, Kind, issue
from apps.core.clock import now
from apps.core.shapes import has_hidden_characters

LARGEST = 1_000_000
LONGEST_NAME = 200


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= LARGEST):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 to {LARGEST}")
    return int(text)


def _name(text: str) -> str:
    name = text.strip()
    if not name or len(name) > LONGEST_NAME or has_hidden_characters(name):
        raise ArgumentTypeError(f"a name has 1 to {LONGEST_NAME} visible characters")
    return name


class Command(BaseCommand):
    help = "Issue a key for an account (made when it is new). The key is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = [kind.lower() for kind in Kind.values]
        parser.add_argument("kind", type=str.lower, choices=kinds)
        parser.add_argument("--owner", required=True, type=_name, help="the account's name")
        parser.add_argument("--label", default="", help="what the key is for")
        parser.add_argument("--days", type=_count, help="days until it expires (default: never)")
        parser.add_argument(
            "--rate", type=_count, help="calls per minute (default: the platform's)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        account, _ = Account.objects.get_or_create(
            name=options["owner"], defaults={"created_at": moment}
        )
        kind = Kind(options["kind"].upper())
        days = options["days"]
        issued = issue(
            account=account,
            kind=kind,
            now=moment,
            label=options["label"],
            expires_at=moment + timedelta(days=days) if days else None,
            rate_per_minute=options["rate"],
        )
        if options["json"]:
            answer = {"key": issued.secret, "kind": kind.value, "owner": account.name}
            self.stdout.write(json.dumps(answer))
        else:
            self.stdout.write(issued.secret)
            self.stderr.write(f"{kind.label} key for {account.name}; it is not shown again.")
