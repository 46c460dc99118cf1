"""Parse days, amounts of money and UUIDs in texts of people and machines. Pure."""

import re
from datetime import date
from decimal import Decimal
from uuid import UUID

import pycountry

# Bidirectional controls reorder what people read; control characters and line separators hide the
# text around them; invisible ones (soft hyphens, zero widths, fillers, selectors) split a word only
# for machines; half a surrogate pair cannot be stored.
HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SUM = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,8})?) ([A-Z]{3,4})")
# one separator for all thousands: a comma, an apostrophe or some kind of space
_PARTED = "[0-9]{1,3}(?P<part>[,'\u2019 \u00a0\u2009\u202f])[0-9]{3}(?:(?P=part)[0-9]{3}){0,3}"
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


def parse_day(text: str) -> date | None:
    """Parse a day as forms and addresses write it (2026-11-20, ASCII, nothing else), or None."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


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


def parse_uuid(text: str) -> UUID | None:
    """Return the UUID in a text, None if it is not one."""
    try:
        return UUID(text)
    except ValueError:
        return None
