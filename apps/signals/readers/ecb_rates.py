"""The European Central Bank's euro reference rates: a family of series, one for each currency."""

from collections.abc import Iterator, Sequence

from apps.signals import ecb
from apps.signals.rows import Row, text_of
from apps.signals.series.shape import Feed, Series


def read(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[Row]:
    """Yield the daily rates of all currencies; Malformed for any breach."""
    (family,) = wanted
    for rate in ecb.marks_of(text_of(body).splitlines()):
        name = family.name.removesuffix("*") + rate.currency
        yield Row(name, rate.day, str(rate.per_euro) if isinstance(rate, ecb.Rate) else "")
