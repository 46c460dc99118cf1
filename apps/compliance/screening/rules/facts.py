"""The facts that the rules of a combined screen judge. Pure."""

from dataclasses import dataclass
from decimal import Decimal

from apps.compliance.screening.rules.owners import NodeFact
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE

LARGE_USD = Decimal(100_000)  # document 1 section 8: Large payment without LEI


@dataclass(frozen=True, slots=True)
class ScreenFacts:
    """The facts that the rules judge; scores are whole percents, rounded down.

    `amount_usd` is None when no amount was given or no rate is known (`amount_given` tells).
    `pep_score` is None when the check was not requested, or could not run (`pep_asked`).
    `sanctions_known` are sentences for partial matches that officers found to be another party, and
    `sanctions_left` the best score without these (None: all count).
    `sanctions_notes` say what else agreed or contradicted,
    `unread` says why a name was not fully checked, `lei_note` why a given LEI does not count,
    `chain_note` why the chain could not be followed to its end.
    `lei_of` names the holder of the LEI if that is another company, `exceptions` the reasons for
    which entities of the chain report no owner, `shares_missing` entities whose owners on record
    hold less than 100 %. `source_taken`: the source country was not given and is the
    specification's default. `address` is the location of the party's address, `address_label` its
    listing, `address_embargoed` whether it is under a comprehensive programme. `embargoed` names
    the ends of the payment under one, `sources_missing` says why an enabled list is missing or not
    current.
    """

    source: str
    source_label: str
    destination: str = ""
    destination_label: str = "NOT_PROVIDED"
    amount_given: bool = False
    amount_usd: Decimal | None = None
    lei_given: bool = False
    lei_counts: bool = False
    lei_note: str = ""
    sanctions_score: int = 0
    sanctions_name: str = ""
    sanctions_notes: tuple[str, ...] = ()
    sanctions_known: tuple[str, ...] = ()
    sanctions_left: int | None = None
    unread: tuple[str, ...] = ()
    pep_asked: bool = False
    pep_score: int | None = None
    pep_name: str = ""
    lei_of: str = ""
    chain_note: str = ""
    exceptions: tuple[str, ...] = ()
    shares_missing: tuple[str, ...] = ()
    nodes: tuple[NodeFact, ...] = ()
    address: str = ""
    address_label: str = "NOT_PROVIDED"
    address_embargoed: bool = False
    embargoed: tuple[str, ...] = ()
    sources_missing: tuple[str, ...] = ()
    source_taken: bool = False

    def labels(self, label: str) -> list[str]:
        """Return the countries of the payment that bear a label, in words."""
        ends = (
            ("source", self.source, self.source_label),
            ("destination", self.destination, self.destination_label),
        )
        return [f"{end} country {code}" for end, code, bears in ends if bears == label]

    @property
    def sanctions_counts(self) -> int:
        """The score that decides; a match that blocks counts whatever officers know."""
        if self.sanctions_left is None or self.sanctions_score >= BLOCK_SCORE:
            return self.sanctions_score
        return self.sanctions_left

    @property
    def large(self) -> bool:
        return self.amount_usd is not None and self.amount_usd >= LARGE_USD
