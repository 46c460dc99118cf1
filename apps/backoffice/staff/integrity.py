"""Verify accounts of staff against their records: an altered or inserted one cannot sign in.

An attacker who can write the database can insert an officer, replace a password or add a role, but
cannot record that. So roles and permissions are read from the newest record of an account
(backends.py), and its row must agree with it on every page.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any, cast

from django.contrib.auth.models import Group, User
from django.db import transaction

from apps.backoffice.staff.models import Factor, SignOn, StaffRecord
from apps.platform.common.problems import Unavailable
from apps.platform.ledger.verification.projection_checks import Projection
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from config.desk_roles import ROLES

AT_SHELL = "at a shell"
FLAGS = ("username", "is_active", "is_staff", "is_superuser")
UNPROVED = "Integrity check failed for this account. Contact the operator."
logger = logging.getLogger(__name__)
_changed_by: ContextVar[str] = ContextVar("staff_changed_by", default=AT_SHELL)


class StaffIntegrityError(Unavailable):
    """The account differs from its record: it was altered or inserted."""

    code, title = "staff_unproved", "This account cannot be relied on"


@contextmanager
def changed_by(name: str) -> Iterator[None]:
    """Name who makes the changes to accounts within this block, for their records."""
    token = _changed_by.set(name)
    try:
        yield
    finally:
        _changed_by.reset(token)


def describe_row(user: User) -> dict[str, Any]:
    """Return what a record keeps of an account's own row; of the password only a digest."""
    return {name: getattr(user, name) for name in FLAGS} | {"password": _hash_text(user.password)}


def describe_person(user: User) -> dict[str, Any]:
    """Return the stored credentials and permissions of an account; four queries."""
    factors = Factor.objects.filter(user_id=user.pk).order_by("pk")
    sign_on = SignOn.objects.filter(user_id=user.pk).values_list("issuer", "subject").first()
    return describe_row(user) | {
        "groups": sorted(user.groups.values_list("name", flat=True)),
        "permissions": sorted(
            f"{app}.{codename}"
            for app, codename in user.user_permissions.order_by().values_list(
                "content_type__app_label", "codename"
            )
        ),
        # without counters, which every use of a code changes: a reset counter would let a used code
        # count again, but that expires within half a minute anyway
        "factors": [
            [kind, _hash_text(secret)] for kind, secret in factors.values_list("kind", "secret")
        ],
        "signOn": list(sign_on) if sign_on else [],
    }


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def record_person(user_id: int, *, now: datetime) -> None:
    """Record the state of an account, if that differs from its newest record."""
    user = User.objects.select_for_update().filter(pk=user_id).first()
    if user is None:
        return
    last = _load_newest_record(user_id)
    stands = describe_person(user)
    # nothing that a record keeps may have changed
    if last is None or last.step != StaffRecord.Step.CHANGED or last.data["stands"] != stands:
        _write_record(user_id, StaffRecord.Step.CHANGED, {"stands": stands}, last, now)


def record_removal(user_id: int, *, now: datetime) -> None:
    """Record that an account was deleted; call it in the transaction of that."""
    _write_record(user_id, StaffRecord.Step.REMOVED, {}, _load_newest_record(user_id), now)


def _write_record(
    user_id: int,
    step: StaffRecord.Step,
    payload: dict[str, Any],
    last: StaffRecord | None,
    now: datetime,
) -> None:
    StaffRecord.write(
        payload=payload,
        now=now,
        person_id=user_id,
        number=last.number + 1 if last else 1,
        step=step,
        by=_changed_by.get(),
    )


def _load_newest_record(user_id: int) -> StaffRecord | None:
    return StaffRecord.objects.filter(person_id=user_id).order_by("-number").first()


def load_staff_record(user: User) -> StaffRecord:
    """Return the newest record of an account; StaffIntegrityError if its row differs from it.

    One query for each object of an account.
    """
    # the record stays with the object that was verified: another object is verified again
    known: StaffRecord | None = getattr(user, "_staff_record", None)
    if known is None:
        last = _load_newest_record(user.pk)
        # the account may have been changed between the two reads: read both again
        if any(_find_row_faults(user, last)):
            fresh = User.objects.filter(pk=user.pk).first()
            last = _load_newest_record(user.pk)
            for fault in _find_row_faults(fresh, last) if fresh else ["it has no row"]:
                _refuse_person(user, fault)
        known = cast(StaffRecord, last)
        user._staff_record = known  # type: ignore[attr-defined]
    return known


def require_recorded_person(user: User) -> None:
    """Raise StaffIntegrityError (503) unless the whole account is as recorded; six queries.

    Called at each sign-in and for each form that is sent at the desk.
    """
    with transaction.atomic():  # the account cannot change between the reads
        row = User.objects.select_for_update().filter(pk=user.pk).first()
        last = _load_newest_record(user.pk)
        for fault in find_person_faults(row, [last] if last else []) if row else ["it has no row"]:
            _refuse_person(user, fault)


def _refuse_person(user: User, fault: str) -> None:
    logger.error("the account %s cannot sign in: %s", user.pk, fault)
    raise StaffIntegrityError(UNPROVED)


def find_person_faults(user: User, records: Sequence[StaffRecord]) -> Iterator[str]:
    """Yield where an account differs from the newest of its records, in words."""
    yield from _find_differences(describe_person(user), records)


def _find_row_faults(user: User, last: StaffRecord | None) -> Iterator[str]:
    yield from _find_differences(describe_row(user), [last] if last else [])


def _find_differences(shown: dict[str, Any], records: Sequence[StaffRecord]) -> Iterator[str]:
    last = max(filter_verified_records(records), key=lambda record: record.number, default=None)
    if last is None:
        yield "its creation is not recorded"
    elif last.step == StaffRecord.Step.REMOVED:
        yield "it is recorded as removed"
    else:
        recorded = last.data["stands"]
        for name, value in shown.items():
            if recorded[name] != value:
                yield f"different from its record: {FIELD_LABELS[name]}"


FIELD_LABELS = {
    "username": "its user name",
    "is_active": "whether it is active",
    "is_staff": "whether it is staff",
    "is_superuser": "whether it is a superuser",
    "password": "its password",
    "groups": "which roles it has",
    "permissions": "which permissions it has",
    "factors": "its second factors",
    "signOn": "who it is at single sign-on",
}


def verify_staff(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where accounts and roles differ from what was recorded."""
    removed = StaffRecord.objects.filter(step=StaffRecord.Step.REMOVED)
    yield from Projection(
        name="account",
        rows=User.objects.all(),
        # an account that was removed is expected to have no row
        records=StaffRecord.objects.exclude(
            person_id__in=removed.exclude(person_id__in=User.objects.values("pk")).values("person")
        ),
        of="person_id",
        faults=find_person_faults,
    ).compare(progress)
    groups = list(Group.objects.order_by("name").prefetch_related("permissions__content_type"))
    for name in sorted(set(ROLES) - {staff_group.name for staff_group in groups}):
        yield f"group {name}: this role is missing"
    for group in groups:
        held_permissions = {
            f"{permission.content_type.app_label}.{permission.codename}"
            for permission in group.permissions.all()
        }
        if group.name not in ROLES:
            yield f"group {group.name}: it is not a role of this platform"
        elif held_permissions != set(ROLES[group.name]):
            yield f"group {group.name}: its permissions differ from config/desk_roles.py"
