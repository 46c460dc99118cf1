"""Shapes of the agent registry (document 1 section 2.10)."""

import re
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from rest_framework import serializers

from apps.compliance.agents.models import Level, Status
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import (
    EpochSeconds,
    Flag,
    FreeObject,
    Lei,
    ListOf,
    Moment,
    Number,
    OneOf,
    Shape,
    Text,
    Whole,
)

LEAST, MOST = Decimal("0.01"), Decimal(10**12 - 1)
MOST_PROTOCOLS, MOST_LISTED = 20, 200
LEVELS, STATUSES = tuple(Level.values), tuple(Status.values)


class Email(Text):
    """An e-mail address."""

    format, pattern = "email", r"^[^@\s]+@[^@\s]+\.[^@\s.]+$"
    longest = 254

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        try:
            EmailValidator()(value)
        except ValidationError:
            raise serializers.ValidationError("This is not an e-mail address.") from None
        return value


class Pair(Text):
    """Two currencies, the one paid first: ISO 4217 codes or tokens of up to five letters."""

    pattern = r"^[A-Za-z]{3,5}\|[A-Za-z]{3,5}$"

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if not re.fullmatch(self.pattern, value, re.ASCII):
            raise serializers.ValidationError("Write a pair as AAA|BBB.")
        return value.upper()


def _usd_field(about: str) -> Number:
    # null differs from absent: it removes the limit
    return Number(required=False, allow_null=True, min_value=LEAST, max_value=MOST, help_text=about)


class MandateTerms(Shape):
    """What an agent may spend; an omitted field keeps its value, and at first means no limit."""

    max_notional_usd = _usd_field("USD in one payment; null: no limit.")
    daily_cap_usd = _usd_field("USD in one UTC day; null: no limit.")
    currency_pairs = ListOf(
        child=Pair(),
        required=False,
        max_length=MOST_LISTED,
        help_text="AAA|BBB; empty: any pair.",
    )
    counterparty_whitelist = ListOf(
        child=Lei(),
        required=False,
        max_length=MOST_LISTED,
        help_text="LEIs; empty: any counterparty.",
    )
    esg_floor = Whole(required=False, min_value=0, max_value=100, help_text="0: none.")
    ap2_compatible = Flag(required=False, help_text="Adds a document in AP2 format.")


class AgentIn(Shape):
    """An agent, and what you state about its owner; this determines the level."""

    name = Text(max_length=200)
    framework = Text(required=False, max_length=100)
    protocols = ListOf(child=Text(max_length=40), required=False, max_length=MOST_PROTOCOLS)
    owner_entity = Text(required=False, max_length=300, help_text="The legal name of the owner.")
    owner_email = Email(required=False, help_text="Never shown again.")
    owner_lei = Lei(required=False, help_text="Looked up in the LEI registry.")
    mandate = MandateTerms(required=False)


class Caps(Shape):
    """Limits in USD that the level sets; null means no limit."""

    max_notional_usd = Number(allow_null=True)
    daily_cap_usd = Number(allow_null=True)


class MandateOut(Shape):
    """The mandate in force; limits in USD, null means no limit. docs/agents.md describes `ap2`."""

    mandate_id = Text()
    version = Whole()
    max_notional_usd = Number(allow_null=True)
    daily_cap_usd = Number(allow_null=True)
    currency_pairs = serializers.ListField(child=Text())
    counterparty_whitelist = serializers.ListField(child=Text())
    esg_floor = Whole(allow_null=True)
    ap2_compatible = Flag()
    active = Flag(
        help_text="false once its agent is revoked, or has fallen to a level without mandates."
    )
    made_at = EpochSeconds()
    ap2 = FreeObject(required=False)


