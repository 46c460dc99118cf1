"""Refusals of calls that must be paid for."""

from typing import Any

from apps.access.paywall.serializers import PaymentProblem
from apps.access.paywall.x402.terms import Terms
from apps.platform.common.problems import Conflict, DomainError, Unavailable

RETRY_UNKNOWN = 5.0  # seconds after which an outcome may be known


class PaymentRequired(DomainError):
    """No payment was sent; the body and `PAYMENT-REQUIRED` state the price."""

    status, code, title = 402, "payment_required", "Payment required"
    shape = PaymentProblem


class PaymentRefused(DomainError):
    """The payment was not taken; `error` says why, and the body states what to pay."""

    status, code, title = 402, "payment_refused", "Payment not taken"


class CreditSpent(DomainError):
    """The session has less credit than the call costs."""

    status, code, title = 402, "session_credit_spent", "Not enough credit"


class MalformedPayment(DomainError):
    """The payment header is not valid in x402."""

    status, code, title = 400, "malformed_payment", "Invalid payment header"


class PayerNotProved(DomainError):
    """The payment was not signed by its wallet for this service."""

    status, code, title = 401, "payer_not_proved", "Payer not verified"


class MissingSession(DomainError):
    """No session was sent."""

    status, code, title = 401, "missing_session", "Stream session required"


class UnknownSession(DomainError):
    """The session is unknown, closed or expired."""

    status, code, title = 401, "unknown_session", "Invalid stream session"


class PaymentUsed(Conflict):
    """The payment was already used for another request."""

    code, title = "payment_used", "Payment already used"


class NeverKept(PaymentUsed):
    """The payment was answered with a secret, which was returned once and is not stored."""


class PaymentInProgress(Conflict):
    """The first call with this payment has not finished."""

    code, title = "payment_in_progress", "Payment in use"


class OutcomeUnknown(Unavailable):
    """It is not known yet whether the payment was taken: send the same one again, never another."""

    code, title = "payment_outcome_unknown", "Payment outcome unknown"


class PaymentsUnavailable(Unavailable):
    """Payments cannot be verified or settled now; nothing was taken."""

    code, title = "payments_unavailable", "Payments not available now"


class PaidCallIntegrityError(Unavailable):
    """Integrity check failed for the payment: it was altered."""

    code, title = "payment_unproved", "Payment integrity check failed"


# problems of paid operations, of those about a session, and of those about a payer
PAYS: tuple[type[DomainError], ...] = (
    PaymentRequired,
    PaymentRefused,
    CreditSpent,
    MalformedPayment,
    UnknownSession,
    PaymentUsed,
    PaymentInProgress,
    OutcomeUnknown,
    PaidCallIntegrityError,
    PaymentsUnavailable,
)
HOLDS: tuple[type[DomainError], ...] = (MissingSession, UnknownSession)
SHOWS: tuple[type[DomainError], ...] = (MalformedPayment, PayerNotProved)


def build_terms_problem(
    kind: type[DomainError], terms: Terms, *, error: str, detail: str
) -> DomainError:
    """Return a 402 with the terms in both versions; `error` is x402's reason."""
    members: dict[str, Any] = terms.body(error)
    return kind(detail, members=members, headers={"PAYMENT-REQUIRED": terms.header(error)})


def build_unknown_outcome(transaction: str) -> OutcomeUnknown:
    """Return the 503 of a payment with unknown outcome, with its transaction if known."""
    return OutcomeUnknown(
        "It is not known yet whether the payment was taken. Send the same payment again; another "
        "one might be taken twice.",
        retry_after=RETRY_UNKNOWN,
        members={"transaction": transaction} if transaction else None,
    )
