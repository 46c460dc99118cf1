"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the flow check's own row that looks nothing up: what the first flow came to is told
again. The bare view reads what no flow check can do without, the registration of a wallet with its
last event and its profile, and answers a few words.
"""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path

from apps.compliance.aml.models import WalletProfile
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.wallets import parse_wallet
from apps.payments.settlement import flow_check
from apps.payments.settlement.api.viewsets import FlowCheckViewSet
from apps.payments.settlement.check_judgements import FlowRequest
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform

_looked: list[Any] = []


def gather(*, asked: FlowRequest, now: datetime) -> Any:
    """Look nothing up, but for the first."""
    if not _looked:
        _looked.append(flow_check.run_flow_check(flow_request=asked, now=now))
    return _looked[0]


def bare(request: HttpRequest) -> JsonResponse:
    """Three SELECTs by key."""
    address = request.GET["recipientAddress"]
    row = Registration.objects.of(parse_wallet(address).address)
    event = RegistrationEvent.objects.filter(registration=row).order_by("-pk").first()
    wallet_profile = WalletProfile.objects.filter(wallet=address).first()
    decision = "PROCEED" if row and event and not wallet_profile else "HOLD"
    return JsonResponse({"decision": decision, "checks": [], "amount": request.GET["amount"]})


CEILING = ceiling_urls("settlement", FlowCheckViewSet, gather=gather)
urlpatterns = [path("bare", bare), *CEILING, *platform]
