"""The catalogue: every command exists, and docs/quality.md has every figure."""

import re

import pytest

from benchmarks.report.catalogue import FIGURES
from benchmarks.report.command_runner import ROOT
from benchmarks.report.figures import OUT, Figure

RUN = (ROOT / "run").read_text(encoding="utf-8")
IDS = [figure.key for figure in FIGURES]


def test_keys_are_unique_and_groups_stand_together() -> None:
    assert len(set(IDS)) == len(IDS)
    groups = [figure.group for figure in FIGURES]
    assert [one for at, one in enumerate(groups) if at == 0 or groups[at - 1] != one] == list(
        dict.fromkeys(groups)
    )
    sources = {figure.source.key: figure.source for figure in FIGURES}
    assert all(figure.source == sources[figure.source.key] for figure in FIGURES)


@pytest.mark.parametrize("figure", FIGURES, ids=IDS)
def test_a_figure_says_in_one_sentence_what_it_means(figure: Figure) -> None:
    assert figure.means.endswith(".") and figure.means.count(". ") == 0
    assert figure.title and figure.unit and re.fullmatch(r"[a-z]+\.[a-z0-9_]+", figure.key)


@pytest.mark.parametrize("figure", FIGURES, ids=IDS)
def test_the_command_of_a_figure_exists_and_knows_its_options(figure: Figure) -> None:
    for words in {figure.source.words, figure.source.quick or figure.source.words}:
        assert f"    {words[0]})" in RUN
        text = (ROOT / module(words)).read_text(encoding="utf-8")
        if "offer_json(parser)" in text:
            text += (ROOT / "benchmarks/rate_report.py").read_text(encoding="utf-8")
        for option in (word for word in words if word.startswith("--")):
            assert f'"{option}"' in text, option
        assert words.count(OUT) <= 1


def module(words: tuple[str, ...]) -> str:
    """Return the file that a command runs."""
    if words[0] == "bench":
        return f"benchmarks/{words[1]}.py"
    if words[0] == "manage":
        [path] = ROOT.glob(f"apps/**/management/commands/{words[1]}.py")
        return str(path.relative_to(ROOT))
    return {"mutants": "tests/mutants/__main__.py", "report": "benchmarks/report/__main__.py"}[
        words[0]
    ]


def test_the_document_has_every_figure_and_no_other() -> None:
    text = (ROOT / "docs/quality.md").read_text(encoding="utf-8")
    assert re.findall(r"^### (.+)$", text, flags=re.M) == [figure.title for figure in FIGURES]
    for figure in FIGURES:
        assert figure.means in text
        assert any(f"```sh\n{figure.command(quick)}\n```" in text for quick in (False, True))
