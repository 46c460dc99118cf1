"""Authentication of who pays: by a payment for this one call, or from a stream session."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.access.keys import rate_limits
from apps.access.keys.authentication import (
    BAD_KEY,
    find_tenant_of_extra_key,
    list_key_headers,
)
from apps.access.paywall import facilitators, previews, problems, transitions
from apps.access.paywall.models import StreamSession
from apps.access.paywall.services import sessions
from apps.access.paywall.services.call_payment import (
    CallPayment,
    build_payment_required,
    parse_presented_payment,
)
from apps.access.paywall.x402.checks import SOONEST, find_payment_fault, is_plain_signature
from apps.access.paywall.x402.facilitators import Facilitator
from apps.access.paywall.x402.payment import HEADERS, Payment
from apps.access.paywall.x402.terms import Terms
from apps.platform.api.authentication import Grant, GrantAuthentication, RateLimit
from apps.platform.api.callers import Caller
from apps.platform.api.idempotency import read_idempotency_key
from apps.platform.api.operations import Access, Operation
from apps.platform.common.clock import now as present
from apps.platform.common.money import from_micro
from apps.platform.common.problems import DomainError
from config.prices import Unit

PAYER, SESSION = "PAYER", "SESSION"
SESSION_HEADER = "X-Stream-Session"


def build_operation_terms(
    operation: Operation, request: HttpRequest, values: Mapping[str, Any]
) -> Terms:
    """Return what a call of an operation costs who pays for it."""
    price = operation.access.price
    assert price is not None  # Access has checked
    address = request.build_absolute_uri(request.path)
    amount = price.due(values)
    more = previews.build_preview_members(operation.preview, amount=amount)
    return facilitators.build_terms(
        amount=amount, resource=address, about=operation.summary, more=more
    )


class PaymentGrant(Grant):
    """A call that one payment buys; its caller is the wallet that signed.

    `account` is the tenant whose key came beside it: another key is another question.
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
        self._till = CallPayment(payment, facilitator, self.headers)

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Judge and claim the payment; see Till.take."""
        key = read_idempotency_key(request=self._request, secret=operation.answers_secret) or ""
        bare = transitions.NOT_KEPT if operation.answers_secret else transitions.KEPT_BARE
        question = {**values, "Idempotency-Key": key} if key else values
        account = self.caller.account
        question = {**question, "account": account} if account else question
        terms = build_operation_terms(operation, self._request, values)
        try:
            stored = self._till.take(
                terms=terms,
                resource=operation.name,
                fingerprint=operation.fingerprint(question),
                kept=transitions.KEPT if key else bare,
                now=now,
            )
        except problems.NeverKept:
            raise _build_never_kept_error(
                transitions.select_claim(self._till.payment, terms.network).get().pk
            ) from None
        if self._till.claim is not None:
            self.caller = replace(self.caller, payment=self._till.claim.pk)
        return stored

    def settle(self, *, operation: Operation, now: datetime) -> None:
        """Take the money; see Till.settle."""
        self._till.settle(now=now)

    def charge(self, *, operation: Operation, answer: str, status: int, now: datetime) -> None:
        """Keep what was answered for who sends the same payment again."""
        self._till.keep(text=answer, status=status, now=now)

    def release(self, *, operation: Operation, settled: bool, now: datetime) -> None:
        """Give the payment back."""
        self._till.free(now=now)


def _build_never_kept_error(claim_id: int) -> DomainError:
    """Say what a payer does whose secret did not arrive.

    Not done for them: who reads the chain can send a settled payment again, and a client that
    retries may have been answered meanwhile.
    """
    session = StreamSession.objects.get(claim=claim_id)
    return problems.NeverKept(
        "This payment was answered; the secret was returned once and is not stored. If it did not "
        f"reach you, end the session: POST stream/{session.session_id}/close with another payment "
        "that your wallet signs now. It is checked and not taken, and what is left is owed back. "
        "Under a random Idempotency-Key the secret can be requested again."
    )


class PayerGrant(Grant):
    """A call for what a wallet paid for: its signature says who asks, and nothing is taken.

    What ends something takes a signature that nobody has seen: the chain tells those of payments
    that were settled.
    """

    def __init__(self, *, payment: Payment, request: HttpRequest, rate: RateLimit) -> None:
        super().__init__(Caller(f"payer:{payment.payer}", PAYER, payment.payer), rate)
        self._payment, self._request = payment, request

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Hold the signature against the wallet; PayerNotProved (401).

        A payment that was taken here does not grow too old. One of a contract wallet is refused:
        nobody but its chain can say who signed it.
        """
        payment = self._payment
        address = self._request.build_absolute_uri(self._request.path)
        terms = facilitators.build_terms(
            amount=payment.value, resource=address, about=operation.summary
        )
        if operation.method != "GET" and transitions.select_claim(payment, terms.network).exists():
            raise problems.PayerNotProved(
                "This payment was sent before. Sign another one now; it is not taken."
            )
        moment, good_until = int(now.timestamp()), payment.valid_before - SOONEST
        if moment > good_until and transitions.is_payment_received(
            payment=payment, network=terms.network
        ):
            moment = good_until
        if not is_plain_signature(payment) or find_payment_fault(
            payment=payment, terms=terms, now=moment
        ):
            raise problems.PayerNotProved(
                "Send a payment to us that your wallet signed: the one used to pay, or another "
                "that is valid now. It is not taken."
            )
        return None


