"""Staff who sign in with passwords and second factors, as tests need them."""

from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.staff import second_factor_codes, services
from apps.platform.desk.role_sync import ensure_staff_user

PASSWORD = "a long password"
LOGIN, SECOND = "/admin/login/", "/admin/account/second/"
PROVE, SECURITY = "/admin/account/prove/", "/admin/account/"
CLOCKS = (
    "apps.access.keys.middleware.now",
    "apps.backoffice.staff.middleware.now",
    "apps.backoffice.staff.views.sign_in.now",
    "apps.backoffice.staff.views.account.now",
    "apps.backoffice.staff.signals.now",
    "apps.backoffice.staff.admin.now",
)


class Clock:
    """The moment that the pages of sign-in see."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC).replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.moment

    def on(self, **given: Any) -> datetime:
        """Go on by so much."""
        self.moment += timedelta(**given)
        return self.moment


def staff(name: str = "olivia", group: str = "Compliance officer") -> User:
    """Make somebody who signs in with the password."""
    return ensure_staff_user(username=name, group=group, password=PASSWORD)


def code_of(secret: str, moment: datetime) -> str:
    """Return what an authenticator app shows, by another road than the code under test."""
    import base64

    totp = TOTP(base64.b32decode(secret), 6, SHA1(), 30)
    return totp.generate(int(moment.timestamp())).decode()


def with_app(user: User, moment: datetime) -> tuple[str, list[str]]:
    """Give somebody an authenticator app; return its secret and the recovery codes."""
    secret = second_factor_codes.generate_app_secret()
    authenticator_app = services.add_authenticator_app(user=user, secret=secret, step=0, now=moment)
    return secret, authenticator_app


def sign_in(client: Client, name: str = "olivia", **more: Any) -> Any:
    """Send the password."""
    return client.post(LOGIN, {"username": name, "password": PASSWORD} | more)


def inside(client: Client) -> bool:
    """Tell whether the desk opens."""
    return client.get("/admin/").status_code == 200
