"""The list of settlements: what its address asks for, and one page of it by key."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from apps.access.keys import tenant_names
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.payments.settlement.case_links import STATE_LABELS, TONES
from apps.payments.settlement.integrity import find_settlement_faults
from apps.payments.settlement.models import Settlement
from apps.platform.desk import list_pages

LONGEST_TEXT = 140
KINDS = {"real": "In production", "sandbox": "Rehearsals"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementListQuery(list_pages.ListQuery):
    """What the address asks for; what is unknown narrows nothing."""

    text: str = list_pages.text_field(LONGEST_TEXT)
    state: str = list_pages.choice_field(STATE_LABELS)
    owner: str = list_pages.value_field(80)
    kind: str = list_pages.choice_field(KINDS)

    def settlements(self) -> QuerySet[Settlement]:
        """Return the requested settlements, the newest first, after the cursor of the address."""
        rows = self.narrow(Settlement.objects.all(), "state", "owner")
        if self.text:
            rows = rows.filter(settlement_search_filter(self.text))
        if self.kind:
            rows = rows.filter(sandbox=self.kind == "sandbox")
        return self.behind(rows)


def settlement_search_filter(text: str) -> Q:
    """Return what finds settlements: reference, id, hash, wallet."""
    condition = Q(reference=text) | Q(settlement_id=text)
    # longer than an address: a transaction hash has 66 characters
    if len(text) > 40:
        condition |= Q(tx_hash=text)
    try:
        return condition | Q(recipient=parse_wallet(text).address)
    except BadWallet:
        return condition


@dataclass(frozen=True, slots=True)
class SettlementRow:
    """One line of the list; `ours` is whether the settlement is as its last event has it."""

    settlement: Settlement
    ours: bool
    client: str
    state: str
    tone: str
    amount: str


def build_settlement_page(query: SettlementListQuery) -> list_pages.ListPage:
    """Return one page of settlements with their institutions; three queries."""
    shown, last = list_pages.take_page(query.settlements())
    return list_pages.build_list_page(build_settlement_rows(shown), last)


def build_settlement_rows(shown: Sequence[Settlement]) -> list[SettlementRow]:
    """Return settlements as they are drawn; two queries, however many."""
    wrong = find_settlement_faults(list(shown))
    names = tenant_names.load_tenant_names({settlement.owner for settlement in shown})
    return [
        SettlementRow(
            settlement=settlement,
            ours=settlement.pk not in wrong,
            client=names.get(settlement.owner, "without a key"),
            state=STATE_LABELS.get(settlement.state, settlement.state),
            tone=TONES.get(settlement.state, ""),
            amount=format_settlement_amount(settlement),
        )
        for settlement in shown
    ]


def format_settlement_amount(row: Settlement) -> str:
    """Return the requested amount in words."""
    return f"{row.amount:,.2f} {row.source}"
