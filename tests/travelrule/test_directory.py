"""The directory of counterparties: two officers change it, and nobody believes an altered row."""

from datetime import timedelta
from typing import Any

import pytest

from apps.payments.travelrule.directory import selectors, services
from apps.payments.travelrule.directory.integrity import verify_directory
from apps.payments.travelrule.directory.services import DirectoryConflict
from apps.payments.travelrule.directory.shared_secrets import load_live_secrets
from apps.payments.travelrule.models import Vasp, VaspChange, VaspKey
from apps.payments.travelrule.rules.directory import MAX_SERVED, Creditor
from apps.platform.common.clock import now
from apps.platform.desk.previews import SEEN
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import sql
from tests.review.people import at_desk, check_page
from tests.travelrule.directory import (
    LEI,
    NAME,
    OTHER_LEI,
    SECRET,
    enter,
    propose,
    senior,
    stated,
)

pytestmark = pytest.mark.django_db
TODAY = now().date()
DAY = timedelta(days=1)
CUSTOMER = "INR2EJN1ERAN0W5ZP974"
ADD = "/admin/travelrule/vaspchange/add/"


def found(creditor: Creditor, on: Any = TODAY) -> str:
    """Return by which row the creditor's VASP is found, or an empty text."""
    (one,) = selectors.find_serving_entries([creditor], on=on)
    return one[1].ref if one else ""


def refused(**changes: Any) -> str:
    with pytest.raises(DirectoryConflict) as error:
        propose(**({"secret": SECRET} | changes))
    return str(error.value.detail)


def test_an_entry_counts_only_once_another_officer_approved_it() -> None:
    change = propose(secret=SECRET)
    assert not Vasp.objects.exists()
    with pytest.raises(DirectoryConflict):
        services.approve_change(change=change, by=senior("sofia"), now=now())
    services.approve_change(change=change, by=senior("samir"), now=now())
    assert found(Creditor(wallet(41))) == "TR-D1"


def test_a_rejected_entry_stands_nowhere_and_its_secret_is_destroyed() -> None:
    change = propose(secret=SECRET)
    services.reject_change(
        change=change, by=senior("samir"), now=now(), note="There is no contract."
    )
    assert not Vasp.objects.exists() and not VaspKey.objects.exists()


def test_the_wallet_decides_before_the_customers_lei_and_that_before_its_own() -> None:
    enter(leis=[CUSTOMER])
    enter(lei=OTHER_LEI, name="Other Ltd", secret="t" * 40, wallets=[wallet(42)])
    assert found(Creditor(wallet(42), CUSTOMER)) == "TR-D1"
    assert found(Creditor(wallet(43), CUSTOMER)) == "TR-D2"
    assert found(Creditor(wallet(43), OTHER_LEI)) == "TR-D3"
    assert found(Creditor(wallet(43), "549300LBI3LRIZ2V8V66")) == ""
    assert found(Creditor()) == ""


def test_a_wallet_is_found_in_any_way_of_writing_it() -> None:
    enter(wallets=[f"eip155:1:{wallet(41).lower()}"])
    assert found(selectors.build_creditor(wallet=f"eip155:1:{wallet(41)}", lei="")) == "TR-D1"
    assert found(selectors.build_creditor(wallet=wallet(41).lower(), lei="")) == "TR-D1"
    assert found(selectors.build_creditor(wallet=wallet(40), lei="")) == ""


def test_nobody_guesses_between_two_that_serve_the_same_wallet() -> None:
    enter()
    enter(lei=OTHER_LEI, name="Other Ltd", secret="t" * 40)
    assert found(Creditor(wallet(41))) == ""