class X402Authentication(GrantAuthentication):
    """Lets in who sends a payment, where one is taken or what was paid for is asked for."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of a payment that can be read; it is judged after the request."""
        wanted = operation.access.pays or operation.access.payer
        facilitator = facilitators.get_facilitator() if wanted else None
        payment = parse_presented_payment(request.headers) if facilitator else None
        if facilitator is None or payment is None:
            return None
        rate = RateLimit(
            f"paid:{rate_limits.get_client_address(request)}", settings.PAID_RATE_PER_MINUTE
        )
        if not operation.access.pays:
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
        """Ask for a payment, once it is known for what."""
        if not operation.access.pays:
            return None
        if facilitators.get_facilitator() is None:
            if operation.access.keys:
                return None
            return problems.PaymentsUnavailable("This installation does not accept payments.")
        if values is None:
            rate_limits.count_refused_call(
                request=request, now=present()
            )  # once a call: it is asked twice
            find_tenant_of_extra_key(
                operation=operation, request=request, now=present()
            )  # no price for who cannot be told
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

    def problems(self, access: Access) -> tuple[type[DomainError], ...]:
        beside = BAD_KEY * bool(access.beside)
        return problems.PAYS * access.pays + problems.SHOWS * access.payer + beside


class SessionGrant(Grant):
    """A call that a stream session pays for, or that asks for what is the session's.

    What a session paid for is told again when its credit is spent, and after its end.
    """

    repeats_first: ClassVar[bool] = True

    def __init__(
        self, *, session: StreamSession, request: HttpRequest, rate: RateLimit, account: str = ""
    ) -> None:
        caller = Caller(
            session.owner, SESSION, session.payer, account=account, wallet=session.payer
        )
        super().__init__(caller, rate)
        self._session, self._request = session, request

    def verify(
        self, *, operation: Operation, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Refuse a call that costs more than is left, before any work is done for it.

        Raises UnknownSession (401) for a session that has ended.
        """
        if operation.access.pays and not self._session.usable(now):
            raise _build_unknown_session_error()
        if operation.access.pays and self._session.balance < self._price(operation):
            raise problems.build_terms_problem(
                problems.CreditSpent,
                build_operation_terms(operation, self._request, values),
                error="payment_required",
                detail=f"The session has {self._session.balance} USDC left, less than this costs.",
            )
        return None

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
        assert isinstance(operation.access.price, Unit)  # checked when it was let in
        return from_micro(operation.access.price.due({}))


def _build_unknown_session_error() -> DomainError:
    return problems.UnknownSession("The session is unknown, closed or expired.")


class StreamSessionAuthentication(GrantAuthentication):
    """Lets in who holds a stream session, where payments are taken or sessions asked about."""

    def admit(self, *, operation: Operation, request: HttpRequest, now: datetime) -> Grant | None:
        """Return the grant of the session; 401 for a secret of none.

        A payment beside it pays for the call: who met a 402 sends what was asked.
        """
        pays = operation.access.pays and isinstance(operation.access.price, Unit)
        secret = request.headers.get(SESSION_HEADER, "")
        if not secret or not (pays or operation.access.session):
            return None
        if pays and facilitators.get_facilitator() and parse_presented_payment(request.headers):
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
        """Say that a session is needed, where nothing else leads in."""
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
