"""Citations: what the code says of specification and design, and where each of them leads."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apps.platform.api.schema import openapi_document
from config.services import SERVICES

ROOT = Path(__file__).resolve().parents[2]
_NUMBERS = r"\d+(?:\.\d+)?(?:(?:, | and |, and )\d+(?:\.\d+)?)*"
_DOCUMENT = re.compile(rf"(?:\b[Dd]ocument )?\b([123])(?: §| sections? )({_NUMBERS})( rule \d+)?")
_DESIGN = re.compile(
    r"\b(?:D §|DESIGN(?:\.md)?(?: §| section ))(\d)(?:(?:, | \(| )(\w[^:;)\"'`|]*))?"
)
_REASON = re.compile(r"\bD(\d)\.([a-z]+)\.(\d+)")
# words of which every citation has one
_WORDS = re.compile(r"§|section|DESIGN|\bD\d\.|eatures? ")
_FEATURES = re.compile(r"\b[Ff]eatures? (\d+(?:(?:, | and )\d+)*)")


@dataclass(frozen=True)
class Citation:
    """One citation as it stands, and the places that it names: (page, section, heading)."""

    where: str
    text: str
    leads: tuple[tuple[str, str, str], ...]


@cache
def texts() -> tuple[tuple[str, str], ...]:
    """Return name and text of everything that may cite: code, tables, documents, OpenAPI."""
    return tuple(_read_texts())


def _read_texts() -> Iterator[tuple[str, str]]:
    for folder, suffixes in (
        ("apps", (".py",)),
        ("config", (".py",)),
        ("docs", (".md",)),
        ("templates", (".html",)),
        ("tests", (".py",)),
    ):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and path.parent != Path(__file__).parent:
                yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml"):
        yield name, (ROOT / name).read_text(encoding="utf-8")
    for service in SERVICES:
        yield f"{service} OpenAPI", json.dumps(openapi_document(service, ""), ensure_ascii=False)


def found_in(where: str, text: str) -> Iterator[Citation]:
    """Yield every citation of a text; those that are wrapped over two lines too."""
    text = unwrapped(text)
    if not _WORDS.search(text):
        return
    for match in _DOCUMENT.finditer(text):
        page, rule = f"document {match[1]}", (match[3] or "").strip()
        named = re.findall(r"\d+(?:\.\d+)?", match[2])
        yield Citation(where, match[0], tuple((page, number, rule) for number in named))
    for match in _DESIGN.finditer(text):
        yield Citation(where, match[0], (("design", match[1], (match[2] or "").strip(" .,")),))
    for match in _REASON.finditer(text):
        topic = f"{match[2]} ({match[3]})"
        yield Citation(where, match[0], (("design", match[1], topic),))
    for match in _FEATURES.finditer(text):
        named = re.findall(r"\d+", match[1])
        yield Citation(where, match[0], tuple(("design", "8", f"| {one} |") for one in named))


@cache
def unwrapped(text: str) -> str:
    """Return a text on one line, comments without their marks."""
    return re.sub(r"(?<!\s)\s*\n\s*(?:#:? )?", " ", text)


def dead(citation: Citation) -> list[str]:
    """Return what of a citation leads nowhere."""
    return [f"{citation.where}: {citation.text}" for lead in citation.leads if not stands(*lead)]


def stands(page: str, section: str, topic: str) -> bool:
    """Tell whether a section has the heading, rule or row that a topic begins with."""
    if page != "design":
        rules = _specification()[page].get(section)
        return rules is not None and (not topic or topic in rules)
    body = _design().get(section)
    if body is None or not topic:
        return body is not None
    if topic.startswith("|"):
        return f"\n{topic}" in body
    item = re.fullmatch(r"([a-z]+) (\(\d\))", topic)
    if item:
        return item[2] in _under(body).get(item[1], "")
    return any(
        re.match(rf"{re.escape(heading.split(' ')[0] if heading[0].isdigit() else heading)}\b", low)
        or heading.startswith(f"{low} ")
        for heading in _under(body)
        for low in [topic.casefold()]
    )


@cache
def _under(body: str) -> dict[str, str]:
    """Return the text below each heading of a section, by the heading in small letters."""
    parts = re.split(r"^### (.+)$", body, flags=re.M)
    return {parts[at].casefold(): parts[at + 1] for at in range(1, len(parts), 2)}


@cache
def _design() -> dict[str, str]:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\d)\. .+$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@cache
def _specification() -> dict[str, dict[str, str]]:
    """Return what is said of each section, by document: rules where it has some."""
    text = (ROOT / "docs" / "specification.md").read_text(encoding="utf-8")
    pages: dict[str, dict[str, str]] = {}
    parts = re.split(r"^## Document (\d): .+$", text, flags=re.M)
    for number, body in zip(parts[1::2], parts[2::2], strict=True):
        sections = dict.fromkeys(re.findall(r"^\| ([\d.]+) \|", body, flags=re.M), "")
        numbered = r"rules of section ([\d.]+) (.+?)(?=rules of section|\Z)"
        for section, rules in re.findall(numbered, body, flags=re.S):
            sections[section] = " ".join(rules.split()) + " "
        pages[f"document {number}"] = sections
    return pages
