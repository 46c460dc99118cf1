"""Restrict examiners to their engagement, and put their name on every page that they open."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.payments.travelrule.engagements.scope import load_examiner_access
from apps.platform.common.clock import now

DESK_PREFIX = "/admin/"
# content types of what an examiner may read: pages, and files that are downloaded
DOWNLOAD_TYPES = (
    "text/html", "application/zip", "application/octet-stream", "text/plain", "text/csv",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)  # fmt: skip


class ExaminerMiddleware:
    """Guard every page of the desk for users who examine under an engagement.

    Each page that they open is recorded as read, even one without personal data.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(DESK_PREFIX) or not request.user.is_authenticated:
            return self.get_response(request)
        # an account without access must still be able to sign out
        if request.path == reverse("admin:logout"):
            return self.get_response(request)
        moment, user = now(), request.user
        access = load_examiner_access(user, moment)
        if access.refused:
            frame: dict[str, Any] = admin.site.each_context(request)
            # the page has the frame of the desk, without its menu, search and counts
            frame |= {"available_apps": [], "has_permission": False, "approves": False}
            shown = {"title": "Your account has no access now", "words": access.refused}
            return render(request, "travelrule/outside.html", frame | shown, status=403)
        if access.engagement is None:
            return self.get_response(request)
        text = f"{user.get_full_name() or user.get_username()} · {access.engagement.authority}"
        request.watermark = f"{text} · {moment:%d %b %Y %H:%M:%S} UTC"  # type: ignore[attr-defined]
        response = self.get_response(request)
        kind = response.get("Content-Type", "").partition(";")[0]
        # a page of a personal model has set it already, with the record that was shown
        if kind in DOWNLOAD_TYPES and not hasattr(request, "opened"):
            request.opened = ("travelrule.engagement", str(access.engagement.pk))  # type: ignore[attr-defined]
        return response
