"""Who is told how an expected transfer stands: `about` of an order -> `(order_id, standing, now)`.

Dotted paths of functions, called by a job in a transaction of their own; run twice they do nothing
twice. One without a row is a mistake, found as the order is made.
"""

OUTCOMES: dict[str, str] = {
    "payment": "apps.payments.payments.services.apply_transfer_status.apply_transfer_status",
    "settlement": "apps.payments.settlement.services.apply_transfer_status.apply_transfer_status",
    "bank": "apps.payments.banking.services.apply_transfer_outcome.apply_transfer_outcome",
}

# The page of what an expected transfer settles, for who may see it, by the same `about`:
# functions `(user, order_id) -> (words, address) | None`
RECORDS: dict[str, str] = {
    "payment": "apps.payments.payments.views.case_links.case_payment_link",
    "settlement": "apps.payments.settlement.views.case_links.order_settlement_link",
}
