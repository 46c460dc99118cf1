"""What connectors share: HTTP, whose name is whose, numbers, and files read in a stream."""

import csv
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.lei.names import agrees
from apps.lei.values import Entity
from apps.upstreams.http import USER_AGENT, Upstream

_MOST = 2 * 1024**3


class Malformed(ValueError):
    """What a source sent is not in its pinned format; nothing of it is used."""


class Site(Upstream):
    """One source's server."""

    timeout = (5.0, 60.0)
    patience = 180.0

    def __init__(self, slug: str, url: str) -> None:
        self.name, self.base_url = f"esg-{slug}", url

    def json(self, path: str, **params: str) -> Any:
        """Return a parsed answer; the source is told whom to write to (ESG_CONTACT)."""
        agent = f"{USER_AGENT} {settings.ESG_CONTACT}".strip()
        return self.get_json(path, params=params, headers={"User-Agent": agent})


def same_company(*, name: str, other: str) -> bool:
    """Tell whether two legal names are one: legal form, case and punctuation aside."""
    held = Entity(lei="", legal_name=other, registration_status="")
    return agrees(name, held)


def number(value: Any, what: str) -> Decimal:
    """Return a figure of JSON or CSV; Malformed for what is none."""
    try:
        found = Decimal(str(value).replace(",", "").strip())
    except InvalidOperation:
        raise Malformed(f"{what}: {str(value)[:40]!r} is no number") from None
    if not found.is_finite():
        raise Malformed(f"{what}: {found} is no number")
    return found


def day(value: Any, what: str) -> date:
    """Return a day in ISO 8601; Malformed for what is none."""
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        raise Malformed(f"{what}: {str(value)[:40]!r} is no day") from None


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return a JSON object; Malformed for what is none."""
    if not isinstance(value, Mapping):
        raise Malformed(f"{what} is no object")
    return value


def objects(value: Any, what: str) -> list[Mapping[str, Any]]:
    """Return a JSON list of objects, their names in small letters; Malformed for what is none."""
    if not isinstance(value, list):
        raise Malformed(f"{what} is no list")
    return [{str(k).lower(): v for k, v in mapping(one, what).items()} for one in value]


def table(*, slug: str, url: str, needed: tuple[str, ...], today: date) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file that is fetched once a month; Malformed without its columns."""
    path = _fetched(slug, url, today)
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        header = {name.strip().lower(): name for name in reader.fieldnames or ()}
        if missing := [name for name in needed if name not in header]:
            raise Malformed(f"{slug}: columns are missing: {', '.join(missing)}")
        try:
            for row in reader:
                yield {name: (row[header[name]] or "").strip() for name in needed}
        except csv.Error as error:
            raise Malformed(f"{slug}, line {reader.line_num}: {error}") from error


def _fetched(slug: str, url: str, today: date) -> Path:
    folder = settings.VAR_DIR / "esg"
    folder.mkdir(parents=True, exist_ok=True)
    path: Path = folder / f"{slug}-{today:%Y-%m}.csv"
    if not path.exists():
        site, aside = Site(slug, url), path.with_suffix(".part")
        site.largest = _MOST
        site.download("", aside)
        aside.replace(path)
        for old in folder.glob(f"{slug}-*.csv"):
            if old != path:
                old.unlink(missing_ok=True)
    return path
