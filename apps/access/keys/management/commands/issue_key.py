"""manage.py issue_key KIND --owner NAME: make a key and print it once."""

import json
from argparse import ArgumentTypeError
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from apps.access.keys import services
from apps.access.keys.models import Account, IssuedKey, KeyKind
from apps.platform.common.clock import now
from apps.platform.common.hidden_characters import has_hidden_characters

LONGEST_NAME = 200
LONGEST_NUMBER = 12  # digits


def _parse_whole_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        raise ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _parse_name(text: str) -> str:
    name = text.strip()
    if not name or len(name) > LONGEST_NAME or has_hidden_characters(name):
        raise ArgumentTypeError(f"a name has 1 to {LONGEST_NAME} visible characters")
    return name


class Command(BaseCommand):
    help = "Issue a key for an account (created if new). The key is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        kinds = [kind.lower() for kind in KeyKind.values]
        parser.add_argument("kind", type=str.lower, choices=kinds)
        parser.add_argument("--owner", required=True, type=_parse_name, help="the account's name")
        parser.add_argument("--label", default="", help="what the key is for")
        parser.add_argument(
            "--days", type=_parse_whole_number, help="days until it expires (default: never)"
        )
        parser.add_argument(
            "--rate", type=_parse_whole_number, help="calls per minute (default: the platform's)"
        )
        two = "in production: "
        parser.add_argument("--by", default="", help=f"{two}requester, a staff account")
        parser.add_argument(
            "--confirmed-by", default="", help=f"{two}approver, a different staff account"
        )
        parser.add_argument("--why", default="", help=f"{two}reason for the key")
        parser.add_argument("--json", action="store_true", help="print JSON")

    # a refused key leaves no new account behind
    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        account, _ = Account.objects.get_or_create(
            name=options["owner"], defaults={"created_at": moment}
        )
        kind = KeyKind(options["kind"].upper())
        key_specification = services.KeySpecification(
            account=account,
            kind=kind,
            label=options["label"],
            days=options["days"],
            rate_per_minute=options["rate"],
        )
        try:
            issued = _issue_key(key_specification, options, moment)
        except services.KeyRefused as error:
            raise CommandError(error.detail) from error
        if options["json"]:
            answer = {"key": issued.secret, "kind": kind.value, "owner": account.name}
            self.stdout.write(json.dumps(answer))
        else:
            self.stdout.write(issued.secret)
            # stdout has the key alone, so that it can be piped into a secret store
            self.stderr.write(f"{kind.label} key for {account.name}; it is not shown again.")


def _issue_key(
    key_specification: services.KeySpecification, options: dict[str, Any], moment: datetime
) -> IssuedKey:
    by, confirmed_by = options["by"], options["confirmed_by"]
    # names that are given are used in a sandbox, too: a rehearsal of what production does
    if not (by or confirmed_by or services.is_second_person_needed()):
        return services.issue_key_alone(
            wanted=key_specification, by="manage.py issue_key", now=moment
        )
    if not (by and confirmed_by):
        raise services.KeyRefused(
            "Issuing a key takes two people: give --by, --confirmed-by and --why."
        )
    return services.issue_key_by_two(
        wanted=key_specification, why=options["why"], by=by, confirmed_by=confirmed_by, now=moment
    )
