"""A mutant: one deliberate bug, as a change of text, and the tests that must fail with it."""

import ast
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from tests.mutants import rows

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Mutant:
    """`before` stands exactly once in `file` and is replaced by `after`.

    `breaks` says in a sentence what goes wrong then; `tests` are pytest's node ids or files,
    the narrowest that must fail.
    """

    name: str
    file: str
    before: str
    after: str
    breaks: str
    tests: tuple[str, ...]

    @property
    def app(self) -> str:
        """The room that it is in: an app, or `config`."""
        rooms = self.file.split("/")
        return rooms[2] if rooms[0] == "apps" else rooms[0]

    def applied(self, root: Path = ROOT) -> str:
        """Return the file's text with the bug; ValueError when the row does not fit the tree."""
        path = root / self.file
        if not path.is_file():
            raise ValueError(f"{self.name}: there is no file {self.file}")
        text = path.read_text(encoding="utf-8")
        if (found := text.count(self.before)) != 1:
            raise ValueError(f"{self.name}: its text is {found} times in {self.file}, not once")
        changed = text.replace(self.before, self.after)
        if changed == text:
            raise ValueError(f"{self.name}: changes nothing")
        try:
            ast.parse(changed)
        except SyntaxError as error:
            raise ValueError(f"{self.name}: {self.file} is no Python with it: {error}") from None
        return changed

    def tests_fault(self, root: Path = ROOT) -> str:
        """Return which of its tests is not there, or an empty text."""
        if not self.tests:
            return f"{self.name}: names no test"
        for node in self.tests:
            file, *names = node.partition("[")[0].split("::")
            path = root / file
            if not path.is_file():
                return f"{self.name}: there is no {file}"
            text = path.read_text(encoding="utf-8")
            for name in names:
                if f"def {name}(" not in text and f"class {name}" not in text:
                    return f"{self.name}: {file} has no {name}"
        return ""


@cache
def mutants() -> tuple[Mutant, ...]:
    """Return every mutant, by room and in the order of its file in `rows`."""
    found: list[Mutant] = []
    for module in sorted(iter_modules(rows.__path__), key=lambda one: one.name):
        table = import_module(f"{rows.__name__}.{module.name}").ROWS
        found += [Mutant(*row) for row in table]
    return tuple(found)


def chosen(names: list[str], since: str = "") -> tuple[Mutant, ...]:
    """Return those of these names or rooms (none: all), from the one named `since` on.

    KeyError for a name that is neither.
    """
    new_mutants = mutants()
    for name in [*names, *([since] if since else [])]:
        if not any(name in (one.name, one.app) for one in new_mutants):
            raise KeyError(name)
    start = next((at for at, one in enumerate(new_mutants) if since in (one.name, one.app)), 0)
    return tuple(one for one in new_mutants[start:] if not names or {one.name, one.app} & {*names})
