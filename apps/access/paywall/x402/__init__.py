"""The x402 protocol, versions 1 and 2, scheme `exact` on EVM chains. Knows no product, no Django.

`networks` are the chains and their USDC, `terms` the payment requirements, `payment_parser` the
submitted payment, `checks` the checks that need no chain, `facilitators` and `onchain_facilitator`
what verifies and settles, `receipt_header` the report to the payer, `wire` how headers are encoded.
"""
