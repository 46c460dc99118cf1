"""The home page: figures that need attention, and panels of work, each declared by an app."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from apps.platform.common.registry import Registry

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
        """The figure as it is displayed: 12,400."""
        return f"{self.value:,}" if isinstance(self.value, int) else self.value


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the home page: an app's template, rendered with `work`; `head` is drawn on top."""

    template: str
    work: Any
    head: str = ""


TileBuilder = Callable[["User", datetime], list[Tile]]
PanelBuilder = Callable[["User", datetime], Panel | None]
TILES: Registry[TileBuilder] = Registry("figure of the home page")
PANELS: Registry[PanelBuilder] = Registry("panel of the home page")


def collect_tiles(user: "User", now: datetime) -> list[Tile]:
    """Return every app's figures for a reader."""
    return [tile for build in TILES.values() for tile in build(user, now)]


def collect_panels(user: "User", now: datetime) -> list[Panel]:
    """Return every app's panel for a reader; an app returns none to a reader without permission."""
    panels = (build(user, now) for build in PANELS.values())
    return [panel for panel in panels if panel is not None]
