"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the flow check's own row that looks nothing up: what the first flow came to is told
again. The bare view reads what no flow check can do without, the registration of a wallet with its
last event and its profile, and answers a few words.
"""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.urls import path

from apps.aml.models import WalletProfile
from apps.core.endpoints import rows
from apps.core.views import addresses
from apps.registry.models import Registration, RegistrationEvent
from apps.registry.wallets import read
from apps.settlement import flow
from apps.settlement.checks import Asked
from config.urls import urlpatterns as platform

FLOW = next(row for row in rows("settlement") if row.name == "flow-check")
_looked: list[Any] = []


def gather(*, asked: Asked, now: datetime) -> Any:
    """Look nothing up, but for the first."""
    if not _looked:
        _looked.append(flow.gather(asked=asked, now=now))
    return _looked[0]


CEILING = replace(FLOW, name="flow-ceiling", path="ceiling", gather=gather)


def bare(request: HttpRequest) -> JsonResponse:
    """Three SELECTs by key."""
    address = request.GET["recipientAddress"]
    row = Registration.objects.of(read(address).address)
    event = RegistrationEvent.objects.filter(registration=row).order_by("-pk").first()
    held = WalletProfile.objects.filter(wallet=address).first()
    decision = "PROCEED" if row and event and not held else "HOLD"
    return JsonResponse({"decision": decision, "checks": [], "amount": request.GET["amount"]})


urlpatterns = [path("bare", bare), *addresses((CEILING,)), *platform]
