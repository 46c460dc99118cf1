"""How a call that should be paid for is refused."""

from typing import Any

from apps.access.paywall.serializers import PaymentProblem
from apps.access.paywall.x402.terms import Terms
from apps.platform.core.problems import Conflict, DomainError, Unavailable

RETRY_UNKNOWN = 5.0  # seconds after which an outcome may be known


class PaymentRequired(DomainError):
    """No payment was sent; the body and `PAYMENT-REQUIRED` say what is asked."""

    status, code, title = 402, "payment_required", "A payment is needed"
    shape = PaymentProblem


class PaymentRefused(DomainError):
    """The payment was not taken; `error` says why, and what is asked instead."""

    status, code, title = 402, "payment_refused", "The payment was not taken"


class CreditSpent(DomainError):
    """The session has less credit than the call costs."""

    status, code, title = 402, "session_credit_spent", "Not enough credit"


class MalformedPayment(DomainError):
    """The payment header is not what x402 says."""

    status, code, title = 400, "malformed_payment", "The payment cannot be read"


class PayerNotProved(DomainError):
    """The payment that is shown is not one that its wallet signed for us."""

    status, code, title = 401, "payer_not_proved", "The payer is not proved"


class MissingSession(DomainError):
    """No session was presented."""

    status, code, title = 401, "missing_session", "A session is needed"


class UnknownSession(DomainError):
    """The session is unknown, closed or expired."""

    status, code, title = 401, "unknown_session", "The session is not valid"


class PaymentUsed(Conflict):
    """The payment was taken for another request."""

    code, title = "payment_used", "The payment was used"


class NeverKept(PaymentUsed):
    """The payment was answered with a secret, which was told once and kept nowhere."""


class PaymentInProgress(Conflict):
    """The first call with this payment has not finished."""

    code, title = "payment_in_progress", "The payment is in use"


class OutcomeUnknown(Unavailable):
    """It is not known yet whether the payment was taken: send the same one again, never another."""

    code, title = "payment_outcome_unknown", "It is not known whether the payment was taken"


class PaymentsUnavailable(Unavailable):
    """Payments cannot be verified or settled now; nothing was taken."""

    code, title = "payments_unavailable", "Payments are not taken now"


class PaidCallIntegrityError(Unavailable):
    """The payment is not as it was recorded: somebody altered it."""

    code, title = "payment_unproved", "The payment cannot be relied on"


# what a row that takes payments may answer, one that is about a session, and about a payer
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
    """Return a 402 that asks for the terms in both versions; `error` is x402's reason."""
    members: dict[str, Any] = terms.body(error)
    return kind(detail, members=members, headers={"PAYMENT-REQUIRED": terms.header(error)})


def build_unknown_outcome(transaction: str) -> OutcomeUnknown:
    """Return the 503 of a payment whose outcome is open, with its transaction where known."""
    return OutcomeUnknown(
        "It is not known yet whether the payment was taken. Send the same payment again; "
        "another one might be taken twice.",
        retry_after=RETRY_UNKNOWN,
        members={"transaction": transaction} if transaction else None,
    )
