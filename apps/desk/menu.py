"""The menu: pages by groups of work (config/desk.py), each reader's own."""

from typing import Any

from django.utils.text import slugify

from config.desk import MENU, PINNED

REST = "More"


def grouped(apps: list[Any], *, here: str = "") -> list[dict[str, Any]]:
    """Return Django's list of apps (rows with `models`) as groups of work with the same shape.

    A page that no group names is not lost: it stands at the end. `here` is the address of the
    present page: it and its group are marked. A page that stands by itself, too, says so.
    """
    pages = {_label(model): _placed(model, here) for app in apps for model in app["models"]}
    found = []
    for title, labels in [*MENU.items(), (REST, tuple(pages))]:
        taken = [pages.pop(label) for label in labels if label in pages]
        if taken:
            found.append(_group(title, taken))
    return found


def _placed(model: dict[str, Any], here: str) -> dict[str, Any]:
    """Return a page with whether it is the present one, and its name and key where it is pinned."""
    address = model.get("admin_url") or ""
    name, key = PINNED.get(_label(model), ("", ""))
    current = bool(address) and here.startswith(address)
    return model | {"here": current, "pinned": name, "key": key}


def _label(model: dict[str, Any]) -> str:
    label: str = model["model"]._meta.label_lower
    return label


def _group(title: str, models: list[Any]) -> dict[str, Any]:
    return {
        "name": title,
        "app_label": slugify(title),
        "app_url": "",
        "has_module_perms": True,
        "here": any(model["here"] for model in models),
        "models": models,
    }
