"""Shapes of what stands at the bank."""

from typing import Any

from rest_framework import serializers

from apps.payments.banking.serializers.payments import MAX_AMOUNT, RoutingOut
from apps.platform.core.api.pagination import LARGEST_PAGE
from apps.platform.core.api.shapes import Day, Identifier, Number, Shape, Text, Whole

# deeper than this, an offset costs more than any reader gains
LARGEST_OFFSET = 100_000


class BankAccountOut(Shape):
    """An account that you pay from; in dollars.

    Where institutions share it, in a sandbox without `BANK_ACCOUNTS`, what is on it is told as if
    nobody else had paid from it.
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
    """Of which account, from which day to which, and which page."""

    account_id = Identifier(required=False, help_text="The first of yours when left out.")
    since = Day(required=False, help_text="Thirty days before `until` when left out.")
    until = Day(required=False, help_text="Today when left out, or a later `since`.")
    limit = Whole(min_value=1, max_value=LARGEST_PAGE, default=50)
    offset = Whole(min_value=0, max_value=LARGEST_OFFSET, default=0)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a time that ends before it begins."""
        if attrs.get("since") and attrs.get("until") and attrs["since"] > attrs["until"]:
            raise serializers.ValidationError({"until": ["This is before `since`."]})
        return attrs


class BankTransactionOut(Shape):
    """A line of the bank's statement; `amount` is negative where it leaves the account."""

    transaction_id = Text()
    amount = Number(min_value=-MAX_AMOUNT, max_value=MAX_AMOUNT, help_text="In dollars.")
    status = Text()
    note = Text()
    created_at = Text(help_text="As the bank writes it.")
    payment_id = Text(required=False, help_text="Of the payment of yours that it is.")
    routing = RoutingOut(required=False, help_text="Once that is routed for settlement.")


class BankTransactionsOut(Shape):
    """A page of the statement; `nextOffset` is there where there may be more.

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
