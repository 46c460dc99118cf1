"""List formats. A new one is a file here with `parse(files, options)` and a row below."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.sources import (
    eu_csv,
    eu_xml,
    ftm,
    mapped_csv,
    ofac_csv,
    ofac_xml,
    opensanctions_csv,
    uk_csv,
    un_xml,
)
from apps.reference.watchlists.sources.parse_options import ParseOptions
from apps.reference.watchlists.sources.stream_readers import FormatError

__all__ = ["FORMATS", "Format", "FormatError", "ParseOptions"]

Parser = Callable[[Sequence[BinaryIO], ParseOptions], Iterator[ListedEntity]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of list files: streams in, parties out; anything unexpected is a FormatError."""

    title: str
    parse: Parser


FORMATS: dict[str, Format] = {
    "ofac-csv": Format("OFAC SDN, CSV files", ofac_csv.parse),
    "ofac-xml": Format("OFAC SDN, advanced XML", ofac_xml.parse),
    "un-xml": Format("UN consolidated list, XML", un_xml.parse),
    "eu-csv": Format("EU consolidated list, CSV 1.1", eu_csv.parse),
    "eu-xml": Format("EU consolidated list, XML 1.1", eu_xml.parse),
    "uk-csv": Format("UK Sanctions List, CSV", uk_csv.parse),
    "opensanctions-csv": Format("OpenSanctions targets.simple.csv", opensanctions_csv.parse),
    "ftm": Format("FollowTheMoney JSON lines", ftm.parse),
    "csv": Format("In-house CSV with a column mapping", mapped_csv.parse),
}
