"""Roles: brings config/roles.py into the database, exactly, and makes the people who have them."""

import logging
from datetime import datetime

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction

from config.roles import ROLES

logger = logging.getLogger(__name__)


class UnknownPermission(RuntimeError):
    """The table names a permission that no app defines: a spelling, or an app that left."""


def sync_roles(now: datetime) -> None:
    """Make the groups exactly what the table says; UnknownPermission when it names a stranger.

    `now` is when it happens; groups keep no times, the log does.
    """
    for name, wanted in ROLES.items():
        group, _ = Group.objects.get_or_create(name=name)
        known = {
            f"{app}.{codename}": pk
            for pk, app, codename in Permission.objects.values_list(
                "pk", "content_type__app_label", "codename"
            )
        }
        unknown = sorted(set(wanted) - set(known))
        if unknown:
            raise UnknownPermission(
                f"config/roles.py names unknown permissions: {', '.join(unknown)}"
            )
        permissions = [known[name] for name in wanted]
        held = set(group.permissions.values_list("pk", flat=True))
        if held != set(permissions):
            group.permissions.set(permissions)
            logger.info("%s: %s now has its permissions", now, name)


@transaction.atomic
def ensure_staff_user(*, username: str, group: str, password: str) -> User:
    """Return the staff user of that name, made or mended: this group alone, this password.

    Never a superuser: daily work does not need one. KeyError for a group that is no role.
    """
    ROLES[group]
    user, _ = User.objects.get_or_create(username=username)
    if not (user.has_usable_password() and user.check_password(password)):
        user.set_password(password)
    user.is_staff, user.is_active, user.is_superuser = True, True, False
    user.save()
    user.groups.set([Group.objects.get(name=group)])
    return user
