"""The list of screens: what its address asks for, and one page of it by key."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import QuerySet

from apps.access import tenants
from apps.core.chain import proven
from apps.desk import lists
from apps.screening.find import sought
from apps.screening.models import Screen
from apps.screening.models.holding import Holds
from apps.screening.rules.findings import RULES

DECISIONS = {"APPROVED": "Approved", "FLAGGED": "Flagged", "BLOCKED": "Blocked"}
TONES = {"APPROVED": "approve", "FLAGGED": "second", "BLOCKED": "reject"}  # of badges
SAMPLES = {"yes": "Sample data", "no": "Live data"}
TITLES = {rule.code: rule.title for rule in RULES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC."""

    decision: str = ""
    owner: str = ""
    rule: str = ""
    sample: str = ""
    q: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        return cls(
            decision=_one_of(query.get("decision", ""), DECISIONS),
            owner=query.get("owner", "")[:80],
            rule=_one_of(query.get("rule", ""), TITLES),
            sample=_one_of(query.get("sample", ""), SAMPLES),
            q=query.get("q", "")[:200],
            since=lists.day(query.get("since", "")),
            until=lists.day(query.get("until", "")),
            after=lists.number_place(query.get("after", "")),
        )

    def screens(self) -> list[QuerySet[Screen]]:
        """Return the screens asked for, the newest first, behind the place of the address.

        In parts, each with an index of its own: a client's, and those made apart for its payments.
        """
        owners = tenants.made_for(self.owner) if self.owner else ("",)
        return [self._of(owner) for owner in owners]

    def _of(self, owner: str) -> QuerySet[Screen]:
        found = sought(self.q, owner) if self.q else Screen.objects.all()
        if self.decision:
            found = found.filter(decision=self.decision)
        if owner:
            found = found.filter(owner=owner)
        if self.sample:
            found = found.filter(sample=self.sample == "yes")
        if self.rule:
            found = found.filter(Holds("rules", (self.rule,)))
        return lists.of_days(found, since=self.since, until=self.until, after=self.after)

    def place(self, screen: Screen) -> tuple[Any, ...]:
        """Return by what the screens are in order."""
        return (screen.recorded_at, screen.pk) if self.since or self.until else (screen.pk,)

    @property
    def rare(self) -> bool:
        """Whether few screens may be meant, of which their order of time tells nothing."""
        return bool(self.rule and not (self.q or self.since or self.until))


def _one_of(text: str, known: Any) -> str:
    return text if text in known else ""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `ours` is whether the record is proved to be."""

    screen: Screen
    ours: bool
    party: str
    tenant: str
    decision: str
    tone: str
    rules: tuple[str, ...]
    reference: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked) -> Page:
    """Return one page: the screens and their clients' names, in two queries.

    It takes one or two more for what may be rare and, behind a place, for days; and of one client
    as many again for what was made apart for it.
    """
    cut = partial(lists.cut_rare, after=asked.after) if asked.rare else lists.cut
    shown, last = lists.merged([cut(part) for part in asked.screens()], by=asked.place)
    ours = {one.pk for one in proven(shown)}
    names = tenants.names({one.owner for one in shown})
    return Page([_row(one, one.pk in ours, names) for one in shown], str(last.pk) if last else "")


def _row(screen: Screen, ours: bool, names: dict[str, str]) -> Row:
    told = screen.data.get("request", {})
    return Row(
        screen=screen,
        ours=ours,
        party=told.get("name") or "payload purged",
        tenant=names.get(screen.owner, screen.owner),
        decision=DECISIONS.get(screen.decision, screen.decision),
        tone=TONES.get(screen.decision, "info"),
        rules=rules_of(screen),
        reference=told.get("reference", ""),
    )


def rules_of(screen: Screen) -> tuple[str, ...]:
    """Return the rules that held in words; one that left is told by its name."""
    return tuple(TITLES.get(code, code) for code in screen.rules.split("; ") if code)
