"""Payee checks in the search of every page, in holds, and on the page of their wallet."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse

from apps.compliance.payees.models.payee_checks import VopCheck
from apps.compliance.payees.views.payee_check_list import RESULTS, build_payee_check_rows
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk.search import SearchGroup, SearchHit

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN = 10  # checks of a wallet on its page


def search_payee_checks(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find a payee check by its requestId, whole."""
    if not user.has_perm("registry.view_vopcheck"):
        return None
    vop_checks = VopCheck.objects.filter(request_id=number) if (number := parse_uuid(text)) else ()
    address = reverse("admin:registry_vopcheck_changelist")
    return SearchGroup(
        "Payee checks",
        "registry.vopcheck",
        [_build_hit(vop_check) for vop_check in vop_checks],
        "",
        address,
    )


def _build_hit(check: VopCheck) -> SearchHit:
    request = check.data.get("request", {})
    name = request.get("submittedName") or "payload purged"
    at = f"{check.recorded_at:%d %b %Y %H:%M} UTC"
    result = RESULTS.get(check.result, check.result)
    detail = " · ".join((result, check.wallet, at, str(check.request_id)))
    address = reverse("admin:registry_vopcheck_change", args=[check.pk])
    return SearchHit(name, detail, address, True, f"payee_checks:{check.pk}")


def label_payee_checks(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return payee checks by requestId and day, without the name, and where they are."""
    vop_checks = VopCheck.objects.filter(pk__in=numbers)
    return {
        pk: (
            f"Payee check {number} of {at:%d %b %Y}",
            reverse("admin:registry_vopcheck_change", args=[pk]),
        )
        for pk, number, at in vop_checks.values_list("pk", "request_id", "recorded_at")
    }


def build_wallet_panel(wallet: str, user: "User") -> dict[str, Any] | None:
    """Return the last checks of a wallet for its page, None for who may not see them."""
    if not user.has_perm("registry.view_vopcheck"):
        return None
    vop_checks = list(VopCheck.objects.filter(wallet=wallet).order_by("-pk")[: SHOWN + 1])
    page = reverse("admin:registry_vopcheck_changelist")
    return {
        "template": "payees/vop/of_wallet.html",
        "rows": build_payee_check_rows(vop_checks[:SHOWN], user=user),
        "more": f"{page}?{urlencode({'wallet': wallet})}" if vop_checks else "",
    }
