"""Authentication by payment for one call, or from a stream session."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.access.keys import client_address, rate_limits
from apps.access.keys.authentication import BAD_KEY, find_tenant_of_extra_key, list_key_headers
from apps.access.paywall import configured_facilitator, previews, problems
from apps.access.paywall.models import StreamSession
from apps.access.paywall.services import payment_claims, sessions
from apps.access.paywall.services.call_payment import (
    CallPayment,
    build_payment_required,
    parse_presented_payment,
)
from apps.access.paywall.x402.checks import SOONEST, find_payment_fault, is_plain_signature
from apps.access.paywall.x402.facilitators import Facilitator
from apps.access.paywall.x402.payment_parser import HEADERS, Payment
from apps.access.paywall.x402.terms import Terms
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import Caller
from apps.platform.api.idempotency import Claim, read_idempotency_key
from apps.platform.api.operations import Access, Operation
from apps.platform.common import clock
from apps.platform.common.money import from_micro
from apps.platform.common.problems import DomainError
from config.prices import Unit

PAYER, SESSION = "PAYER", "SESSION"
SESSION_HEADER = "X-Stream-Session"
# headers of answers, as documents describe them
REQUIREMENT_HEADERS = {
    "PAYMENT-REQUIRED": "The payment requirements in the format of x402 version 2: base64 of JSON."
}
RECEIPT_HEADERS = {
    "X-PAYMENT-RESPONSE": "The receipt of a payment by X-PAYMENT: base64 of JSON.",
    "PAYMENT-RESPONSE": "The receipt of a payment by PAYMENT-SIGNATURE: base64 of JSON.",
}


def build_operation_terms(
    operation: Operation, request: HttpRequest, values: Mapping[str, Any]
) -> Terms:
    """Return the terms on which a call of an operation is paid for."""
    price = operation.access.price
    assert price is not None  # checked by Access
    address = request.build_absolute_uri(request.path)
    # a bucket costs what the request says, so the terms exist only once it was read
    amount = price.due(values)
    more = previews.build_preview_members(operation.preview, amount=amount)
    return configured_facilitator.build_terms(
        amount=amount, resource=address, about=operation.summary, more=more
    )


class PaymentGrant(Grant):
    """A call that one payment buys; its caller is the wallet that signed.

    `account` is the tenant whose key came beside it: the same payment with another key is another
    request.
    """

    def __init__(
        self,
        *,
        payment: Payment,
        facilitator: Facilitator,
        request: HttpRequest,
        rate: RateLimit,
        account: str = "",
    ) -> None:
        caller = Caller(
            f"payer:{payment.payer}", PAYER, payment.payer, account=account, wallet=payment.payer
        )
        super().__init__(caller, rate)
        self._request = request
        # the same dict: what the payment reports is sent whether the call succeeds or fails
        self._till = CallPayment(payment, facilitator, self.headers)

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], claim: Claim, now: datetime
    ) -> HttpResponse | None:
        """Verify and claim the payment; see CallPayment.take."""
        key = read_idempotency_key(request=self._request, secret=operation.answers_secret) or ""
        # anybody who reads the chain can send a settled payment again, so without a key of the
        # caller's own a secret is never repeated
        bare = payment_claims.NOT_KEPT if operation.answers_secret else payment_claims.KEPT_BARE
        # part of the fingerprint: the same payment under another key, or beside another tenant's
        # key, is another request
        question = {**values, "Idempotency-Key": key} if key else values
        account = self.caller.account
        question = {**question, "account": account} if account else question
        terms = build_operation_terms(operation, self._request, values)
        try:
            stored = self._till.take(
                terms=terms,
                resource=operation.name,
                fingerprint=operation.fingerprint(question),
                kept=payment_claims.KEPT if key else bare,
                now=now,
            )
        except problems.NeverKept:
            # The session is not closed here: anyone who reads the chain can send a settled payment
            # again, and a client that retries may have been answered already.
            claim_id = payment_claims.select_claim(self._till.payment, terms.network).get().pk
            session = StreamSession.objects.get(claim=claim_id)
            raise problems.NeverKept(
                "This payment was answered; the secret was returned once and is not stored. If "
                f"it did not reach you, end the session: POST stream/{session.session_id}/close "
                "with another payment that your wallet signs now. It is verified but not "
                "settled, and the remaining credit is owed back. Under a random "
                "Idempotency-Key the secret can be requested again."
            ) from None
        if self._till.claim is not None:
            # the row exists from here on; a session that is opened refers to it
            self.caller = replace(self.caller, payment=self._till.claim.pk)
        return stored

    def settle(self, *, now: datetime) -> None:
        """Take the money; see CallPayment.settle."""
        self._till.settle(now=now)

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Store the answer for a repeat of the same payment."""
        self._till.keep(text=answer, status=status, now=now)

    def release(self, *, now: datetime) -> None:
        """Release the payment."""
        self._till.free(now=now)


