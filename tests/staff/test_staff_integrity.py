"""Whoever writes the database makes nobody staff, and lets nobody in who was not recorded so."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.staff.integrity import StaffIntegrityError, verify_staff
from apps.backoffice.staff.models import Factor, StaffRecord
from apps.backoffice.staff.rules import user_names
from apps.backoffice.staff.signals import LookalikeUserName
from apps.platform.common.clock import now
from apps.platform.ledger.verification.verifier import verify_ledger
from tests.attacks import tables
from tests.platform.tampering import sql
from tests.review.people import NOTE, OFFICER, SENIOR, at_desk, case, person
from tests.staff.people import PASSWORD, code_of, inside, sign_in, staff, with_app

pytestmark = pytest.mark.django_db
FORGED = "another long password"


def faults() -> list[str]:
    return list(verify_staff(lambda _: None))


def insert_person(name: str, *, superuser: bool = False) -> None:
    """Insert an account at the SQL prompt, with a role where it is no superuser."""
    columns = "password, is_superuser, username, first_name, last_name, email, is_staff, is_active"
    values = [make_password(FORGED), superuser, name, "", "", "", True, True, now()]
    marks = ", ".join(["%s"] * len(values))
    sql(f"INSERT INTO auth_user ({columns}, date_joined) VALUES ({marks})", *values)
    if not superuser:
        sql(
            "INSERT INTO auth_user_groups (user_id, group_id) SELECT u.id, g.id "
            "FROM auth_user u, auth_group g WHERE u.username = %s AND g.name = %s",
            name,
            SENIOR,
        )


def give_role(name: str, role: str) -> None:
    sql(
        "INSERT INTO auth_user_groups (user_id, group_id) SELECT u.id, g.id "
        "FROM auth_user u, auth_group g WHERE u.username = %s AND g.name = %s",
        name,
        role,
    )


def give_permission(name: str, codename: str) -> None:
    sql(
        "INSERT INTO auth_user_user_permissions (user_id, permission_id) SELECT u.id, p.id "
        "FROM auth_user u, auth_permission p WHERE u.username = %s AND p.codename = %s",
        name,
        codename,
    )


def insert_factor(name: str) -> None:
    sql(
        "INSERT INTO staff_factor (user_id, kind, name, secret, counter, created_at) "
        "SELECT id, 'PASSKEY', 'Passkey', 'AAAA', 0, %s FROM auth_user WHERE username = %s",
        now(),
        name,
    )


# what somebody does to an account at the SQL prompt, and what verify_ledger then says of it
CHANGES: dict[str, tuple[Callable[[], Any], str]] = {
    "password": (
        lambda: sql("UPDATE auth_user SET password = %s", make_password(FORGED)),
        "different from its record: its password",
    ),
    "name": (
        lambda: sql("UPDATE auth_user SET username = 'oscar'"),
        "different from its record: its user name",
    ),
    "superuser": (
        lambda: sql("UPDATE auth_user SET is_superuser = %s", True),
        "different from its record: whether it is a superuser",
    ),
    "role": (lambda: give_role("olivia", SENIOR), "different from its record: which roles it has"),
    "role taken": (
        lambda: sql("DELETE FROM auth_user_groups"),
        "different from its record: which roles it has",
    ),
    "permission": (
        lambda: give_permission("olivia", "view_sarentry"),
        "different from its record: which permissions it has",
    ),
    "factor": (lambda: insert_factor("olivia"), "different from its record: its second factors"),
}


@pytest.fixture
def olivia() -> User:
    return staff("olivia")


@pytest.mark.parametrize("change", CHANGES)
def test_an_altered_account_does_not_sign_in_and_is_found(olivia: User, change: str) -> None:
    assert not faults()
    alter, told = CHANGES[change]
    alter()
    assert faults() == [f"account {olivia.pk}: {told}"]
    assert f"account {olivia.pk}: {told}" in verify_ledger(ledger="staff").faults
    client = Client()
    name = User.objects.get().username
    password = FORGED if change == "password" else PASSWORD
    answer = client.post("/admin/login/", {"username": name, "password": password})
    assert answer.status_code == 503 and b"staff_unproved" in answer.content
    assert not inside(client)


@pytest.mark.parametrize("superuser", [False, True])
def test_an_inserted_account_does_not_sign_in(superuser: bool, db: None) -> None:
    insert_person("mallory", superuser=superuser)
    client = Client()
    answer = client.post("/admin/login/", {"username": "mallory", "password": FORGED})
    assert answer.status_code == 503 and not inside(client)
    (fault,) = faults()
    assert fault.endswith("its creation is not recorded")


def test_an_inserted_officer_decides_nothing(db: None) -> None:
    insert_person("mallory")
    new_case = case()
    with pytest.raises(StaffIntegrityError):
        services.decide_case(
            case=new_case,
            by=User.objects.get(),
            outcome="APPROVE",
            reason_code="NAME_ONLY",
            note=NOTE,
            now=now(),
        )
    assert Case.objects.get().status == "OPEN"


@pytest.mark.parametrize("change", ["password", "superuser", "name"])
def test_who_is_signed_in_is_out_once_the_account_is_altered(olivia: User, change: str) -> None:
    client = at_desk(olivia)
    assert inside(client)
    CHANGES[change][0]()
    answer = client.get("/admin/")
    assert answer.status_code in (302, 503)  # Django itself ends a session of another password


def test_a_role_that_a_row_gives_opens_no_page(olivia: User) -> None:
    """Rights come from the record: not even a page is shown that the role would open."""
    client = at_desk(olivia)
    give_role("olivia", SENIOR)
    give_permission("olivia", "view_sarentry")
    assert client.get("/admin/sar/sarentry/").status_code == 404
    assert not User.objects.get().has_perm("sar.view_sarentry")


@pytest.mark.parametrize("change", ["role", "permission", "factor", "role taken"])
def test_nothing_is_sent_by_who_has_more_or_less_than_was_recorded(
    olivia: User, change: str
) -> None:
    client, one = at_desk(olivia), case()
    CHANGES[change][0]()
    sent = {"outcome": "APPROVE", "reason_code": "NAME_ONLY", "note": NOTE}
    answer = client.post(f"/admin/review/case/{one.pk}/decide/", sent)
    assert answer.status_code == 503 and Case.objects.get().status == "OPEN"


def test_a_permission_that_a_row_gives_to_a_role_counts_for_nobody(db: None) -> None:
    vera = person("vera", "Examiner")
    sql(
        "INSERT INTO auth_group_permissions (group_id, permission_id) SELECT g.id, p.id "
        "FROM auth_group g, auth_permission p "
        "WHERE g.name = 'Examiner' AND p.codename = 'view_sarentry'"
    )
    assert not User.objects.get(pk=vera.pk).has_perm("sar.view_sarentry")
    assert faults() == ["group Examiner: its permissions differ from config/desk_roles.py"]


def test_a_role_that_is_gone_is_missed(olivia: User) -> None:
    """Who has it keeps their rights by the record; nobody could be given it anew."""
    sql("DELETE FROM auth_group_permissions")
    sql("DELETE FROM auth_group WHERE name = %s", SENIOR)
    assert f"group {SENIOR}: this role is missing" in faults()


def test_a_group_that_is_no_role_gives_nothing_and_is_found(olivia: User) -> None:
    group = Group.objects.create(name="Friends")
    group.permissions.set(Permission.objects.filter(codename="view_sarentry"))
    olivia.groups.add(group)
    assert not User.objects.get().has_perm("sar.view_sarentry")
    assert faults() == ["group Friends: it is not a role of this platform"]


def test_a_second_factor_that_is_taken_away_does_not_leave_the_password_alone(
    olivia: User,
) -> None:
    with_app(olivia, now())
    sql("DELETE FROM staff_factor")
    assert sign_in(Client()).status_code == 503


def test_a_removed_account_that_is_put_back_stays_out(db: None) -> None:
    anna = person("anna", OFFICER)
    values = User.objects.filter(pk=anna.pk).values().get()
    anna.delete()
    assert not faults()
    User.objects.bulk_create([User(**values)])
    assert faults() == [f"account {values['id']}: it is recorded as removed"]


def test_an_account_that_somebody_deleted_is_missed(olivia: User) -> None:
    number = olivia.pk
    sql("DELETE FROM auth_user_groups")
    sql("DELETE FROM auth_user")
    assert faults() == [f"account {number}: it is recorded, but its row is missing"]


def test_a_record_that_is_copied_or_made_up_counts_for_nothing(olivia: User) -> None:
    """An older record of hers would give a role back that was taken."""
    olivia.groups.clear()
    first = StaffRecord.objects.filter(person=olivia).earliest("number")
    last = StaffRecord.objects.filter(person=olivia).latest("number")
    StaffRecord.objects.bulk_create(
        [
            StaffRecord(
                person_id=olivia.pk,
                number=last.number + 1,
                step=first.step,
                by=first.by,
                payload=first.payload,
                salt=first.salt,
                recorded_at=first.recorded_at,
                mac_key=first.mac_key,
                mac=first.mac,
            )
        ]
    )
    assert sign_in(Client()).status_code == 503


def test_every_usual_change_is_recorded(olivia: User) -> None:
    client = Client()
    secret, _ = with_app(olivia, now())
    sign_in(client)
    client.post("/admin/account/second/", {"code": code_of(secret, now())})
    assert inside(client) and not faults()
    olivia = User.objects.get()
    olivia.set_password(FORGED)
    olivia.save()
    olivia.groups.set(Group.objects.filter(name=SENIOR))
    Group.objects.get(name=SENIOR).user_set.clear()
    olivia.user_permissions.add(Permission.objects.get(codename="view_sarentry"))
    Permission.objects.get(codename="view_sarentry").delete()
    assert faults() == ["group Senior officer: its permissions differ from config/desk_roles.py"]
    newest = StaffRecord.objects.filter(person=olivia).latest("number")
    assert newest.data["stands"]["permissions"] == []


def test_a_recovery_code_that_was_used_is_recorded(olivia: User) -> None:
    client = Client()
    _, spare = with_app(olivia, now())
    sign_in(client)
    client.post("/admin/account/second/", {"code": spare[0]})
    assert inside(client) and not faults() and Factor.objects.count() == 10


def test_a_superuser_of_the_shell_is_recorded(db: None) -> None:
    call_command(
        "createsuperuser", "--noinput", username="root", email="r@example.com", verbosity=0
    )
    record = StaffRecord.objects.latest("pk")
    assert record.by == "at a shell" and record.data["stands"]["is_superuser"] and not faults()


def test_who_makes_a_change_at_the_desk_is_recorded(olivia: User) -> None:
    client = Client()
    sign_in(client)
    answer = client.post(
        "/admin/password_change/",
        {
            "old_password": PASSWORD,
            "new_password1": "a quite different phrase",
            "new_password2": "a quite different phrase",
        },
    )
    assert answer.status_code == 302 and not faults()
    assert StaffRecord.objects.latest("pk").by == "olivia"


def test_a_record_tells_no_password_and_no_secret(olivia: User) -> None:
    secret, spare = with_app(olivia, now())
    text = "".join(StaffRecord.objects.values_list("payload", flat=True))
    assert User.objects.get().password not in text and secret not in text
    assert not any(one in text for one in spare)
    assert not any(one in text for one in Factor.objects.values_list("secret", flat=True))


def test_signing_in_writes_no_record(olivia: User) -> None:
    before = StaffRecord.objects.count()
    assert sign_in(Client()).status_code == 302
    assert StaffRecord.objects.count() == before


def test_a_page_of_the_desk_asks_no_more_for_it(olivia: User) -> None:
    """One record instead of the tables of roles and permissions."""
    client = at_desk(olivia)
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        client.get("/admin/")
    sqls = [
        query["sql"] for query in queries if "auth_" in query["sql"] or "staff_" in query["sql"]
    ]
    assert sum("staff_staffrecord" in one for one in sqls) == 1
    assert not any("auth_permission" in one for one in sqls)


@pytest.mark.parametrize(
    "name",
    [
        "Olivia",
        "OLIVIA",
        "oliv1a",
        "0livia",
        "ollvia",
        "оливia",
        "οlivia",
        "olívia",
        "o\u200blivia",
    ],
)
def test_a_name_that_looks_like_anothers_is_refused(olivia: User, name: str) -> None:
    with pytest.raises(LookalikeUserName):
        User.objects.create(username=name)


@pytest.mark.parametrize(
    "name", ["oliver", "olivia2", "samir", "o.livia", "ольга", "r.meier@bank.example"]
)
def test_another_name_is_taken(olivia: User, name: str) -> None:
    assert User.objects.create(username=name).pk and not faults()


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("sam", "5am", True),
        ("mona", "rnona", True),
        ("wim", "vvim", True),
        ("сор", "cop", True),
        ("olivia.", "olivia", True),
        ("olivia", "_olivia", True),
        ("anna", "anne", False),
        ("user7", "user8", False),
    ],
)
def test_names_are_alike_by_how_they_are_drawn(one: str, other: str, alike: bool) -> None:
    assert bool(user_names.find_user_name_fault(one, others=[other])) is alike


def test_renaming_to_oneself_is_no_change(olivia: User) -> None:
    olivia.username = "Olivia"
    olivia.save()
    assert not faults() and User.objects.get().username == "Olivia"


def test_a_sign_in_survives_another_day(olivia: User, monkeypatch: Any) -> None:
    """A record is no lease: it holds until the account changes."""
    later = now() + timedelta(days=400)
    monkeypatch.setattr("apps.backoffice.staff.signals.now", lambda: later)
    assert sign_in(Client()).status_code == 302


def test_no_column_of_a_second_factor_can_be_changed_unseen() -> None:
    with_app(staff("olivia"), now())
    assert tables.undetected("staff.Factor") == []
