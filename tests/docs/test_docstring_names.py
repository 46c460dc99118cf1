"""Docstrings name only what exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONSTANT = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
MEMBER = re.compile(r"[`(]((?:\w+\.)*)([A-Za-z_]\w*)\.(?!(?:py|json|csv|md)\b)([A-Za-z_]\w*)[`)]")
# constants of others: of Django, GLEIF and the European Central Bank
FOREIGN = {"CSRF_FAILURE_VIEW", "PREVIOUS_LEGAL_NAME", "REF_AREA"}
# members of answers, of messages of counterparties, of a request, and a tag of Django's
FOREIGN_MEMBERS = {
    "checks.amountFlags", "originatorVASP.vasp", "beneficiaryVASP.vasp",
    "originatingVASP.originatingVASP", "request.proof", "request.auth", "request.payer",
    "admin_list.results",
    "properties.eventtype", "country.id", "data.findings", "settings.CSRF_FAILURE_VIEW",
}  # fmt: skip
Documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def parse_modules() -> dict[Path, ast.Module]:
    paths = [path for folder in ("apps", "config") for path in (ROOT / folder).rglob("*.py")]
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def find_docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, Documented) and ast.get_docstring(node):
            expression = node.body[0]
            assert isinstance(expression, ast.Expr) and isinstance(expression.value, ast.Constant)
            yield expression.value


def find_strings(tree: ast.Module) -> Iterator[str]:
    """Yield the strings of a module that are no docstrings."""
    docstrings = {id(docstring) for docstring in find_docstrings(tree)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docstrings
        ):
            yield node.value


def find_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)


def find_references(pattern: re.Pattern[str]) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what docstrings refer to, each with the path of its module."""
    for path, tree in parse_modules().items():
        for docstring in find_docstrings(tree):
            for match in pattern.finditer(docstring.value):
                yield str(path.relative_to(ROOT)), match


def test_constants_that_docstrings_name_exist() -> None:
    known = set(FOREIGN)
    for tree in parse_modules().values():
        known.update(find_names(tree))
        known.update(word for text in find_strings(tree) for word in re.findall(r"\w+", text))
    references = list(find_references(CONSTANT))
    assert [f"{path}: {match[0]}" for path, match in references if match[0] not in known] == []
    assert len(references) > 100


def test_members_that_docstrings_name_exist() -> None:
    members: dict[str, set[str]] = {}
    spoken = ""  # of job keys, fields and files, which have points too
    for path, tree in parse_modules().items():
        module = path.parent if path.name == "__init__.py" else path.with_suffix("")
        names = set(find_names(tree))
        owners = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        for owner in {module.name} | owners:
            members.setdefault(owner, set()).update(names)
        members.setdefault(module.parent.name, set()).add(module.name)
        spoken += "\n".join(find_strings(tree))
    known = set(re.findall(r"\w+", spoken)).union(*members.values())
    names_of = {str(path.relative_to(ROOT)): set(find_names(parse_modules()[path]))
                for path in parse_modules()}  # fmt: skip
    references = list(find_references(MEMBER))
    assert (
        [
            f"{path}: {match[0]}"
            for path, match in references
            if match[3] not in members.get(match[2], set())
            # an attribute of what the module has in its hands
            and not (match[2] not in members and match[2] in names_of[path] and match[3] in known)
            and match[0][1:-1] not in spoken
            and f"{match[2]}.{match[3]}" not in FOREIGN_MEMBERS
        ]
        == []
    )
    assert len(references) > 50
