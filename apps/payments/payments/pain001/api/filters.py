"""Filters of the lists of payment files."""

from django_filters import CharFilter

from apps.platform.api.filters import QueryFilterSet


class PaymentFileFilter(QueryFilterSet):
    """Messages by their id."""

    message_id = CharFilter("message_id")


class FileTransactionFilter(QueryFilterSet):
    """Transactions of a message by their outcome when it was processed."""

    outcome = CharFilter("outcome")
