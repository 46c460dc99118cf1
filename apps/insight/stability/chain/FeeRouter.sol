// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// What a settlement costs, as the chain has it: the rates with which it was deployed never change.
/// Amounts are micro-units of USD (10^-6), scores micro-points (10^-6), rates parts of 10^-12 of the
/// amount. Each component is rounded down by itself; the total is their sum.
contract FeeRouter {
    uint256 private constant WHOLE = 1e12;
    uint256 private constant USD = 1e6;
    uint256 private constant BEST = 100e6;
    uint256 public constant LICENSE_RATE = 1e8;

    uint256 public immutable coreRate;
    uint256 public immutable fxRate;

    error NoSuchScore(uint256 score);
    error NoAmount();

    constructor(uint256 core, uint256 fx) {
        coreRate = core;
        fxRate = fx;
    }

    /// What the core fee is of a hundred after the discount for a month's volume.
    function kept(uint256 monthlyVolume) public pure returns (uint256) {
        if (monthlyVolume >= 10_000_000 * USD) return 70;
        if (monthlyVolume >= 1_000_000 * USD) return 80;
        if (monthlyVolume >= 100_000 * USD) return 90;
        return 100;
    }

    /// The components of a payment, their total, and what arrives.
    function previewFees(uint256 amount, bool hasFx, uint256 esgScore, uint256 monthlyVolume)
        external
        view
        returns (
            uint256 core,
            uint256 fx,
            uint256 esg,
            uint256 license,
            uint256 total,
            uint256 net
        )
    {
        if (amount == 0) revert NoAmount();
        if (esgScore > BEST) revert NoSuchScore(esgScore);
        core = amount * coreRate * kept(monthlyVolume) / (100 * WHOLE);
        fx = hasFx ? amount * fxRate / WHOLE : 0;
        esg = amount * (BEST - esgScore) / (200 * BEST);
        license = amount * LICENSE_RATE / WHOLE;
        total = core + fx + esg + license;
        net = amount - total;
    }
}
