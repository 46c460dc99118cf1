"""Viewsets of fees and quotes (document 3 section 4)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.insight.stability.fees import fee_schedule, fee_verification, manifest
from apps.insight.stability.fees.presenters import serialize_quote
from apps.insight.stability.fees.rules.fees import Fees, compute_fees
from apps.insight.stability.fees.serializers import (
    FeeScheduleOut,
    ManifestOut,
    QuoteIn,
    QuoteOut,
    VerifyFeesOut,
)
from apps.insight.stability.fees.services import quotes
from apps.insight.stability.fees.services.quotes import QuoteRequest
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import Access, operation
from apps.platform.api.viewsets import OperationViewSet

SERVICE = fee_schedule.SERVICE
KEPT = {"Cache-Control": "How long the answer may be cached; it changes only with a release."}
CACHED = {"Cache-Control": "public, max-age=300"}
EXAMPLE: Mapping[str, Any] = {"amountUsd": 10000, "esgScore": 80, "monthlyVolumeUsd": 250000}


class ManifestViewSet(OperationViewSet):
    """The description of the service for programs (document 3 section 2.3)."""

    @operation(
        "manifest",
        spec="3 §2.3",
        access=Access(open=True),
        response=ManifestOut,
        response_headers=KEPT,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Describes this service for programs: rates, contracts, addresses. Free."""
        return self.run(lambda **_: Answer(manifest.build_manifest(), headers=CACHED))


class FeeScheduleViewSet(OperationViewSet):
    """The fee table (document 3 section 2.1)."""

    @operation(
        "fee-schedule",
        spec="3 §2.1",
        access=Access(open=True),
        response=FeeScheduleOut,
        response_headers=KEPT,
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the whole fee table, with volume tiers and worked scenarios. Free."""
        return self.run(lambda **_: Answer(fee_schedule.build_fee_schedule(), headers=CACHED))


# GET and POST take the same parameters and answer the same
QUOTE: dict[str, Any] = {
    "spec": "3 §2.2",
    "access": Access(open=True),
    "request": QuoteIn,
    "response": QuoteOut,
    "example": EXAMPLE,
}


class QuoteViewSet(OperationViewSet):
    """Quotes of fees, by query or by body (document 3 section 2.2)."""

    @operation("quote", **QUOTE)
    def list(self, request: Request) -> HttpResponseBase:
        """Returns the price of a settlement, binding for 300 seconds. Free.

        Send `quoteId` to the settlement router, which uses it once, and only for this payment. GET
        and POST take the same parameters and return the same answer.
        """
        return self.run(price_quote, conclude_quote, quotes.parse_quote_request)

    @operation("quote-post", **QUOTE, description=list.declared["description"])  # type: ignore[attr-defined]
    def create(self, request: Request) -> HttpResponseBase:
        return self.list(request)


class FeeVerificationViewSet(OperationViewSet):
    """Fees as the contract previews them (document 3 section 4)."""

    @operation(
        "verify-fees",
        spec="3 §4",
        access=Access(open=True),
        request=QuoteIn,
        response=VerifyFeesOut,
        example=EXAMPLE,
        problems=(fee_verification.FeeContractUnavailable,),
    )
    def list(self, request: Request) -> HttpResponseBase:
        """Checks whether the fee contract's preview agrees with a quote. Free.

        It takes the parameters of a quote, and stores none. A contract that does not answer is 503,
        never a yes; a sandbox without one says that no chain was queried.
        """
        return self.run(
            fee_verification.gather_fee_comparison,
            fee_verification.conclude_fee_comparison,
            quotes.parse_quote_request,
        )


def price_quote(*, asked: QuoteRequest, now: datetime) -> Fees:
    """Return what a payment costs."""
    return compute_fees(asked.payment)


def conclude_quote(
    *, asked: QuoteRequest, gathered: Fees, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Store the quote and return it; see QuoteOut."""
    return serialize_quote(quotes.create_quote(asked=asked, priced=gathered, now=now), gathered)
