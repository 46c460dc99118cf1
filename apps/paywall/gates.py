"""The ways in for who pays: with a payment for this one call, or from a stream session."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.access import limits
from apps.access.gates import beside
from apps.core.callers import Caller
from apps.core.clock import now as present
from apps.core.endpoints import Endpoint
from apps.core.gates import Ticket
from apps.core.idempotency import fingerprint_of, key_of
from apps.core.money import from_micro
from apps.core.problems import DomainError
from apps.paywall import claims, facilitators, previews, problems, sessions
from apps.paywall.models import StreamSession
from apps.paywall.till import Till, asked, presented
from apps.paywall.x402.checks import SOONEST, fault, is_plain
from apps.paywall.x402.facilitators import Facilitator
from apps.paywall.x402.payment import Payment
from apps.paywall.x402.terms import Terms
from config.prices import Unit

PAYER, SESSION = "PAYER", "SESSION"
SESSION_HEADER = "X-Stream-Session"


def terms_of(row: Endpoint, request: HttpRequest, values: Mapping[str, Any]) -> Terms:
    """Return what a call of a row costs who pays for it."""
    price = row.access.price
    assert price is not None  # the row's Access has looked
    address = request.build_absolute_uri(request.path)
    amount = price.due(values)
    more = previews.members(row.preview, amount=amount)
    return facilitators.terms(amount=amount, resource=address, about=row.summary, more=more)


class PaymentTicket(Ticket):
    """A call that one payment buys; its caller is the wallet that signed.

    `account` is the tenant whose key came beside it: another key is another question.
    """

    def __init__(
        self,
        *,
        payment: Payment,
        facilitator: Facilitator,
        request: HttpRequest,
        window: Any,
        account: str = "",
    ) -> None:
        caller = Caller(f"payer:{payment.payer}", PAYER, payment.payer, account=account)
        super().__init__(caller, window.headers())
        self._request = request
        self._till = Till(payment, facilitator, self.headers)

    def verify(
        self, *, row: Endpoint, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Judge and claim the payment; see Till.take."""
        key = key_of(request=self._request, secret=row.secret) or ""
        bare = claims.NOT_KEPT if row.secret else claims.KEPT_BARE
        question = {**values, "Idempotency-Key": key} if key else values
        account = self.caller.account
        question = {**question, "account": account} if account else question
        terms = terms_of(row, self._request, values)
        try:
            stored = self._till.take(
                terms=terms,
                resource=row.name,
                fingerprint=fingerprint_of(request=self._request, values=question),
                kept=claims.KEPT if key else bare,
                now=now,
            )
        except problems.NeverKept:
            raise _told_once(claims.of(self._till.payment, terms.network).get().pk) from None
        if self._till.claim is not None:
            self.caller = replace(self.caller, payment=self._till.claim.pk)
        return stored

    def settle(self, *, row: Endpoint, now: datetime) -> None:
        """Take the money; see Till.settle."""
        self._till.settle(now=now)

    def charge(self, *, row: Endpoint, answer: str, status: int, now: datetime) -> None:
        """Keep what was answered for who sends the same payment again."""
        self._till.keep(text=answer, status=status, now=now)

    def release(self, *, row: Endpoint, settled: bool, now: datetime) -> None:
        """Give the payment back."""
        self._till.free(now=now)


def _told_once(claim_id: int) -> DomainError:
    """Say what a payer does whose secret did not arrive.

    Not done for them: who reads the chain can send a settled payment again, and a client that
    retries may have been answered meanwhile.
    """
    session = StreamSession.objects.get(claim=claim_id)
    return problems.NeverKept(
        "This payment was answered: the secret was told once and is kept nowhere. If it did not "
        f"reach you, end the session: POST stream/{session.session_id}/close with another payment "
        "that your wallet signs now. It is looked at and not taken, and what is left is owed back. "
        "Under a random Idempotency-Key a secret is told again."
    )


