"""What calls of 48 hours are made on: composites whose inputs come daily. Pure.

The first one whose past is long enough is the call; the others stand beside it.
"""

from datetime import date
from decimal import Decimal

from apps.reference.signals.composites import Composite, Part, find_composite
from apps.reference.signals.composites.rows import CALM

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
