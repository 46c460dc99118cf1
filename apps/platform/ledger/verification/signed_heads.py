"""Signed heads: the end of each ledger, kept out of reach of the database's owner.

A truncated tail, or a chain that was rehashed, differs from them.
"""

import json
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import send_mail

from apps.platform.common.clock import format_utc
from apps.platform.crypto.signatures import is_signed_by_us, sign_statement
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification.verified_reads import read_chain_end

HEADS_FILE = "heads.jsonl"
MAIL = "mailto:"
Heads = dict[str, dict[int, set[str]]]


class BadHeads(Exception):
    """A file of heads that proves nothing: unreadable, or not written by this platform."""


def build_signed_heads(now: datetime) -> dict[str, Any]:
    """Return the signed statement of each ledger's end, to be kept elsewhere."""
    heads = {}
    for ledger in sorted(ledger_models()):
        position, digest = read_chain_end(ledger)
        heads[ledger] = {"position": position, "digest": digest}
    return sign_statement({"heads": heads, "statedAt": format_utc(now)})


def head_folders() -> list[Path]:
    """Return the folders for heads: VAR_DIR, and those of HEADS_TO."""
    named = [Path(place) for place in settings.HEADS_TO if not place.startswith(MAIL)]
    return list(dict.fromkeys([Path(settings.VAR_DIR), *named]))


def head_recipients() -> list[str]:
    """Return the addresses of HEADS_TO that heads are mailed to."""
    mailed = [place for place in settings.HEADS_TO if place.startswith(MAIL)]
    return [place.removeprefix(MAIL) for place in mailed]


def check_heads_settings() -> None:
    """Refuse a HEADS_TO that would otherwise fail later."""
    for place in settings.HEADS_TO:
        address = place.removeprefix(MAIL)
        if place.startswith(MAIL) and ("@" not in address or not settings.MAIL_SERVER):
            raise ImproperlyConfigured(
                f"HEADS_TO has the part {place!r}: write mailto:name@host, and set MAIL_SERVER."
            )
        if not place.startswith(MAIL) and not Path(place).is_absolute():
            raise ImproperlyConfigured(
                f"HEADS_TO has the part {place!r}: write the full path of a folder, or "
                "mailto:name@host."
            )


def export_signed_heads(now: datetime) -> None:
    """Append the heads to every folder and mail them; one failure does not stop the others.

    Raises the first failure after all destinations were tried.
    """
    line = json.dumps(build_signed_heads(now), sort_keys=True)
    failed: list[OSError] = []
    for folder in head_folders():
        try:
            append_line(folder / HEADS_FILE, line)
            # the people who verify the heads elsewhere must be able to read them
            if folder != Path(settings.VAR_DIR):
                (folder / HEADS_FILE).chmod(0o644)
        except OSError as error:
            failed.append(error)
    if head_recipients():
        subject = f"Heads of the ledgers, {format_utc(now)}"
        try:
            # a mailbox elsewhere is out of reach for whoever owns this host and its database
            send_mail(subject, line + "\n", settings.MAIL_FROM, head_recipients())
        except OSError as error:  # smtplib's errors are subclasses
            failed.append(error)
    if failed:
        raise failed[0]


def append_line(path: Path, line: str) -> None:
    """Append one line, complete and durable; a torn line before it stays separate."""
    with path.open("ab+") as out:
        if out.tell():
            out.seek(-1, os.SEEK_END)
            torn = out.read(1) != b"\n"
            out.write(b"\n" if torn else b"")
        out.write(line.encode() + b"\n")
        out.flush()
        os.fsync(out.fileno())


def head_files() -> list[Path]:
    """Return the existing files of heads."""
    return [path for folder in head_folders() if (path := folder / HEADS_FILE).exists()]


def read_signed_heads(paths: Iterable[Path]) -> tuple[Heads, list[str]]:
    """Return every head in files, by ledger and position, and the lines that were skipped.

    All lines count, not only the last: a head written after a tail was cut would hide the cut. A
    line that was torn by a crash is skipped. Raises BadHeads for a file that cannot be read or
    holds a line that is not a statement of ours.
    """
    heads: Heads = {}
    notes: list[str] = []
    for path in paths:
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            raise BadHeads(f"{path} cannot be read: {error.strerror}") from error
        for number, line in enumerate(lines, 1):
            where = f"{path}, line {number}"
            # after a crash a file may end in NULs: blocks that were allocated and not yet written
            if not line.strip("\0 "):
                continue
            if _is_torn(line):
                notes.append(f"{where}: incomplete line, skipped")
                continue
            for name, head in parse_head_statement(line, where)["heads"].items():
                heads.setdefault(name, {}).setdefault(head["position"], set()).add(head["digest"])
    return heads, notes


def _is_torn(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def parse_head_statement(line: str, where: str) -> dict[str, Any]:
    """Parse one statement of heads; BadHeads, which says `where`, if it is not one of ours."""
    try:
        stated = json.loads(line)
    except ValueError:
        raise BadHeads(f"{where}: this is not JSON") from None
    if not isinstance(stated, dict) or not is_signed_by_us(stated):
        raise BadHeads(f"{where}: the signature is invalid")
    if not isinstance(stated.get("heads"), dict):
        raise BadHeads(f"{where}: this statement is not about heads")
    return stated
