"""Shapes of the registry (document 1 section 2.3)."""

from typing import Any

from rest_framework import serializers

from apps.compliance.payees.models import RegistrationType
from apps.compliance.payees.models.registrations import MOST_ALIASES
from apps.compliance.payees.rules.lei_states import LEI_STATUSES
from apps.compliance.payees.wallets import (
    LONGEST_WALLET,
    WALLET_PATTERN,
    BadWallet,
    Family,
    parse_wallet,
)
from apps.platform.api.shapes import (
    Country,
    EpochSeconds,
    Flag,
    Lei,
    ListOf,
    Moment,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)

MOST_WALLETS = 200


class WalletAddress(Text):
    """A wallet's address; it becomes its one form, and what its chain would not take is refused."""

    format, pattern, longest = "wallet-address", f"^{WALLET_PATTERN}$", LONGEST_WALLET

    def to_internal_value(self, data: Any) -> str:
        try:
            return parse_wallet(super().to_internal_value(data)).address
        except BadWallet as error:
            raise serializers.ValidationError(str(error)) from None


class RegisterIn(Shape):
    """A wallet and who is behind it."""

    wallet_address = WalletAddress(
        help_text="EVM in any case (mixed case must have a valid EIP-55 checksum), Bitcoin, "
        "Solana, Tron, XRP Ledger and Stellar with their checksums; others are kept as written."
    )
    legal_name = PartyName(help_text="Of the entity or person, as in its register.")
    country = Country(help_text="ISO 3166-1 alpha-2.")
    aliases = ListOf(
        child=PartyName(),
        required=False,
        max_length=MOST_ALIASES,
        help_text="Trading names and others; if omitted, the existing ones stay.",
    )
    lei = Lei(required=False, help_text="Checked with GLEIF: the registration is GLEIF_VERIFIED.")


class RegistrationOut(Shape):
    """A registration.

    `lei` is empty and `leiStatus` NONE if there is no LEI. `leiStatus` is the LEI's current status;
    while `leiUnderReview` is true, GLEIF has another name for it, and the type is SELF_DECLARED.
    `aliases` are those that count, `aliasesUnderReview` those that wait for an officer;
    `selfDeclaredNames` are those that count and that GLEIF does not have. `addressChecked` is false
    for chains whose addresses cannot be checked here. While `underReview` is true, an officer is
    reviewing the registration. `inForce` is false while an entity that replaces another waits for
    its review and the cooling-off: payees are not compared with it. `ownershipProved`: the holder
    of the wallet has signed for this registration.
    """

    wallet_address = Text()
    chain = OneOf(choices=tuple(Family))
    address_checked = Flag()
    legal_name = Text()
    country = Text()
    aliases = serializers.ListField(child=Text())
    self_declared_names = serializers.ListField(child=Text())
    aliases_under_review = serializers.ListField(child=Text())
    type = OneOf(choices=RegistrationType.values)
    lei = Text(allow_blank=True)
    lei_status = OneOf(choices=LEI_STATUSES)
    active = Flag()
    under_review = Flag()
    lei_under_review = Flag()
    in_force = Flag()
    ownership_proved = Flag()
    registered_at = EpochSeconds()


class DeactivatedOut(Shape):
    """The registration has ended; its records stay."""

    wallet_address = Text()
    active = Flag()
    deactivated_at = EpochSeconds()


class LeiQuery(Shape):
    """Which page of the wallets."""

    limit = Whole(required=False, default=50, min_value=1, max_value=MOST_WALLETS)
    after = Text(
        required=False, max_length=LONGEST_WALLET, help_text="`next` of an earlier answer."
    )


class LeiWalletOut(Shape):
    """An active registration under the LEI."""

    wallet_address = Text()
    chain = OneOf(choices=tuple(Family))
    legal_name = Text()
    under_review = Flag()
    lei_under_review = Flag(help_text="GLEIF has another name; an officer is reviewing it.")
    registered_at = EpochSeconds()


class LeiOut(Shape):
    """GLEIF's data on an LEI, and the wallets registered under it, by address.

    `registrationStatus` is GLEIF's term, `leiStatus` ours. `next` is for requesting the wallets
    that follow (`after`), null at the end. `dataQuality` SAMPLE is bundled sample data.
    """

    lei = Text()
    legal_name = Text()
    other_names = serializers.ListField(child=Text())
    lei_status = OneOf(choices=LEI_STATUSES)
    registration_status = Text()
    entity_status = Text(allow_blank=True)
    jurisdiction = Text(allow_blank=True)
    country = Text(allow_blank=True)
    registered_as = Text(allow_blank=True)
    next_renewal = Text(allow_null=True)
    as_of = Moment()
    data_quality = OneOf(choices=("LIVE", "SAMPLE"))
    wallets = LeiWalletOut(many=True)
    wallets_total = Whole()
    next = Text(allow_null=True)
