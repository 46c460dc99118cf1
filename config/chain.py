"""Who is told how an expected transfer stands: `about` of an order -> `(order_id, standing, now)`.

Dotted paths of functions, called by a job in a transaction of their own; run twice they do nothing
twice. One without a row is a mistake, found as the order is made.
"""

OUTCOMES: dict[str, str] = {
    "payment": "apps.payments.confirming.told",
    "settlement": "apps.settlement.confirming.told",
    "bank": "apps.banking.chain.told",
}

# The page of what an expected transfer settles, for who may see it, by the same `about`:
# functions `(user, order_id) -> (words, address) | None`
RECORDS: dict[str, str] = {
    "payment": "apps.payments.pages.records.record_of",
    "settlement": "apps.settlement.pages.records.record_of_order",
}
