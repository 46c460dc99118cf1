"""The x402 protocol, versions 1 and 2, scheme `exact` on EVM chains. Knows no product, no Django.

`networks` are the chains and their USDC, `terms` the payment requirements, `payment` the submitted
payment, `checks` the checks that need no chain, `facilitators` the clients that verify and settle.
"""
