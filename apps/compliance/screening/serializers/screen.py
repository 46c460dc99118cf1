"""Shapes of the combined screen: what is asked and what is answered (document 1 section 2.7)."""

from rest_framework import serializers

from apps.compliance.screening.combined.requests import AssumedDefault
from apps.compliance.screening.rules.screen import PAYMENT_TYPES
from apps.compliance.screening.serializers.party import (
    MOST_ALIASES,
    MOST_IDENTIFIERS,
    BirthDate,
    IdentifierIn,
    Wallet,
)
from apps.platform.core.api.pagination import PageQuery
from apps.platform.core.api.shapes import (
    Country,
    Currency,
    Flag,
    Identifier,
    Lei,
    ListOf,
    Moment,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)
from apps.reference.signals.serializers import ValuationOut
from apps.reference.watchlists.match_effects import ENTITY_TYPES

QUALITIES = ("LIVE", "PARTIAL", "SAMPLE")
DECISIONS = ("APPROVED", "FLAGGED", "BLOCKED")
LISTED_TYPES = ("person", "organization", "vessel", "aircraft", "unknown")
LABELS = (
    "STANDARD",
    "INCREASED_MONITORING",
    "EU_HIGH_RISK",
    "CALL_FOR_ACTION",
    "NOT_PROVIDED",
)


class ScreenIn(Shape):
    """A party and a payment to screen."""

    name = PartyName(help_text="Legal name of the entity or individual.")
    lei = Lei(required=False, help_text="Enables the ownership chain and R.16 identification.")
    country = Country(required=False, help_text="Destination, ISO 3166-1 alpha-2.")
    source_country = Country(
        required=False, default=AssumedDefault("US"), help_text="ISO 3166-1 alpha-2."
    )
    amount = Number(required=False, min_value=0, help_text="In `currency`; at most 6 decimals.")
    currency = Currency(required=False, default="USD", help_text="ISO 4217.")
    payment_type = OneOf(choices=PAYMENT_TYPES, required=False)
    individual = Flag(required=False, default=False)
    reference = Text(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        trim_whitespace=False,
        help_text="Your own; echoed back as it is.",
    )
    entity_type = OneOf(choices=ENTITY_TYPES, required=False, help_text="What the party is.")
    birth_date = BirthDate(required=False, help_text="Of the party; YYYY, YYYY-MM or YYYY-MM-DD.")
    nationality = Country(required=False, help_text="Of the party, ISO 3166-1 alpha-2.")
    identifiers = ListOf(
        child=IdentifierIn(),
        required=False,
        max_length=MOST_IDENTIFIERS,
        help_text="Numbers of the party; looked up on the lists exactly, and compared.",
    )
    wallet_address = Wallet(required=False, help_text="Looked up on the lists exactly.")
    address = Text(
        required=False,
        max_length=500,
        help_text="Postal, of the party; it is judged by the country it ends with.",
    )
    aliases = ListOf(
        child=PartyName(),
        required=False,
        max_length=MOST_ALIASES,
        help_text="Further names of the party; each is screened.",
    )


class FatfCountryOut(Shape):
    """Label of each end of the payment."""

    source = OneOf(choices=LABELS)  # type: ignore[assignment]
    destination = OneOf(choices=LABELS)


class MatchOut(Shape):
    """A listed party that was found; `score` in percent.

    `name` is its primary name, `matchedName` the one that agrees best; `matchedBy` is NAME, ALIAS
    or the kind of the identifier that is the same. `evidence` says what else agreed or
    contradicted.
    """

    name = Text()
    matched_name = Text()
    matched_by = Text()
    type = OneOf(choices=LISTED_TYPES)
    programs = serializers.ListField(child=Text())
    birth_dates = serializers.ListField(child=Text())
    listed_on = Text(allow_null=True)
    evidence = serializers.ListField(child=Text())
    score = Whole()
    dataset = Text()
    entity_id = Text()


class SanctionsOut(Shape):
    """`matched` from 70 on; `score` of the best, in percent."""

    matched = Flag()
    score = Whole()
    matches = MatchOut(many=True)


