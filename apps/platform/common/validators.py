"""What people and machines write: hidden characters, days and sums. Pure."""

import re
import unicodedata
from datetime import date
from decimal import Decimal
from uuid import UUID

import pycountry

# Bidirectional controls reorder what people read; control characters and line separators hide
# what they hold; invisible ones (soft hyphens, zero widths, fillers, selectors) part a word for
# machines alone; half a surrogate pair cannot be stored.
HIDDEN = (
    r"\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    r"\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
)
# joiners belong to Arabic and Indic spelling, behind a letter of those scripts and nowhere else
_JOINED_SCRIPTS = r"\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufefc"
_HIDDEN = re.compile(
    rf"[{HIDDEN}\ud800-\udfff\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
    rf"|(?<![{_JOINED_SCRIPTS}])[\u200c\u200d]"
)
_LINES = str.maketrans("\t\r\n", "   ")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SUM = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,8})?) ([A-Z]{3,4})")
# thousands are parted by one and the same sign: a comma, an apostrophe or some kind of space
_PARTED = "[0-9]{1,3}(?P<part>[,'\u2019 \u00a0\u2009\u202f])[0-9]{3}(?:(?P=part)[0-9]{3}){0,3}"
_AMOUNT = rf"(?P<number>(?:{_PARTED}|[0-9]{{1,15}})(?:\.[0-9]{{1,8}})?)"
_CODE = r"(?P<code>[A-Za-z]{3,4})"
_GAP = "[ \u00a0\u2009\u202f]?"
_BEHIND, _BEFORE = re.compile(_AMOUNT + _GAP + _CODE), re.compile(_CODE + _GAP + _AMOUNT)
CURRENCIES = frozenset(currency.alpha_3 for currency in pycountry.currencies)
# of these ISO 4217 names no minor unit: metals, units of account, tests (XTS), no currency (XXX)
NO_MONEY = frozenset(
    {"XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX"}
)
MONEY = CURRENCIES - NO_MONEY  # what an amount is paid in, and may have a rate of exchange
# what has no ISO 4217 code, and that sanctioned wallets hold all the same
COINS = frozenset({"BCH", "BTC", "ETH", "EURC", "LTC", "TRX", "USDC", "USDT", "XBT", "XMR", "XRP"})


def has_hidden_characters(text: str) -> bool:
    """Tell whether a text holds control, bidirectional or invisible characters."""
    return _HIDDEN.search(text) is not None


def find_hidden_character(text: str, *, lines: bool = False) -> str:
    """Return which hidden character a text holds, in a sentence, or an empty text.

    With `lines` it may have several: tabs and ends of lines are no fault.
    """
    found = _HIDDEN.search(text.translate(_LINES) if lines else text)
    if found is None:
        return ""
    return f"It holds a hidden character (U+{ord(found.group()):04X}): type that place anew."


def count_visible_characters(text: str) -> int:
    """Return how many characters of a text are seen: of several spaces one, of marks none."""
    shown = " ".join(text.split())
    return sum(unicodedata.category(one) not in ("Mn", "Me", "Cf", "Cc") for one in shown)


def parse_day(text: str) -> date | None:
    """Return a day as forms and addresses write it (2026-11-20, ASCII, no more), or None."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def is_money_amount(text: str) -> bool:
    """Tell whether a text is a sum above nothing with its currency or coin: `9800.00 USD`."""
    found = _SUM.fullmatch(text)
    return found is not None and Decimal(found[1]) > 0 and found[2] in CURRENCIES | COINS


def parse_money_amount(text: str) -> str | None:
    """Return a sum as people write it in its one form, or None for what is none.

    `9,800 usd`, `USD 9'800.00` and `9800.00USD` all are `9800.00 USD`: the currency before or
    behind, thousands parted or not, a point before what is less than one. A comma there is none:
    `9,80 EUR` is refused rather than guessed at.
    """
    written = text.strip()
    parts = _BEHIND.fullmatch(written) or _BEFORE.fullmatch(written)
    if parts is None:
        return None
    number = Decimal(re.sub("[^0-9.]", "", parts["number"]))
    found = f"{format_amount(number)} {parts['code'].upper()}"
    return found if is_money_amount(found) else None


def format_amount(amount: Decimal) -> str:
    """Return an amount with two decimals, and more only where it has them."""
    decimals = -int(amount.normalize().as_tuple().exponent)
    return f"{amount:.{max(2, decimals)}f}"


def parse_uuid(text: str) -> UUID | None:
    """Return the UUID that a text is, None where it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
