"""The ways in, asked in this order: the first that finds its credentials in a call answers."""

GATES = (
    "apps.paywall.gates.SessionGate",
    "apps.paywall.gates.PaymentGate",
    "apps.agents.gates.AgentGate",
    "apps.travelrule.gates.CounterpartyGate",
    "apps.banking.gates.BankGate",
    "apps.access.gates.KeyGate",
    "apps.access.gates.OpenGate",
)
