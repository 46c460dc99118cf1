"""manage.py verify_attestation: tell whether an attestation of a payee check is true."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.compliance.payees.vop.attestation import InvalidAttestation, verify_attestation

LARGEST = 1_000_000


class Command(BaseCommand):
    help = "Verify an attestation of a payee check and print what it says."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help="the JWS, or the response that contains it (JSON)"
        )
        parser.add_argument(
            "--keys", type=Path, help="published keys (.well-known/jwks.json); default: our own"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        published = _read_json(options["keys"]) if options["keys"] else None
        if published is not None and not isinstance(published.get("keys"), list):
            raise CommandError(f"{options['keys']} contains no key set")
        try:
            claims = verify_attestation(_extract_token(_read_text(options["file"])), published)
        except InvalidAttestation as error:
            raise CommandError(f"The attestation is not true. {error}") from error
        self.stdout.write(json.dumps(claims, indent=2, ensure_ascii=False, sort_keys=True))
        self.stdout.write(self.style.SUCCESS("The attestation is true: signed by this key set."))


def _read_text(file: Path) -> str:
    try:
        with file.open(encoding="utf-8") as stream:
            return stream.read(LARGEST).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{file} cannot be read: {error}") from error


def _read_json(file: Path) -> dict[str, Any]:
    try:
        document = json.loads(_read_text(file))
    except ValueError as error:
        raise CommandError(f"{file} is not JSON") from error
    if not isinstance(document, dict):
        raise CommandError(f"{file} contains no JSON object")
    return document


def _extract_token(text: str) -> str:
    """Return the JWS of a file that is one, or of the answer of a check."""
    if not text.startswith("{"):
        return text
    try:
        return str(json.loads(text)["attestation"]["jws"])
    except (ValueError, KeyError, TypeError) as error:
        raise CommandError("the file contains neither a JWS nor the response of a check") from error
