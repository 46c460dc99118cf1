"""Stablecoins, each with the currency that it promises."""

# Tokens are valued as the money that they promise (document 1 section 2.4: USDC)
TOKENS = {
    "USDC": "USD",
    "USDT": "USD",
    "PYUSD": "USD",
    "USDP": "USD",
    "DAI": "USD",
    "RLUSD": "USD",
    "EURC": "EUR",
}
