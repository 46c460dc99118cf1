"""Checks of a payment that need no chain: one table, and the first fault is the answer.

Reasons are the codes that facilitators emit, so that clients know them. Time comes in as Unix
seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass

from apps.access.paywall.x402.payment_parser import Payment
from apps.access.paywall.x402.terms import SCHEME, Terms

SOONEST = 6  # seconds that a payment must still be valid for, so that it can be settled
PLAIN_SIGNATURE = 2 + 2 * 65  # characters; longer ones are contract wallets' (ERC-1271, ERC-6492)
# above half of the curve's order a signature has a twin; token contracts refuse it
HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0


@dataclass(frozen=True, slots=True)
class Check:
    """One rule: the reason if `fails(payment, terms, now)`."""

    reason: str
    fails: Callable[[Payment, Terms, int], bool]


def _is_other_offer(payment: Payment, terms: Terms, _: int) -> bool:
    """Tell whether a payer of version 2 accepted another offer than this one."""
    # version 1 does not repeat the offer
    if payment.offer is None:
        return False
    ours = terms.offer_v2()
    return any(
        str(payment.offer.get(name, "")).lower() != str(ours[name]).lower()
        # only the fields that decide where how much money goes
        for name in ("asset", "payTo", "amount")
    )


CHECKS = (
    Check("unsupported_scheme", lambda p, t, now: p.scheme != SCHEME),
    Check("network_mismatch", lambda p, t, now: not t.network.is_named(p.network)),
    Check(
        "invalid_exact_evm_payload_recipient_mismatch",
        lambda p, t, now: p.payee != t.pay_to.lower(),
    ),
    Check(
        "invalid_exact_evm_payload_authorization_value_mismatch",
        lambda p, t, now: p.value != t.amount,
    ),
    Check("no_matching_payment_requirements", _is_other_offer),
    Check(
        "invalid_exact_evm_payload_authorization_valid_before",
        lambda p, t, now: p.valid_before < now + SOONEST,
    ),
    Check(
        "invalid_exact_evm_payload_authorization_valid_after",
        lambda p, t, now: p.valid_after > now,
    ),
    Check(
        "invalid_exact_evm_payload_signature",
        lambda p, t, now: is_plain_signature(p) and not is_signed_by_payer(p, t),
    ),
)
SIGNATURE_FAULT = CHECKS[-1].reason


def find_payment_fault(*, payment: Payment, terms: Terms, now: int) -> str:
    """Return why a payment is refused, or an empty text.

    A contract wallet's signature is not checked: only its chain can do so.
    """
    reasons = (check.reason for check in CHECKS if check.fails(payment, terms, now))
    return next(reasons, "")


def is_plain_signature(payment: Payment) -> bool:
    """Tell whether the signature is made by a plain key, and so verifiable without a chain."""
    return len(payment.signature) <= PLAIN_SIGNATURE


def is_signed_by_payer(payment: Payment, terms: Terms) -> bool:
    """Tell whether the payer's own key signed this authorization (EIP-712) for this token."""
    # loads web3 once per process: a second of work and 40 MB, so not before the first payment is
    # verified
    from x402.mechanisms.evm.eip712 import hash_eip3009_authorization
    from x402.mechanisms.evm.types import ExactEIP3009Authorization
    from x402.mechanisms.evm.verify import verify_eoa_signature

    # r, s and v (32 + 32 + 1 bytes); the hexadecimal form was checked by the parser
    raw = bytes.fromhex(payment.signature[2:])
    if len(raw) != 65 or int.from_bytes(raw[32:64]) > HALF_ORDER:
        return False
    network = terms.network
    authorization = ExactEIP3009Authorization(
        from_address=payment.payer,
        to=payment.payee,
        value=str(payment.value),
        valid_after=str(payment.valid_after),
        valid_before=str(payment.valid_before),
        nonce=payment.nonce,
    )
    digest = hash_eip3009_authorization(
        authorization, network.chain_id, network.asset, network.token, network.edition
    )
    try:
        return verify_eoa_signature(digest, raw, payment.payer)
    except ValueError:  # an invalid recovery byte
        return False
