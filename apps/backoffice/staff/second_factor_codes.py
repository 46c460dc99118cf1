"""Codes of an authenticator app (RFC 6238) and recovery codes; each counts once."""

import base64
import io
import secrets
from datetime import datetime

import qrcode
from cryptography.hazmat.primitives.constant_time import bytes_eq
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.contrib.auth.models import User
from django.db import transaction
from qrcode.image.svg import SvgPathImage

from apps.backoffice.staff import secret_encryption
from apps.backoffice.staff.integrity import record_person
from apps.backoffice.staff.models import Factor, FactorKind
from apps.backoffice.staff.rules import one_time_codes

SECRET_BYTES = 20  # the length of a SHA-1 (RFC 4226 section 4 recommends 160 bits)
HASH = SHA1()  # noqa: S303  what RFC 6238 asks for and every app knows; HMAC does not need more
RECOVERY_CODES = 10
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that are read as others
ISSUER = "Compliance Oracle"


def generate_app_secret() -> str:
    """Return a secret for an authenticator app, in base32."""
    return base64.b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


def build_otpauth_url(*, secret: str, name: str) -> str:
    """Return the otpauth address that an authenticator app reads."""
    return TOTP(
        base64.b32decode(secret), one_time_codes.DIGITS, HASH, one_time_codes.STEP_SECONDS
    ).get_provisioning_uri(name, ISSUER)


def draw_qr_code(text: str) -> str:
    """Return a QR code as an SVG element without styles or foreign addresses."""
    # one path and no styles: the content security policy refuses inline styles
    drawn = io.BytesIO()
    qrcode.make(text, image_factory=SvgPathImage, box_size=12).save(drawn)
    svg = drawn.getvalue().decode()
    return svg[svg.index("<svg") :].replace(
        "<svg ", '<svg role="img" aria-label="Picture for the app" ', 1
    )


def find_time_step(*, secret: str, code: str, now: datetime) -> int | None:
    """Return the time step whose code this is, or None."""
    submitted = one_time_codes.normalize_code(code).encode()
    hotp = HOTP(base64.b32decode(secret), one_time_codes.DIGITS, HASH)
    steps = [
        s
        for s in one_time_codes.list_time_steps(int(now.timestamp()))
        if bytes_eq(hotp.generate(s), submitted)
    ]
    return steps[-1] if steps else None


@transaction.atomic
def redeem_code(*, user: User, code: str, now: datetime) -> Factor | None:
    """Return the factor that a code proves, and use the code up; None for a wrong or used one."""
    # locked, so that of two requests with the same code only one finds it unused
    app = Factor.objects.select_for_update().filter(user=user, kind=FactorKind.APP).first()
    if app is not None:
        step = find_time_step(
            secret=secret_encryption.decrypt_secret(app.secret), code=code, now=now
        )
        if step is not None and one_time_codes.is_step_unused(step, app.counter):
            app.counter, app.used_at = step, now
            app.save(update_fields=["counter", "used_at"])
            return app
    factor = Factor.objects.filter(
        user=user,
        kind=FactorKind.RECOVERY,
        secret__in=secret_encryption.compute_all_digests(one_time_codes.normalize_code(code)),
    ).first()
    # deleting the row uses the code: of two requests at once one finds nothing to delete
    if factor is None or not Factor.objects.filter(pk=factor.pk).delete()[0]:
        return None
    # a used recovery code leaves the account's factors, which its record lists
    record_person(user.pk, now=now)
    return factor


def create_recovery_codes(*, user: User, now: datetime) -> list[str]:
    """Make ten recovery codes in place of what is left; they are in this list and nowhere else."""
    codes = ["".join(secrets.choice(LETTERS) for _ in range(10)) for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        Factor.objects.filter(user=user, kind=FactorKind.RECOVERY).delete()
        Factor.objects.bulk_create(
            Factor(
                user=user,
                kind=FactorKind.RECOVERY,
                name="Recovery code",
                secret=secret_encryption.compute_digest(recovery_code),
                created_at=now,
            )
            for recovery_code in codes
        )
    return [f"{recovery_code[:5]}-{recovery_code[5:]}" for recovery_code in codes]
