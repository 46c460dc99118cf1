"""Shapes of ESG scores (document 1 section 2.5)."""

from apps.insight.esg.models import COVERAGES
from apps.insight.esg.rules.indicators import PILLARS
from apps.insight.stability.fees.rules.esg_fee_tiers import TIERS
from apps.platform.api.shapes import (
    Country,
    EpochSeconds,
    Flag,
    Lei,
    Number,
    OneOf,
    PartyName,
    Shape,
    Text,
    Whole,
)
from apps.reference.lei.rules.registration import STATUSES

LEI_STATUSES = (
    *(status.code for status in STATUSES),
    "UNVERIFIED",
)  # if it could not be determined
QUALITIES = ("LIVE", "PARTIAL", "ESTIMATED", "SAMPLE")
LOOKUPS = ("QUEUED", "DONE", "NOT_SET_UP")


class EsgWalletScoreQuery(Shape):
    """Options of the score."""

    refresh = Flag(
        required=False,
        default=False,
        help_text="Recompute the score instead of using the cache.",
    )
    narrate = Flag(required=False, default=False, help_text="Add a narration, within 8 seconds.")
    explain = Flag(
        required=False, default=False, help_text="Add the evidence that the score is based on."
    )


class EsgScoreQuery(EsgWalletScoreQuery):
    """The entity, for one that is not registered here, and options of the score."""

    name = PartyName(
        required=False, help_text="Legal name; required unless the entity is registered here."
    )
    country = Country(
        required=False,
        default="US",
        help_text="The country whose registers are queried; never evidence by itself.",
    )
    lei_status = OneOf(
        choices=LEI_STATUSES,
        required=False,
        default="ISSUED",
        help_text="The status known to you; it may lower governance and never raises it.",
    )


class EsgPartOut(Shape):
    """One indicator: its value, where it ranks (`quality`, 0 to 1) and what it earned."""

    id = Text()
    title = Text()
    unit = Text()
    weight = Whole()
    value = Number(allow_null=True, max_digits=30)
    quality = Number(allow_null=True, max_digits=30)
    points = Number(max_digits=30)
    basis = Text()


class EsgPillarOut(Shape):
    """One pillar: the start value of its country, and how much evidence about the entity it rests
    on.
    """

    pillar = OneOf(choices=PILLARS)
    score = Whole()
    rests_on = OneOf(choices=("ENTITY", "COUNTRY"))
    base = Number(max_digits=30)
    covered_percent = Whole()
    country_reference = EsgPartOut()
    indicators = EsgPartOut(many=True)


class EsgFigureOut(Shape):
    """One figure that counted, as its source published it; `value` is exact."""

    subject = Text()
    measure = Text()
    title = Text()
    value = Text()
    unit = Text(allow_blank=True)
    period = Text()
    source = Text()  # type: ignore[assignment]
    url = Text(allow_blank=True)
    as_of = Text()
    age_days = Whole()
    estimated = Flag()
    sample = Flag()


class EsgLeiStatusOut(Shape):
    """How much the LEI's status lowered governance, and by which rule."""

    status = Text()
    rule = Text()
    points = Whole()


class EsgExplanationOut(Shape):
    """What a score is based on: references, pillars, figures, and the LEI."""

    reference = Text()
    method = Text()
    country = Text(allow_blank=True)
    lei_status = EsgLeiStatusOut()
    pillars = EsgPillarOut(many=True)
    figures = EsgFigureOut(many=True)


class EsgScoreOut(Shape):
    """The score and the fee that follows from it.

    `coverage` FULL rests on evidence about the entity in every pillar, PARTIAL in some, COUNTRY
    only on its country. `lookup` QUEUED: the sources are being queried, and a later call has more
    data.
    """

    lei = Lei()
    entity_name = Text()
    composite = Whole()
    environmental = Whole()
    social = Whole()
    governance = Whole()
    fee_tier = OneOf(choices=tuple(tier.tier for tier in TIERS))
    fee_surcharge = Number(help_text="Fraction of the amount: (100 - composite) / 200 per cent.")
    coverage = OneOf(choices=COVERAGES)
    data_quality = OneOf(choices=QUALITIES)
    reference = Text(help_text="Version of the references that values are scaled against.")
    lookup = OneOf(choices=LOOKUPS)
    computed_at = EpochSeconds()
    expires_at = EpochSeconds()
    from_cache = Flag()
    narration = Text(required=False, max_length=900)
    explanation = EsgExplanationOut(required=False)
