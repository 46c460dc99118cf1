"""The services of this project; adding one is a row of this table and a module in service_urls."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Service:
    """One service: its path prefix is its name; `urlconf` also serves a separate host.

    `checks` are its health checks in addition to database and jobs, by the names under which apps
    register them. `health_field` is the field with their result, where the specification defines
    health itself (document 3 section 2.3): `status` then says healthy for ok.
    """

    name: str
    title: str
    about: str
    version: str = "1.0.0"
    checks: tuple[str, ...] = ()
    health_field: str = ""

    @property
    def urlconf(self) -> str:
        return f"config.service_urls.{self.name}"


SERVICES = {
    service.name: service
    for service in (
        Service(
            "compliance",
            "Compliance Oracle",
            "Sanctions, PEP, country, amount and ownership checks of a party before money moves.",
            checks=("lists", "rescreening", "ledgers", "payments"),
        ),
        Service(
            "integration",
            "Payments Integration",
            "Payment instructions of treasury systems, checked, settled and called back; rates.",
            checks=("oracle", "settlement", "transfers", "lists", "callbacks"),
        ),
        Service(
            "stability",
            "Stability Oracle",
            "Whether it is safe to settle now, and at what cost: score, peg and health of the "
            "dollar; verifiable quotes that bind for 300 seconds.",
            version="9.0",  # document 3 section 9
            checks=("fees", "oracle"),
            health_field="oracle",
        ),
        Service(
            "esg",
            "ESG Oracle",
            "A live ESG score from public signals, scores of entities with their SFDR block, "
            "and the fee that a score leads to.",
            checks=("scores",),
            health_field="esgOracle",
        ),
        Service(
            "intelligence",
            "Intelligence API",
            "Global stress, computed by published methods from named, dated, licensed figures; "
            "forecasts that are scored in public; free oracle feeds.",
        ),
        Service(
            "forecast",
            "Commodity Forecast",
            "Climate risk of eleven commodity markets, the effect of nine dated historical "
            "scenarios on a book of positions, and a TCFD-style report on it.",
            checks=("forecasts", "tools"),
        ),
        Service(
            "reports",
            "Reports",
            "Reports for people and machines, paid for individually: climate, macro economy, "
            "ESG, compliance, treasury; each finding with the figure behind it.",
        ),
        Service(
            "settlement",
            "Settlement Agent",
            "Whether a settlement may proceed, and the settlement itself: checked, priced, and "
            "executed by the caller; the platform holds no funds.",
            checks=("lists", "oracle", "scores", "bank", "tools"),
        ),
    )
}
