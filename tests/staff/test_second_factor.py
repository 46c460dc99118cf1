"""Password, then a second factor; one that is due is set up before any page is shown."""

import re
from html import escape
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from apps.backoffice.staff import second_factor_codes, secret_encryption, services
from apps.backoffice.staff.models import Factor, PeopleEvent, PeopleEventType, SignIn
from tests.review.people import at_desk, check_page, person
from tests.staff.people import (
    LOGIN,
    PASSWORD,
    SECOND,
    SECURITY,
    Clock,
    code_of,
    inside,
    sign_in,
    staff,
    with_app,
)

WHY = "The phone was lost on the train."


def test_without_a_second_factor_the_password_is_enough_where_none_is_required(
    clock: Clock, client: Client
) -> None:
    staff()
    assert sign_in(client)["Location"] == "/admin/"
    assert inside(client)


def test_with_an_app_the_password_alone_opens_nothing(clock: Clock, client: Client) -> None:
    secret, _ = with_app(staff(), clock.moment)
    answer = sign_in(client, next="/admin/review/case/")
    assert (answer.status_code, answer["Location"]) == (302, SECOND)
    assert not inside(client)
    assert client.get(SECURITY).status_code == 302
    check_page(client.get(SECOND))
    went = client.post(SECOND, {"code": code_of(secret, clock.moment)})
    assert (went.status_code, went["Location"]) == (302, "/admin/review/case/")
    assert inside(client)
    assert SignIn.objects.get().how == "Password and authenticator app"


def test_a_code_counts_once_in_whatever_browser(clock: Clock) -> None:
    secret, _ = with_app(staff(), clock.moment)
    code, tried = code_of(secret, clock.moment), []
    for _ in range(2):
        client = Client()
        sign_in(client)
        tried.append(client.post(SECOND, {"code": code}).status_code)
    assert tried == [302, 200]


def test_an_earlier_code_does_not_count_after_a_later_one(clock: Clock) -> None:
    user = staff()
    secret, _ = with_app(user, clock.moment)
    earlier = code_of(secret, clock.moment)
    later = code_of(secret, clock.on(seconds=30))
    assert second_factor_codes.redeem_code(user=user, code=later, now=clock.moment)
    assert second_factor_codes.redeem_code(user=user, code=earlier, now=clock.moment) is None


@pytest.mark.parametrize(("seconds", "good"), [(-60, False), (-30, True), (30, True), (60, False)])
def test_a_clock_may_differ_by_one_step(clock: Clock, seconds: int, good: bool) -> None:
    user = staff()
    clock.moment = clock.moment.replace(second=0)
    secret, _ = with_app(user, clock.moment)
    code = code_of(secret, clock.moment)
    clock.on(seconds=seconds)
    assert bool(second_factor_codes.redeem_code(user=user, code=code, now=clock.moment)) is good


def test_the_page_of_the_second_factor_waits_ten_minutes(clock: Clock, client: Client) -> None:
    secret, _ = with_app(staff(), clock.moment)
    sign_in(client)
    clock.on(seconds=599)
    assert client.get(SECOND).status_code == 200
    clock.on(seconds=1)
    late = client.post(SECOND, {"code": code_of(secret, clock.moment)})
    assert (late.status_code, late["Location"]) == (303, LOGIN)
    assert not inside(client)


def test_a_password_that_changed_meanwhile_ends_the_wait(clock: Clock, client: Client) -> None:
    user = staff()
    secret, _ = with_app(user, clock.moment)
    sign_in(client)
    user.set_password("quite another one")
    user.save()
    assert client.post(SECOND, {"code": code_of(secret, clock.moment)}).status_code == 303


def test_factors_that_were_reset_meanwhile_end_the_wait(clock: Clock, client: Client) -> None:
    user = staff()
    with_app(user, clock.moment)
    sign_in(client)
    senior = staff("samir", "Senior officer")
    services.reset_second_factors(person=user, by=senior, reason=WHY, now=clock.moment)
    late = client.post(SECOND, {"password": PASSWORD})
    assert (late.status_code, late["Location"]) == (303, LOGIN)
    assert not inside(client)


def test_a_factor_set_up_meanwhile_ends_the_wait_too(clock: Clock, client: Client) -> None:
    user = staff()
    with_app(user, clock.moment)
    sign_in(client)
    secret, _ = with_app(user, clock.moment)
    assert client.post(SECOND, {"code": code_of(secret, clock.moment)})["Location"] == LOGIN


