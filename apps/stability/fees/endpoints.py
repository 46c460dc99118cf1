"""The endpoints of fees and quotes (document 3 section 4)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from apps.core.callers import Caller
from apps.core.endpoints import Access, Endpoint, Method
from apps.core.pipeline import Answer
from apps.stability.fees import quoting, schedule, verifying
from apps.stability.fees.quoting import Asked
from apps.stability.fees.serializers import (
    FeeScheduleOut,
    ManifestOut,
    QuoteIn,
    QuoteOut,
    VerifyFeesOut,
)
from apps.stability.fees.telling import quote_said
from apps.stability.rules.fees import Fees, fees

SERVICE = schedule.SERVICE
KEPT = {"Cache-Control": "How long the answer may be kept: it changes with a release alone."}
EXAMPLE: Mapping[str, Any] = {"amountUsd": 10000, "esgScore": 80, "monthlyVolumeUsd": 250000}
ABOUT_QUOTE = (
    "Tells what a settlement costs, and binds it for 300 seconds. Free.\n\n"
    "`quoteId` goes to the settlement router, which takes it once, and for this payment alone. "
    "GET and POST take the same parameters and answer the same."
)


def price(*, asked: Asked, now: datetime) -> Fees:
    """Return what a payment costs."""
    return fees(asked.payment)


def conclude_quote(
    *, asked: Asked, gathered: Fees, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Store the quote and return it; see QuoteOut."""
    return quote_said(quoting.give(asked=asked, priced=gathered, now=now), gathered)


def conclude_schedule(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the fee table; see FeeScheduleOut."""
    return Answer(schedule.schedule(), headers={"Cache-Control": "public, max-age=300"})


def conclude_manifest(*, asked: Any, gathered: Any, caller: Caller, now: datetime) -> Answer:
    """Return the manifest; see ManifestOut."""
    return Answer(schedule.manifest(), headers={"Cache-Control": "public, max-age=300"})


def _quote(name: str, method: Method) -> Endpoint:
    return Endpoint(
        name=name,
        method=method,
        path="quote",
        service=SERVICE,
        spec="3 §2.2",
        about=ABOUT_QUOTE,
        access=Access(open=True),
        asks=QuoteIn,
        make=quoting.asked_of,
        answers=QuoteOut,
        example=EXAMPLE,
        gather=price,
        conclude=conclude_quote,
    )


ENDPOINTS = (
    Endpoint(
        name="manifest",
        method="GET",
        path="manifest",
        service=SERVICE,
        spec="3 §2.3",
        about="Tells programs what this service is: rates, contracts, addresses. Free.",
        access=Access(open=True),
        answers=ManifestOut,
        conclude=conclude_manifest,
        headers=KEPT,
    ),
    Endpoint(
        name="fee-schedule",
        method="GET",
        path="fee-schedule",
        service=SERVICE,
        spec="3 §2.1",
        about="Gives the whole fee table, with volume tiers and worked scenarios. Free.",
        access=Access(open=True),
        answers=FeeScheduleOut,
        conclude=conclude_schedule,
        headers=KEPT,
    ),
    _quote("quote", "GET"),
    _quote("quote-post", "POST"),
    Endpoint(
        name="verify-fees",
        method="GET",
        path="verify-fees",
        service=SERVICE,
        spec="3 §4",
        about="Tells whether the fee contract previews what a quote says. Free.\n\n"
        "It takes what a quote takes, and stores none. A contract that does not answer is 503 and "
        "never a yes; a sandbox without one says that no chain was asked.",
        access=Access(open=True),
        asks=QuoteIn,
        make=quoting.asked_of,
        answers=VerifyFeesOut,
        example=EXAMPLE,
        gather=verifying.gather,
        conclude=verifying.conclude,
        problems=(verifying.FeeContractUnavailable,),
    ),
)
