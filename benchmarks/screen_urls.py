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

from apps.access import metering
from apps.access.models import LOOKUP_LENGTH, ApiKey
from apps.core.clock import now
from apps.core.endpoints import rows
from apps.core.views import addresses
from apps.screening.combined.gather import Gathered
from apps.screening.models import Screen
from apps.screening.rules.screen import Facts
from apps.watchlists import engine
from apps.watchlists.found import Found
from apps.watchlists.models import Party
from config.urls import urlpatterns as platform

SCREEN = next(row for row in rows("compliance") if row.name == "screen")


@cache
def nothing_found() -> Gathered:
    """Return what gathering gives when no check ran: made once, so it costs nothing."""
    facts = Facts(source="US", source_label="STANDARD")
    return Gathered(facts, engine.current(now()), Found(), (), None, (), None)


def gather(*, asked: Any, now: Any) -> Gathered:
    """Look nothing up."""
    return replace(nothing_found(), started=time.perf_counter())


# key, rate limit, validation and the same inserts as a screen, without looking anything up
CEILING = replace(SCREEN, name="ceiling", path="ceiling", gather=gather)


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
        metering.count(account_id=key.account_id, unit=SCREEN.access.price, now=moment)
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


urlpatterns = [path("bare", bare), *addresses((CEILING,)), *platform]
