"""Imports on the desk: their list, and one with what its lines come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from apps.desk import lists
from apps.registry.importing.reading import COLUMNS, LARGEST, MOST_LINES, PARTS, REQUIRED
from apps.registry.importing.tidying import REVIEW, counted
from apps.registry.models import ImportLine, Stage, WalletImport
from apps.registry.rules.importing import AFTER, BEFORE, CODES, LINES

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """Which page of the list of imports."""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        return cls(after=lists.number_place(query.get("after", "")))


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list; `following` is the place of the next one, "" on the last."""

    rows: list[Any]
    following: str


def page(asked: Asked) -> Page:
    """Return one page of imports, the newest first, in one query."""
    found = WalletImport.objects.select_related("uploaded_by", "started_by")
    if asked.after:
        found = found.filter(pk__lt=int(asked.after))
    shown, last = lists.cut(found)
    return Page(shown, str(last.pk) if last else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesAsked(lists.Asked):
    """Which lines of an import: by what they come to, or those under review."""

    come: str = ""
    review: str = ""

    @classmethod
    def read(cls, query: Any) -> "LinesAsked":
        """Read a query string; what is unknown narrows nothing."""
        come = query.get("come", "")
        return cls(
            come=come if come in CODES else "",
            review="yes" if query.get("review") == "yes" else "",
            after=lists.number_place(query.get("after", "")),
        )

    def lines(self, batch: WalletImport) -> QuerySet[ImportLine]:
        """Return the lines asked for in their order, behind the place of the address."""
        found = batch.lines.order_by("number")
        if self.come:
            found = found.filter(_comes(self.come))
        if self.review:
            found = found.filter(REVIEW)
        if self.after:
            found = found.filter(number__gt=int(self.after))
        return found


def _comes(code: str) -> Q:
    """Return the condition that a line came to this, or would where it is not done."""
    return Q(outcome=code) | Q(outcome="", foreseen=code)


@dataclass(frozen=True, slots=True)
class Sum:
    """How many lines come to the same; `done` of them have, the others would."""

    code: str
    title: str
    tone: str
    total: int
    done: int


def context(*, batch: WalletImport, asked: LinesAsked) -> dict[str, Any]:
    """Return what the page of an import draws; three queries."""
    groups, gone = counted(batch), batch.emptied_at is not None
    shown, last = lists.cut(asked.lines(batch))
    sums = list(_sums(groups))
    begun = batch.started_at is not None
    done = sum(one["lines"] for one in groups if one["outcome" if begun else "foreseen"])
    return {
        "title": f"Import of {batch.name}",
        "batch": batch,
        "asked": asked,
        "sums": sums,
        "in_review": sum(one["review"] for one in groups),
        "done": done,
        "working": batch.stage in (Stage.CHECKING, Stage.RUNNING),
        "startable": not gone and batch.stage in (Stage.CHECKED, Stage.STOPPED),
        "stoppable": batch.stage == Stage.RUNNING,
        "undone": not gone
        and batch.stage in (Stage.CHECKED, Stage.DONE)
        and any(one.code == UNDONE for one in sums),
        "page": Page([_row(one) for one in shown], str(last.number) if last else ""),
        **asked.turns(str(last.number) if last else ""),
    }


def _sums(counted: list[dict[str, Any]]) -> Iterator[Sum]:
    for code in CODES:
        would = [c for c in counted if not c["outcome"] and c["foreseen"] == code]
        came = [c for c in counted if c["outcome"] == code]
        done, total = (sum(one["lines"] for one in some) for some in (came, (*came, *would)))
        if total:
            words = AFTER[code] if done == total else BEFORE[code]
            yield Sum(code, words, TONES[code], total, done)


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it is drawn: what it comes to in words, and what changed since the check."""

    line: ImportLine
    words: str
    tone: str
    review: bool
    why: str
    otherwise: str


def _row(line: ImportLine) -> Row:
    done = bool(line.outcome)
    changed = done and line.foreseen and line.outcome != line.foreseen
    return Row(
        line=line,
        words=line.after if done else line.before or "Not checked yet",
        tone=TONES.get(line.outcome or line.foreseen, ""),
        review=line.review if done else line.foreseen_review,
        why=line.outcome_why or ("" if done else line.foreseen_why),
        otherwise=line.before if changed else "",
    )


def known(batch: WalletImport) -> str:
    """Return what is told of a file that comes again."""
    at = f"{batch.uploaded_at:%d %b %Y %H:%M} UTC"
    return (
        f"This file was uploaded on {at} by {batch.uploaded_by.get_username()}: "
        "here is that import, and it goes on from where it is."
    )
