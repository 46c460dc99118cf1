"""The desk's registry: apps register what they show, and the desk knows no domain.

An app keeps its entries in `desk.py`. Numbers are positions: they determine the order of entries of
several apps in one place, such as pages in a group of the menu.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from apps.platform.common.registry import Registry
from apps.platform.desk.approvals import APPROVALS, ApprovalQueue
from apps.platform.desk.export_registry import EXPORTS, Export
from apps.platform.desk.home import PANELS, TILES, PanelBuilder, TileBuilder
from apps.platform.desk.legal_holds import (
    HELD_ALONG,
    HELD_WHOLE,
    RECORD_WORDS,
    HeldRecordsFinder,
    RecordLabeller,
)
from apps.platform.desk.menu import MENU, PINNED
from apps.platform.desk.page_titles import IMPERSONAL, PAGES, WORK_LISTS
from apps.platform.desk.search import FINDERS, Finder
from apps.platform.desk.step_up import EVERYDAY, STEP_UP, ProofNeed

# a further sentence about a ledger on the page of ledgers, by the ledger's name
LEDGER_NOTES: Registry[Callable[[], str]] = Registry("note on a ledger")


@dataclass(frozen=True, kw_only=True)
class DeskEntries:
    """The desk entries of an app, each part under its own name.

    `pages` puts models into groups of the menu (apps/platform/desk/menu.py) by their labels;
    `pinned` are pages that also have their own place in the menu: their name there, and the key
    that opens them. `finders` search, `tiles` and `panels` are parts of the home page, `approvals`
    wait for a second person, by title. `exports` are by their name in the file.

    `held_whole` are objects that a legal hold covers as a whole, `held_along` what it also covers
    of other apps. `record_words` describes records of a ledger, `ledger_notes` comments on one.

    `step_up` has addresses that require a recent proof of identity, `everyday` those that do not
    although forms are submitted there, and why (apps/platform/desk/step_up.py).

    `personal` are pages with personal data: the labels of one and of the list in the read log.
    Opening one is recorded; for `work_lists`, which are open all day, only searches are.
    `impersonal` pages have no personal data: every other page is recorded.
    """

    pages: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    pinned: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    finders: Mapping[str, tuple[int, Finder]] = field(default_factory=dict)
    tiles: Mapping[str, tuple[int, TileBuilder]] = field(default_factory=dict)
    panels: Mapping[str, tuple[int, PanelBuilder]] = field(default_factory=dict)
    approvals: Mapping[str, tuple[int, ApprovalQueue]] = field(default_factory=dict)
    exports: Mapping[str, Export] = field(default_factory=dict)
    held_whole: Mapping[str, HeldRecordsFinder] = field(default_factory=dict)
    held_along: Mapping[str, HeldRecordsFinder] = field(default_factory=dict)
    record_words: Mapping[str, RecordLabeller] = field(default_factory=dict)
    ledger_notes: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    step_up: Mapping[str, ProofNeed] = field(default_factory=dict)
    everyday: Mapping[str, str] = field(default_factory=dict)
    personal: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    impersonal: Sequence[str] = ()
    work_lists: Sequence[str] = ()


def register_desk(entries: DeskEntries) -> None:
    """Add the entries of an app; AlreadyRegistered for a name that is taken."""
    for group, pages in entries.pages.items():
        for label, position in pages.items():
            MENU[group].register(label, label, position=position)
    for label, pin in entries.pinned.items():
        PINNED.register(label, pin)
    for name, (position, finder) in entries.finders.items():
        FINDERS.register(name, finder, position=position)
    for name, (position, tiles) in entries.tiles.items():
        TILES.register(name, tiles, position=position)
    for name, (position, panel) in entries.panels.items():
        PANELS.register(name, panel, position=position)
    for title, (position, queue) in entries.approvals.items():
        APPROVALS.register(title, queue, position=position)
    for name, export in entries.exports.items():
        EXPORTS.register(name, export)
    for name, find in entries.held_whole.items():
        HELD_WHOLE.register(name, find)
    for name, find in entries.held_along.items():
        HELD_ALONG.setdefault(name, []).append(find)
    for ledger, label_records in entries.record_words.items():
        RECORD_WORDS.register(ledger, label_records)
    for ledger, describe in entries.ledger_notes.items():
        LEDGER_NOTES.register(ledger, describe)
    for address, need in entries.step_up.items():
        STEP_UP.register(address, need)
    for address, why in entries.everyday.items():
        EVERYDAY.register(address, why)
    for label, titles in entries.personal.items():
        PAGES.register(label, titles)
    IMPERSONAL.update(entries.impersonal)
    WORK_LISTS.update(entries.work_lists)
