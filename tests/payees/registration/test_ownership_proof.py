"""Who holds a wallet proves it by signing a message of ours; nothing else is a proof."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from eth_account import Account
from eth_account.messages import encode_defunct

from apps.compliance.payees.models import Registration
from apps.compliance.payees.services import ownership_proof
from apps.platform.common.clock import now
from tests.payees.registration.conftest import MICROSOFT
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
KEY = Account.from_key("0x" + "11" * 32)
OTHER = Account.from_key("0x" + "22" * 32)


@pytest.fixture
def row(register: Call) -> Registration:
    register(walletAddress=KEY.address.lower(), legalName="Microsoft Corporation")
    return Registration.objects.get()


@pytest.fixture
def ruth(sample: Any) -> User:
    return person("ruth", "Registrar")


def signed(message: str, key: Any = KEY) -> str:
    return "0x" + key.sign_message(encode_defunct(text=message)).signature.hex().removeprefix("0x")


def test_a_signed_message_is_a_proof_and_its_evidence_is_kept(
    row: Registration, ruth: User, lookup: Call
) -> None:
    message = ownership_proof.build_ownership_challenge(registration=row, now=now())
    assert row.wallet in message and row.legal_name in message and "Expires:" in message
    ownership_proof.record_ownership_proof(
        registration=row, signature=signed(message), by=ruth, now=now()
    )
    assert lookup(KEY.address)["ownershipProved"] is True
    event = row.events.order_by("pk").last()
    assert event is not None and event.action == "PROVED" and event.by == ruth
    assert event.data["message"] == message
    with pytest.raises(ownership_proof.OwnershipNotProved, match="already"):
        ownership_proof.record_ownership_proof(
            registration=row, signature=signed(message), by=ruth, now=now()
        )


@pytest.mark.parametrize(
    "signature", ["", "0x", "0x12", "zz" * 65, "0x" + "00" * 65, "0x" + "ff" * 65]
)
def test_what_is_no_signature_is_no_proof(row: Registration, ruth: User, signature: str) -> None:
    with pytest.raises(ownership_proof.OwnershipNotProved):
        ownership_proof.record_ownership_proof(
            registration=row, signature=signature, by=ruth, now=now()
        )
    assert Registration.objects.get().proved_at is None


def test_the_signature_of_another_wallet_or_message_is_no_proof(
    row: Registration, ruth: User
) -> None:
    message = ownership_proof.build_ownership_challenge(registration=row, now=now())
    other = message.replace("Nonce: ", "Nonce: 0")
    for signature in (signed(message, OTHER), signed(other), signed(message + " ")):
        with pytest.raises(ownership_proof.OwnershipNotProved):
            ownership_proof.record_ownership_proof(
                registration=row, signature=signature, by=ruth, now=now()
            )


def test_a_message_that_expired_or_is_not_ours_is_refused(row: Registration, ruth: User) -> None:
    message = ownership_proof.build_ownership_challenge(registration=row, now=now())
    late = now() + ownership_proof.STEP + ownership_proof.LASTS + timedelta(seconds=1)
    ahead = ownership_proof.build_ownership_challenge(registration=row, now=late)
    for given, moment in ((message, late), (ahead, now()), ("I control it.", now())):
        with pytest.raises(ownership_proof.OwnershipNotProved):
            ownership_proof.record_ownership_proof(
                registration=row, signature=signed(given), by=ruth, now=moment
            )


def test_a_message_is_open_for_a_day_whenever_it_was_shown(row: Registration, ruth: User) -> None:
    begins = datetime(2030, 1, 1, tzinfo=UTC)
    last = begins + ownership_proof.STEP - timedelta(seconds=1)
    message = ownership_proof.build_ownership_challenge(registration=row, now=begins)
    assert message == ownership_proof.build_ownership_challenge(registration=row, now=last)
    assert message != ownership_proof.build_ownership_challenge(
        registration=row, now=begins + ownership_proof.STEP
    )
    ends = begins + ownership_proof.STEP + ownership_proof.LASTS
    assert f"Expires: {ends:%Y-%m-%dT%H:%M}" in message
    with pytest.raises(ownership_proof.OwnershipNotProved):
        late = ends + timedelta(seconds=1)
        ownership_proof.record_ownership_proof(
            registration=row, signature=signed(message), by=ruth, now=late
        )
    ownership_proof.record_ownership_proof(
        registration=row, signature=signed(message), by=ruth, now=ends
    )


def test_a_message_of_an_entity_that_changed_since_proves_nothing(
    row: Registration, ruth: User, register: Call
) -> None:
    message = ownership_proof.build_ownership_challenge(registration=row, now=now())
    register(walletAddress=KEY.address, **MICROSOFT, status=200)
    with pytest.raises(ownership_proof.OwnershipNotProved, match="another entity"):
        ownership_proof.record_ownership_proof(
            registration=row, signature=signed(message), by=ruth, now=now()
        )


def test_wallets_of_other_chains_are_not_proved_here(register: Call) -> None:
    register(walletAddress="TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t")
    with pytest.raises(ownership_proof.OwnershipNotProvable):
        ownership_proof.build_ownership_challenge(
            registration=Registration.objects.get(), now=now()
        )


def test_a_registrar_records_a_proof_at_the_desk(row: Registration, ruth: User) -> None:
    desk, page = at_desk(ruth), f"/admin/registry/registration/{row.pk}/"
    html = unescape(check_page(desk.get(f"{page}prove/")))
    message = html.partition("<pre")[2].partition(">")[2].partition("</pre>")[0]
    again = unescape(check_page(desk.get(f"{page}prove/")))
    assert message and message in again  # the page may be closed while the customer signs
    wrong = desk.post(f"{page}prove/", {"signature": signed(message, OTHER)})
    assert "not made by this wallet" in check_page(wrong) and message in unescape(check_page(wrong))
    desk.post(f"{page}prove/", {"signature": signed(message)})
    assert "Ownership proved" in check_page(desk.get(page))
