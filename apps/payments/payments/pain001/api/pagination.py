"""Pages of the transactions of a payment file."""

from apps.platform.api.pagination import EncryptedCursorPagination


class TransactionCursor(EncryptedCursorPagination):
    """Pages of transactions in the order of their message."""

    ordering = "number"
