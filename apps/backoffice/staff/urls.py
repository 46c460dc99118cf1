"""Addresses of staff sign-in, below /admin/account/."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.backoffice.staff.views import account, sign_in, sign_on
from apps.platform.desk.view_guards import guard_view

app_name = "staff"


def _for_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return a view for signed-in staff."""

    # when it is called, because the admin site does not exist yet when URLs are loaded
    def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = admin.site.admin_view(view)(request, *args, **kwargs)
        return response

    return inner


urlpatterns = [
    path("second/", guard_view(sign_in.ask_second_factor), name="second"),
    path("sign-on/", guard_view(sign_on.start_sign_on), name="sign_on"),
    path("sign-on/back/", guard_view(sign_on.finish_sign_on), name="sign_on_back"),
    path("prove/", _for_staff(sign_in.ask_identity_proof), name="prove"),
    path("go-on/", _for_staff(sign_in.resend_held_form), name="go_on"),
    path("", _for_staff(account.show_security), name="security"),
    path("app/", _for_staff(account.set_up_authenticator_app), name="app"),
    path("passkey/", _for_staff(account.set_up_passkey), name="passkey"),
    path("recovery/", _for_staff(account.show_new_recovery_codes), name="recovery"),
    path("remove/<id:pk>/", _for_staff(account.remove_own_factor), name="remove"),
    path("sign-ins/", _for_staff(account.manage_sign_ins), name="sign_ins"),
]
