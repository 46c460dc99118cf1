"""A facilitator over HTTP: what is asked of it, and how each kind of bad answer fails closed."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.access.paywall.models import PaymentClaim, State
from apps.compliance.screening.models import Screen
from tests.paywall.facilitator_server import Facilitating, facilitating
from tests.paywall.payer import ALICE, unpacked, v1, v2

pytestmark = pytest.mark.django_db(transaction=True)
HASH = "0x" + "cd" * 32
VALID = {"isValid": True, "payer": ALICE.address}
SETTLED = {"success": True, "transaction": HASH, "network": "eip155:8453", "payer": ALICE.address}


class Script:
    """What the facilitator says at each of its two addresses."""

    def __init__(self) -> None:
        self.verify: Any = (200, VALID)
        self.settle: Any = (200, SETTLED)

    def __call__(self, path: str, _: Any) -> Any:
        return self.verify if path == "/verify" else self.settle


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def remote(script: Script, settings: Any) -> Iterator[Facilitating]:
    with facilitating(script) as found:
        settings.FACILITATOR_URL = found.url
        settings.FACILITATOR_TOKEN = "our token"
        yield found


@pytest.fixture
def paid(screen: Callable[..., Any], remote: Facilitating) -> dict[str, str]:
    return v1(screen().json()["accepts"][0])


def test_a_payment_of_either_version_goes_out_as_version_2(
    screen: Any, remote: Facilitating, paid: Any
) -> None:
    assert screen(paid).status_code == 200
    assert screen(v2(unpacked(screen()["PAYMENT-REQUIRED"]))).status_code == 200
    assert [path for path, _ in remote.asked] == ["/verify", "/settle"] * 2
    for _, document in remote.asked:
        assert document["x402Version"] == document["paymentPayload"]["x402Version"] == 2
        assert document["paymentPayload"]["accepted"] == document["paymentRequirements"]
        assert document["paymentRequirements"]["network"] == "eip155:8453"
    assert remote.headers[0]["Authorization"] == "Bearer our token"
    claim = PaymentClaim.objects.first()
    assert claim is not None and (claim.transaction, claim.facilitator) == (HASH, "http")


BAD_VERIFY: dict[str, Any] = {
    "a redirect": (302, {}),
    "an error": (500, {}),
    "no JSON": (200, b"<html>"),
    "another shape": (200, {"valid": True}),
    "a text for a flag": (200, {"isValid": "true"}),
    "another payer": (200, VALID | {"payer": "0x" + "00" * 20}),
    "nothing": None,
}


@pytest.mark.parametrize("answer", BAD_VERIFY.values(), ids=BAD_VERIFY)
def test_a_verification_that_is_no_plain_yes_lets_nobody_in(
    screen: Any, script: Script, paid: Any, answer: Any
) -> None:
    script.verify = answer
    refused = screen(paid)
    assert (refused.status_code, refused.json()["code"]) == (503, "payments_unavailable")
    assert not PaymentClaim.objects.exists() and not Screen.objects.exists()


BAD_SETTLE: dict[str, Any] = {
    "a redirect": (307, {}),
    "an error": (502, {}),
    "refused": (400, {"success": False, "errorReason": "bad"}),
    "no JSON": (200, b"ok"),
    "another shape": (200, []),
    "pending": (200, {"success": False, "errorReason": "settlement_pending", "transaction": HASH}),
    "success on another chain": (200, SETTLED | {"network": "eip155:1"}),
    "success of another payer": (200, SETTLED | {"payer": "0x" + "00" * 20}),
    "success without a transaction": (200, SETTLED | {"transaction": ""}),
    "failed after it was sent": (
        200, {"success": False, "errorReason": "transaction_failed", "transaction": ""},
    ),
    "failed with a transaction": (
        200, {"success": False, "errorReason": "insufficient_funds", "transaction": HASH},
    ),
    "nothing": None,
}  # fmt: skip


@pytest.mark.parametrize("answer", BAD_SETTLE.values(), ids=BAD_SETTLE)
def test_a_settlement_that_may_have_happened_is_unknown_and_gives_nothing_away(
    screen: Any, script: Script, paid: Any, answer: Any
) -> None:
    script.settle = answer
    held = screen(paid)
    assert (held.status_code, held.json()["code"]) == (503, "payment_outcome_unknown")
    assert PaymentClaim.objects.get().state == State.UNKNOWN and not Screen.objects.exists()


def test_a_plain_no_asks_for_another_payment(screen: Any, script: Script, paid: Any) -> None:
    script.verify = (200, {"isValid": False, "invalidReason": "insufficient_funds"})
    refused = screen(paid)
    assert (refused.status_code, refused.json()["error"]) == (402, "insufficient_funds")


def test_after_failures_in_a_row_the_facilitator_is_left_alone(
    screen: Any, script: Script, remote: Facilitating, paid: Any
) -> None:
    script.verify = (503, {})
    for _ in range(7):
        assert screen(paid).status_code == 503
    assert len(remote.asked) == 5
