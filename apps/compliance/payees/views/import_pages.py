"""Imports on the desk: their list, and one with what its lines come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from apps.compliance.payees.imports.csv_parser import COLUMNS, LARGEST, MOST_LINES, PARTS, REQUIRED
from apps.compliance.payees.imports.retention import REVIEW, count_line_outcomes
from apps.compliance.payees.models import ImportLine, Stage, WalletImport
from apps.compliance.payees.rules.import_lines import AFTER, BEFORE, CODES, LINES
from apps.platform.desk import list_pages

BOUNDS = {
    "columns": COLUMNS,
    "required": REQUIRED,
    "most_lines": f"{MOST_LINES:,}",
    "most_bytes": f"{LARGEST // 1024 // 1024} MiB",
    "parts": PARTS,
}
UNDONE = "UNCHECKED"
TONES = {
    "REGISTER": "ok",
    "UPGRADE": "ok",
    "CHANGE": "ok",
    "SAME": "",
    "UNCHECKED": "warn",
    "CONFLICT": "bad",
    "REFUSED": "bad",
    "FAULTY": "bad",
    "TWICE": "bad",
}
TITLES = {rule.code: rule.title for rule in LINES}


def build_import_page(query: list_pages.ListQuery) -> list_pages.ListPage:
    """Return one page of imports, the newest first, in one query."""
    wallet_imports = WalletImport.objects.select_related("uploaded_by", "started_by")
    return list_pages.build_list_page(*list_pages.take_page(query.behind(wallet_imports)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportLinesQuery(list_pages.ListQuery):
    """Which lines of an import: by what they come to, or those under review."""

    come: str = list_pages.choice_field(CODES)
    review: str = list_pages.choice_field(("yes",))

    def lines(self, batch: WalletImport) -> QuerySet[ImportLine]:
        """Return the requested lines in order, after the position in the address."""
        found_lines = batch.lines.order_by("number")
        if self.come:
            found_lines = found_lines.filter(
                Q(outcome=self.come) | Q(outcome="", foreseen=self.come)
            )
        if self.review:
            found_lines = found_lines.filter(REVIEW)
        if self.after:
            found_lines = found_lines.filter(number__gt=int(self.after))
        return found_lines


@dataclass(frozen=True, slots=True)
class OutcomeSum:
    """How many lines come to the same; `done` of them have, the others would."""

    code: str
    title: str
    tone: str
    total: int
    done: int


def build_import_context(*, batch: WalletImport, query: ImportLinesQuery) -> dict[str, Any]:
    """Return what the page of an import draws; three queries."""
    groups, gone = count_line_outcomes(batch), batch.emptied_at is not None
    shown, last = list_pages.take_page(query.lines(batch))
    sums = list(_sum_outcomes(groups))
    begun = batch.started_at is not None
    # of a started import lines with an outcome, before that those that were checked
    done = sum(group["lines"] for group in groups if group["outcome" if begun else "foreseen"])
    return {
        "title": f"Import of {batch.name}",
        "batch": batch,
        "asked": query,
        "sums": sums,
        "in_review": sum(group["review"] for group in groups),
        "done": done,
        "working": batch.stage in (Stage.CHECKING, Stage.RUNNING),
        "startable": not gone and batch.stage in (Stage.CHECKED, Stage.STOPPED),
        "stoppable": batch.stage == Stage.RUNNING,
        "undone": not gone
        and batch.stage in (Stage.CHECKED, Stage.DONE)
        and any(outcome_sum.code == UNDONE for outcome_sum in sums),
        "page": list_pages.ListPage(
            [_build_line_row(line) for line in shown], str(last.number) if last else ""
        ),
        **query.turns(str(last.number) if last else ""),
    }


def _sum_outcomes(counted: list[dict[str, Any]]) -> Iterator[OutcomeSum]:
    for code in CODES:
        would = [c for c in counted if not c["outcome"] and c["foreseen"] == code]
        came = [c for c in counted if c["outcome"] == code]
        done, total = (
            sum(outcome["lines"] for outcome in outcomes) for outcomes in (came, (*came, *would))
        )
        if total:
            words = AFTER[code] if done == total else BEFORE[code]
            yield OutcomeSum(code, words, TONES[code], total, done)


@dataclass(frozen=True, slots=True)
class ImportLineRow:
    """A line for the page: its outcome in words, and what changed since the check."""

    line: ImportLine
    words: str
    tone: str
    review: bool
    why: str
    otherwise: str


def _build_line_row(line: ImportLine) -> ImportLineRow:
    done = bool(line.outcome)
    changed = done and line.foreseen and line.outcome != line.foreseen
    return ImportLineRow(
        line=line,
        words=line.after if done else line.before or "Not checked yet",
        tone=TONES.get(line.outcome or line.foreseen, ""),
        review=line.review if done else line.foreseen_review,
        why=line.outcome_why or ("" if done else line.foreseen_why),
        otherwise=line.before if changed else "",
    )


def describe_repeated_upload(batch: WalletImport) -> str:
    """Return the message about a repeated upload of a file."""
    at = f"{batch.uploaded_at:%d %b %Y %H:%M} UTC"
    return (
        f"This file was uploaded on {at} by {batch.uploaded_by.get_username()}: "
        "this is that import, and it continues from where it is."
    )
