"""Groups hold exactly what config/desk_roles.py says, after every migrate."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command

from apps.platform.desk import role_sync
from apps.platform.desk.role_sync import ensure_staff_user
from tests.review.people import NOON


def held(name: str) -> set[str]:
    rows = Permission.objects.filter(group__name=name)
    return {f"{row.content_type.app_label}.{row.codename}" for row in rows.select_related()}


@pytest.mark.parametrize("name", role_sync.ROLES)
def test_after_migrate_a_group_has_exactly_its_permissions(db: Any, name: str) -> None:
    assert held(name) == set(role_sync.ROLES[name])


def test_migrate_takes_away_what_was_given_by_hand(db: Any) -> None:
    operator = Group.objects.get(name="Operator")
    operator.permissions.add(Permission.objects.get(codename="decide_case"))
    operator.permissions.remove(Permission.objects.get(codename="revoke_apikey"))
    call_command("migrate", verbosity=0)
    assert held("Operator") == set(role_sync.ROLES["Operator"])


def test_a_permission_that_no_app_defines_stops_it(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(role_sync.ROLES, "Registrar", ("registry.view_wallett", "review.view_case"))
    with pytest.raises(role_sync.UnknownPermission, match=r": registry\.view_wallett$"):
        role_sync.sync_roles(NOON)


def test_nobody_has_the_sar_log_but_seniors() -> None:
    having = {name for name, held in role_sync.ROLES.items() if "sar.view_sarentry" in held}
    assert having == {"Senior officer"}


def test_no_role_edits_or_deletes_what_is_decided_or_kept() -> None:
    everything = {permission for role in role_sync.ROLES.values() for permission in role}
    allowed = {"core.change_job", "core.change_periodic", "watchlists.change_source"}
    changing = {p for p in everything if p.split(".")[1].startswith(("change_", "delete_"))}
    assert changing <= allowed


def test_only_senior_officers_are_second_officers() -> None:
    having = {name for name, held in role_sync.ROLES.items() if "review.approve_second" in held}
    assert having == {"Senior officer"}


def test_staff_are_made_and_mended_but_never_superusers(db: Any) -> None:
    user = ensure_staff_user(username="otto", group="Operator", password="first pass phrase")
    User.objects.filter(pk=user.pk).update(is_superuser=True, is_active=False)
    user.groups.add(Group.objects.get(name="Senior officer"))
    again = ensure_staff_user(username="otto", group="Operator", password="second pass phrase")
    assert again.pk == user.pk and again.check_password("second pass phrase")
    assert [group.name for group in again.groups.all()] == ["Operator"]
    assert (again.is_staff, again.is_active, again.is_superuser) == (True, True, False)


def test_a_group_that_is_no_role_is_refused(db: Any) -> None:
    with pytest.raises(KeyError):
        ensure_staff_user(username="otto", group="Operators", password="x")
    assert not User.objects.filter(username="otto").exists()