@pytest.mark.parametrize(
    ("first", "last", "holds"),
    [(0, None, True), (1, None, False), (-9, 0, True), (-9, -1, False), (0, 0, True)],
)
def test_an_entry_holds_from_its_first_day_to_its_last(
    first: int, last: int | None, holds: bool
) -> None:
    until = None if last is None else TODAY + last * DAY
    enter(valid_from=TODAY + first * DAY, valid_until=until)
    assert bool(found(Creditor(wallet(41)))) is holds
    assert bool(selectors.load_live_entries(TODAY)) is holds


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"lei": "5493001KJTIIGC8Y1R13"}, "not an LEI"),
        ({"name": "  "}, "legal name"),
        ({"endpoint": "http://10.0.0.1/x"}, "public"),
        ({"endpoint": "ftp://heron.example/x"}, "web address"),
        ({"endpoint": "https://user:pw@heron.example/x"}, "password"),
        ({"dialect": "esperanto"}, "dialect"),
        ({"valid_until": stated()["valid_from"] - DAY}, "before the first"),
        ({"wallets": ["0x123"]}, "not a wallet"),
        ({"leis": ["INR2EJN1ERAN0W5ZP975"]}, "not an LEI"),
        ({"wallets": [wallet(n) for n in range(1, MAX_SERVED + 2)]}, "At most"),
        ({"secret": ""}, "secret"),
    ],
)
def test_what_may_not_stand_so_is_refused(changes: dict[str, Any], says: str) -> None:
    assert says in refused(**changes)


def test_as_many_wallets_as_are_kept_are_taken() -> None:
    enter(wallets=[wallet(n) for n in range(1, MAX_SERVED + 1)])
    assert found(Creditor(wallet(MAX_SERVED))) == "TR-D1"


def test_the_last_day_may_be_the_first() -> None:
    propose(secret=SECRET, valid_until=stated()["valid_from"])


def test_in_production_an_endpoint_is_https_alone(settings: Any) -> None:
    settings.PRODUCTION = True
    faults = dict(
        services.find_change_faults(
            services.normalize_entry(stated(endpoint="http://heron.example/x"))
        )
    )
    assert "https" in faults["endpoint"]
    assert "endpoint" not in dict(
        services.find_change_faults(
            services.normalize_entry(stated(endpoint="https://heron.example/x"))
        )
    )


def test_two_secrets_are_live_while_they_rotate_and_no_third() -> None:
    enter()
    for one in ("b" * 40, "c" * 40):
        enter(secret=one)
    vasp = Vasp.objects.get()
    assert load_live_secrets([vasp])[LEI] == [b"c" * 40, b"b" * 40]
    assert VaspKey.objects.count() == 2


def test_the_older_secret_is_dropped_when_two_officers_say_so() -> None:
    enter()
    enter(secret="b" * 40)
    change = propose(drop_older=True)
    services.approve_change(change=change, by=senior("samir"), now=now())
    assert load_live_secrets(Vasp.objects.all())[LEI] == [b"b" * 40]


def test_a_secret_is_kept_sealed_and_of_one_counterparty_alone() -> None:
    enter()
    assert SECRET not in str(list(VaspKey.objects.values())) + str(
        list(VaspChange.objects.values())
    )
    assert "in use" in refused(lei=OTHER_LEI, name="Other Ltd")


def test_a_secret_that_was_moved_to_another_entry_opens_nothing() -> None:
    enter()
    enter(lei=OTHER_LEI, name="Other Ltd", secret="t" * 40, wallets=[])
    held = {vasp_key.lei: vasp_key for vasp_key in VaspKey.objects.all()}
    sql(
        "UPDATE travelrule_vaspkey SET sealed = %s, under = %s WHERE id = %s",
        held[OTHER_LEI].sealed, held[OTHER_LEI].under, held[LEI].pk,
    )  # fmt: skip
    assert load_live_secrets(Vasp.objects.all()) == {LEI: [], OTHER_LEI: [b"t" * 40]}


@pytest.mark.parametrize(
    "change",
    ["endpoint = 'http://127.0.0.1:1/x'", "name = 'Another'", "valid_from = '2019-01-01'",
     "wallets = '[]'", "keys = '[]'", "version = 9"],
)  # fmt: skip
def test_an_entry_that_was_altered_is_not_believed(change: str) -> None:
    enter(leis=[CUSTOMER])
    assert not list(verify_directory(lambda _: None))
    sql(f"UPDATE travelrule_vasp SET {change}")
    assert selectors.load_live_entries(TODAY) == []
    assert found(Creditor(wallet(41), CUSTOMER)) == ""
    assert list(verify_directory(lambda _: None))


