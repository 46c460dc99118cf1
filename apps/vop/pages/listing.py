"""The list of payee checks: what its address asks for, and one page of it by key."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from apps.access import tenants
from apps.core.chain import proven
from apps.desk import lists
from apps.registry.wallets import BadWallet, read
from apps.vop.models import VopCheck
from apps.vop.rules import TIERS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

RESULTS = {
    "LEI_MATCH": "LEI matches",
    "LEI_INACTIVE": "LEI matches, not in force",
    "VERIFIED": "Verified",
    "PROCEED_HIGH_CONFIDENCE": "High confidence",
    "PROCEED_FLAGGED": "Flagged",
    "PROCEED_UNVERIFIED": "Unverified",
    "BLOCKED": "Blocked",
    "NOT_REGISTERED": "Not registered",
}
TONES = {
    "LEI_MATCH": "ok",
    "VERIFIED": "ok",
    "PROCEED_HIGH_CONFIDENCE": "ok",
    "LEI_INACTIVE": "warn",
    "PROCEED_FLAGGED": "warn",
    "PROCEED_UNVERIFIED": "warn",
    "BLOCKED": "bad",
}
RESOLVED = {
    "LEI_EXACT_MATCH": "by the LEI",
    "NAME_MATCH": "by the legal name",
    "ALIAS_MATCH": "by an alias",
    "NOT_REGISTERED": "nobody is registered",
}
KNOWN = frozenset(tier.result for tier in TIERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC."""

    wallet: str = ""
    result: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string; a wallet in any form that its chain takes."""
        result = query.get("result", "")
        return cls(
            wallet=_wallet(query.get("wallet", "")),
            result=result if result in KNOWN else "",
            since=lists.day(query.get("since", "")),
            until=lists.day(query.get("until", "")),
            after=lists.number_place(query.get("after", "")),
        )

    def checks(self) -> QuerySet[VopCheck]:
        """Return the checks asked for, the newest first, behind the place of the address."""
        found = VopCheck.objects.all()
        if self.wallet:
            found = found.filter(wallet=self.wallet)
        if self.result:
            found = found.filter(result=self.result)
        return lists.of_days(found, since=self.since, until=self.until, after=self.after)


def _wallet(text: str) -> str:
    given = text.strip()[:128]
    try:
        return read(given).address if given else ""
    except BadWallet:
        return given


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `ours` is whether the record is proved to be."""

    check: VopCheck
    ours: bool
    submitted: str
    asker: str
    result: str
    tone: str
    resolved: str


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked, *, user: "User") -> Page:
    """Return one page: the checks and, for who may know them, their askers; two queries."""
    shown, last = lists.cut(asked.checks())
    return Page(rows(shown, user=user), str(last.pk) if last else "")


def rows(shown: list[VopCheck], *, user: "User") -> list[Row]:
    """Return checks as they are drawn; who asked only for who may know it."""
    ours = {one.pk for one in proven(shown)}
    known = user.has_perm("vop.view_asker")
    owners = {one.owner for one in shown} if known else set()
    names = dict(zip(owners, owners, strict=True)) | (tenants.names(owners) if owners else {})
    return [_row(one, one.pk in ours, names.get(one.owner, "")) for one in shown]


def _row(check: VopCheck, ours: bool, asker: str) -> Row:
    asked = check.data.get("request", {})
    return Row(
        check=check,
        ours=ours,
        submitted=asked.get("submittedName") or "payload purged",
        asker=asker,
        result=RESULTS.get(check.result, check.result),
        tone=TONES.get(check.result, ""),
        resolved=RESOLVED.get(check.resolved_by, check.resolved_by),
    )
