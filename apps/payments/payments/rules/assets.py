"""Accepted currencies, the asset in which each settles, and their decimals. Pure.

Document 2 section 2.1: USD, EUR and GBP convert for the travel rule. Others are refused: their
payments could not be compared with its threshold. EURC is used for a destination in euro.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

# minor units of ISO 4217
DECIMALS: Mapping[str, int] = {"USD": 2, "EUR": 2, "GBP": 2}
# micro-units in 64 bits hold it, also after conversion into dollars
MOST_WHOLE_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Asset:
    """A token, and the currency that it represents."""

    code: str
    money: str
    decimals: int


ASSETS: Mapping[str, Asset] = {
    asset.code: asset for asset in (Asset("USDC", "USD", 6), Asset("EURC", "EUR", 6))
}


@dataclass(frozen=True, slots=True)
class AssetPair:
    """A currency that may settle in an asset; `fx` says that the payment crosses currencies."""

    code: str
    ref: str
    currency: str
    asset: str
    fx: bool


PAIRS: tuple[AssetPair, ...] = (
    AssetPair("PAIR-1", "2 §2.1", "USD", "USDC", False),
    AssetPair("PAIR-2", "2 §2.1 EURC", "EUR", "EURC", False),
    AssetPair("PAIR-3", "2 §2.1", "EUR", "USDC", True),
    AssetPair("PAIR-4", "2 §2.1 EURC", "USD", "EURC", True),
    AssetPair("PAIR-5", "2 §2.1", "GBP", "USDC", True),
    AssetPair("PAIR-6", "2 §2.1 EURC", "GBP", "EURC", True),
)
_BY_PAIR = {(pair.currency, pair.asset): pair for pair in PAIRS}


def default_asset(currency: str) -> str:
    """Return the asset of a currency where none is named: euro in EURC, all others in USDC."""
    return "EURC" if currency == "EUR" else "USDC"


def asset_pair(currency: str, asset: str) -> AssetPair:
    """Return the row of a currency and an asset; KeyError where that is not settled."""
    return _BY_PAIR[currency, asset]


def pair_fault(currency: str, asset: str) -> tuple[str, str] | None:
    """Return the field that is wrong and why, or None where the pair is settled."""
    if currency not in DECIMALS:
        return "currency", f"Payments are accepted in {', '.join(DECIMALS)}."
    if asset not in ASSETS:
        return "settlementAsset", f"Payments settle in {' or '.join(ASSETS)}."
    if (currency, asset) not in _BY_PAIR:
        return "settlementAsset", f"{currency} does not settle in {asset}."
    return None


def amount_fault(amount: Decimal, currency: str) -> str:
    """Return why an amount is none of a currency, or an empty text."""
    if not amount.is_finite() or amount <= 0:
        return "The amount must be greater than zero."
    if amount.adjusted() >= MOST_WHOLE_DIGITS:
        return f"At most {MOST_WHOLE_DIGITS} digits are allowed before the decimal point."
    decimals = DECIMALS.get(currency, max(DECIMALS.values()))
    # normalized: 250.000 has no more decimals than 250
    if -int(amount.normalize().as_tuple().exponent) > decimals:
        return f"{currency} has {decimals} decimals."
    return ""