class PayerGrant(Grant):
    """A call about an earlier payment: the wallet's signature identifies the caller.

    A call that ends something needs a signature that was never sent before.
    """

    def __init__(self, *, payment: Payment, request: HttpRequest, rate: RateLimit) -> None:
        super().__init__(Caller(f"payer:{payment.payer}", PAYER, payment.payer), rate)
        self._payment, self._request = payment, request

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], claim: Claim, now: datetime
    ) -> HttpResponse | None:
        """Verify the signature of the wallet; PayerNotProved (401).

        A payment that was taken here does not expire; one of a contract wallet is refused.
        """
        payment = self._payment
        address = self._request.build_absolute_uri(self._request.path)
        terms = configured_facilitator.build_terms(
            # whatever amount was signed: nothing is taken, the signature is all that counts
            amount=payment.value,
            resource=address,
            about=operation.summary,
        )
        # the chain publishes settled payments with their signatures: one that was sent before
        # proves nothing about who sends it now
        if (
            operation.method != "GET"
            and payment_claims.select_claim(payment, terms.network).exists()
        ):
            raise problems.PayerNotProved(
                "This payment was sent before. Sign another one now; it is not settled."
            )
        moment, good_until = int(now.timestamp()), payment.valid_before - SOONEST
        # a payer reads what was bought for as long as it is kept, with the payment that bought it
        if moment > good_until and payment_claims.is_payment_received(
            payment=payment, network=terms.network
        ):
            moment = good_until
        # only its chain can verify who signed for a contract wallet
        if not is_plain_signature(payment) or find_payment_fault(
            payment=payment, terms=terms, now=moment
        ):
            raise problems.PayerNotProved(
                "Send a payment to us that your wallet signed: the one used to pay, or another "
                "that is valid now. It is not settled."
            )
        return None


