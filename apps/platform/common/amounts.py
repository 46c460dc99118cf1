"""Currencies, and amounts of money as texts: parse and format them. Pure."""

import re
from decimal import Decimal

import pycountry

_SUM = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,8})?) ([A-Z]{3,4})")
# one separator for all thousands: a comma, an apostrophe or some kind of space
_PARTED = "[0-9]{1,3}(?P<part>[,'\u2019 \u00a0\u2009\u202f])[0-9]{3}(?:(?P=part)[0-9]{3}){0,3}"
# at most 15 digits before and 8 after the point: what an amount of any currency or coin needs
_AMOUNT = rf"(?P<number>(?:{_PARTED}|[0-9]{{1,15}})(?:\.[0-9]{{1,8}})?)"
_CODE = r"(?P<code>[A-Za-z]{3,4})"
_GAP = "[ \u00a0\u2009\u202f]?"
_BEHIND, _BEFORE = re.compile(_AMOUNT + _GAP + _CODE), re.compile(_CODE + _GAP + _AMOUNT)
CURRENCIES = frozenset(currency.alpha_3 for currency in pycountry.currencies)
# currencies without minor unit in ISO 4217: metals, units of account, XTS (tests), XXX (none)
NO_MONEY = frozenset(
    {"XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"}
)
# currencies of amounts, which may have an exchange rate
MONEY = CURRENCIES - NO_MONEY
# coins without an ISO 4217 code that sanctioned wallets hold all the same
COINS = frozenset({"BCH", "BTC", "ETH", "EURC", "LTC", "TRX", "USDC", "USDT", "XBT", "XMR", "XRP"})
_UNITS = CURRENCIES | COINS


def is_money_amount(text: str) -> bool:
    """Tell whether a text is a positive amount with its currency or coin: `9800.00 USD`."""
    match = _SUM.fullmatch(text)
    return match is not None and Decimal(match[1]) > 0 and match[2] in _UNITS


def parse_money_amount(text: str) -> str | None:
    """Return an amount as people write it in its one canonical form, or None for any other text.

    `9,800 usd`, `USD 9'800.00` and `9800.00USD` all are `9800.00 USD`: the currency may come first
    or last, thousands may be separated, and a point precedes the decimals. A comma never does:
    `9,80 EUR` is refused rather than guessed at.
    """
    written = text.strip()
    parts = _BEHIND.fullmatch(written) or _BEFORE.fullmatch(written)
    if parts is None:
        return None
    number = Decimal(re.sub("[^0-9.]", "", parts["number"]))
    money = f"{format_amount(number)} {parts['code'].upper()}"
    return money if is_money_amount(money) else None


def format_amount(amount: Decimal) -> str:
    """Format an amount with two decimals, or more only if it has them."""
    decimals = -int(amount.normalize().as_tuple().exponent)
    return f"{amount:.{max(2, decimals)}f}"
