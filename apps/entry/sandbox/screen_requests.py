"""Requests of the screens in a seeded sandbox."""

import random

from apps.compliance.screening.combined.requests import ScreenRequest
from apps.entry.sandbox import invented_names


def make_firm_name(draw: random.Random) -> str:
    """Return the name of a fictitious firm."""
    parts = (invented_names.FIRST, invented_names.SECOND, invented_names.FORMS)
    return " ".join(draw.choice(part) for part in parts)


def make_flaggable_screen(draw: random.Random) -> ScreenRequest:
    """Return a screen that will probably be flagged: by name, country, amount or office."""
    # weights: most are flagged by their country
    kind = draw.choices(("country", "large", "firm", "office"), (5, 3, 3, 3))[0]
    person = f"{draw.choice(invented_names.GIVEN)} {draw.choice(invented_names.FAMILY)}"
    individual = kind == "office" or (kind == "country" and draw.random() < 0.3)
    names = {
        "country": person if individual else make_firm_name(draw),
        "large": make_firm_name(draw),
        "firm": draw.choice(invented_names.RESEMBLE_FIRMS),
        "office": draw.choice(invented_names.RESEMBLE_PEOPLE),
    }
    return ScreenRequest(
        name=names[kind],
        country=draw.choice(invented_names.WATCHED if kind == "country" else invented_names.PLAIN),
        amount=draw.choice(invented_names.LARGE if kind == "large" else invented_names.AMOUNTS),
        currency=draw.choice(invented_names.CURRENCIES),
        individual=individual,
        payment_type="contractor" if individual else "vendor_payment",
        reference=f"PAY-{draw.randint(100_000, 999_999)}",
    )
