"""The fee contract's preview, step by step as stability/chain/FeeRouter.sol has it. Pure.

A second implementation of document 3 section 2.1, which shares nothing with the fee table but the
two rates that the contract is deployed with: if no chain is configured, quotes are checked against
it.
"""

from dataclasses import dataclass

# micro-units in a USD
_USD = 1_000_000
# parts of an amount in which rates are expressed
_RATE = 1_000_000_000_000
# a score of 100 in micro-points
_SCORE = 100_000_000


@dataclass(frozen=True, slots=True)
class FeePreview:
    """What a payment costs and what arrives, in micro-units."""

    core: int
    fx: int
    esg: int
    license: int
    total: int
    net: int


class PreviewReverted(ValueError):
    """The contract reverts: the score or the amount is not valid."""


def preview_fees(  # the contract's arguments, after the two rates that it is made with
    *, core_rate: int, fx_rate: int, amount: int, has_fx: bool, esg_score: int, monthly_volume: int
) -> FeePreview:
    """Return what the contract previews; raises PreviewReverted where it reverts.

    `amount` and `monthly_volume` in micro-units, `esg_score` in micro-points, rates in parts of
    10^-12.
    """
    if esg_score > _SCORE or esg_score < 0 or amount <= 0:
        raise PreviewReverted("no such score or amount")
    # repeated here and not imported, as are all the numbers below: an error in the fee table must
    # show
    if monthly_volume >= 10_000_000 * _USD:
        percent = 70
    elif monthly_volume >= 1_000_000 * _USD:
        percent = 80
    elif monthly_volume >= 100_000 * _USD:
        percent = 90
    else:
        percent = 100
    # one division at the end, as Solidity does it: integer division rounds down
    core = amount * core_rate * percent // (100 * _RATE)
    fx = amount * fx_rate // _RATE if has_fx else 0
    esg = amount * (_SCORE - esg_score) // (200 * _SCORE)
    license_fee = amount // 10_000
    total = core + fx + esg + license_fee
    return FeePreview(core, fx, esg, license_fee, total, amount - total)
