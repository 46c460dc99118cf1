"""The list of payee checks: what its address asks for, and one page of it by key."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.access.keys import tenant_names
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.rules.payee_check import TIERS
from apps.compliance.payees.wallets import normalize_wallet
from apps.platform.desk import list_pages
from apps.platform.ledger.verification.verified_reads import filter_verified_records

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
    "NOT_REGISTERED": "no registration",
}
KNOWN_RESULTS = frozenset(tier.result for tier in TIERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PayeeCheckListQuery(list_pages.ListQuery):
    """What the address asks for, a wallet in any form of its chain. Days are ISO, in UTC."""

    wallet: str = list_pages.filter_field(lambda text: normalize_wallet(text.strip()[:128]))
    result: str = list_pages.choice_field(KNOWN_RESULTS)
    since: str = list_pages.filter_field(list_pages.parse_day_filter)
    until: str = list_pages.filter_field(list_pages.parse_day_filter)

    def checks(self) -> QuerySet[VopCheck]:
        """Return the requested checks, newest first, after the position in the address."""
        vop_checks = self.narrow(VopCheck.objects.all(), "wallet", "result")
        return list_pages.filter_by_days(
            vop_checks, since=self.since, until=self.until, after=self.after
        )


@dataclass(frozen=True, slots=True)
class PayeeCheckRow:
    """One line of the list; `ours` is whether the record is proved to be."""

    check: VopCheck
    ours: bool
    submitted: str
    asker: str
    result: str
    tone: str
    resolved: str


def build_payee_check_page(query: PayeeCheckListQuery, *, user: "User") -> list_pages.ListPage:
    """Return one page: the checks and, for who may know them, their askers; two queries."""
    shown, last = list_pages.take_page(query.checks())
    return list_pages.build_list_page(build_payee_check_rows(shown, user=user), last)


def build_payee_check_rows(shown: list[VopCheck], *, user: "User") -> list[PayeeCheckRow]:
    """Return checks as they are drawn; who asked only for who may know it."""
    ours = {check.pk for check in filter_verified_records(shown)}
    known = user.has_perm("registry.view_asker")
    owners = {vop_check.owner for vop_check in shown} if known else set()
    # payers and sessions have no name: they are shown by their reference
    names = dict(zip(owners, owners, strict=True)) | (
        tenant_names.load_tenant_names(owners) if owners else {}
    )
    return [
        _build_payee_check_row(vop_check, vop_check.pk in ours, names.get(vop_check.owner, ""))
        for vop_check in shown
    ]


def _build_payee_check_row(check: VopCheck, ours: bool, asker: str) -> PayeeCheckRow:
    request = check.data.get("request", {})
    return PayeeCheckRow(
        check=check,
        ours=ours,
        submitted=request.get("submittedName") or "payload purged",
        asker=asker,
        result=RESULTS.get(check.result, check.result),
        tone=TONES.get(check.result, ""),
        resolved=RESOLVED.get(check.resolved_by, check.resolved_by),
    )