class PepOut(Shape):
    """`matched` is null when the screen was not asked for or could not run."""

    checked = Flag()
    matched = Flag(allow_null=True)  # type: ignore[call-arg]
    score = Whole(allow_null=True)


class NodeOut(Shape):
    """The owner at which sanctions were found."""

    lei = Text()
    name = Text()
    role = Text()
    score = Whole()


class UboChainOut(Shape):
    """How far the ownership chain was screened, and where sanctions were found.

    `levels` counts the entity and its highest known owner, `screened` every party on record.
    `ownersIdentified` is true only when owners beyond the entity are known, and none is missing;
    `exceptions` has the reasons why one is not named, `sharesMissing` the entities of which the
    owners on record hold less than 100 %.
    """

    checked = Flag()
    levels = Whole()
    screened = Whole()
    owners_identified = Flag()
    exceptions = serializers.ListField(child=Text())
    shares_missing = serializers.ListField(child=Text())
    sanctions_at_node = NodeOut(allow_null=True)


class ChecksOut(Shape):
    """What each check found."""

    fatf_country = FatfCountryOut()
    amount_flags = serializers.ListField(child=Text())
    valuation = ValuationOut(
        required=False,
        help_text="How the amount was stated in USD, where one was given and could be.",
    )
    sanctions = SanctionsOut()
    pep = PepOut()
    ubo_chain = UboChainOut()


class R16Out(Shape):
    """FATF R.16: whether the party is identified as R.16 asks, and by what.

    `BELOW_THRESHOLD` satisfies it in an APPROVED screen alone: one that is not clear is suspicion.
    """

    satisfied = Flag()
    basis = OneOf(choices=("LEI_VERIFIED", "BELOW_THRESHOLD", "NAME_ONLY"))
    note = Text(help_text="What R.16 still asks of the payment.")


class MicaOut(Shape):
    """What stands for or against MiCA, and what was not assessed."""

    compatible = Flag()
    note = Text()


class NoteOut(Shape):
    """A plain statement."""

    note = Text()


class AttestationsOut(Shape):
    """Statements for the file; none says more than was checked."""

    fatf_r16 = R16Out()
    mica_art72 = MicaOut()
    genius_act = NoteOut()


class ResolutionOut(Shape):
    """What an officer decided on a FLAGGED screen; never why, and never for BLOCKED."""

    outcome = OneOf(choices=("APPROVE", "REJECT"))
    decided_at = Moment()


class ScreenOut(Shape):
    """The decision with its reasons.

    `rules` has the codes of the rules that held, the gravest first; they never change.
    `ruleReferences` and `reasons` say of each, in the same order, where it is written and why.
    """

    screen_id = Identifier()
    decision = OneOf(choices=DECISIONS)
    human_required = Flag()
    risk_score = Whole()
    reasons = serializers.ListField(child=Text())
    rules = serializers.ListField(child=Text())
    rule_references = serializers.ListField(child=Text())
    reference = Text(allow_blank=True)
    checks = ChecksOut()
    attestations = AttestationsOut()
    _action = Text()
    data_quality = OneOf(choices=QUALITIES)
    processing_ms = Whole()
    screened_at = Moment()
    resolution = ResolutionOut(required=False)


class ScreensQuery(PageQuery):
    """Which screens, and which page of them."""

    decision = OneOf(choices=DECISIONS, required=False)
    reference = Text(
        required=False, max_length=200, trim_whitespace=False, help_text="Exactly as you gave it."
    )
    screened_from = Moment(required=False, help_text="The first moment, ISO 8601 with its offset.")
    screened_until = Moment(required=False, help_text="The end, itself left out.")


class ListedScreenOut(Shape):
    """A screen in short."""

    screen_id = Identifier()
    decision = OneOf(choices=DECISIONS)
    risk_score = Whole()
    rules = serializers.ListField(child=Text())
    reference = Text(allow_blank=True)
    screened_at = Moment()
    resolution = ResolutionOut(required=False)


class ScreensOut(Shape):
    """One page; `next` and `previous` are addresses, null at the ends."""

    items = ListedScreenOut(many=True)
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
    withheld = Whole(
        required=False,
        min_value=1,
        help_text="Screens of this page that are not shown: their records were altered.",
    )
