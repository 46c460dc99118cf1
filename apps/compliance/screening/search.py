"""Screens in the search of every page: by screenId, reference, party, wallet and LEI, whole."""

from collections.abc import Collection
from datetime import datetime
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.models import FindKey, Screen
from apps.compliance.screening.models.screens import keys_of_search_text
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit, build_search_group

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_CLIENTS = 300  # whose references are looked up: one seek in the index for each


def search_screens(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find screens; a purged one keeps its screenId and is found by it."""
    if not user.has_perm("screening.view_screen"):
        return None
    number = parse_uuid(text)
    screens = Screen.objects.filter(screen_id=number) if number else find_screens(text)
    rows = list(screens[: SHOWN + 1])
    names = tenant_names.load_tenant_names({row.owner for row in rows})
    return build_search_group(
        "Screens",
        "screening.screen",
        rows,
        partial(_build_hit, names=names, exact=number is not None),
        more="All matching screens",
        q=text,
    )


def list_case_screens(number: int) -> tuple[str, list[int]]:
    """Return the screens that a hold on a case covers: its own, which has the payload."""
    refs = Case.objects.filter(pk=number, kind=KIND).values_list("ref", flat=True)
    uuids = [uuid for ref in refs if (uuid := parse_uuid(ref))]
    screens = Screen.objects.filter(screen_id__in=uuids).exclude(payload="").order_by("pk")
    return Screen.LEDGER, list(screens.values_list("pk", flat=True))


def find_record_page(user: "User", ref: str) -> tuple[str, str] | None:
    """Return the page of the screen that a case is about, for who may see screens."""
    number = parse_uuid(ref) if user.has_perm("screening.view_screen") else None
    if number is None:
        return None
    pk = Screen.objects.filter(screen_id=number).values_list("pk", flat=True).first()
    return ("Screen", reverse("admin:screening_screen_change", args=[pk])) if pk else None


def find_screens(text: str, owner: str = "") -> QuerySet[Screen]:
    """Return the screens of a party's whole name, wallet or LEI, or of a client's reference.

    With an owner a reference is that owner's alone; the screens are not narrowed to it.
    """
    about = FindKey.objects.filter(key__in=keys_of_search_text(text)).values("screen_id")
    # a union: an OR over two tables would read every screen
    return Screen.objects.filter(pk__in=about.union(_find_ids_by_reference(text, owner)))


def _find_ids_by_reference(text: str, owner: str) -> QuerySet[Any, Any]:
    """Return the ids of screens by a reference: of one owner, or of the newest MOST_CLIENTS."""
    clients = tenant_names.list_tenant_refs(most=MOST_CLIENTS)
    # a reference is stored as a digest with its owner: each client is one seek in the index, and
    # the screens that are hidden from its keys another
    owners = (
        [owner]
        if owner
        else [
            client_owner
            for ref in clients
            for client_owner in tenant_names.list_owners_for_tenant(ref)
        ]
    )
    if not (owners and text):
        return Screen.objects.order_by().none().values("pk")
    keys = {
        client_owner: Screen.key_of(owner=client_owner, reference=text) for client_owner in owners
    }
    own = reduce(
        or_, (Q(owner=client_owner, reference_key=key) for client_owner, key in keys.items())
    )
    return Screen.objects.filter(own).order_by().values("pk")


def _build_hit(screen: Screen, names: dict[str, str], exact: bool) -> SearchHit:
    request = screen.data.get("request", {})
    columns = (
        screen.decision.capitalize(),
        names.get(screen.owner, screen.owner),
        request.get("reference", ""),
        f"{screen.recorded_at:%d %b %Y %H:%M} UTC",
        str(screen.screen_id),
    )
    address = reverse("admin:screening_screen_change", args=[screen.pk])
    name, detail = request.get("name") or "payload purged", " · ".join(filter(None, columns))
    return SearchHit(name, detail, address, exact, f"screens:{screen.pk}")


def label_screens(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return screens by screenId and day, without their party, and where they are."""
    rows = Screen.objects.filter(pk__in=numbers).values_list("pk", "screen_id", "recorded_at")
    return {
        pk: (
            f"Screen {number} of {at:%d %b %Y}",
            reverse("admin:screening_screen_change", args=[pk]),
        )
        for pk, number, at in rows
    }
