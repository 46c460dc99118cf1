"""Addresses of staff sign-in, below /admin/account/."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.desk.guard import guarded
from apps.staff import entering, pages, sign_on

app_name = "staff"


def _for_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view for who is signed in; asked late, since the site is made late."""

    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        found: HttpResponse = admin.site.admin_view(view)(request, *args, **kwargs)
        return found

    return inner


urlpatterns = [
    path("second/", guarded(entering.second), name="second"),
    path("sign-on/", guarded(sign_on.start), name="sign_on"),
    path("sign-on/back/", guarded(sign_on.back), name="sign_on_back"),
    path("prove/", _for_staff(entering.prove), name="prove"),
    path("go-on/", _for_staff(entering.go_on), name="go_on"),
    path("", _for_staff(pages.security), name="security"),
    path("app/", _for_staff(pages.app), name="app"),
    path("passkey/", _for_staff(pages.passkey), name="passkey"),
    path("recovery/", _for_staff(pages.recovery), name="recovery"),
    path("remove/<id:pk>/", _for_staff(pages.remove), name="remove"),
    path("sign-ins/", _for_staff(pages.sign_ins), name="sign_ins"),
]
