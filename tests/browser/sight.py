"""What a browser sees: pages without errors, and what axe-core says of them."""

import json
from importlib.resources import files
from typing import Any

CLEAN = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
PHONE = {"width": 390, "height": 844}
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


def axe(page: Any) -> list[str]:
    """Return the WCAG A and AA violations of a page, each with where it is."""
    # the policy forbids injected script tags; evaluating is the debugger's way in
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    only = json.dumps({"runOnly": list(CLEAN), "resultTypes": ["violations"]})
    found = page.evaluate(f"axe.run(document, {only}).then(r => r.violations)")
    return [
        f"{one['id']}: {node['html'][:160]} {_why(node)}" for one in found for node in one["nodes"]
    ]


def _why(node: dict[str, Any]) -> str:
    return "; ".join(str(one.get("message", ""))[:160] for one in node.get("any", []))


def too_wide(page: Any) -> int:
    """Return by how many pixels a page is wider than the window: phones must not pan."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))
