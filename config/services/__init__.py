"""The services of this project; adding one is a module here and a row in this table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Service:
    """One service: its path prefix is its name; `urlconf` also serves a host of its own."""

    name: str
    title: str
    about: str

    @property
    def urlconf(self) -> str:
        return f"config.services.{self.name}"


SERVICES = {
    service.name: service
    for service in (
        Service(
            "compliance",
            "Compliance Oracle",
            "Sanctions, PEP, country, amount and ownership checks of a party before money moves.",
        ),
    )
}
