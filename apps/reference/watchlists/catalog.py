"""The official lists that are known from the start: adding one is a row here."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.models.list_records import POLICY

OFAC = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports"
OPENSANCTIONS = "https://data.opensanctions.org/datasets/latest"
NON_COMMERCIAL = "OpenSanctions, CC BY-NC 4.0; commercial use needs a licence from OpenSanctions"


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """A list as its publisher offers it; `enabled` ones are refreshed and screened by default."""

    slug: str
    title: str
    topic: str
    format: str
    urls: list[str]
    licence: str
    kind: str = SourceKind.OFFICIAL
    enabled: bool = True


CATALOG: tuple[CatalogEntry, ...] = (
    CatalogEntry(
        "us-ofac-sdn",
        "US OFAC Specially Designated Nationals",
        SourceTopic.SANCTION,
        "ofac-csv",
        [f"{OFAC}/{name}.CSV" for name in ("SDN", "ADD", "ALT", "SDN_COMMENTS")],
        "US government work, public domain",
    ),
    CatalogEntry(
        "us-ofac-cons",
        "US OFAC consolidated list of parties that are not blocked (sectoral and others)",
        SourceTopic.SANCTION,
        "ofac-csv",
        [f"{OFAC}/CONS_{name}.CSV" for name in ("PRIM", "ADD", "ALT", "COMMENTS")],
        "US government work, public domain",
        enabled=False,
    ),
    CatalogEntry(
        "un-sc",
        "UN Security Council consolidated list",
        SourceTopic.SANCTION,
        "un-xml",
        ["https://scsanctions.un.org/resources/xml/en/consolidated.xml"],
        "United Nations, free reuse",
    ),
    CatalogEntry(
        "eu-fsf",
        "EU consolidated list of financial sanctions",
        SourceTopic.SANCTION,
        "eu-xml",
        [
            "https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content"
            # `token-2017` in base64
            "?token=dG9rZW4tMjAxNw"
        ],
        "European Commission, reuse under Decision 2011/833/EU",
    ),
    CatalogEntry(
        "uk-sl",
        "UK Sanctions List",
        SourceTopic.SANCTION,
        "uk-csv",
        ["https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv"],
        "Open Government Licence v3.0",
    ),
    CatalogEntry(
        "opensanctions-peps",
        "OpenSanctions politically exposed persons",
        SourceTopic.PEP,
        "ftm",
        [f"{OPENSANCTIONS}/peps/entities.ftm.json"],
        NON_COMMERCIAL,
        enabled=False,
    ),
    CatalogEntry(
        "opensanctions-sanctions",
        "OpenSanctions consolidated sanctions",
        SourceTopic.SANCTION,
        "ftm",
        [f"{OPENSANCTIONS}/sanctions/entities.ftm.json"],
        NON_COMMERCIAL,
        enabled=False,
    ),
)

# Who publishes each: not all of them are authorities
PUBLISHERS = {
    "us-ofac-sdn": "US Treasury, Office of Foreign Assets Control",
    "us-ofac-cons": "US Treasury, Office of Foreign Assets Control",
    "un-sc": "United Nations Security Council",
    "eu-fsf": "European Commission",
    "uk-sl": "UK Foreign, Commonwealth and Development Office",
    "opensanctions-peps": "OpenSanctions, a private compiler of public sources",
    "opensanctions-sanctions": "OpenSanctions, a private compiler of public sources",
    "sample-sanctions": "This project, as a sample",
    "sample-peps": "This project, as a sample",
}

# What people call the lists that REQUIRED_SOURCES names
SHORT = {"OFAC": "us-ofac-sdn", "UN": "un-sc", "EU": "eu-fsf", "UK": "uk-sl"}

# Parties that the whole list has at the very least: about half of what it had in 2025
LEAST = {
    "us-ofac-sdn": 6_000,
    "us-ofac-cons": 150,
    "un-sc": 450,
    "eu-fsf": 2_000,
    "uk-sl": 2_000,
    "opensanctions-peps": 100_000,
    "opensanctions-sanctions": 20_000,
}

SAMPLE_FOLDER = Path(__file__).parent / "sample"
SAMPLES: tuple[tuple[CatalogEntry, str], ...] = (
    (
        CatalogEntry(
            "sample-sanctions",
            "Sample of listed parties",
            SourceTopic.SANCTION,
            "csv",
            [],
            "Written for this project from public lists; not complete, not kept up to date",
            kind=SourceKind.SAMPLE,
        ),
        "sanctions.csv",
    ),
    (
        CatalogEntry(
            "sample-peps",
            "Sample of politically exposed persons",
            SourceTopic.PEP,
            "csv",
            [],
            "Written for this project from public sources; not complete, not kept up to date",
            kind=SourceKind.SAMPLE,
        ),
        "peps.csv",
    ),
)


def resolve_slug(name: str) -> str:
    """Return the short name of a list that is named by it or by its authority, as `OFAC`."""
    return SHORT.get(name.upper(), name)


def minimum_parties_of(slug: str) -> int:
    """Return the least number of parties of the whole list; 0 if unknown."""
    return LEAST.get(slug, 0)


def is_sample_slug(slug: str) -> bool:
    """Return whether a short name is that of a bundled sample."""
    return any(known.slug == slug for known, _ in SAMPLES)


def is_excused_if_unloaded(slug: str) -> bool:
    """Return whether a list that was never loaded is not needed.

    A sandbox starts with every official list enabled and none downloaded, and marks all its answers
    as based on samples.
    """
    begins = any(known.slug == slug and known.enabled for known in CATALOG)
    return begins and not settings.PRODUCTION


def policy_as_created(slug: str) -> dict[str, Any]:
    """Return what a known list is judged by when it is made; empty for one of the house."""
    known = next(
        (entry for entry in (*CATALOG, *(entry for entry, _ in SAMPLES)) if entry.slug == slug),
        None,
    )
    source = Source(**asdict(known)) if known else None
    return {field: getattr(source, field) for field in POLICY} if source else {}


def ensure_sources() -> None:
    """Create the known sources that the database lacks; what an operator changed stays."""
    held_slugs = set(Source.objects.values_list("slug", flat=True))
    missing = [Source(**asdict(known)) for known in CATALOG if known.slug not in held_slugs]
    Source.objects.bulk_create(missing, ignore_conflicts=True)


def ensure_samples() -> list[tuple[Source, Path]]:
    """Create the sample sources that are missing; return each with its file."""
    return [
        (
            Source.objects.get_or_create(slug=known.slug, defaults=asdict(known))[0],
            SAMPLE_FOLDER / name,
        )
        for known, name in SAMPLES
    ]
