"""Helpers of connectors: HTTP, matching of company names, numbers, and streamed files."""

import csv
import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings
from rigour.text import ascii_text

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.platform.upstreams.http import USER_AGENT, Upstream
from apps.reference.lei.legal_name_check import fold_name
from apps.reference.watchlists.locks import hold_file_lock

# bytes of a downloaded file
_MOST = 2 * 1024**3
# legal forms of the United States, whose registers are searched by name
_LEGAL_FORMS = frozenset(
    ("inc", "incorporated", "corp", "corporation", "co", "company", "llc", "ltd", "limited", "plc",
     "lp", "llp")
)  # fmt: skip
_STATE = re.compile(r"/[a-z]{2,3}/?$")  # as the SEC writes it: BANK OF AMERICA CORP /DE/


class MalformedAnswer(ValueError):
    """What a source sent is not in its pinned format; nothing of it is used."""


class SourceServer(Upstream):
    """One source's server."""

    # seconds to connect and between two reads
    timeout = (5.0, 60.0)
    # seconds for a whole call; jobs wait, callers never do
    patience = 180.0

    def __init__(self, slug: str, url: str) -> None:
        self.name, self.base_url = f"esg-{slug}", url

    def json(self, path: str, **params: str) -> Any:
        """Return a parsed answer."""
        # the SEC requires a contact in the User-Agent
        agent = f"{USER_AGENT} {settings.ESG_CONTACT}".strip()
        return self.get_json(path, params=params, headers={"User-Agent": agent})


def split_company_name(name: str) -> list[str]:
    """Return the words of a company's name, without case, accents, punctuation and `The`."""
    plain = _STATE.sub("", fold_name(ascii_text(name)).rstrip())
    # A.B.C. and ABC, O'Neill and ONeill, Coca-Cola and CocaCola are one spelling
    joined = re.sub(r"(?<=\w)[.'-](?=\w)|\.", "", plain)
    words = re.findall(r"\w+", joined)
    return words[1:] if words[:1] == ["the"] and len(words) > 1 else words


def strip_legal_form(words: list[str]) -> list[str]:
    """Return the words of a name without the legal form at its end."""
    end = len(words)
    # at least one word stays: a company may be called Limited
    while end > 1 and words[end - 1] in _LEGAL_FORMS:
        end -= 1
    return words[:end]


def is_same_company(*, query: SourceQuery, other: str) -> bool:
    """Tell whether a US register's row refers to the queried entity.

    No letter may differ. The legal form may, for an entity of the United States.
    """
    # no fuzzy match: another company's record would be worse than none
    mine, theirs = split_company_name(query.name), split_company_name(other)
    # Foo GmbH and Foo Inc. are two companies, so forms are only dropped within one country
    if query.country == "US":
        mine, theirs = strip_legal_form(mine), strip_legal_form(theirs)
    return bool(mine) and "".join(mine) == "".join(theirs)


def begins_with_legal_form(words: list[str]) -> bool:
    """Tell whether words begin with a legal form; text after the form is not part of the name."""
    return words[:1] != [] and words[0] in _LEGAL_FORMS


def parse_number(value: Any, what: str) -> Decimal:
    """Return a figure of JSON or CSV; Malformed for what is none."""
    try:
        # thousands separators, as in 1,234.5
        number = Decimal(str(value).replace(",", "").strip())
    except InvalidOperation:
        raise MalformedAnswer(f"{what}: {str(value)[:40]!r} is not a number") from None
    if not number.is_finite():
        raise MalformedAnswer(f"{what}: {number} is not a number")
    return number


def parse_day(value: Any, what: str) -> date:
    """Return a day in ISO 8601; Malformed for what is none."""
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise MalformedAnswer(f"{what}: {str(value)[:40]!r} is not a day") from None


def require_object(value: Any, what: str) -> Mapping[str, Any]:
    """Return a JSON object; MalformedAnswer for what is none."""
    if not isinstance(value, Mapping):
        raise MalformedAnswer(f"{what} is not an object")
    return value


def require_object_list(value: Any, what: str) -> list[Mapping[str, Any]]:
    """Return a JSON list of objects, their names in small letters; MalformedAnswer for what is
    none.
    """
    if not isinstance(value, list):
        raise MalformedAnswer(f"{what} is not a list")
    return [{str(k).lower(): v for k, v in require_object(entry, what).items()} for entry in value]


def estimate_scope1(
    tonnes: Mapping[int, Decimal], *, query: SourceQuery, source: str, url: str
) -> list[Figure]:
    """Return the emissions of an entity's sites in the last year that has any, as an estimate."""
    if not tonnes:
        return []
    year = max(tonnes)
    return [
        Figure(
            subject=query.lei,
            key="ghg_scope1",
            value=tonnes[year],
            period=str(year),
            period_end=date(year, 12, 31),
            source=source,
            url=url,
            as_of=query.today,
            estimated=True,
        )
    ]


def iter_csv_rows(
    *, slug: str, url: str, needed: tuple[str, ...], today: date
) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file that is fetched once a month; MalformedAnswer without its
    columns.
    """
    folder = settings.VAR_DIR / "esg"
    folder.mkdir(parents=True, exist_ok=True)
    path: Path = folder / f"{slug}-{today:%Y-%m}.csv"
    # workers of this host share the file: without a lock, two of them would write into one `.part`
    with hold_file_lock(folder / f"{slug}.lock", wait=True):
        if not path.exists():
            site, aside = SourceServer(slug, url), path.with_suffix(".part")
            site.largest = _MOST
            site.download("", aside)
            aside.replace(path)
            for old in folder.glob(f"{slug}-*.csv"):
                if old != path:
                    old.unlink(missing_ok=True)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        header = {name.strip().lower(): name for name in reader.fieldnames or ()}
        if missing := [name for name in needed if name not in header]:
            raise MalformedAnswer(f"{slug}: columns are missing: {', '.join(missing)}")
        try:
            for row in reader:
                yield {name: (row[header[name]] or "").strip() for name in needed}
        except csv.Error as error:
            raise MalformedAnswer(f"{slug}, line {reader.line_num}: {error}") from error
