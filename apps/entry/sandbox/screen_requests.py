"""What the screens of a seeded sandbox ask for."""

import random

from apps.compliance.screening.combined.requests import ScreenRequest
from apps.entry.sandbox import people


def make_firm_name(draw: random.Random) -> str:
    """Return the name of a firm that is nobody's."""
    parts = (people.FIRST, people.SECOND, people.FORMS)
    return " ".join(draw.choice(part) for part in parts)


def make_flaggable_screen(draw: random.Random) -> ScreenRequest:
    """Return a screen that will probably be flagged: by name, country, amount or office."""
    kind = draw.choices(("country", "large", "firm", "office"), (5, 3, 3, 3))[0]
    person = f"{draw.choice(people.GIVEN)} {draw.choice(people.FAMILY)}"
    individual = kind == "office" or (kind == "country" and draw.random() < 0.3)
    names = {
        "country": person if individual else make_firm_name(draw),
        "large": make_firm_name(draw),
        "firm": draw.choice(people.RESEMBLE_FIRMS),
        "office": draw.choice(people.RESEMBLE_PEOPLE),
    }
    return ScreenRequest(
        name=names[kind],
        country=draw.choice(people.WATCHED if kind == "country" else people.PLAIN),
        amount=draw.choice(people.LARGE if kind == "large" else people.AMOUNTS),
        currency=draw.choice(people.CURRENCIES),
        individual=individual,
        payment_type="contractor" if individual else "vendor_payment",
        reference=f"PAY-{draw.randint(100_000, 999_999)}",
    )