def test_a_password_is_no_second_factor(clock: Clock, client: Client) -> None:
    with_app(staff(), clock.moment)
    sign_in(client)
    assert client.post(SECOND, {"password": PASSWORD}).status_code == 200
    assert not inside(client)


def test_a_recovery_code_counts_once_and_says_how_many_are_left(
    clock: Clock, client: Client
) -> None:
    user = staff()
    _, recovery = with_app(user, clock.moment)
    sign_in(client)
    typed = f" {recovery[0].lower()} "
    assert client.post(SECOND, {"code": typed}).status_code == 302
    assert "9 recovery codes are left" in client.get("/admin/").content.decode()
    assert second_factor_codes.redeem_code(user=user, code=recovery[0], now=clock.moment) is None
    assert PeopleEvent.objects.filter(what=PeopleEventType.RECOVERED, person=user).count() == 1


def test_what_is_kept_of_secrets_gives_none_of_them_back(clock: Clock, settings: Any) -> None:
    user = staff()
    secret, recovery = with_app(user, clock.moment)
    kept = " ".join(Factor.objects.values_list("secret", flat=True))
    assert secret not in kept
    assert not [code for code in recovery if code.replace("-", "") in kept]
    settings.SECRET_KEY = "another key of the same length, more or less"
    with pytest.raises(secret_encryption.UnreadableSecret):
        second_factor_codes.redeem_code(user=user, code="123456", now=clock.moment)


def test_keys_rotate_with_the_old_one_kept(clock: Clock, settings: Any) -> None:
    user = staff()
    secret, recovery = with_app(user, clock.moment)  # under the key that is derived
    settings.MFA_KEYS = f"b:{'ab' * 32}"
    assert second_factor_codes.redeem_code(
        user=user, code=code_of(secret, clock.moment), now=clock.moment
    )
    assert second_factor_codes.redeem_code(user=user, code=recovery[0], now=clock.moment)
    assert (
        secret_encryption.encrypt_secret("x").startswith("b:")
        and secret_encryption.decrypt_secret(secret_encryption.encrypt_secret("x")) == "x"
    )


def due(client: Client, settings: Any) -> None:
    settings.MFA_REQUIRED = True
    staff()
    assert sign_in(client).status_code == 302


