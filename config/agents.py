"""Who ends what an agent had begun, as it is revoked: functions `(agent_id, now)`.

Dotted paths, called in the transaction that revokes. None may hinder that: whoever cannot end
something says so in the log.
"""

REVOKED: tuple[str, ...] = (
    "apps.payments.settlement.access.services.close_orders.close_orders_of_agent",
)
