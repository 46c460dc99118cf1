"""Subjects of 48-hour calls: composites whose inputs come daily. Pure.

The first subject with a long enough past is the call; the others are listed in addition.
"""

from datetime import date
from decimal import Decimal

from apps.reference.signals.composites import Composite, Part, find_composite
from apps.reference.signals.composites.catalogue import CALM

OIL_PRICE = Composite(
    name="oil-price",
    title="Oil price",
    start=date(1990, 1, 1),
    parts=(Part(series="oil.brent", weight=Decimal(1), required=True),),
    bands=CALM,
)
SUBJECTS: tuple[Composite, ...] = (
    find_composite("macro-stress"),
    find_composite("currency-stress"),
    OIL_PRICE,
)
