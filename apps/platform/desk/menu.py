"""The menu: pages by groups of work, for each reader; apps put their pages into a group."""

from collections.abc import Collection
from typing import Any

from django.utils.text import slugify

from apps.platform.common.registry import Registry

# The groups, in this order
GROUPS = (
    "Cases",
    "Registry",
    "Payments",
    "Travel rule",
    "AML",
    "Stability",
    "Intelligence",
    "Suspicious activity",
    "Records",
    "Reference data",
    "Clients",
    "Operations",
    "People",
)
REST = "More"

# pages by group: labels of models
MENU: dict[str, Registry[str]] = {title: Registry("page of the menu") for title in GROUPS}

# pages with their own place in the menu too: their name there, and the shortcut key
PINNED: Registry[tuple[str, str]] = Registry("pinned page")


def group_menu(models: list[Any], *, here: str = "") -> list[dict[str, Any]]:
    """Return models as groups of work, in the shape of Django's list of apps.

    Pages without a group come at the end. `here` is the address of the current page: it and its
    group are marked. A page that also has its own place in the menu says so.
    """
    pages = {_model_label(model): _mark_current_page(model, here) for model in models}
    groups = []
    by_group: dict[str, Collection[str]] = {**MENU, REST: tuple(pages)}
    for title, labels in by_group.items():
        taken = [pages.pop(label) for label in labels if label in pages]
        if taken:
            menu_group = {
                "name": title,
                "app_label": slugify(title),
                "app_url": "",
                "has_module_perms": True,
                "here": any(model["here"] for model in taken),
                "models": taken,
            }
            groups.append(menu_group)
    return groups


def _mark_current_page(model: dict[str, Any], here: str) -> dict[str, Any]:
    """Return a page with whether it is the current one, and its name and key if it is pinned."""
    address = model.get("admin_url") or ""
    name, key = PINNED.get(_model_label(model), ("", ""))
    current = bool(address) and here.startswith(address)
    return model | {"here": current, "pinned": name, "key": key}


def _model_label(model: dict[str, Any]) -> str:
    label: str = model["model"]._meta.label_lower
    return label
