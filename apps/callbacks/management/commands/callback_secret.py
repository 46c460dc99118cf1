"""manage.py callback_secret --owner NAME: issue a signing secret and print it once."""

import json
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.access.models import Account
from apps.callbacks import secrets, staff
from apps.core.clock import now
from apps.core.problems import DomainError

BY = "manage.py callback_secret"


class Command(BaseCommand):
    help = "Issue an account's next signing secret of callbacks, printed once; or end a rotation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--owner", required=True, help="the account's name")
        parser.add_argument("--why", required=True, help="what it is needed for; it is kept")
        parser.add_argument(
            "--overlap-days",
            type=int,
            default=secrets.OVERLAP.days,
            help="days for which the secret before it signs too (0: none; it leaked)",
        )
        parser.add_argument("--end", action="store_true", help="end the rotation that runs")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(name=options["owner"]).first()
        if account is None:
            raise CommandError(f"There is no account {options['owner']!r}.")
        given = {"by": BY, "reason": options["why"], "now": now()}
        if options["end"]:
            if not secrets.end_rotation(owner=account.ref, now=given["now"]):
                raise CommandError("No rotation is under way.")
            self.stderr.write("The newest secret signs alone.")
            return
        overlap = timedelta(days=options["overlap_days"])
        try:
            issued = staff.issue(owner=account.ref, overlap=overlap, **given)
        except (DomainError, ValueError) as error:
            raise CommandError(str(error)) from error
        self._print(issued, options["json"])

    def _print(self, issued: secrets.Issued, as_json: bool) -> None:
        takes_over = int(issued.takes_over_at.timestamp())
        if as_json:
            told = {"secret": issued.secret, "generation": issued.generation}
            self.stdout.write(json.dumps(told | {"takesOverAt": takes_over}))
            return
        self.stdout.write(issued.secret)
        self.stderr.write(
            f"Generation {issued.generation}; it signs alone from "
            f"{issued.takes_over_at:%d %b %Y %H:%M} UTC. It is not shown again."
        )
