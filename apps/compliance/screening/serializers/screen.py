"""Request and response of the combined screen (document 1 section 2.7)."""

from rest_framework import serializers

from apps.compliance.screening.rules.screen import PAYMENT_TYPES
from apps.compliance.screening.serializers.party import (
    MOST_ALIASES,
    MOST_IDENTIFIERS,
    BirthDate,
    IdentifierIn,
    Wallet,
)
from apps.platform.api.pagination import PageQuery
from apps.platform.api.shapes import (
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


class AssumedDefault(str):
    """A value that the caller did not give: the specification's default, and equal to it.

    Whether a request is the same as an earlier one does not depend on it (idempotency).
    """

    __slots__ = ()


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
        help_text="Your own reference; returned unchanged.",
    )
    entity_type = OneOf(choices=ENTITY_TYPES, required=False, help_text="The type of the party.")
    birth_date = BirthDate(required=False, help_text="Of the party; YYYY, YYYY-MM or YYYY-MM-DD.")
    nationality = Country(required=False, help_text="Of the party, ISO 3166-1 alpha-2.")
    identifiers = ListOf(
        child=IdentifierIn(),
        required=False,
        max_length=MOST_IDENTIFIERS,
        help_text="Numbers of the party; looked up exactly on the lists, and compared.",
    )
    wallet_address = Wallet(required=False, help_text="Looked up exactly on the lists.")
    address = Text(
        required=False,
        max_length=500,
        help_text="The party's postal address; judged by the country at its end.",
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
    or the kind of identifier that matched. `evidence` says what else agreed or contradicted.
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
    """`matched` from 70 up; `score` of the best match, in percent."""

    matched = Flag()
    score = Whole()
    matches = MatchOut(many=True)


class PepOut(Shape):
    """`matched` is null if the check was not requested or could not run."""

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
    """How much of the ownership chain was screened, and where sanctions were found.

    `levels` counts the entity and its highest known owner, `screened` every party on record.
    `ownersIdentified` is true only if owners beyond the entity are known and none is missing;
    `exceptions` has the reasons why an owner is not named, `sharesMissing` the entities whose
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
        help_text="How the amount was converted to USD, if one was given and could be converted.",
    )
    sanctions = SanctionsOut()
    pep = PepOut()
    ubo_chain = UboChainOut()


class R16Out(Shape):
    """FATF R.16: whether the party is identified as R.16 requires, and by what.

    `BELOW_THRESHOLD` satisfies it only in an APPROVED screen: one that is not clear means
    suspicion.
    """

    satisfied = Flag()
    basis = OneOf(choices=("LEI_VERIFIED", "BELOW_THRESHOLD", "NAME_ONLY"))
    note = Text(help_text="What R.16 still requires of the payment.")


class MicaOut(Shape):
    """What supports or contradicts MiCA compatibility, and what was not assessed."""

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

    `rules` has the codes of the rules that applied, most severe first; they never change.
    `ruleReferences` and `reasons` say for each, in the same order, where it is written and why it
    applied.
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
        required=False, max_length=200, trim_whitespace=False, help_text="Exactly as you sent it."
    )
    screened_from = Moment(
        required=False, help_text="The start of the period, ISO 8601 with its offset."
    )
    screened_until = Moment(required=False, help_text="The end of the period, not included.")


class ListedScreenOut(Shape):
    """A screen in short form."""

    screen_id = Identifier()
    decision = OneOf(choices=DECISIONS)
    risk_score = Whole()
    rules = serializers.ListField(child=Text())
    reference = Text(allow_blank=True)
    screened_at = Moment()
    resolution = ResolutionOut(required=False)


class ScreensOut(Shape):
    """One page; `next` and `previous` are URLs, null at the ends."""

    items = ListedScreenOut(many=True)
    next = Text(allow_null=True)
    previous = Text(allow_null=True)
    withheld = Whole(
        required=False,
        min_value=1,
        help_text="Screens of this page that are withheld because their records were altered.",
    )
