"""How often a key may call in a minute, by its kind; the specification shows no values.

A key may have a rate of its own, which an administrator gives it. Free endpoints are counted by
address (settings.FREE_RATE_PER_MINUTE).
"""

from collections.abc import Mapping

from django.core.exceptions import ImproperlyConfigured

DEFAULT_RATES: Mapping[str, int] = {
    "SUBSCRIPTION": 6000,  # a screen before each payment of a large treasury: 100 a second
    "INSTITUTION": 1200,
    "MASTER": 600,
    "SIGNING": 120,  # people at work, not systems
    "INTERNAL": 12_000,  # our own services
    "DATA": 600,
}
# an agent asks for a credential once an hour, and pays by settlement, which counts for itself
AGENT_RATE = 120


def build_key_rates(given: Mapping[str, str], *, screen: int) -> dict[str, int]:
    """Return the calls a minute by kind of key; ImproperlyConfigured for what is none.

    `given` overrides the defaults, with kinds in small letters; `screen` is that of SUBSCRIPTION.
    """
    rates = dict(DEFAULT_RATES) | {"SUBSCRIPTION": screen}
    for kind, value in given.items():
        plain = value.isascii() and value.isdigit() and 0 < int(value) <= 10_000_000
        if kind.upper() not in DEFAULT_RATES or not plain:
            known = ", ".join(name.lower() for name in DEFAULT_RATES)
            raise ImproperlyConfigured(
                f"KEY_RATES_PER_MINUTE has the part {kind}={value}: write a whole number from 1 "
                f"for {known}."
            )
        rates[kind.upper()] = int(value)
    return rates


# narrations of ESG scores in a minute, of all callers together: each costs about 0.001 USD
ESG_NARRATIONS = 30
# how often a minute the score of one entity may be computed anew at a caller's wish
ESG_REFRESHES = 10
