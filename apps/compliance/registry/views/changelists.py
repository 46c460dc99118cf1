"""The registrar's list: what the address asks for, and one page of it."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet

from apps.compliance.registry.models import Registration, RegistrationType
from apps.compliance.registry.models.registrations import name_key
from apps.compliance.registry.register.public_lookups import current_lei_statuses
from apps.compliance.registry.rules.lei import NOT_IN_FORCE
from apps.compliance.registry.wallets import BadWallet, parse_wallet
from apps.platform.core.lei import is_valid_lei

PAGE = 50
LEAST_LAST = 4  # of the digits at the end of an address: fewer are anybody's
_ELLIPSIS = re.compile(r"\s*(?:…|\.{2,3})\s*")
STATES = {
    "active": "Active",
    "review": "Under review",
    "lapsed": "LEI not in force",
    "ended": "Deactivated",
}
TYPES = dict(RegistrationType.choices)
FILTERS = ("q", "state", "type")


@dataclass(frozen=True, slots=True)
class RegistrationListQuery:
    """What the address asks for; what is unknown narrows nothing."""

    q: str = ""
    state: str = ""
    type: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: Any) -> "RegistrationListQuery":
        """Read a query string."""
        after = query.get("after", "")
        known = after.isascii() and after.isdigit() and len(after) <= 18
        state, kind = query.get("state", ""), query.get("type", "")
        return cls(
            q=" ".join(query.get("q", "").split())[:200],
            state=state if state in STATES else "",
            type=kind if kind in TYPES else "",
            after=after if known else "",
        )

    @property
    def filtered(self) -> bool:
        """Whether anything narrows the list."""
        return any(getattr(self, name) for name in FILTERS)

    def address(self, **changes: str) -> str:
        """Return the query string of this page with some of it changed, from its first page."""
        changed = replace(self, **{"after": "", **changes})
        parts = {name: getattr(changed, name) for name in (*FILTERS, "after")}
        return "?" + urlencode({name: value for name, value in parts.items() if value})

    def registrations(self) -> QuerySet[Registration]:
        """Return what is asked for, the newest first, behind the place of the address."""
        found = find_registrations(self.q) if self.q else Registration.objects.all()
        if self.state == "ended":
            found = found.filter(active=False)
        elif self.state:
            found = found.active()
        if self.state == "review":
            found = found.filter(under_review=True)
        if self.state == "lapsed":
            found = found.filter(lei_status__in=NOT_IN_FORCE)
        if self.type:
            found = found.filter(kind=self.type)
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def find_registrations(text: str) -> Any:
    """Return the registrations of an LEI, of a wallet, or of such a name or alias.

    A wallet in any spelling, by how it begins, by its last digits, or by both as people shorten it
    (`0x5aAe…eAed`).
    """
    if is_valid_lei(text.upper()):
        return Registration.objects.filter(lei=text.upper())
    try:
        wallet = parse_wallet(text)
    except BadWallet:
        wallet = None
    if wallet is not None and wallet.checked:
        return Registration.objects.filter(wallet=wallet.address)
    key = name_key(text)
    named = Q(name_key__contains=key) | Q(alias_keys__contains=key)
    return Registration.objects.filter(_wallet_filter(text.lower()) | named)


def _wallet_filter(text: str) -> Q:
    """Return the condition that an address begins or ends so, or both around an ellipsis."""
    if (ends := _ELLIPSIS.split(text)) and len(ends) == 2:
        return Q(wallet_key__startswith=ends[0], wallet_key__endswith=ends[1])
    found = Q(wallet_key__startswith=text)
    return found | Q(wallet_key__endswith=text) if len(text) >= LEAST_LAST else found


@dataclass(frozen=True, slots=True)
class RegistrationRow:
    """One line of the list, with the state of its LEI now."""

    registration: Registration
    lei_status: str

    @property
    def in_force(self) -> bool:
        """Whether the LEI is one in force, or there is none."""
        return self.lei_status not in NOT_IN_FORCE


@dataclass(frozen=True, slots=True)
class RegistrationPage:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[RegistrationRow]
    following: str


def build_registration_page(asked: RegistrationListQuery, *, now: datetime) -> RegistrationPage:
    """Return one page with the present states of its LEIs, in two queries."""
    found = list(asked.registrations()[: PAGE + 1])
    following = str(found[PAGE - 1].pk) if len(found) > PAGE else ""
    shown = found[:PAGE]
    states = current_lei_statuses(shown, now=now)
    return RegistrationPage([RegistrationRow(one, states[one.pk]) for one in shown], following)