class PayerTicket(Ticket):
    """A call for what a wallet paid for: its signature says who asks, and nothing is taken.

    What ends something takes a signature that nobody has seen: the chain tells those of payments
    that were settled.
    """

    def __init__(self, *, payment: Payment, request: HttpRequest, window: Any) -> None:
        super().__init__(Caller(f"payer:{payment.payer}", PAYER, payment.payer), window.headers())
        self._payment, self._request = payment, request

    def verify(
        self, *, row: Endpoint, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Hold the signature against the wallet; PayerNotProved (401).

        A payment that was taken here does not grow too old. One of a contract wallet is refused:
        nobody but its chain can say who signed it.
        """
        payment = self._payment
        address = self._request.build_absolute_uri(self._request.path)
        terms = facilitators.terms(amount=payment.value, resource=address, about=row.summary)
        if row.method != "GET" and claims.of(payment, terms.network).exists():
            raise problems.PayerNotProved(
                "This payment was sent before. Sign another one now; it is not taken."
            )
        moment, good_until = int(now.timestamp()), payment.valid_before - SOONEST
        if moment > good_until and claims.taken(payment=payment, network=terms.network):
            moment = good_until
        if not is_plain(payment) or fault(payment=payment, terms=terms, now=moment):
            raise problems.PayerNotProved(
                "Show a payment to us that your wallet signed: the one that was paid with, or "
                "another that is valid now. It is not taken."
            )
        return None


class PaymentGate:
    """Lets in who sends a payment, where the row takes payments or is about what was paid for."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the ticket of a payment that can be read; it is judged after the request."""
        wanted = row.access.pays or row.access.payer
        facilitator = facilitators.facilitator() if wanted else None
        payment = presented(request.headers) if facilitator else None
        if facilitator is None or payment is None:
            return None
        window = limits.hit(
            bucket=f"paid:{limits.client_address(request)}",
            limit=settings.PAID_RATE_PER_MINUTE,
            now=now,
        )
        if not row.access.pays:
            return PayerTicket(payment=payment, request=request, window=window)
        return PaymentTicket(
            payment=payment,
            facilitator=facilitator,
            request=request,
            window=window,
            account=beside(row=row, request=request, now=now),
        )

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Ask for a payment, once it is known for what."""
        if not row.access.pays:
            return None
        if facilitators.facilitator() is None:
            if row.access.keys:
                return None
            return problems.PaymentsUnavailable("This installation takes no payments.")
        if values is None:
            limits.refuse(request=request, now=present())  # once a call: it is asked twice
            beside(row=row, request=request, now=present())  # no price for who cannot be told
            return problems.PaymentRequired("Send a payment.")
        return asked(terms_of(row, request, values))


class SessionTicket(Ticket):
    """A call that a stream session pays for, or that asks for what is the session's.

    What a session paid for is told again when its credit is spent, and after its end.
    """

    retold: ClassVar[bool] = True

    def __init__(
        self, *, session: StreamSession, request: HttpRequest, window: Any, account: str = ""
    ) -> None:
        caller = Caller(session.owner, SESSION, session.payer, account=account)
        super().__init__(caller, window.headers())
        self._session, self._request = session, request

    def verify(
        self, *, row: Endpoint, values: Mapping[str, Any], now: datetime
    ) -> HttpResponse | None:
        """Refuse a call that costs more than is left, before any work is done for it.

        Raises UnknownSession (401) for a session that has ended.
        """
        if row.access.pays and not self._session.usable(now):
            raise _unknown()
        if row.access.pays and self._session.balance < self._price(row):
            raise problems.asking(
                problems.CreditSpent,
                terms_of(row, self._request, values),
                error="payment_required",
                detail=f"The session has {self._session.balance} USDC left, less than this costs.",
            )
        return None

    def charge(self, *, row: Endpoint, answer: str, status: int, now: datetime) -> None:
        """Take the price of the call, last in its transaction: without it there is no call."""
        if row.access.pays:
            sessions.pay_call(
                session=self._session, amount=self._price(row), resource=row.name, now=now
            )

    def _price(self, row: Endpoint) -> Decimal:
        assert isinstance(row.access.price, Unit)  # the gate has looked
        return from_micro(row.access.price.due({}))


def _unknown() -> DomainError:
    return problems.UnknownSession("The session is unknown, closed or expired.")


class SessionGate:
    """Lets in who holds a stream session, where the row takes payments or is about sessions."""

    def admit(self, *, row: Endpoint, request: HttpRequest, now: datetime) -> Ticket | None:
        """Return the ticket of the session; 401 for a secret of none.

        A payment beside it pays for the call: who met a 402 sends what was asked.
        """
        pays = row.access.pays and isinstance(row.access.price, Unit)
        secret = request.headers.get(SESSION_HEADER, "")
        if not secret or not (pays or row.access.session):
            return None
        if pays and facilitators.facilitator() and presented(request.headers):
            return None
        session = sessions.find(secret)
        if session is None:
            limits.refuse(request=request, now=now)
            raise _unknown()
        window = limits.hit(
            bucket=f"session:{session.pk}", limit=settings.PAID_RATE_PER_MINUTE, now=now
        )
        account = beside(row=row, request=request, now=now)
        return SessionTicket(session=session, request=request, window=window, account=account)

    def challenge(
        self, *, row: Endpoint, request: HttpRequest, values: Mapping[str, Any] | None
    ) -> DomainError | None:
        """Say that a session is needed, where nothing else leads in."""
        if not row.access.session or row.access.keys or row.access.pays:
            return None
        also = ", or a payment that its wallet signs now in X-PAYMENT" if row.access.payer else ""
        return problems.MissingSession(
            f"Send a session's secret in the header {SESSION_HEADER}{also}."
        )
