"""Who is told how an expected transfer stands: `about` of an order -> `(order_id, standing, now)`.

Dotted paths of functions, called by a job in a transaction of their own; run twice they do nothing
twice. One without a row is a mistake, found as the order is made.
"""

OUTCOMES: dict[str, str] = {
    "payment": "apps.payments.rails.evm.told",
    "settlement": "apps.settlement.confirming.told",
    "bank": "apps.banking.chain.told",
}
