"""manage.py callback_secret --owner NAME: issue a signing secret and print it once."""

import json
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.access.keys.models import Account
from apps.access.keys.services import is_second_person_needed
from apps.payments.callbacks import signing_secrets
from apps.payments.callbacks.services import staff_actions
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError

BY = "manage.py callback_secret"


class Command(BaseCommand):
    help = "Issue an account's next callback signing secret (printed once), or end a rotation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--owner", required=True, help="the account's name")
        parser.add_argument("--why", required=True, help="reason for the secret (recorded)")
        parser.add_argument(
            "--overlap-days",
            type=int,
            default=signing_secrets.OVERLAP.days,
            help="days for which the previous secret also signs (0: none, if it leaked)",
        )
        parser.add_argument("--end", action="store_true", help="end the current rotation")
        parser.add_argument("--by", default="", help="in production: requester, a staff account")
        parser.add_argument(
            "--confirmed-by",
            default="",
            help="in production: approver, a different staff account",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        account = Account.objects.filter(name=options["owner"]).first()
        if account is None:
            raise CommandError(f"No account is called {options['owner']!r}.")
        overlap = timedelta(days=options["overlap_days"])
        try:
            by, confirmed_by = options["by"], options["confirmed_by"]
            # two people in production, and wherever names are given: those are then checked
            if not (by or confirmed_by or is_second_person_needed()):
                requested_by = BY
            else:
                requested_by = staff_actions.require_two_people(
                    by=by, confirmed_by=confirmed_by, reason=options["why"]
                )
            arguments = {"by": requested_by, "reason": options["why"], "now": now()}
            if options["end"]:
                staff_actions.end_newest_rotation(owner=account.ref, **arguments)
                self.stderr.write("The newest secret now signs on its own.")
                return
            issued = staff_actions.issue_with_reason(
                owner=account.ref, overlap=overlap, **arguments
            )
        except DomainError as error:
            raise CommandError(error.detail) from error
        except ValueError as error:
            raise CommandError(str(error)) from error
        self._print(issued, options["json"])

    def _print(self, issued: signing_secrets.IssuedSecret, as_json: bool) -> None:
        takes_over = int(issued.takes_over_at.timestamp())
        if as_json:
            shown = {"secret": issued.secret, "generation": issued.generation}
            self.stdout.write(json.dumps(shown | {"takesOverAt": takes_over}))
            return
        # the secret alone on stdout, so that it can be piped; the rest goes to stderr
        self.stdout.write(issued.secret)
        self.stderr.write(
            f"Generation {issued.generation}; it signs on its own from "
            f"{issued.takes_over_at:%d %b %Y %H:%M} UTC. It is not shown again."
        )
