"""Names of the tools that agents are offered; each tool is exactly one endpoint.

The names are the specification's where it has some (document 2 section 4, document 3 section 4).
An endpoint without a row here is no tool of the MCP server; manifests name it by its operation.
"""

# tool -> service and name of its row
TOOLS: dict[str, tuple[str, str]] = {
    "compliance.screen": ("compliance", "screen"),
    "vop.verify": ("compliance", "vop-verify"),
    "stability.quote": ("stability", "quote-post"),
    "commodity.heat_check": ("forecast", "heat-check"),
    "commodity.forecast": ("forecast", "commodity"),
    "commodity.portfolio": ("forecast", "portfolio"),
    "commodity.scenario": ("forecast", "scenario"),
    "commodity.tcfd": ("forecast", "tcfd-report"),
    "report.climate": ("reports", "climate-report"),
    "report.macro": ("reports", "macro-report"),
    "report.esg": ("reports", "esg-report"),
    "report.compliance": ("reports", "compliance-report"),
    "report.treasury": ("reports", "treasury-report"),
    "settlement.flow_check": ("settlement", "flow-check"),
    "settlement.settle": ("settlement", "settle"),
    "bank.accounts": ("settlement", "bank-accounts"),
    "bank.transactions": ("settlement", "bank-transactions"),
    "bank.send": ("settlement", "bank-send"),
    "bank.ach_authorize": ("settlement", "bank-ach-authorize"),
}
NAMES = {place: name for name, place in TOOLS.items()}

# what a host should have a person confirm: money leaves, and nothing calls it back
MOVES_MONEY = frozenset({"bank.send", "bank.ach_authorize"})
