"""People at the desk: staff users, each in one group of config/roles.py."""

from django.contrib.auth.models import Group, User
from django.db import transaction

from config.roles import ROLES


@transaction.atomic
def ensure_staff(*, username: str, group: str, password: str) -> User:
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
