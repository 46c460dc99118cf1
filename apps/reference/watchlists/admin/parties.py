"""Listed parties, present and past, and the parties that were screened."""

import json
from collections.abc import Iterator

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.platform.common.country_names import country_name
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.time_formats import format_day
from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    Position,
    deserialize_entity,
)
from apps.reference.watchlists.match_effects import WORDS
from apps.reference.watchlists.models import EntityState, Party

TYPES = {"Person": "Person", "Organization": "Organisation", "Vessel": "Ship",
         "Aircraft": "Aircraft", "Unknown": "Not stated"}  # fmt: skip
KINDS = {"primary": "", "alias": "also", "former": "formerly"}


@admin.register(EntityState)
class EntityStateAdmin(ReadOnlyAdmin):
    """Listed parties, present and past."""

    list_display = ("entity_id", "name", "source", "first_sequence", "last_sequence")
    list_filter = ("source",)
    list_select_related = ("source",)
    # exact: names are in JSON, and the desk search finds them by the match index
    search_fields = ("=entity_id",)
    show_full_result_count = False
    fields = ("source", "entity_id", ("first_sequence", "last_sequence"), "readable", "stored")
    readonly_fields = ("readable", "stored")

    @admin.display(description="name")
    def name(self, state: EntityState) -> str:
        return next((name["full"] for name in state.data.get("names", ())), "-")

    @admin.display(description="as listed")
    def readable(self, state: EntityState) -> SafeString:
        rows = format_html_join(
            "", "<div><dt>{}</dt><dd>{}</dd></div>", describe_listed_party(state)
        )
        return format_html('<dl class="facts">{}</dl>', rows)

    @admin.display(description="details")
    def stored(self, state: EntityState) -> SafeString:
        text = json.dumps(state.data, indent=1, ensure_ascii=False)
        words = "Stored JSON"
        return format_html(
            '<details class="raw"><summary>{}</summary><pre>{}</pre></details>', words, text
        )


@admin.register(Party)
class PartyAdmin(ReadOnlyAdmin):
    """Parties that were screened or registered."""

    list_display = ("name", "kind", "schema", "country", "reference", "first_seen", "last_seen")
    list_filter = ("kind", "schema")
    search_fields = ("keys", "=reference")
    show_full_result_count = False


def describe_listed_party(state: EntityState) -> list[tuple[str, str]]:
    """Return a list's facts about a party, as (label, text), without empty ones."""
    entity = deserialize_entity(state.data)
    return [(what, text) for what, text in _iter_entity_facts(entity) if text]


def _iter_entity_facts(entity: ListedEntity) -> Iterator[tuple[str, str]]:
    yield "Names", "\n".join(map(_format_name, entity.names))
    yield "Type", TYPES.get(entity.schema, entity.schema)
    yield "Countries", ", ".join(map(country_name, entity.countries))
    yield "Born or founded", ", ".join(map(format_day, entity.birth_dates))
    yield "Birth date as listed", "\n".join(entity.birth_notes)
    yield "Gender", entity.gender
    yield "Identifiers", "\n".join(map(_format_identifier, entity.identifiers))
    yield (
        "False documents, not compared",
        "\n".join(map(_format_identifier, entity.false_identifiers)),
    )
    yield "Measures", ", ".join(entity.measures)
    yield "Offices", "\n".join(map(_format_position, entity.positions))
    yield "Programmes", ", ".join(entity.programs)
    yield "Addresses", "\n".join(entity.addresses)
    yield "Listed on", format_day(entity.listed_on)
    yield "Remarks", entity.remarks


def _format_name(name: ListedName) -> str:
    weak = " (weak: marked as low quality by the list)" if name.weak else ""
    return f"{KINDS[name.kind]} {name.full}{weak}".strip()


def _format_identifier(identifier: Identifier) -> str:
    where = f", {country_name(identifier.country)}" if identifier.country else ""
    asset = f", {identifier.asset}" if identifier.asset else ""
    return f"{WORDS.get(identifier.kind, identifier.kind)}: {identifier.value}{asset}{where}"


def _format_position(position: Position) -> str:
    span = " to ".join(format_day(end) for end in (position.since, position.until) if end)
    where = country_name(position.country) if position.country else ""
    return ", ".join(part for part in (position.title, where, span) if part)
