"""The European Central Bank's euro reference rates: a family of series, one for each currency."""

from collections.abc import Iterator, Sequence

from apps.reference.signals import ecb_parser
from apps.reference.signals.row_parsing import FileRow, decode_text
from apps.reference.signals.series.definitions import Feed, Series


def read_ecb_rates(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the daily rates of all currencies; Malformed for any breach."""
    (family,) = wanted
    for rate in ecb_parser.iter_rates_and_gaps(decode_text(body).splitlines()):
        name = family.name.removesuffix("*") + rate.currency
        yield FileRow(
            name, rate.day, str(rate.per_euro) if isinstance(rate, ecb_parser.Rate) else ""
        )
