"""Second factors of staff, their sessions, and the ledger of changes to both."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q

from apps.platform.ledger.records import LedgerRecord

WHO = settings.AUTH_USER_MODEL


class FactorKind(models.TextChoices):
    APP = "APP", "Authenticator app"
    PASSKEY = "PASSKEY", "Passkey"
    RECOVERY = "RECOVERY", "Recovery code"


STRONG = (FactorKind.APP, FactorKind.PASSKEY)


class Factor(models.Model):
    """One way to prove oneself beside the password.

    `secret` is an app's sealed secret, a recovery code's keyed digest, or a passkey's public
    credential in base64. `counter` is the last time step or signature count that was used.
    """

    user = models.ForeignKey(WHO, on_delete=models.CASCADE, related_name="factors")
    kind = models.CharField(max_length=8, choices=FactorKind)
    name = models.CharField(max_length=60)
    secret = models.TextField()
    counter = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()  # shown only on the user's own page
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(kind="APP"), name="factor_one_app"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=FactorKind.values), name="factor_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SignOn(models.Model):
    """A user's identity at the single sign-on provider."""

    user = models.OneToOneField(WHO, on_delete=models.CASCADE, related_name="sign_on")
    issuer = models.CharField(max_length=300)
    subject = models.CharField(max_length=255)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["issuer", "subject"], name="sign_on_one_user")
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.issuer}"


class SignIn(models.Model):
    """A browser in which a user is signed in; it ends with its session."""

    user = models.ForeignKey(WHO, on_delete=models.CASCADE, related_name="sign_ins")
    key = models.CharField(max_length=40, unique=True)
    device = models.CharField(max_length=60)
    address = models.CharField(max_length=50)
    how = models.CharField(max_length=60)
    since = models.DateTimeField()
    seen = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.device}, {self.address}"


class PeopleEventType(models.TextChoices):
    ADDED = "ADDED", "Second factor set up"
    REMOVED = "REMOVED", "Second factor removed"
    RENEWED = "RENEWED", "Recovery codes renewed"
    RECOVERED = "RECOVERED", "Recovery code used"
    RESET = "RESET", "Second factors reset by another person"
    ENDED = "ENDED", "Sign-ins ended by another"
    JOINED = "JOINED", "Let in by single sign-on"
    ROLES = "ROLES", "Roles changed by single sign-on"


class PeopleEvent(LedgerRecord):
    """A change of how a user signs in; the payload has the reason and the factor."""

    LEDGER: ClassVar[str] = "people"
    YEARS: ClassVar[int] = 5

    person = models.ForeignKey(WHO, on_delete=models.PROTECT, related_name="+")
    what = models.CharField(max_length=9, choices=PeopleEventType)
    by = models.CharField(max_length=150, help_text="Who did it: a user, or an operator's name")

    class Meta:
        verbose_name = "change to a sign-in"
        verbose_name_plural = "changes to sign-ins"
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["person", "-recorded_at"], name="people_event_person")
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()}: {self.person}"


class StaffRecord(LedgerRecord):
    """The state of an account after a change: flags, roles, permissions, and digests of its proofs.

    Permissions are read from the newest record, and an account whose row differs from it cannot
    sign in. Records are kept for good, without passwords, secrets and names of people.
    """

    LEDGER: ClassVar[str] = "staff"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    class Step(models.TextChoices):
        CHANGED = "CHANGED", "Made or changed"
        REMOVED = "REMOVED", "Removed"

    # without a constraint: records outlive the row of their account
    person = models.ForeignKey(
        WHO, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    # counts the records of an account: a copy of an old one is never the newest
    number = models.PositiveIntegerField()
    step = models.CharField(max_length=7, choices=Step)
    by = models.CharField(max_length=150, help_text="User name, or what did it without one")

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["person", "number"], name="staff_record_once")
        ]

    def __str__(self) -> str:
        return f"{self.person_id}.{self.number}: {self.step}"


class Person(User):
    """Staff, for administrators who help with their sign-in."""

    class Meta:
        proxy = True
        verbose_name = "person"
        verbose_name_plural = "people"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("reset_factor", "Can reset second factors of others"),
            ("end_signin", "Can end sign-ins of others"),
        ]
