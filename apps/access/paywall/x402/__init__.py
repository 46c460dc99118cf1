"""The x402 protocol, versions 1 and 2, scheme `exact` on EVM chains. Knows no product, no Django.

`networks` are the chains and their USDC, `terms` what is asked for, `payment` what was sent,
`checks` what can be judged without a chain, `facilitators` who verifies and settles.
"""
