"""Signal handlers: sign-ins, and records of accounts that change."""

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth.models import Group, Permission, User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models import Model
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save
from django.http import HttpRequest

from apps.backoffice.staff import integrity, services, sign_in_session
from apps.backoffice.staff.models import SignIn, SignOn
from apps.backoffice.staff.rules import user_names
from apps.backoffice.staff.session_store import hash_session_key
from apps.platform.common.clock import now
from apps.platform.common.problems import Conflict

# the columns of an account's row that its record keeps; a sign-in saves `last_login` alone
RECORDED = frozenset({*integrity.FLAGS, "password"})


class LookalikeUserName(Conflict):
    """The user name cannot be told from another, or is written in two scripts."""

    code, title = "user_name_refused", "Choose another user name"


class EndSignInsOnPasswordChange:
    """A password validator that accepts everything: Django calls its `password_changed`."""

    def validate(self, password: str, user: Any = None) -> None:
        """Let every password pass."""

    def get_help_text(self) -> str:
        return "Changing your password ends your sign-ins elsewhere."

    def password_changed(self, password: str, user: Any = None) -> None:
        """End the sign-ins of a user whose password changed, except in the current browser."""
        if user is not None and user.pk:
            services.end_sign_ins(rows=SignIn.objects.filter(user_id=user.pk))


def connect_signals() -> None:
    """Connect the handlers to Django's signals."""
    user_logged_in.connect(_on_logged_in, dispatch_uid="staff_entered")
    user_logged_out.connect(_on_logged_out, dispatch_uid="staff_left")
    pre_save.connect(_refuse_lookalike_name, sender=User, dispatch_uid="staff_before_saving")
    post_save.connect(_on_user_saved, sender=User, dispatch_uid="staff_saved")
    post_delete.connect(_on_user_deleted, sender=User, dispatch_uid="staff_removed")
    for through in (User.groups.through, User.user_permissions.through):
        m2m_changed.connect(
            _on_rights_changed, sender=through, dispatch_uid=f"staff_given_{through.__name__}"
        )
    for signal in (post_save, post_delete):
        signal.connect(_on_sign_on_changed, sender=SignOn, dispatch_uid="staff_linked")
    # deleting a role or permission takes it from accounts by a cascade, without `m2m_changed`
    for model in (Group, Permission):
        post_delete.connect(
            _on_role_deleted, sender=model, dispatch_uid=f"staff_taken_{model.__name__}"
        )
    post_save.connect(_on_role_saved, sender=Group, dispatch_uid="staff_role_renamed")


def _on_logged_in(*, request: HttpRequest, user: User, **_: Any) -> None:
    sign_in_session.begin_sign_in_session(request=request, user=user, now=now())


def _on_logged_out(*, request: HttpRequest, **_: Any) -> None:
    if key := request.session.session_key:
        SignIn.objects.filter(key=hash_session_key(key)).delete()


def _refuse_lookalike_name(
    *, instance: User, raw: bool, update_fields: Collection[str] | None, **_: Any
) -> None:
    """Refuse a user name that people would take for another's; LookalikeUserName (409)."""
    # `raw`: fixtures are loaded as they are
    if raw or (update_fields is not None and "username" not in update_fields):
        return
    name = instance.username
    others = User.objects.exclude(pk=instance.pk).values_list("username", flat=True)
    # an unchanged name stays valid, whatever the rules say of new ones
    if User.objects.filter(pk=instance.pk, username=name).exists():
        return
    if fault := user_names.find_user_name_fault(name, others=others.iterator()):
        raise LookalikeUserName(fault)


def _on_user_saved(
    *, instance: User, created: bool, update_fields: Collection[str] | None, **_: Any
) -> None:
    if not created and not instance.is_active:
        services.end_sign_ins(rows=SignIn.objects.filter(user=instance))
    if update_fields is None or RECORDED & set(update_fields):
        integrity.record_person(instance.pk, now=now())


def _on_user_deleted(*, instance: User, **_: Any) -> None:
    integrity.record_removal(instance.pk, now=now())


def _on_rights_changed(
    *, instance: Model, action: str, reverse: bool, pk_set: set[int] | None, **_: Any
) -> None:
    """Record whose roles or permissions changed, from whichever side it was done."""
    if not action.startswith("post_"):
        return
    if not reverse:
        _record_people([instance.pk])
    else:
        # `clear` from the side of a role does not say whom it took it from
        _record_people(pk_set if pk_set is not None else _list_user_ids())


def _on_sign_on_changed(*, instance: SignOn, **_: Any) -> None:
    _record_people([instance.user_id])


def _on_role_deleted(**_: Any) -> None:
    _record_people(_list_user_ids())


def _on_role_saved(*, created: bool, **_: Any) -> None:
    if not created:
        _record_people(_list_user_ids())


def _list_user_ids() -> list[int]:
    return list(User.objects.order_by("pk").values_list("pk", flat=True))


def _record_people(user_ids: Iterable[int]) -> None:
    for user_id in sorted(user_ids):
        integrity.record_person(user_id, now=now())
