"""Single sign-on: whom the provider proves, with the roles of its groups, and nobody else."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.test import Client, RequestFactory

from apps.backoffice.staff.models import PeopleEvent, PeopleEventType, SignIn, SignOn
from apps.backoffice.staff.sign_in_session import get_last_proof
from tests.review.people import check_page, person
from tests.staff.people import PROVE, Clock, code_of, inside, staff, with_app
from tests.staff.provider import CLIENT, SECRET, Provider

START, BACK = "/admin/account/sign-on/", "/admin/account/sign-on/back/"
GROUPS = {"groups": ["everyone", "desk"]}


@pytest.fixture
def provider(clock: Clock, settings: Any, monkeypatch: Any) -> Iterator[Provider]:
    made = Provider()
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = made.issuer, CLIENT
    settings.OIDC_CLIENT_SECRET, settings.OIDC_MFA_ACR = SECRET, ["gold"]
    settings.OIDC_ROLES = {"desk": "Compliance officer", "keys": "Operator"}
    monkeypatch.setattr("apps.backoffice.staff.views.sign_on.now", clock)
    made.claims = dict(GROUPS)
    yield made
    made.far.close()


def go(client: Client, provider: Provider, start: str = START) -> Any:
    """Go to the provider and come back."""
    return client.get(BACK + provider.see(client.get(start)["Location"]))


def refused(client: Client, provider: Provider) -> bool:
    answer = go(client, provider)
    return answer["Location"] == "/admin/login/" and not inside(client)


def test_somebody_new_gets_the_roles_of_their_groups(provider: Provider, client: Client) -> None:
    assert "Single sign-on" in check_page(client.get("/admin/login/?next=/admin/review/case/"))
    answer = go(client, provider, f"{START}?next=/admin/review/case/")
    assert answer["Location"] == "/admin/review/case/" and inside(client)
    user = User.objects.get(username="olga")
    assert [group.name for group in user.groups.all()] == ["Compliance officer"]
    assert user.is_staff and not user.is_superuser and not user.has_usable_password()
    assert SignIn.objects.get().how == "Single sign-on"
    asked = provider.asked
    assert asked["code_challenge_method"] == "S256" and asked["scope"] == "openid profile"
    assert asked["redirect_uri"] == f"http://testserver{BACK}"
    kinds = list(PeopleEvent.objects.order_by("pk").values_list("what", flat=True))
    assert kinds == [PeopleEventType.JOINED, PeopleEventType.ROLES]


@pytest.mark.parametrize("groups", [None, [], ["everyone"], "everyone", {"desk": 1}])
def test_who_has_no_role_gets_no_access_and_no_account(
    provider: Provider, client: Client, groups: Any
) -> None:
    provider.claims = {"groups": groups}
    assert refused(client, provider)
    assert not User.objects.filter(username="olga").exists()


def test_roles_follow_the_groups_and_who_lost_them_is_out(
    provider: Provider, client: Client
) -> None:
    go(client, provider)
    provider.claims = {"groups": ["keys"]}
    other = Client()
    go(other, provider)
    user = User.objects.get(username="olga")
    assert [group.name for group in user.groups.all()] == ["Operator"]
    provider.claims = {"groups": []}
    assert refused(Client(), provider)
    assert not user.groups.exists() and not inside(client) and not inside(other)


@pytest.mark.parametrize(
    "wrong",
    [
        {"aud": "another"}, {"iss": "https://evil.example"}, {"nonce": "another"}, {"nonce": None},
        {"exp": 1}, {"exp": None}, {"sub": None}, {"azp": "another"},
        {"aud": [CLIENT, "another"]}, {"aud": [CLIENT, "another"], "azp": "another"},
    ],
)  # fmt: skip
def test_a_token_that_does_not_hold_lets_nobody_in(
    provider: Provider, client: Client, wrong: dict[str, Any]
) -> None:
    provider.claims |= wrong
    assert refused(client, provider)


def test_a_token_of_another_key_or_of_none_lets_nobody_in(
    provider: Provider, client: Client
) -> None:
    provider.signs = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert refused(client, provider)
    provider.signs, provider.algorithm = SECRET * 3, "HS256"  # type: ignore[assignment]
    assert refused(client, provider)
    provider.signs, provider.algorithm = None, "none"  # type: ignore[assignment]
    assert refused(client, provider)


def test_an_answer_counts_once_for_its_own_browser_and_for_ten_minutes(
    provider: Provider, client: Client, clock: Clock
) -> None:
    query = provider.see(client.get(START)["Location"])
    assert Client().get(BACK + query)["Location"] == "/admin/login/"
    assert client.get(BACK + query.replace("state=", "state=x"))["Location"] == "/admin/login/"
    assert client.get(BACK + query)["Location"] == "/admin/login/"
    assert not inside(client)
    query = provider.see(client.get(START)["Location"])
    clock.on(seconds=600)
    assert client.get(BACK + query)["Location"] == "/admin/login/"


def test_a_provider_that_describes_another_issuer_is_not_asked(
    provider: Provider, client: Client
) -> None:
    provider.described = {"issuer": "https://evil.example"}
    assert client.get(START)["Location"] == "/admin/login/"
    assert "/token" not in provider.far.calls


def test_a_provider_at_an_address_that_is_not_called_is_not_called(
    provider: Provider, client: Client, settings: Any
) -> None:
    settings.UPSTREAM_PRIVATE_RANGES = ()
    assert client.get(START)["Location"] == "/admin/login/"
    assert provider.far.calls == []


def test_nobody_slips_into_an_account_that_has_a_password_or_is_a_superuser_s(
    provider: Provider, client: Client
) -> None:
    staff("olga")
    person("root", superuser=True)
    assert refused(client, provider)
    provider.claims |= {"preferred_username": "root"}
    assert refused(client, provider)
    assert not SignOn.objects.exists()


def test_an_account_that_was_prepared_without_a_password_is_taken(
    provider: Provider, client: Client
) -> None:
    prepared = User(username="olga", is_staff=True)
    prepared.set_unusable_password()
    prepared.save()
    go(client, provider)
    assert inside(client) and SignOn.objects.get().user == prepared
    prepared.is_active = False
    prepared.save()
    assert refused(Client(), provider)


@pytest.mark.parametrize(
    ("said", "enough"),
    [({}, False), ({"amr": ["pwd"]}, False), ({"amr": ["pwd", "otp"]}, True),
     ({"acr": "gold"}, True), ({"acr": "silver"}, False)],
)  # fmt: skip
def test_the_provider_s_second_factor_counts_when_it_says_so(
    provider: Provider, client: Client, settings: Any, said: dict[str, Any], enough: bool
) -> None:
    settings.MFA_REQUIRED = True
    provider.claims |= said
    go(client, provider)
    assert inside(client) is enough
    if not enough:
        assert client.get("/admin/")["Location"] == "/admin/account/"


def test_who_has_one_here_is_asked_for_it_when_the_provider_did_not(
    provider: Provider, client: Client, clock: Clock
) -> None:
    go(Client(), provider)
    secret, _ = with_app(User.objects.get(username="olga"), clock.moment)
    assert go(client, provider)["Location"] == "/admin/account/second/"
    assert not inside(client)
    client.post("/admin/account/second/", {"code": code_of(secret, clock.moment)})
    assert inside(client)
    hows = SignIn.objects.values_list("how", flat=True)
    assert "Single sign-on and authenticator app" in hows


def test_a_fresh_proof_is_one_that_the_provider_asked_for_anew(
    provider: Provider, client: Client, clock: Clock
) -> None:
    go(client, provider)
    clock.on(minutes=6)
    assert "/admin/account/sign-on/" in check_page(client.get(PROVE))
    place = f"{START}?next=/admin/account/go-on/"
    stale = int((clock.moment - timedelta(minutes=10)).timestamp())
    for claims in ({"auth_time": stale}, {"auth_time": None}, {"sub": "s-2"}):
        provider.claims = GROUPS | claims | {"preferred_username": "another"}
        assert go(client, provider, place)["Location"] == "/admin/account/"
        assert client.get("/admin/account/app/").status_code == 303
    provider.claims = GROUPS | {"auth_time": int(clock.moment.timestamp())}
    assert go(client, provider, place)["Location"] == "/admin/account/go-on/"
    assert provider.asked["prompt"] == "login" and provider.asked["max_age"] == "0"
    assert client.get("/admin/account/app/").status_code == 200


def test_a_fresh_proof_is_recorded_as_what_it_was(
    provider: Provider, client: Client, clock: Clock
) -> None:
    provider.claims = GROUPS | {"amr": ["mfa"]}
    go(client, provider)
    request = RequestFactory().get("/")
    request.session = client.session
    assert get_last_proof(request)["how"] == "Single sign-on with a second factor"
    clock.on(minutes=6)
    provider.claims = GROUPS | {"auth_time": int(clock.moment.timestamp())}
    go(client, provider, f"{START}?next=/admin/account/go-on/")
    request.session = client.session
    assert get_last_proof(request)["how"] == "Single sign-on"


def test_without_a_provider_there_are_no_pages_of_it(clock: Clock, client: Client) -> None:
    assert [client.get(place).status_code for place in (START, BACK)] == [404, 404]
    assert "sign-on" not in check_page(client.get("/admin/login/"))


def test_settings_that_do_not_fit_are_told(settings: Any) -> None:
    settings.OIDC_ISSUER = "https://login.example.com"
    settings.OIDC_ROLES, settings.MFA_KEYS = {"a": "King"}, "a:xyz"
    told = " ".join(error.msg for error in run_checks(tags=["staff"]))
    assert "OIDC_CLIENT_SECRET together" in told and "King" in told and "MFA_KEYS" in told
