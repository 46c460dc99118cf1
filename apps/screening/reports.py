"""The endpoints beside the combined screen: ownership, PEP, calendar (document 1 §2.6, §2.9)."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access import metering
from apps.access.auth import FreeView, KeyView, principal
from apps.access.models import Kind
from apps.core.clock import now
from apps.core.idempotency import Claim, idempotent
from apps.core.shapes import Country, Flag, Lei, Number, OneOf, Shape, Text, Whole
from apps.screening import pep, ubo
from apps.screening.calendar import as_body
from apps.screening.serializers import PartyName
from apps.screening.views import UNAVAILABLE


class ReportView(KeyView):
    """A report that is looked up or made, billed once, and never changed by being read."""

    key_kinds = (Kind.SUBSCRIPTION,)
    problems = UNAVAILABLE

    def answer(
        self, request: Request, claim: Claim, unit: str, make: Callable[[], Any]
    ) -> Response:
        """Make the report outside any transaction, then bill it with the stored answer."""
        body = make()
        account = principal(request).account_id
        with transaction.atomic():
            claim.complete(body)
            metering.count(account_id=account, unit=unit, now=now())
        return Response(body)


class UboIn(Shape):
    """Whose owners; `deep` adds the nodes between the direct and the ultimate parent."""

    lei = Lei()
    deep = Flag(required=False, default=False)


class UboNodeOut(Shape):
    """An entity of the chain with its sanctions result."""

    lei = Text()
    name = Text()
    role = OneOf(choices=("SUBJECT", "DIRECT_PARENT", "INTERMEDIATE", "ULTIMATE_PARENT"))
    jurisdiction = Text(allow_null=True)
    lei_status = Text(allow_null=True)
    country_label = Text()
    sanctions = serializers.DictField()


class UboOut(Shape):
    """The ownership report; `fatfAttestation` is signed, its keys at /.well-known/jwks.json."""

    result = OneOf(choices=("CLEAR", "REVIEW_REQUIRED", "BLOCKED"))
    reasons = serializers.ListField(child=Text())
    chain = UboNodeOut(many=True)
    deep = Flag()
    gaps = serializers.ListField(child=serializers.DictField())
    sanctions_matches = serializers.ListField(child=serializers.DictField())
    fatf_attestation = serializers.DictField()
    data_quality = OneOf(choices=("LIVE", "SAMPLE"))
    list_versions = serializers.DictField()
    cached_at = Whole()


class UboChainView(ReportView):
    """Screens an entity and its owners up to the ultimate parent; kept 24 hours (1 §2.6, §8).

    404 `lei_unknown` when GLEIF has no such LEI; 503 `lei_unavailable` when nobody could be asked.
    """

    problems = UNAVAILABLE | {404: "lei_unknown"}

    @extend_schema(
        operation_id="ubo_chain",
        request=UboIn,
        responses=UboOut,
        examples=[
            OpenApiExample("a subsidiary", {"lei": "5493001KJTIIGC8Y1R12"}, request_only=True)
        ],
    )
    @idempotent
    def post(self, request: Request, *, claim: Claim) -> Response:
        asked = self.read(UboIn, request)
        return self.answer(request, claim, "ubo_chain", lambda: ubo.report(**asked, now=now()))


class PepIn(Shape):
    """Whom to look for; `country` narrows the results, `position` serves the confidence."""

    name = PartyName()
    country = Country(required=False, default="")
    position = Text(required=False, default="", allow_blank=True, max_length=200)


class PepMatchOut(Shape):
    """A listed office holder."""

    name = Text()
    position = Text(allow_null=True)
    country = Text(allow_null=True)
    since = Text(allow_null=True)
    until = Text(allow_null=True)
    current = Flag(allow_null=True)  # type: ignore[call-arg]
    score = Number()
    confidence = Number()
    risk_level = Text()
    rule = Text()
    dataset = Text()
    entity_id = Text()


class PepReportOut(Shape):
    """The PEP report; `eddRequired` follows FATF R.12 for HIGH and MEDIUM."""

    risk_level = OneOf(choices=("HIGH", "MEDIUM", "LOW", "NONE"))
    pep_matches = PepMatchOut(many=True)
    match_count = Whole()
    edd_required = Flag()
    fatf_r12 = serializers.DictField()
    data_quality = OneOf(choices=("LIVE", "SAMPLE"))
    list_versions = serializers.DictField()
    cached_at = Whole()


class PepScreenView(ReportView):
    """Looks for politically exposed persons of a name; kept 6 hours (1 §2.6, §8)."""

    @extend_schema(
        operation_id="pep_screen",
        request=PepIn,
        responses=PepReportOut,
        examples=[
            OpenApiExample("by name", {"name": "Keir Starmer", "country": "GB"}, request_only=True)
        ],
    )
    @idempotent
    def post(self, request: Request, *, claim: Claim) -> Response:
        asked = self.read(PepIn, request)
        return self.answer(request, claim, "pep_screen", lambda: pep.report(**asked, now=now()))


class EventOut(Shape):
    """A duty and when it begins; `effectiveDate` is null for what is only proposed."""

    id = Text()
    framework = Text()
    label = Text()  # type: ignore[assignment]
    event = Text()
    effective_date = Text(allow_null=True)
    effective = Text()
    status = OneOf(choices=("IN_FORCE", "UPCOMING", "PROPOSED"))
    jurisdictions = serializers.ListField(child=Text())
    summary = Text()
    svc_alignment = Text()
    source = Text()  # type: ignore[assignment]


class CalendarOut(Shape):
    """The calendar of one version; checked as of `asOf`."""

    version = Text()
    as_of = Text()
    events = EventOut(many=True)


class CalendarView(FreeView):
    """Lists 16 regulatory events and the feature that addresses each (1 §2.9). Free."""

    @extend_schema(operation_id="regulatory_calendar", responses=CalendarOut)
    def get(self, request: Request) -> Response:
        return Response(as_body(now()))