class X402Authentication(GrantAuthentication):
    """Admit senders of a payment, where one is taken or paid data is requested."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of a well-formed payment; it is verified after the request."""
        pays = operation.access.pays or operation.access.payer
        facilitator = configured_facilitator.get_facilitator() if pays else None
        payment = parse_presented_payment(request.headers) if facilitator else None
        if facilitator is None or payment is None:
            return None
        rate = RateLimit(
            f"paid:{client_address.get_client_address(request)}", settings.PAID_RATE_PER_MINUTE
        )
        if not operation.access.pays:
            # the operation takes no payment: the signature only says who is asking
            return PayerGrant(payment=payment, request=request, rate=rate)
        return PaymentGrant(
            payment=payment,
            facilitator=facilitator,
            request=request,
            rate=rate,
            account=find_tenant_of_extra_key(operation=operation, request=request, now=now),
        )

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Request a payment, once the request says for what."""
        if not operation.access.pays:
            return None
        if configured_facilitator.get_facilitator() is None:
            if operation.access.keys:
                return None
            return problems.PaymentsUnavailable("This installation does not accept payments.")
        if values is None:
            # this method runs twice per call; count the call once
            rate_limits.count_refused_call(request=request, now=clock.now())
            # refuse a bad key beside the payment before quoting a price
            find_tenant_of_extra_key(operation=operation, request=request, now=clock.now())
            return problems.PaymentRequired(
                "This call must be paid for. Correct the request; the answer then states the "
                "price and how to pay."
            )
        return build_payment_required(
            build_operation_terms(operation, request, values),
            keys=list_key_headers(operation.access.keys),
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        if not (access.pays or access.payer):
            return []
        keys = [(), *((header,) for header in list_key_headers(access.beside))]
        return [(payment, *key) for payment in HEADERS.values() for key in keys]

    def response_headers(
        self, access: Access, good: Set[int]
    ) -> Iterable[tuple[Set[int], Mapping[str, str]]]:
        return (
            [({402}, REQUIREMENT_HEADERS), (good | {402}, RECEIPT_HEADERS)] if access.pays else []
        )

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        beside = BAD_KEY * bool(access.beside)
        return problems.PAYS * access.pays + problems.SHOWS * access.payer + beside


class SessionGrant(Grant):
    """A call that a stream session pays for, or that reads the session's own data.

    Data that a session paid for stays readable when its credit is spent, and after its end.
    """

    def __init__(
        self, *, session: StreamSession, request: HttpRequest, rate: RateLimit, account: str = ""
    ) -> None:
        caller = Caller(
            session.owner, SESSION, session.payer, account=account, wallet=session.payer
        )
        super().__init__(caller, rate)
        self._session, self._request = session, request

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], claim: Claim, now: datetime
    ) -> HttpResponse | None:
        """Refuse a call that costs more than the remaining credit, before any work is done.

        Raises UnknownSession (401) for a session that has ended.
        """
        if not operation.access.pays:
            return None
        usable, price = self._session.usable(now), self._price(operation)
        if usable and self._session.balance >= price:
            return None
        # the call that took the last credit can be repeated: its answer is stored
        if (stored := claim.stored()) is not None:
            return stored
        if not usable:
            raise _build_unknown_session_error()
        raise problems.build_terms_problem(
            problems.CreditSpent,
            build_operation_terms(operation, self._request, values),
            error="payment_required",
            detail=f"The session has {self._session.balance} USDC left, less than this costs.",
        )

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Take the price of the call, last in its transaction: without it there is no call."""
        if operation.access.pays:
            sessions.charge_call(
                session=self._session,
                amount=self._price(operation),
                resource=operation.name,
                now=now,
            )

    def _price(self, operation: Operation) -> Decimal:
        # the price of a bucket depends on the request, so no session can pay for another session
        assert isinstance(operation.access.price, Unit)  # verified at authentication
        return from_micro(operation.access.price.due({}))


def _build_unknown_session_error() -> DomainError:
    return problems.UnknownSession("The session is unknown, closed or expired.")


class StreamSessionAuthentication(GrantAuthentication):
    """Admit holders of a stream session, where payments are taken or session data is read."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of the session; None with a payment beside it, 401 if it is unknown."""
        pays = operation.access.pays and isinstance(operation.access.price, Unit)
        secret = request.headers.get(SESSION_HEADER, "")
        if not secret or not (pays or operation.access.session):
            return None
        # the caller of a session without enough credit answers the 402 with a payment
        if (
            pays
            and configured_facilitator.get_facilitator()
            and parse_presented_payment(request.headers)
        ):
            return None
        session = sessions.find_session_by_secret(secret)
        if session is None:
            rate_limits.count_refused_call(request=request, now=now)
            raise _build_unknown_session_error()
        rate = RateLimit(f"session:{session.pk}", settings.PAID_RATE_PER_MINUTE)
        account = find_tenant_of_extra_key(operation=operation, request=request, now=now)
        return SessionGrant(session=session, request=request, rate=rate, account=account)

    def challenge(
        self, *, operation: Operation, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say that a session is needed, if there is no other way to authenticate."""
        if not operation.access.session or operation.access.keys or operation.access.pays:
            return None
        also = (
            ", or a payment that its wallet signs now in X-PAYMENT"
            if operation.access.payer
            else ""
        )
        return problems.MissingSession(
            f"Send a session's secret in the header {SESSION_HEADER}{also}."
        )

    def requirements(self, access: Access) -> Iterable[tuple[str, ...]]:
        pays = access.pays and isinstance(access.price, Unit)
        return [(SESSION_HEADER,)] if pays or access.session else []

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        return problems.HOLDS * access.session
