"""Pay per call for plain views of Django REST framework: one declaration on the class.

    class Forecast(Paid, APIView):
        payment = Price("0.075")

        def get(self, request): ...

It needs this app, its migrations and its settings, and nothing of rows or pipelines.
"""

import hashlib
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.access.paywall import configured_facilitator, problems
from apps.access.paywall.services import payment_claims
from apps.access.paywall.services.call_payment import (
    CallPayment,
    build_payment_required,
    parse_presented_payment,
    serialize_answer,
)
from apps.access.paywall.x402.terms import Terms
from apps.platform.common import clock
from apps.platform.common.money import to_micro
from apps.platform.common.problems import DomainError, respond_with_problem
from apps.platform.crypto.canonical import canonical_digest

FREE = "OPTIONS"  # reports that a view allows a method, and is answered without running it


class Price:
    """What one call costs in USDC: a text or a Decimal of at most six decimals, never a float."""

    def __init__(self, amount: str | Decimal) -> None:
        if not isinstance(amount, str | Decimal):
            raise TypeError("write a price as a text, such as '0.075'")
        try:
            self.micro = to_micro(Decimal(amount))
        except InvalidOperation:
            raise ValueError(f"{amount!r} is not a price") from None
        if self.micro <= 0:
            raise ValueError("a price must be above zero")


class _AlreadyAnswered(Exception):
    """The payment was answered before, so the handler does not run."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


class Paid(APIView):
    """A view whose calls cost `payment`; refused and failed calls are free.

    The order is `check` → the payment is claimed → the method → the payment is settled → `paid`.
    The method may wait and compute; its writes persist even if the payment then fails, so writes
    that depend on the money belong into `paid`. `request.payer` is the wallet that pays. HEAD
    returns the price and never runs the method. Put it before APIView and other bases.
    """

    payment: ClassVar[Price]
    _till: CallPayment | None = None
    _now: datetime

    @classmethod
    def as_view(cls, *given: Any, **more: Any) -> Any:
        """Return the view, outside any transaction of the request.

        ImproperlyConfigured for a class without a price, which would be free.
        """
        # with ATOMIC_REQUESTS a later error would undo the claim, but not the payment: see
        # transitions.claim_payment
        if not isinstance(getattr(cls, "payment", None), Price):
            raise ImproperlyConfigured(f'{cls.__name__} has no price: payment = Price("0.01").')
        return transaction.non_atomic_requests(super().as_view(*given, **more))

    def check(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse an invalid request before a payment is requested; raises as views do."""

    def paid(self, request: Request, response: HttpResponse) -> None:
        """Write what the payment bought, in the transaction that stores the answer."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        self._now = clock.now()
        try:
            return super().dispatch(request, *args, **kwargs)
        # also on SystemExit: else the lease would hold the payment for 90 s
        except BaseException:
            self._free()
            raise

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        body = request._request.body  # read before a form is parsed, which would consume it
        super().initial(request, *args, **kwargs)
        # after authentication, permissions and throttles of the view: none of them costs the caller
        # anything
        if request.method != FREE:
            self.check(request, *args, **kwargs)
            self._take(request, body)

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, _AlreadyAnswered):
            return exc.response
        return (
            respond_with_problem(exc)
            if isinstance(exc, DomainError)
            else super().handle_exception(exc)
        )

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        done: Any = super().finalize_response(request, response, *args, **kwargs)
        till = self._till
        if till is None or till.claim is None:
            return self._add_payment_headers(done)
        # the method refused or failed, and nothing was settled yet
        if done.status_code >= 400:
            self._free()
            return self._add_payment_headers(done)
        try:
            self._settle(request, done, till)
        except DomainError as error:
            self._free()
            done = respond_with_problem(error)
        return self._add_payment_headers(done)

    def _take(self, request: Request, body: bytes) -> None:
        facilitator = configured_facilitator.get_facilitator()
        if facilitator is None:
            raise problems.PaymentsUnavailable("This installation does not accept payments.")
        payment, terms = parse_presented_payment(request.headers), self._terms(request)
        # Django runs `get` for HEAD: it would be charged for an answer without a body
        if payment is None or request.method == "HEAD":
            raise build_payment_required(terms)
        self._till = CallPayment(payment, facilitator)
        key = request.headers.get("Idempotency-Key", "")
        sent = hashlib.sha256(body).hexdigest()
        stored = self._till.take(
            terms=terms,
            # as long as the column
            resource=type(self).__qualname__[:100],
            fingerprint=canonical_digest([request.method, request.get_full_path(), sent, key]),
            kept=payment_claims.KEPT if key else payment_claims.KEPT_BARE,
            now=self._now,
        )
        if stored is not None:
            raise _AlreadyAnswered(stored)
        request.payer = payment.payer  # type: ignore[attr-defined]

    def _terms(self, request: Request) -> Terms:
        about = (type(self).__doc__ or type(self).__name__).strip().split("\n", 1)[0]
        address = request.build_absolute_uri(request.path)
        return configured_facilitator.build_terms(
            amount=self.payment.micro, resource=address, about=about
        )

    def _settle(self, request: Request, response: Any, till: CallPayment) -> None:
        if response.streaming:  # before the money is taken: such an answer could not be repeated
            raise TypeError("a paid answer must be complete: give its content, not a stream")
        # a response of DRF renders late; an error in it must come before the money is taken
        if hasattr(response, "render"):
            response.render()
        till.settle(now=self._now)
        with transaction.atomic():
            self.paid(request, response)
            till.keep(text=serialize_answer(response), status=response.status_code, now=self._now)

    def _free(self) -> None:
        if self._till is not None:
            self._till.free(now=self._now)

    def _add_payment_headers(self, response: HttpResponse) -> HttpResponse:
        # setdefault: a header that the view set itself wins
        for name, value in (self._till.headers if self._till else {}).items():
            response.headers.setdefault(name, value)
        # a shared cache would give away what one caller paid for
        response.headers["Cache-Control"] = "no-store"
        return response
