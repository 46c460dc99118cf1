"""Shapes of the free feeds (document 3 section 2.5)."""

from apps.insight.intelligence.rules.feed_bands import WORDS
from apps.platform.api.shapes import Flag, Moment, OneOf, Shape, SignedStatement, Text, Whole
from apps.reference.signals.quality_labels import LABELS


class FeedQuery(Shape):
    """`signed=true` adds a statement that a contract or an auditor can check by itself."""

    signed = Flag(default=False)


class FeedStatementOut(SignedStatement):
    """The number, signed with Ed25519.

    The signed content is this object without `signature`, in canonical form: UTF-8 JSON, keys
    sorted, no white space, only integers and strings. It is valid for one clock hour.
    """

    feed = Text()
    value = Whole()
    scale = Whole()
    unit = Text()
    signal = Text()
    description = Text()
    as_of = Moment()
    data_quality = OneOf(choices=LABELS)
    hour_begins = Moment()
    hour_ends = Moment()


class FeedOut(Shape):
    """One number: the value shown is `value` over `scale`. `asOf`: its oldest required input."""

    feed = Text()
    value = Whole()
    scale = Whole()
    unit = Text()
    signal = OneOf(choices=WORDS)
    description = Text()
    as_of = Moment()
    cache_hit = Flag()
    data_quality = OneOf(choices=LABELS)
    attestation = FeedStatementOut(required=False)


class FeedRowOut(Shape):
    """One feed: its address, its unit, and what it shows."""

    feed = Text()
    path = Text()
    unit = Text()
    scale = Whole()
    description = Text()


class FeedsOut(Shape):
    """All feeds."""

    feeds = FeedRowOut(many=True)
