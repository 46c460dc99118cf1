"""What was tried and blocked, or is held, counts against what is sent after it."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps

from apps.backoffice.review.models import Case
from apps.compliance.aml.models import WalletProfile
from apps.payments.payments.models import Payment
from apps.platform.jobs import job_queue
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import wallet, work
from tests.payments.test_rechecks import release
from tests.payments.test_sender_order import LISTED, job_of, states

pytestmark = pytest.mark.django_db
REFUSED = {"name": "Lazarus Group", "walletAddress": wallet(77)}
RENAMED = {"name": "Blue Ocean Limited", "walletAddress": wallet(77)}


def test_who_was_refused_by_name_is_not_paid_under_another(send: Callable[..., Any]) -> None:
    send(tmsReference="refused", creditor=REFUSED)
    work()
    other = {"name": "Microsoft Corporation", "walletAddress": wallet(43)}
    send(tmsReference="renamed", creditor=RENAMED)
    send(tmsReference="from-another-wallet", creditor=RENAMED, debtor=other)
    send(tmsReference="to-another-payee")
    work()
    assert states() == {
        "refused": "BLOCKED",
        "renamed": "HELD",
        "from-another-wallet": "HELD",
        "to-another-payee": "SETTLED",
    }


def test_who_is_renamed_at_once_is_judged_after_the_name_that_was_refused(
    send: Callable[..., Any],
) -> None:
    send(tmsReference="refused", creditor=REFUSED)
    debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(43)}
    send(tmsReference="renamed", creditor=RENAMED, debtor=debtor)
    job_queue.run_job(job_of("renamed").pk)
    assert states() == {"refused": "BLOCKED", "renamed": "HELD"}


def test_what_one_institution_tried_holds_nobody_elses_payments(send: Callable[..., Any]) -> None:
    send(tmsReference="refused", creditor=REFUSED)
    work()
    client = key_client("Birch Bank", "INSTITUTION")
    send(tmsReference="theirs", creditor=RENAMED, client=client)
    work()
    assert states() == {"refused": "BLOCKED", "theirs": "SETTLED"}


def test_a_listed_debtor_says_nothing_of_who_is_paid(send: Callable[..., Any]) -> None:
    debtor = {"name": "Lazarus Group", "walletAddress": wallet(43)}
    send(tmsReference="refused", creditor=RENAMED, debtor=debtor)
    work()
    send(tmsReference="honest", creditor=RENAMED)
    work()
    assert states() == {"refused": "BLOCKED", "honest": "SETTLED"}


def test_a_released_payment_to_who_was_refused_goes(send: Callable[..., Any]) -> None:
    send(tmsReference="refused", creditor=REFUSED)
    work()
    send(tmsReference="renamed", creditor=RENAMED)
    work()
    release(reason="PURPOSE_SHOWN")
    work()
    assert states()["renamed"] == "SETTLED", Payment.objects.get(reference="renamed").trouble


def test_an_institution_that_pays_for_others_is_not_held_for_one_of_them(
    send: Callable[..., Any],
) -> None:
    debtor = {"name": "Microsoft Corporation"}
    send(tmsReference="listed", creditor=LISTED, debtor=debtor)
    work()
    send(tmsReference="honest", debtor={"name": "Hansen Stahlhandel GmbH"})
    work()
    assert states() == {"listed": "BLOCKED", "honest": "SETTLED"}


def test_what_is_held_makes_no_wallet_mature(send: Callable[..., Any]) -> None:
    for number in range(5):
        creditor = {"name": "Blue Ocean Limited", "walletAddress": wallet(50 + number)}
        send(tmsReference=f"large-{number}", amount="60000.00", creditor=creditor)
        work()
    assert set(states().values()) == {"HELD"}


@pytest.mark.parametrize(("amount", "state"), [("49000.00", "SETTLED"), ("70000.00", "HELD")])
def test_small_payments_do_not_open_the_way_for_a_large_one(
    send: Callable[..., Any], amount: str, state: str
) -> None:
    for number in range(3):
        creditor = {"name": "Blue Ocean Limited", "walletAddress": wallet(50 + number)}
        send(tmsReference=f"small-{number}", amount="150.00", creditor=creditor)
    work()
    send(tmsReference="large", amount=amount)
    work()
    assert states()["large"] == state


@pytest.mark.parametrize(
    "change",
    [
        {"tried_listed": ""},
        {"cleared_at": "2099-01-01T00:00:00Z"},
        {"standing": "", "state": ""},
        {"payments": 500},
    ],
)
def test_a_profile_that_somebody_altered_lets_nothing_go(
    send: Callable[..., Any], change: dict[str, Any]
) -> None:
    send(tmsReference="first", creditor=LISTED)
    work()
    WalletProfile.objects.filter(wallet=wallet(42)).update(**change)
    send(tmsReference="second")
    work()
    payment = Payment.objects.get(reference="second")
    assert (payment.state, payment.tries) == ("SUBMITTED", 1)
    assert "AmlScreenIntegrityError" in payment.trouble


@pytest.mark.parametrize("back", [True, False])
def test_a_profile_that_is_gone_or_put_back_lets_nothing_go(
    send: Callable[..., Any], back: bool
) -> None:
    send(tmsReference="honest")
    work()
    earlier = WalletProfile.objects.filter(wallet=wallet(42)).values().get()
    send(tmsReference="listed", creditor=LISTED)
    work()
    row = WalletProfile.objects.filter(wallet=wallet(42))
    if back:
        row.update(**earlier)
    else:
        row.delete()
    send(tmsReference="later")
    work()
    payment = Payment.objects.get(reference="later")
    assert (payment.state, payment.tries) == ("SUBMITTED", 1)
    assert "AmlScreenIntegrityError" in payment.trouble


def test_a_listed_wallet_is_blocked_whatever_its_profile_says(send: Callable[..., Any]) -> None:
    send(tmsReference="first", creditor=LISTED)
    work()
    WalletProfile.objects.filter(wallet=LISTED["walletAddress"]).update(payments=77)
    debtor = {"name": "Microsoft Corporation", "walletAddress": wallet(43)}
    send(tmsReference="second", creditor=LISTED, debtor=debtor)
    work()
    send(tmsReference="third", debtor=debtor)
    work()
    assert states() == {"first": "BLOCKED", "second": "BLOCKED", "third": "HELD"}
    # the altered row is left as it is, for verify_ledger to find
    assert WalletProfile.objects.get(wallet=LISTED["walletAddress"]).payments == 77


def test_a_release_for_the_payee_leaves_what_the_sender_tried(send: Callable[..., Any]) -> None:
    send(tmsReference="refused", creditor=REFUSED)
    work()
    send(tmsReference="renamed", creditor=RENAMED)
    work()
    rules = Case.objects.get().rules
    [sentence] = [rule["sentence"] for rule in rules if "tried_listed" in rule["ref"]]
    assert "A payment to the same payee was blocked" in sentence
    release(reason="PURPOSE_SHOWN")
    assert WalletProfile.objects.get(wallet=wallet(42)).cleared_at is None


def test_profiles_of_before_are_signed_as_they_stand(send: Callable[..., Any]) -> None:
    migration = importlib.import_module("apps.compliance.aml.migrations.0002_profile_macs")
    send()
    work()
    WalletProfile.objects.update(mac="", mac_key="")
    migration.sign_profiles(apps, None)
    assert not any(profile.find_fault() for profile in WalletProfile.objects.all())


@pytest.mark.parametrize(
    "address",
    [
        "0x000000000000000000000000000000000000dEaD",
        "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",  # USDC on Base
    ],
)
def test_nothing_is_paid_to_a_wallet_that_nobody_holds(
    send: Callable[..., Any], address: str
) -> None:
    told = send(creditor={"name": "Blue Ocean Limited", "walletAddress": address}, status=400)
    [fault] = told["errors"]
    assert fault["field"] == "creditor.walletAddress"
    assert fault["message"].startswith("Nobody controls this wallet")
    assert not Payment.objects.exists()
