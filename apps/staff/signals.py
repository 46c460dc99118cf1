"""What happens with a sign-in when Django signs in or out, or a password or account changes."""

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models.signals import post_save
from django.http import HttpRequest

from apps.core.clock import now
from apps.staff import actions, browser
from apps.staff.models import SignIn


class EndsSignIns:
    """No judge of passwords: Django tells those who are named among them of each change."""

    def validate(self, password: str, user: Any = None) -> None:
        """Let every password pass."""

    def get_help_text(self) -> str:
        return "A new password ends your sign-ins elsewhere."

    def password_changed(self, password: str, user: Any = None) -> None:
        """End the sign-ins of somebody whose password changed; their own browser goes on."""
        if user is not None and user.pk:
            actions.end(rows=SignIn.objects.filter(user_id=user.pk))


def connect() -> None:
    """Listen to Django."""
    user_logged_in.connect(_entered, dispatch_uid="staff_entered")
    user_logged_out.connect(_left, dispatch_uid="staff_left")
    post_save.connect(_saved, sender=User, dispatch_uid="staff_saved")


def _entered(*, request: HttpRequest, user: User, **_: Any) -> None:
    browser.begin(request=request, user=user, now=now())


def _left(*, request: HttpRequest, **_: Any) -> None:
    if key := request.session.session_key:
        SignIn.objects.filter(key=key).delete()


def _saved(*, instance: User, created: bool, **_: Any) -> None:
    if not created and not instance.is_active:
        actions.end(rows=SignIn.objects.filter(user=instance))
