"""Verify an authority's answer: a token is kept only if it matches the request.

RFC 3161 section 2.4.2: status, message imprint, nonce, policy. The signature and the chain of
certificates are verified against those that the operator trusts, if any.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.x509 import Certificate, ObjectIdentifier
from rfc3161_client import (
    PKIStatus,
    TimeStampRequest,
    TimeStampResponse,
    TimeStampTokenInfo,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

SHA256 = ObjectIdentifier("2.16.840.1.101.3.4.2.1")
# between the authority's clock and ours; docs/travel-rule.md states it
MAX_CLOCK_DRIFT = timedelta(minutes=10)
MAX_REASON_LENGTH = 120  # characters of an authority's own words in our log


class TokenRefused(Exception):
    """The answer is not a token for the request; the text says why, and may be logged."""


@dataclass(frozen=True, slots=True)
class VerifiedToken:
    """A token that was judged; `verified` is whether its chain of certificates was, too."""

    der: bytes
    at: datetime
    policy: str
    serial: int
    verified: bool


def verify_answer(
    raw: bytes,
    *,
    request: TimeStampRequest,
    roots: Sequence[Certificate],
    policy: ObjectIdentifier | None,
    now: datetime,
) -> VerifiedToken:
    """Return the token of an answer; TokenRefused if it does not match the request.

    Without `roots` the signer is unknown: the token is then stored as not verified.
    """
    try:
        answer = decode_timestamp_response(raw)
        status = PKIStatus(answer.status)
    except ValueError:
        raise TokenRefused("the answer is not one of a time-stamping authority") from None
    if status is not PKIStatus.GRANTED:
        raise TokenRefused(
            f"the authority did not grant it: {_describe_status(status.name, answer)}"
        )
    info = _read_token_info(answer)
    imprint, message_imprint = info.message_imprint, request.message_imprint
    if (imprint.hash_algorithm, imprint.message) != (SHA256, message_imprint.message):
        raise TokenRefused("the token covers other bytes than requested")
    # else an old answer to the same root could be replayed, with an earlier or later time
    if info.nonce != request.nonce:
        raise TokenRefused("the token has another nonce than the request")
    if policy is not None and info.policy != policy:
        raise TokenRefused(f"the token is of the policy {info.policy.dotted_string}")
    if abs(info.gen_time - now) > MAX_CLOCK_DRIFT:
        raise TokenRefused("the token's time is far from ours: one of the clocks is wrong")
    if roots:
        try:
            VerifierBuilder(roots=list(roots), nonce=request.nonce).build().verify(
                answer, message_imprint.message
            )
        except (VerificationError, ValueError) as error:
            why = "".join(character for character in str(error) if character.isprintable())[
                :MAX_REASON_LENGTH
            ]
            raise TokenRefused(f"the token cannot be verified by TSA_CERTIFICATES: {why}") from None
    return VerifiedToken(
        der=answer.time_stamp_token(),
        at=info.gen_time,
        policy=info.policy.dotted_string,
        serial=info.serial_number,
        verified=bool(roots),
    )


def parse_token(token: bytes) -> TimeStampTokenInfo:
    """Return the content of a stored token; ValueError for bytes that are not a token."""
    # The library reads only whole answers: a TimeStampResp (RFC 3161 section 2.4.2) is a sequence
    # of PKIStatusInfo, here "granted" (0), and the token. DER: 0x82 means that two bytes of length
    # follow, which is the only form for tokens from 256 bytes to 64 KiB.
    granted = bytes.fromhex("3003020100")
    size = len(granted) + len(token)
    if size >= 1 << 16:
        raise ValueError("the token is too large")
    answer = b"\x30\x82" + size.to_bytes(2, "big") + granted + token
    return decode_timestamp_response(answer).tst_info


def _describe_status(name: str, answer: TimeStampResponse) -> str:
    """Return a status with what the authority says of it, cut and without control characters."""
    text = " ".join([name, *map(str, answer.status_string)])
    return "".join(character for character in text if character.isprintable())[:MAX_REASON_LENGTH]


def _read_token_info(answer: TimeStampResponse) -> TimeStampTokenInfo:
    try:
        return answer.tst_info
    except ValueError:
        raise TokenRefused("the answer holds no token") from None