def test_an_entry_that_was_set_back_to_an_earlier_version_is_not_believed() -> None:
    before = enter()
    enter(secret="", endpoint="http://127.0.0.1:10/x")
    assert found(Creditor(wallet(41))) == "TR-D1"
    sql("UPDATE travelrule_vasp SET endpoint = %s, version = 1", before.endpoint)
    assert found(Creditor(wallet(41))) == ""


def test_an_entry_that_nobody_approved_is_not_believed() -> None:
    vasp = enter()
    Vasp.objects.create(
        **vasp.stated() | {"lei": OTHER_LEI}, version=1, keys=vasp.keys, changed_at=now()
    )
    assert [live_entry.lei for live_entry in selectors.load_live_entries(TODAY)] == [LEI]


def test_what_finds_an_entry_is_held_against_it() -> None:
    enter()
    sql("DELETE FROM travelrule_served")
    assert ["indexed by other wallets" in one for one in verify_directory(lambda _: None)] == [True]


def test_an_entry_that_is_gone_is_missed() -> None:
    enter()
    Vasp.objects.all().delete()
    assert ["is missing" in one for one in verify_directory(lambda _: None)] == [True]


def test_a_change_of_an_entry_that_moved_on_is_refused() -> None:
    enter()
    change = propose(name="Heron Two")
    Vasp.objects.update(version=2)
    with pytest.raises(DirectoryConflict, match="changed since"):
        services.approve_change(change=change, by=senior("samir"), now=now())


def test_nothing_is_proposed_that_stands_already() -> None:
    enter()
    assert "No change" in refused(secret="")


def form(**changes: Any) -> dict[str, Any]:
    said = stated(endpoint="https://heron.example/receive") | {"secret": SECRET}
    said |= {"wallets": wallet(41), "leis": "", "valid_until": "", "reason": "By contract of May."}
    return said | changes


def test_an_entry_is_proposed_at_the_desk_after_a_look_and_the_secret_is_shown_nowhere() -> None:
    desk = at_desk(senior("sofia"))
    shown = check_page(desk.post(ADD, form()))
    assert NAME in shown and "What you are about to propose" in shown and SECRET not in shown
    assert not VaspChange.objects.exists()
    mark = shown.split(f'name="{SEEN}" value="')[1].split('"')[0]
    sealed = shown.split('name="sealed" value="')[1].split('"')[0]
    answer = desk.post(ADD, form(secret="", sealed=sealed) | {SEEN: mark, "_save": "propose"})
    assert answer.status_code == 302, check_page(answer)
    change = VaspChange.objects.get()
    page = f"/admin/travelrule/vaspchange/{change.pk}/"
    other = at_desk(senior("samir"))
    assert SECRET not in check_page(other.get(f"{page}change/"))
    assert NAME in check_page(other.get("/admin/approvals/"))
    other.post(f"{page}decide/", {"decision": "approve"})
    vasp = Vasp.objects.get()
    assert load_live_secrets([vasp])[LEI] == [SECRET.encode()]
    page_text = check_page(other.get(f"/admin/travelrule/vasp/{vasp.pk}/change/"))
    assert "https://heron.example/receive" in page_text and SECRET not in page_text


@pytest.mark.parametrize("secret", ["s" * 31, "with blank " * 4, "ä" * 40])
def test_a_weak_secret_is_refused_at_its_field(secret: str) -> None:
    page = check_page(at_desk(senior("sofia")).post(ADD, form(secret=secret)), 200)
    assert "A shared secret" in page and "What you are about to propose" not in page


def test_a_sealed_secret_that_was_altered_must_be_typed_again() -> None:
    page = check_page(at_desk(senior("sofia")).post(ADD, form(secret="", sealed="a:b:c")))
    assert "Type the secret again" in page
