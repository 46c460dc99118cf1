"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the screen's own row that looks nothing up. The bare view is what a plain Django
view costs that finds a key, checks it, and makes the same inserts in one transaction: no shapes,
no rates, no idempotency, no evidence.
"""

import hashlib
import json
import time
import uuid
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from apps.access.keys import metering
from apps.access.keys.models import LOOKUP_LENGTH, ApiKey
from apps.compliance.screening.api.viewsets import ScreenViewSet
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules.screen import ScreenFacts
from apps.platform.common.clock import now
from apps.reference.watchlists import engine
from apps.reference.watchlists.matches import LookupResult
from apps.reference.watchlists.models import Party
from benchmarks.ceiling_views import ceiling_urls
from config import prices
from config.urls import urlpatterns as platform


@cache
def nothing_found() -> ScreenInputs:
    """Return what gathering gives when no check ran: made once, so it costs nothing."""
    facts = ScreenFacts(source="US", source_label="STANDARD")
    return ScreenInputs(
        facts, engine.load_current_engine(now()), LookupResult(), (), None, (), None
    )


def gather(*, asked: Any, now: Any) -> ScreenInputs:
    """Look nothing up."""
    return replace(nothing_found(), started=time.perf_counter())


# key, rate limit, validation and the same inserts as a screen, without looking anything up


@csrf_exempt
def bare(request: HttpRequest) -> JsonResponse:
    """One SELECT by key, one transaction with the inserts of a screen."""
    moment = now()
    secret = request.headers["X-API-Key"]
    start = len("svc_sub_")
    key = ApiKey.objects.get(lookup=secret[start : start + LOOKUP_LENGTH])
    if not key.matches(secret):
        return JsonResponse({}, status=401)
    body = {"screenId": str(uuid.uuid4()), "decision": "APPROVED", "screenedAt": str(moment)}
    with transaction.atomic():
        _insert(json.loads(request.body), body, f"account:{key.account_id}", moment)
        metering.count_billed_call(account_id=key.account_id, unit=prices.SCREEN, now=moment)
    return JsonResponse(body)


def _insert(asked: dict[str, Any], body: dict[str, str], owner: str, moment: datetime) -> None:
    name = asked["name"]
    Screen.objects.create(
        payload=json.dumps({"request": asked, "response": body}),
        salt=uuid.uuid4().hex,
        recorded_at=moment,
        screen_id=body["screenId"],
        owner=owner,
        decision="APPROVED",
        risk_score=0,
        rules_version="bare",
        lists="bare",
        sample=True,
    )
    party = Party(
        digest=hashlib.sha256(name.encode()).hexdigest(),
        kind="SCREENED",
        schema="Unknown",
        name=name,
        keys=name,
        first_seen=moment,
        last_seen=moment,
    )
    Party.objects.bulk_create(
        [party],
        update_conflicts=True,
        unique_fields=["digest"],
        update_fields=["last_seen", "reference"],
    )


CEILING = ceiling_urls("compliance", ScreenViewSet, gather=gather)
urlpatterns = [path("bare", bare), *CEILING, *platform]
