"""Messages to institutions about failed bank payments. Pure.

Document 1 section 2.4: no message reveals what a check found, or that an officer refused. Nor does
it reveal that the bank blocked a payment, which may be for the same reason: that is a failure like
any other.
"""

STOPPED = "A compliance check did not pass: it was not sent."
NO_RECIPIENT = (
    "The bank did not save the recipient: nothing was sent. Save it under another recipientId."
)
NO_ACCOUNT = "The bank does not know this accountId: nothing was sent."
NOT_TAKEN = "The bank did not accept the payment: nothing was sent."
CANCELLED = "The payment was cancelled at the bank: no money was sent."
NOT_DONE = "The bank did not execute the payment: no money was sent."
# the account is all that the address of a payment names, so 404 can only mean that
NOT_FOUND_STATUS = "HTTP 404"


def format_bank_status(status: int) -> str:
    """Return how a refusal of the bank is stored, "" if it did not answer."""
    return f"HTTP {status}" if status else ""


def describe_failure(*, state: str, recipient: str, bank_status: str) -> str:
    """Return why a payment failed, by its state and its recipient's; "" if it did not."""
    if state == "STOPPED":
        return STOPPED
    if state == "REFUSED" and recipient == "REFUSED":
        return NO_RECIPIENT
    if state == "REFUSED":
        return NO_ACCOUNT if bank_status == NOT_FOUND_STATUS else NOT_TAKEN
    if state == "FAILED":
        # `blocked` reads like any other failure: the bank's reason may be the one we may not
        # disclose
        return CANCELLED if bank_status == "cancelled" else NOT_DONE
    return ""
