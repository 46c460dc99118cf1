"""Shapes of payee checks (document 1 sections 2.1 and 2.2)."""

from apps.compliance.payees.rules.lei_states import LEI_STATUSES
from apps.compliance.payees.rules.payee_check import RESULTS
from apps.compliance.payees.serializers import WalletAddress
from apps.compliance.payees.vop.gray_zone import OpinionOut
from apps.platform.api.shapes import EpochSeconds, Flag, Identifier, Lei, OneOf, Shape, Text, Whole

RESOLVED = ("LEI_EXACT_MATCH", "NAME_MATCH", "ALIAS_MATCH", "NOT_REGISTERED")
BASES = ("GLEIF", "SELF_DECLARED")
CHECKS = ("MATCHED", "ANOTHER_LEI", "UNDER_REVIEW", "NONE_ON_RECORD", "NOT_GIVEN")


class VopIn(Shape):
    """The intended payee; with an LEI that matches, names are not compared."""

    wallet_address = WalletAddress()
    submitted_name = Text(max_length=300)
    submitted_lei = Lei(required=False)


class AttestationOut(Shape):
    """`jws` is the same, signed: verify it with the keys of `.well-known/jwks.json`."""

    fatf_r16_compliant = Flag()
    regulatory_note = Text()
    jws = Text(max_length=4000, help_text="Compact JWS (EdDSA), `typ` vop+jwt.")


class VopOut(Shape):
    """The tier of a payee and its basis; from `registeredName` on, only if the wallet is
    registered.
    """

    request_id = Identifier()
    result = OneOf(choices=RESULTS)
    proceed_safe = Flag(help_text="false only for BLOCKED.")
    score = Whole(min_value=0, max_value=100)
    resolved_by = OneOf(choices=RESOLVED)
    registered_name = Text(required=False)
    registered_lei = Text(required=False)
    lei_status = OneOf(choices=LEI_STATUSES)
    lei_check = OneOf(choices=CHECKS, help_text="The outcome for the submitted LEI.")
    matched_name = Text(required=False, help_text="Legal name or alias that agrees best.")
    registered_name_basis = OneOf(choices=BASES, required=False)
    matched_name_basis = OneOf(
        choices=BASES,
        required=False,
        help_text="GLEIF if its record has the name, SELF_DECLARED if it is only as registered.",
    )
    message = Text()
    rule = Text(help_text="The row of the tier table that decided.")
    rule_reference = Text()
    attestation = AttestationOut()
    data_quality = OneOf(
        choices=("LIVE", "SAMPLE"), help_text="SAMPLE if the LEI record is bundled sample data."
    )
    gray_zone_reasoning = OpinionOut(required=False)
    checked_at = EpochSeconds()


class PastCheckOut(Shape):
    """One earlier check: its result, never the names that were submitted.

    `registeredName` and the fields after it are absent if the wallet was not registered. Checks of
    one registration share `registeredAt`.
    """

    request_id = Identifier()
    result = OneOf(choices=RESULTS)
    score = Whole(min_value=0, max_value=100)
    resolved_by = OneOf(choices=RESOLVED)
    proceed_safe = Flag()
    registered_name = Text(
        required=False, help_text="Who was registered for the wallet at the time of the check."
    )
    registered_lei = Text(required=False)
    registered_at = EpochSeconds(required=False)
    present_entity = Flag(help_text="Whether this is still who is registered for it.")
    checked_at = EpochSeconds()


class HistoryOut(Shape):
    """The last 50 checks of a wallet, newest first."""

    wallet_address = Text()
    checks = PastCheckOut(many=True)
