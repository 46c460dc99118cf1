"""Write config/desk_roles.py into the database exactly, and create the people of its roles."""

import logging
from datetime import datetime

from django.contrib.auth.models import Group, Permission, User
from django.db import transaction

from config.desk_roles import ROLES

logger = logging.getLogger(__name__)


class UnknownPermission(RuntimeError):
    """The table names a permission that no app defines: a typo, or an app that was removed."""


def sync_roles(now: datetime) -> None:
    """Make the groups exactly what the table says; UnknownPermission for one that no app defines.

    `now` is when it happens; groups keep no times, the log does.
    """
    known = {
        f"{app}.{codename}": pk
        for pk, app, codename in Permission.objects.values_list(
            "pk", "content_type__app_label", "codename"
        )
    }
    for name, wanted_permissions in ROLES.items():
        group, _ = Group.objects.get_or_create(name=name)
        unknown = sorted(set(wanted_permissions) - set(known))
        if unknown:
            raise UnknownPermission(
                f"config/desk_roles.py names unknown permissions: {', '.join(unknown)}"
            )
        permissions = [known[name] for name in wanted_permissions]
        held_permissions = set(group.permissions.values_list("pk", flat=True))
        if held_permissions != set(permissions):
            # also takes away what was granted by hand: the
            # table is reviewed, a grant in the database is not
            group.permissions.set(permissions)
            logger.info("%s: %s now has its permissions", now, name)


@transaction.atomic
def ensure_staff_user(*, username: str, group: str, password: str) -> User:
    """Create or update a staff user: exactly this group, and this password.

    Never a superuser: daily work does not need one. KeyError for a group that is not a role.
    """
    ROLES[group]
    user, _ = User.objects.get_or_create(username=username)
    # setting the same password again would end all sessions of the user
    if not (user.has_usable_password() and user.check_password(password)):
        user.set_password(password)
    user.is_staff, user.is_active, user.is_superuser = True, True, False
    user.save()
    user.groups.set([Group.objects.get(name=group)])
    return user
