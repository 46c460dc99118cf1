"""The registrar's list: what the address asks for, and one page of it."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from apps.compliance.payees.models import Registration, RegistrationType
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.rules.lei_states import NOT_IN_FORCE
from apps.compliance.payees.selectors.public_lookups import current_lei_statuses
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.platform.common.lei import is_valid_lei
from apps.platform.desk import list_pages

LEAST_LAST = 4  # of the digits at the end of an address: fewer are anybody's
_ELLIPSIS = re.compile(r"\s*(?:…|\.{2,3})\s*")
STATES = {
    "active": "Active",
    "review": "Under review",
    "lapsed": "LEI not in force",
    "ended": "Deactivated",
}
TYPES = dict(RegistrationType.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationListQuery(list_pages.ListQuery):
    """The filters in the address; unknown ones are ignored."""

    q: str = list_pages.filter_field(lambda text: " ".join(text.split())[:200])
    state: str = list_pages.choice_field(STATES)
    type: str = list_pages.choice_field(TYPES)

    def registrations(self) -> QuerySet[Registration]:
        """Return the requested registrations, newest first, after the position in the address."""
        rows = find_registrations(self.q) if self.q else Registration.objects.all()
        if self.state == "ended":
            rows = rows.filter(active=False)
        elif self.state:
            rows = rows.active()
        if self.state == "review":
            rows = rows.filter(under_review=True)
        if self.state == "lapsed":
            rows = rows.filter(lei_status__in=NOT_IN_FORCE)
        if self.type:
            rows = rows.filter(kind=self.type)
        return self.behind(rows)


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
    # an unchecked form fits nearly every text, which may be a name
    if wallet is not None and wallet.checked:
        return Registration.objects.filter(wallet=wallet.address)
    key = name_key(text)
    named = Q(name_key__contains=key) | Q(alias_keys__contains=key)
    return Registration.objects.filter(_wallet_filter(text.lower()) | named)


def _wallet_filter(text: str) -> Q:
    """Return the condition that an address begins or ends so, or both around an ellipsis."""
    if (ends := _ELLIPSIS.split(text)) and len(ends) == 2:
        return Q(wallet_key__startswith=ends[0], wallet_key__endswith=ends[1])
    condition = Q(wallet_key__startswith=text)
    return condition | Q(wallet_key__endswith=text) if len(text) >= LEAST_LAST else condition


@dataclass(frozen=True, slots=True)
class RegistrationRow:
    """One line of the list, with the state of its LEI now."""

    registration: Registration
    lei_status: str

    @property
    def in_force(self) -> bool:
        """Whether the LEI is one in force, or there is none."""
        return self.lei_status not in NOT_IN_FORCE


def build_registration_page(query: RegistrationListQuery, *, now: datetime) -> list_pages.ListPage:
    """Return one page with the present states of its LEIs, in two queries."""
    shown, last = list_pages.take_page(query.registrations())
    states = current_lei_statuses(shown, now=now)
    return list_pages.build_list_page(
        [RegistrationRow(registration, states[registration.pk]) for registration in shown], last
    )
