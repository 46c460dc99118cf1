"""The GLEIF API client: one entity, its owners, or many entities by one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from apps.platform.upstreams.http import Upstream, UpstreamError
from apps.reference.lei.clients import gleif_records
from apps.reference.lei.values import Exemption, Malformed, Ownership, ParentKind

LEIS_A_CALL = 100  # requested by one call, and the size of its page
KINDS: tuple[ParentKind, ...] = ("DIRECT", "ULTIMATE")


class NoAnswer(Exception):
    """GLEIF did not answer, or not in its published shape."""


@dataclass(frozen=True, slots=True)
class OwnerStatements:
    """What an entity says of its parents, with the day of the content."""

    statements: tuple[Ownership | Exemption, ...]
    published: datetime


def is_gleif_configured() -> bool:
    """Return whether GLEIF's API is configured (setting GLEIF_URL)."""
    return bool(settings.GLEIF_URL)


class GleifClient(Upstream):
    """GLEIF's public API, version 1; answers are JSON:API."""

    name = "gleif"
    timeout = (3.0, 10.0)
    patience = 20.0

    def __init__(self) -> None:
        self.base_url = settings.GLEIF_URL.rstrip("/")

    def record(
        self, *, lei: str, deadline: float | None = None
    ) -> gleif_records.EntityAnswer | None:
        """Return an entity, None if GLEIF has none; raises NoAnswer if GLEIF cannot be reached."""
        body = self._get(f"lei-records/{lei}", deadline=deadline)
        if body is None:
            return None
        try:
            answer = gleif_records.parse_record(body)
        except Malformed as error:
            raise NoAnswer(str(error)) from error
        # an answer about another entity must not become the record of this one
        if answer.entity.lei != lei:
            raise NoAnswer(f"requested {lei}, received {answer.entity.lei}")
        return answer

    def records(self, *, leis: Sequence[str]) -> list[gleif_records.EntityAnswer]:
        """Return those of at most 100 entities that GLEIF knows, by one call."""
        params = {"filter[lei]": ",".join(leis), "page[size]": str(LEIS_A_CALL)}
        body = self._get("lei-records", params=params)
        listed = (body or {}).get("data")
        if not isinstance(listed, list):
            raise NoAnswer("the response contains no list")
        try:
            return [
                gleif_records.parse_record({"meta": (body or {}).get("meta"), "data": document})
                for document in listed
            ]
        except Malformed as error:
            raise NoAnswer(str(error)) from error

    def owners(self, *, answer: gleif_records.EntityAnswer) -> OwnerStatements:
        """Return what an entity says of its parents; two calls, following its links."""
        statements: list[Ownership | Exemption] = []
        for kind, what in zip(KINDS, (answer.direct, answer.ultimate), strict=True):
            if what == "none":
                continue
            body = self._get(gleif_records.parent_path(answer.entity.lei, kind, what))
            statement = self._parse_statement(body, what)
            if statement is not None:
                statements.append(statement)
        return OwnerStatements(tuple(statements), answer.published)

    @staticmethod
    def _parse_statement(
        body: Mapping[str, Any] | None, what: gleif_records.ParentStatement
    ) -> Ownership | Exemption | None:
        if body is None:
            return None
        try:
            return (
                gleif_records.parse_relationship(body)
                if what == "relationship"
                else gleif_records.parse_exception(body)
            )
        except Malformed as error:
            raise NoAnswer(str(error)) from error

    def _get(
        self,
        path: str,
        *,
        params: Mapping[str, str] | None = None,
        deadline: float | None = None,
    ) -> Mapping[str, Any] | None:
        """Return the body, None for 404."""
        try:
            body = self.get_json(f"/{path}", params=params, deadline=deadline)
        except UpstreamError as error:
            if error.status == 404:
                return None
            raise NoAnswer(str(error)) from error
        if not isinstance(body, Mapping):
            raise NoAnswer("the response is not a JSON object")
        return body
