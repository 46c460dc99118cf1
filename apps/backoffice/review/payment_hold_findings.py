"""Findings that hold a payment: which ones a decision answers, and which still hold it.

Each has a reference, by which its case names it and a decision answers it, and a key that
distinguishes it from every other: a match of another listed party is another finding.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.platform.crypto import macs


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `code` is the row of a table that it comes from, `ref` that of the case.

    A finding that `blocks` cannot be answered.
    """

    code: str
    ref: str
    says: str
    blocks: bool
    key: str

    def recorded(self) -> dict[str, Any]:
        """Return it as an event keeps it: without whom it is of."""
        return {"code": self.code, "ref": self.ref, "blocks": self.blocks, "key": self.key}


def build_finding_key(*about: str) -> str:
    """Return a keyed digest that tells a finding from every other."""
    # keyed: a key is kept in events for as long as these are, and is made of the party's name
    return macs.keyed_digest(what="finding", of=list(about))[:40]


def list_unanswered_findings(
    findings: Iterable[Finding], *, cleared: Collection[str]
) -> tuple[Finding, ...]:
    """Return the findings that still hold, blocking ones first: those cannot be released."""
    left = [finding for finding in findings if finding.blocks or finding.key not in cleared]
    return tuple(sorted(left, key=lambda finding: not finding.blocks))


def list_answered_keys(held: Iterable[Mapping[str, Any]], rules: Collection[str]) -> list[str]:
    """Return which recorded findings a decision answers by its rules; none of those that block."""
    return [finding["key"] for finding in held if finding["ref"] in rules and not finding["blocks"]]