def test_where_one_is_required_no_page_comes_before_it_is_set_up(
    clock: Clock, client: Client, settings: Any
) -> None:
    due(client, settings)
    for place in ("/admin/", "/admin/review/case/", "/admin/password_change/"):
        answer = client.get(place)
        assert (answer.status_code, answer["Location"]) == (302, SECURITY), place
    assert "Set up a second factor" in check_page(client.get(SECURITY))
    page = check_page(client.get("/admin/account/app/"))
    assert "<svg" in page
    secret = re.search(r'class="secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")  # type: ignore[index]
    again = client.post("/admin/account/app/", {"code": "000000"})
    assert "is not correct" in check_page(again)
    done = check_page(client.post("/admin/account/app/", {"code": code_of(secret, clock.moment)}))
    assert len(re.findall(r"<li>[A-Z2-9]{5}-[A-Z2-9]{5}</li>", done)) == 10
    assert inside(client)
    assert "not shown again" not in client.get(SECURITY).content.decode()


def test_the_code_that_set_an_app_up_does_not_sign_in(
    clock: Clock, client: Client, settings: Any
) -> None:
    due(client, settings)
    page = client.get("/admin/account/app/").content.decode()
    secret = re.search(r'class="secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")  # type: ignore[index]
    code = code_of(secret, clock.moment)
    client.post("/admin/account/app/", {"code": code})
    other = Client()
    sign_in(other)
    assert other.post(SECOND, {"code": code}).status_code == 200


def test_the_last_factor_stays_where_one_is_required(
    clock: Clock, client: Client, settings: Any
) -> None:
    user = staff()
    with_app(user, clock.moment)
    client.force_login(user)
    settings.MFA_REQUIRED = True
    app = Factor.objects.get(kind="APP")
    client.post(f"/admin/account/remove/{app.pk}/")
    assert Factor.objects.filter(kind="APP").exists()
    settings.MFA_REQUIRED = False
    client.post(f"/admin/account/remove/{app.pk}/")
    assert not Factor.objects.exists()


def test_nobody_removes_what_is_another_s(clock: Clock, client: Client) -> None:
    with_app(staff(), clock.moment)
    client.force_login(staff("samir"))
    app = Factor.objects.get(kind="APP")
    assert client.post(f"/admin/account/remove/{app.pk}/").status_code == 404
    assert Factor.objects.filter(pk=app.pk).exists()


def test_ten_wrong_codes_of_an_account_are_enough_from_wherever(clock: Clock) -> None:
    secret, _ = with_app(staff(), clock.moment)
    tried = []
    for number in range(11):
        client = Client(REMOTE_ADDR=f"198.51.100.{number}")
        sign_in(client)
        tried.append(client.post(SECOND, {"code": "000000"}).status_code)
    assert tried == [200] * 10 + [429]
    right = client.post(SECOND, {"code": code_of(secret, clock.moment)})
    assert right.status_code == 429
    assert f"from {clock.on(minutes=15):%H:%M} UTC on" in right.content.decode()
    sign_in(client)
    assert client.post(SECOND, {"code": code_of(secret, clock.moment)}).status_code == 302


def test_a_senior_resets_another_s_with_a_reason_and_it_is_recorded(clock: Clock) -> None:
    user, senior = staff(), staff("samir", "Senior officer")
    with_app(user, clock.moment)
    theirs, desk = at_desk(user), at_desk(senior)
    place = f"/admin/staff/person/{user.pk}/"
    assert "All sign-ins" not in check_page(desk.get(f"{place}change/"))
    desk.post(f"{place}reset/", {"reason": "short"})
    assert Factor.objects.filter(kind="APP").exists()
    desk.post(f"{place}reset/", {"reason": WHY})
    assert not Factor.objects.exists()
    assert not inside(theirs)
    event = PeopleEvent.objects.get(what=PeopleEventType.RESET)
    assert (event.person, event.by, event.data["reason"]) == (user, "samir", WHY)
    assert WHY in check_page(desk.get("/admin/staff/peopleevent/"))


@pytest.mark.parametrize(("production", "left"), [(True, 1), (False, 0)])
def test_nobody_resets_their_own_in_production(
    clock: Clock, settings: Any, production: bool, left: int
) -> None:
    senior = staff("samir", "Senior officer")
    with_app(senior, clock.moment)
    settings.PRODUCTION = production
    at_desk(senior).post(f"/admin/staff/person/{senior.pk}/reset/", {"reason": WHY})
    assert Factor.objects.filter(kind="APP").count() == left


def test_a_superuser_is_reset_by_a_superuser_alone(clock: Clock) -> None:
    root = person("root", superuser=True)
    with_app(root, clock.moment)
    senior = staff("samir", "Senior officer")
    at_desk(senior).post(f"/admin/staff/person/{root.pk}/reset/", {"reason": WHY})
    assert Factor.objects.filter(kind="APP").exists()
    other = person("other", superuser=True)
    at_desk(other).post(f"/admin/staff/person/{root.pk}/reset/", {"reason": WHY})
    assert not Factor.objects.exists()


def test_an_operator_resets_a_lost_one_at_the_server(clock: Clock) -> None:
    user = staff()
    with_app(user, clock.moment)
    desk = at_desk(user)
    wrong = (["nobody", WHY, "Ann"], ["olivia", "x", "Ann"], ["olivia", WHY, " "])
    for name, reason, by in wrong:
        with pytest.raises(CommandError):
            call_command("reset_second_factor", name, "--reason", reason, "--by", by)
    assert Factor.objects.exists()
    call_command("reset_second_factor", "olivia", "--reason", WHY, "--by", "Ann")
    assert not Factor.objects.exists() and not inside(desk)
    assert PeopleEvent.objects.get(what=PeopleEventType.RESET).by == "operator Ann"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Olivia\u202e's key", "hidden character (U+202E)"),
        ("\u200blaptop", "hidden character (U+200B)"),
        ("one\ntwo", "hidden character (U+000A)"),
        ("x" * 61, "It has 61 characters: at most 60 are kept"),
        ("x" * 60, "The browser&#x27;s answer was not accepted"),
        ("", "The browser&#x27;s answer was not accepted"),
    ],
)
def test_a_passkey_is_called_what_can_be_read_and_nothing_is_cut(
    clock: Clock, name: str, why: str
) -> None:
    olivia = at_desk(staff())
    page = f"{SECURITY}passkey/"
    check_page(olivia.get(page))
    html = check_page(olivia.post(page, {"name": name, "passkey": "{}"}))
    assert why in html and not Factor.objects.exists()
    kept = html.split('name="name"')[1].split(">")[0]
    assert f'value="{escape(name)}"' in kept and "maxlength" not in kept
