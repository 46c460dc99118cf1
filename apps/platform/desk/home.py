"""The home page: figures that ask for somebody, and panels of work, each declared by an app."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from django.utils.module_loading import import_string

from config.desk import PANELS, TILES

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure of the home page and where it leads; `tone` bad asks for attention."""

    label: str
    value: int | str
    address: str
    tone: Literal["", "ok", "warn", "bad"] = ""

    @property
    def shown(self) -> str:
        """The figure as it is read: 12,400."""
        return f"{self.value:,}" if isinstance(self.value, int) else self.value


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the home page: an app's template, drawn with `work`; `head` is drawn on top."""

    template: str
    work: Any
    head: str = ""


def collect_tiles(user: "User", now: datetime) -> list[Tile]:
    """Return every app's figures for a reader."""
    return [tile for path in TILES for tile in import_string(path)(user, now)]


def collect_panels(user: "User", now: datetime) -> list[Panel]:
    """Return every app's panel for a reader; an app has none for who may not see it."""
    found = (import_string(path)(user, now) for path in PANELS)
    return [panel for panel in found if panel is not None]