class AgentOut(Shape):
    """The public data of an agent. `_next` is present below VERIFIED."""

    agent_id = Text()
    name = Text()
    framework = Text()
    protocols = serializers.ListField(child=Text())
    owner_entity = Text()
    owner_lei = Text()
    kya_level = OneOf(choices=LEVELS)
    kya_score = Whole()
    status = OneOf(choices=STATUSES)
    tier_caps = Caps()
    lei_verified = Flag()
    lei_entity_name = Text(allow_null=True)
    lei_status = Text(
        help_text="NONE without an LEI, NOT_CHECKED if the LEI could not be looked up."
    )
    tier_note = Text()
    owner_verified = Flag()
    mandate = MandateOut(allow_null=True)
    registered_at = EpochSeconds()
    checked_at = EpochSeconds(help_text="When the level was determined.")
    revoked_at = EpochSeconds(required=False)
    _next = Text(required=False)


class RegisteredOut(AgentOut):
    """A new agent; `agentSecret` is returned once. Send it in `Authorization: Bearer`."""

    agent_secret = Text()
    clamped = Flag(
        required=False, help_text="With a mandate: whether the level allows less than requested."
    )


class MandateMade(MandateOut):
    """The agent's mandate now in force; `clamped` if its level allows less than requested."""

    agent_id = Text()
    clamped = Flag()


class OwnerProof(Shape):
    """Proof that the owner of the LEI backs the agent: signed by a wallet registered to it.

    docs/agents.md has the text to sign.
    """

    wallet = Text(max_length=130, help_text="As written in the signed text.")
    signature = Text(max_length=1000, help_text="EIP-191: 0x and 130 hexadecimal digits.")
    signed_at = EpochSeconds(help_text="Within five minutes of now.")


class MandateIn(MandateTerms):
    """A mandate, or changes to it; the agent itself may omit `agentId`."""

    agent_id = Text(required=False, max_length=64)
    owner_proof = OwnerProof(
        required=False, help_text="Required if an agent loosens one of its own limits."
    )


class VerifyIn(Shape):
    """No field is required. Valid proofs are kept; `audience` is whom the JWT is intended for."""

    audience = Text(required=False, max_length=200, help_text="Default: settlement.")
    key_proof = Text(required=False, max_length=4000, help_text="A JWS of the agent's own key.")
    owner_proof = OwnerProof(required=False)


class Attestation(Shape):
    """The claims about the agent; limits in USD, null means no limit."""

    kya_level = OneOf(choices=LEVELS)
    owner_verified = Flag()
    mandate_active = Flag()
    fatf_compliant = Flag()
    daily_cap_usd = Number(allow_null=True)
    max_notional_usd = Number(allow_null=True)


class CredentialOut(Shape):
    """A credential for one hour, in epoch milliseconds; only we can check `signature`."""

    agent_id = Text()
    jti = Text()
    issued_at = Whole()
    expires_at = Whole()
    mandate_id = Text(allow_null=True)
    attestation = Attestation()
    signature = Text()


class VerifiedOut(Shape):
    """For a revoked agent `verified` is false and nothing is issued."""

    agent_id = Text()
    verified = Flag()
    status = OneOf(choices=STATUSES)
    kya_level = OneOf(choices=LEVELS)
    kya_score = Whole()
    lei_status = Text()
    tier_note = Text()
    proof_note = Text(required=False, help_text="Why an earlier proof of the owner ended.")
    credential = CredentialOut(allow_null=True)
    credential_jwt = Text(allow_null=True, help_text="The same claims, for anyone to verify.")
    _next = Text(required=False)


class RevokedOut(Shape):
    """Confirms that an agent is revoked."""

    agent_id = Text()
    status = OneOf(choices=STATUSES)
    revoked_at = EpochSeconds()


class RevocationsQuery(PageQuery):
    """From which time, and which page."""

    revoked_from = Moment(
        required=False, help_text="The start of the period, ISO 8601 with its offset."
    )


class RevocationRow(Shape):
    """One revoked agent: none of its credentials is valid."""

    agent_id = Text()
    revoked_at = EpochSeconds()


class RevocationsOut(Shape):
    """Revoked agents, most recent first."""

    items = RevocationRow(many=True)  # type: ignore[assignment]
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
