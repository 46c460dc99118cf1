"""manage.py setup_sandbox: people, keys and sample data, and how to make the first call."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.entry.sandbox.services import (
    PEOPLE,
    NotASandbox,
    SandboxSecrets,
    load_sandbox,
    set_up_sandbox,
)
from apps.platform.common.clock import now

CALL = """\
KEY=$(python3 -c 'import json; print(json.load(open("{keys}"))["subscription"])')
curl -sS {base}/compliance/compliance/screen \\
  -H "X-API-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{{"name": "Lazarus Group", "country": "DE", "amount": 12000, "reference": "INV-42"}}'"""


def format_first_call(*, base: str, keys: str) -> str:
    """Return the first call as the README has it; `keys` is the path of the demo keys' file."""
    return CALL.format(base=base, keys=keys)


class Command(BaseCommand):
    help = "Set up a sandbox: staff for each role, demo keys, sample lists, LEIs and rates."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="do not print how to sign in")
        parser.add_argument("--show", action="store_true", help="only print it, set nothing up")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            sandbox = load_sandbox() if options["show"] else set_up_sandbox(now=now())
        except NotASandbox as error:
            raise CommandError(str(error)) from error
        if options["quiet"]:
            return
        self._print(sandbox)

    def _print(self, sandbox: SandboxSecrets) -> None:
        base = f"http://127.0.0.1:{settings.PORT}"
        keys = settings.VAR_DIR / "keys.json"
        if keys.is_relative_to(settings.BASE_DIR):
            keys = keys.relative_to(settings.BASE_DIR)
        out = self.stdout.write
        out(self.style.WARNING("Sandbox: sample lists and made-up secrets, kept in VAR_DIR."))
        out(f"\nStart page {base}/   API {base}/compliance/docs   desk {base}/admin/\n")
        out("Sign in to the desk as")
        for name, group in PEOPLE:
            out(f"  {name:<8} {sandbox.people[name]:<14} {group}")
        out(f"\nDemo key {sandbox.keys['subscription']}")
        out("\nA first call:\n\n")
        out(format_first_call(base=base, keys=str(keys)) + "\n\n")
