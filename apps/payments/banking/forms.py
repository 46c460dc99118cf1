"""The form of an international wire."""

import uuid
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.conf import settings

from apps.access.keys import tenant_names
from apps.payments.banking.account_access import SANDBOX_ACCOUNT, are_accounts_shared
from apps.payments.banking.models import Recipient, Wire
from apps.payments.banking.services import wire_proposals
from apps.platform.desk.forms import ReasonField
from apps.platform.desk.previews import PreviewedForm


def list_account_choices() -> list[tuple[str, str]]:
    """Return the accounts that institutions pay from, each with its institution."""
    accounts = settings.BANK_ACCOUNTS.items()
    own = [
        (account, f"{tenant_names.load_tenant_name(whose)}: {account}")
        for account, whose in accounts
    ]
    # in a sandbox without BANK_ACCOUNTS institutions share the simulator's account
    sample = [(str(SANDBOX_ACCOUNT), f"Sample account: {SANDBOX_ACCOUNT}")]
    return [("", "---------"), *own, *(sample if are_accounts_shared() else ())]


class WireForm(PreviewedForm, forms.ModelForm):
    """The form of a proposed wire."""

    recipient = forms.ModelChoiceField(
        # a recipient that is still NEW may be chosen: it is saved at the bank before the wire is
        # sent
        queryset=Recipient.objects.filter(kind="WIRE").exclude(state="REFUSED"),
        label="Recipient",
        help_text="Institutions save recipients by POST /settlement/bank/recipients.",
    )
    account_id = forms.TypedChoiceField(
        choices=list_account_choices,
        coerce=uuid.UUID,
        label="From the account",
        help_text="An account of the institution that saved the recipient.",
    )
    amount = forms.DecimalField(
        label="Amount in USD", min_value=Decimal("0.01"), max_digits=14, decimal_places=2
    )
    reason = ReasonField()

    class Meta:
        model = Wire
        fields: ClassVar[Any] = (
            "recipient", "account_id", "amount", "category", "additional_info", "memo", "reason",
        )  # fmt: skip

    def judge(self, values: dict[str, Any]) -> None:
        for name, sentence in wire_proposals.find_wire_faults(values):
            self.add_error(name, sentence)
