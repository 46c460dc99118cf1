"""Authenticate desk users and read their permissions from their records, not other tables."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from apps.backoffice.staff.integrity import load_staff_record
from config.desk_roles import ROLES


class RecordedStaff(ModelBackend):
    """Passwords of Django's own accounts; roles and permissions as the newest record has them.

    Raises StaffIntegrityError (503) for an account that is not as it was recorded.
    """

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, verified: one query more than without."""
        user = super().get_user(user_id)
        if user is not None:
            load_staff_record(user)
        return user  # type: ignore[return-value]

    def _get_permissions(self, user_obj: Any, obj: Any, from_name: str) -> set[str]:
        """Return permissions from the record; a role has what config/desk_roles.py gives it."""
        # Django's own version reads the tables of groups and permissions, which an attacker who can
        # write the database can change
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        stands = load_staff_record(user_obj).data["stands"]
        # the flag was compared with the record when that was loaded
        if user_obj.is_superuser:
            permissions: set[str] = super()._get_permissions(user_obj, obj, from_name)  # type: ignore[misc]
            return permissions
        if from_name == "user":
            return set(stands["permissions"])
        return {permission for role in stands["groups"] for permission in ROLES.get(role, ())}
