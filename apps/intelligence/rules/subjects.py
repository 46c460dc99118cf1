"""What calls of 48 hours are made on: composites whose inputs come daily. Pure.

The first one whose past is long enough is the call; the others stand beside it.
"""

from datetime import date
from decimal import Decimal

from apps.signals.composites import Composite, Part, composite_of
from apps.signals.composites.rows import CALM

OIL = Composite(
    name="oil-price",
    title="Price of oil",
    start=date(1990, 1, 1),
    parts=(Part(series="oil.brent", weight=Decimal(1), required=True),),
    bands=CALM,
)
SUBJECTS: tuple[Composite, ...] = (
    composite_of("macro-stress"),
    composite_of("currency-stress"),
    OIL,
)
