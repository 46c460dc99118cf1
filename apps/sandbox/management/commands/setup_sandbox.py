"""manage.py setup_sandbox: people, keys and sample data, and how to make the first call."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.core.clock import now
from apps.sandbox.actions import PEOPLE, NotASandbox, set_up

CALL = """  curl -s {base}/compliance/compliance/screen \\
    -H 'X-API-Key: {key}' \\
    -H 'Content-Type: application/json' \\
    -d '{{"name": "Lazarus Holdings", "country": "DE", "amount": 12000}}'"""


class Command(BaseCommand):
    help = "Set up a sandbox: staff for each role, demo keys, sample lists, LEIs and rates."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="do not print how to sign in")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            sandbox = set_up(now=now())
        except NotASandbox as error:
            raise CommandError(str(error)) from error
        if options["quiet"]:
            return
        base = f"http://127.0.0.1:{settings.PORT}"
        out = self.stdout.write
        out(self.style.WARNING("Sandbox: sample lists and made-up secrets, kept in VAR_DIR."))
        out(f"\nStart page {base}/   API {base}/compliance/docs   desk {base}/admin/\n")
        out("Sign in to the desk as")
        for name, group in PEOPLE:
            out(f"  {name:<8} {sandbox.people[name]:<14} {group}")
        out("\nA first call:")
        out(CALL.format(base=base, key=sandbox.keys["subscription"]) + "\n")
