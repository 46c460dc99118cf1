"""Addresses of the benchmark's server: the platform's own, the ceiling and a bare view beside them.

The ceiling is the payee check's own row that looks nothing up: the same payment, the same shapes,
attestation and inserts, as of a wallet that nobody registered. The bare view is what a plain
Django view costs that finds a registration and inserts a check: nobody pays, nothing is compared,
signed or sealed.
"""

import json
import uuid
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from apps.compliance.payees.api.viewsets import PayeeCheckViewSet
from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.rules import payee_check as rules
from apps.compliance.payees.vop.selectors import PayeeCheckInputs, PayeeCheckRequest
from apps.platform.common.clock import now
from benchmarks.ceiling_views import ceiling_urls
from config.urls import urlpatterns as platform


def gather(*, asked: PayeeCheckRequest, now: datetime) -> PayeeCheckInputs:
    """Look nothing up."""
    facts = rules.PayeeCheckFacts(registered=False)
    return PayeeCheckInputs(None, facts, rules.judge_payee_check(facts))


@csrf_exempt
def bare(request: HttpRequest) -> JsonResponse:
    """One SELECT by wallet, one transaction with the insert of a check."""
    asked: dict[str, Any] = json.loads(request.body)
    row = Registration.objects.of(asked["walletAddress"])
    same = row is not None and row.legal_name == asked["submittedName"]
    body = {"requestId": str(uuid.uuid4()), "result": "VERIFIED" if same else "BLOCKED"}
    with transaction.atomic():
        VopCheck.objects.create(
            payload=json.dumps({"request": asked, "response": body}),
            salt=uuid.uuid4().hex,
            recorded_at=now(),
            request_id=body["requestId"],
            owner="bare",
            wallet=asked["walletAddress"],
            result=body["result"],
            score=100 if same else 0,
            resolved_by="NAME_MATCH",
            rules_version="bare",
        )
    return JsonResponse(body)


CEILING = ceiling_urls("compliance", PayeeCheckViewSet, gather=gather)
urlpatterns = [path("bare", bare), *CEILING, *platform]
