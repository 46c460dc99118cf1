"""What an institution is told of a payment by the bank that failed. Pure.

Document 1 section 2.4: nobody is told what a check found, or that an officer refused it. Nor is it
told that the bank blocked a payment, which may be for the same reason: that is a failure as any.
"""

STOPPED = "A compliance check stands against it: it was not sent."
NO_RECIPIENT = (
    "The bank did not save the recipient: nothing was sent. Save it under another recipientId."
)
NO_ACCOUNT = "The bank knows no such accountId: nothing was sent."
NOT_TAKEN = "The bank did not take the payment: nothing was sent."
CANCELLED = "The payment was cancelled at the bank: the money did not go."
NOT_DONE = "The bank did not carry the payment out: the money did not go."
NOT_FOUND_STATUS = "HTTP 404"  # of what a payment names the account alone stands in the address


def format_bank_status(status: int) -> str:
    """Return how a refusal of the bank is kept, "" where it did not answer."""
    return f"HTTP {status}" if status else ""


def describe_failure(*, state: str, recipient: str, bank_status: str) -> str:
    """Return why a payment failed, by its state and its recipient's; "" of one that did not."""
    if state == "STOPPED":
        return STOPPED
    if state == "REFUSED" and recipient == "REFUSED":
        return NO_RECIPIENT
    if state == "REFUSED":
        return NO_ACCOUNT if bank_status == NOT_FOUND_STATUS else NOT_TAKEN
    if state == "FAILED":
        return CANCELLED if bank_status == "cancelled" else NOT_DONE
    return ""
