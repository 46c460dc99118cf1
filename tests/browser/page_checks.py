"""What a browser sees: pages without errors, and what axe-core says of them."""

import json
from importlib.resources import files
from typing import Any

CLEAN = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
PHONE = {"width": 390, "height": 844}
SLIM = {"width": 400, "height": 800}
TABLET = {"width": 800, "height": 900}
DESKTOP = {"width": 1280, "height": 900}


class Seen:
    """Everything a page complained of; asked for foreign addresses count too."""

    def __init__(self, page: Any, home: str) -> None:
        self.faults: list[str] = []
        self.home = home
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        page.on("request", self._request)
        page.on("response", self._response)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.home, "data:")):
            self.faults.append(f"asks {request.url}")

    def _response(self, response: Any) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.status} {response.url}")


def appears(wanted: Any) -> bool:
    """Wait until an element is seen: a page that a click asked for may still be on its way."""
    wanted.wait_for(timeout=15_000)
    return True


def axe(page: Any) -> list[str]:
    """Return the WCAG A and AA violations of a page, each with where it is."""
    # the policy forbids injected script tags; evaluating is the debugger's way in
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    # preloading, it would ask for a sheet that another imports at the address of the page
    only = json.dumps({"runOnly": list(CLEAN), "resultTypes": ["violations"], "preload": False})
    found = page.evaluate(f"axe.run(document, {only}).then(r => r.violations)")
    return [
        f"{one['id']}: {node['html'][:160]} {_why(node)}" for one in found for node in one["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    return "; ".join(str(one.get("message", ""))[:160] for one in node.get("any", []))


def too_wide(page: Any) -> int:
    """Return by how many pixels a page is wider than the window: phones must not pan."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


INSIDE = """[...document.querySelectorAll("#content table")].flatMap((table) => {
  for (let box = table; box && box.id !== "content"; box = box.parentElement) {
    const more = box.scrollWidth - box.clientWidth;
    if (box.matches('.scrolls[role="region"][aria-label][tabindex="0"]')) return [];
    if (more > 1 && ["auto", "scroll"].includes(getComputedStyle(box).overflowX)) {
      return [`${table.className || table.id} by ${more}`];
    }
  }
  return [];
})"""


def tables_to_scroll(page: Any) -> list[str]:
    """Return the tables of a page that have to be scrolled sideways, and by how many pixels.

    Figures that are read side by side stand in a region that is named and meant to be scrolled.
    """
    return list(page.evaluate(INSIDE))


def above(page: Any, selector: str) -> float:
    """Return where the last element of a selector ends, in pixels from the top of the page.

    An element that is not drawn has no end: AssertionError.
    """
    box = page.locator(selector).last.bounding_box()
    assert box is not None, f"{selector} is not drawn"
    return float(box["y"] + box["height"])
