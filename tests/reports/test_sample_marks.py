"""What a buyer must see beside figures: whether they are of the sample, and what rules refer to."""

import re
from typing import Any

import pytest

from apps.insight.reports.catalogue import REPORTS
from apps.insight.reports.definitions import Report
from apps.insight.reports.rules.docs import RULES
from apps.insight.reports.rules.finding_references import expand_reference
from apps.insight.reports.rules.findings import Rule, evaluate_rules
from apps.insight.reports.rules.report_data import value_at_path
from apps.insight.reports.rules.sample_marks import INVENTED, SAMPLE, mark_of_sources
from tests.reports.buyer import Buyer, report
from tests.reports.test_every_report import bob, each  # noqa: F401

pytestmark = pytest.mark.django_db
SHORT = re.compile(r"\b[123D] §")


def rule(path: str) -> Rule:
    def finds(data: Any) -> list[str]:
        return [f"It is {value_at_path(data, path)}."]

    return Rule(
        code="R", ref="3 §2.7 climate", level="LOW", weight=1, condition="always", finds=finds
    )


@pytest.mark.parametrize(
    ("words", "mark"),
    [
        ([], ""),
        (["FRED", "ECB"], ""),
        (["FRED", "SAMPLE"], SAMPLE),
        (["SAMPLE", "INVENTED+SAMPLE"], INVENTED),
        (["SAMPLE+INVENTED"], INVENTED),
    ],
)
def test_the_mark_of_some_sources_is_the_gravest(words: list[str], mark: str) -> None:
    assert mark_of_sources(words) == mark


@pytest.mark.parametrize(("path", "said"), [("a.x", "It is 1. [SAMPLE]"), ("b.x", "It is 2.")])
def test_a_sentence_bears_the_mark_of_the_part_that_it_was_read_from(path: str, said: str) -> None:
    data = {"a": {"x": 1}, "b": {"x": 2}}
    assert [finding.sentence for finding in evaluate_rules([rule(path)], data, {"a": SAMPLE})] == [
        said
    ]


@each
def test_on_the_sample_every_figure_and_sentence_says_so(
    bob: Buyer,  # noqa: F811
    sold: Report,
) -> None:
    told = report(bob.buy(sold.name, dict(sold.example)))
    assert told["data"]["marks"]
    synthesis = told["synthesis"]
    for text in (synthesis["summary"], *synthesis["keyFindings"], *synthesis["narrative"].values()):
        assert text.endswith(("[SAMPLE]", "[SAMPLE+INVENTED]")), text
    assert all(figure["mark"] in (SAMPLE, INVENTED) for figure in told["data"]["figures"])
    page = bob.again(sold.name, dict(sold.example), Accept="text/html").content.decode()
    captions = re.findall(r"<caption>(.*?)(?: <span|</caption>)", page)
    assert captions and all(
        caption.endswith(("[SAMPLE]", "[SAMPLE+INVENTED]")) for caption in captions
    )
    assert page.count('class="mark">SAMPLE') >= len(told["data"]["figures"])


@each
def test_references_are_named_for_who_has_no_list_of_documents(
    bob: Buyer,  # noqa: F811
    sold: Report,
) -> None:
    answer = bob.buy(sold.name, dict(sold.example))
    told = report(answer)
    texts = [*told["synthesis"]["keyFindings"], *told["synthesis"]["narrative"].values()]
    texts += [finding["reference"] for finding in told["data"]["findings"]]
    assert not [text for text in texts if SHORT.search(text)]


def test_every_reference_of_a_rule_has_a_name() -> None:
    refs = {one.ref for rules in RULES.values() for one in rules}
    for ref in refs:
        assert not SHORT.search(expand_reference(ref)) and len(expand_reference(ref)) > len(ref)
    assert expand_reference("D §4") == "design of Compliance Oracle, section 4"
    assert expand_reference("1 §2.7 rule 3 match").endswith(
        "(Compliance Oracle Service), section 2.7, rule 3 match"
    )
    assert expand_reference("31 CFR 1010.410(f)") == "31 CFR 1010.410(f)"
    assert len(REPORTS) == 5
