"""Shapes of accounts and balances at the bank."""

from typing import Any

from rest_framework import serializers

from apps.payments.banking.serializers.payments import MAX_AMOUNT, RoutingOut
from apps.platform.api.pagination import LARGEST_PAGE
from apps.platform.api.shapes import Day, Identifier, Number, Shape, Text, Whole

# deeper than this, an offset costs more than any reader gains
LARGEST_OFFSET = 100_000


class BankAccountOut(Shape):
    """An account that you pay from; in dollars.

    If institutions share it, in a sandbox without `BANK_ACCOUNTS`, its balance ignores payments of
    the others.
    """

    account_id = Text()
    name = Text()
    status = Text()
    kind = Text()
    available_balance = Number(required=False, min_value=-MAX_AMOUNT, max_value=MAX_AMOUNT)
    current_balance = Number(required=False, min_value=-MAX_AMOUNT, max_value=MAX_AMOUNT)


class BankAccountsOut(Shape):
    """The accounts that you pay from, as the bank has them now."""

    accounts = BankAccountOut(many=True)


class BankTransactionsQuery(Shape):
    """The account, the period, and the page."""

    account_id = Identifier(required=False, help_text="Your first account if omitted.")
    since = Day(required=False, help_text="Thirty days before `until` if omitted.")
    until = Day(required=False, help_text="Today if omitted, or a later `since`.")
    limit = Whole(min_value=1, max_value=LARGEST_PAGE, default=50)
    offset = Whole(min_value=0, max_value=LARGEST_OFFSET, default=0)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a time that ends before it begins."""
        if attrs.get("since") and attrs.get("until") and attrs["since"] > attrs["until"]:
            raise serializers.ValidationError({"until": ["This is before `since`."]})
        return attrs


class BankTransactionOut(Shape):
    """A line of the bank's statement; `amount` is negative for money that leaves the account."""

    transaction_id = Text()
    amount = Number(min_value=-MAX_AMOUNT, max_value=MAX_AMOUNT, help_text="In dollars.")
    status = Text()
    note = Text()
    created_at = Text(help_text="As written by the bank.")
    payment_id = Text(required=False, help_text="The payment of yours that this line belongs to.")
    routing = RoutingOut(required=False, help_text="Once the line is routed for settlement.")


class BankTransactionsOut(Shape):
    """A page of the statement; `nextOffset` is present if there may be more.

    `withheld` counts lines of the page that could not be read.
    """

    account_id = Text()
    since = Text()
    until = Text()
    items = BankTransactionOut(many=True)  # type: ignore[assignment]
    limit = Whole()
    offset = Whole()
    next_offset = Whole(required=False)
    withheld = Whole(required=False)
