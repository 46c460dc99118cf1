"""Kinds of cases: what each of them brings along, and where it is looked up.

A domain declares its kind as a value (`SCREEN` of apps/compliance/screening/case_types/screens.py)
and registers it in its `apps.py`. `review` knows no domain and holds no list of reasons, hours or
rules of its own.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from apps.backoffice.review.case_type_parts import (
    OTHER,
    BulkClearRule,
    ClientAnswerReader,
    DecisionHandler,
    DueTimes,
    EntryLoader,
    ListedParty,
    ListEntry,
    OfacConcernCheck,
    OutcomeLabels,
    Reason,
    RuleLabel,
    SecondRule,
    Stakes,
    SuccessorFinder,
)
from apps.backoffice.review.rules.note_templates import NoteFacts
from apps.platform.common.registry import Registry

__all__ = (
    "OTHER",
    "BulkClearRule",
    "ClientAnswerReader",
    "DecisionHandler",
    "DueTimes",
    "EntryLoader",
    "ListEntry",
    "ListedParty",
    "OfacConcernCheck",
    "OutcomeLabels",
    "Reason",
    "RuleLabel",
    "SecondRule",
    "Stakes",
    "SuccessorFinder",
)

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)

DEFAULT_OUTCOME_LABELS = {
    "APPROVE": OutcomeLabels("Approve", "Approved"),
    "REJECT": OutcomeLabels("Reject", "Rejected"),
}


@dataclass(frozen=True, kw_only=True)
class CaseType:
    """One kind of case.

    * `reasons`: by outcome
    * `gravity`: references of its rules in levels, the most severe first; rules that only inform
      have none
    * `disowns`: rules under which the given LEI is not the party's, and links it to no other case
    * `due`: by risk, in hours of an open desk; `paces`: rules under which it is sooner; `risks`:
      in words how risks arise
    * `seconds`: the first that applies requires a second officer (the database requires one for
      HIGH risk); `decides` and `confirms`: permissions of the first and the second officer
    * `bulk`: without it cases are decided one by one
    * `picture(evidence)`: the content of the case page (views/evidence.py has the shapes)
    * `listed(evidence)`: the listed parties that the case's own party matches, `entries` their
      entries on the lists, `successors` those that replaced removed entries; each may be proposed
      as a known false positive (services/known_false_positive_proposals.py)
    * `true_matches`: a rejection for one of these reasons opens a matter in the SAR log, with the
      clock of a report to OFAC as far as the lists of `lists(evidence)` are OFAC's; so does a
      referral of a case that `concerns_ofac` by its rules
    * `reported`: any rejection of a case with one of these rules opens a matter too, because a
      rejected forbidden transaction is reported to OFAC
    * `answer(ref)`: the client's answer, from the domain's own record
    * `decided`: called inside the transaction of the final decision: if it fails, nothing is
      decided
    * `sentence`: turns a recorded rule sentence into the words that officers read
    * `rules`: its rules in words, by reference; `words_by_rule`: the words of outcomes for cases
      with that rule, if they differ from `words`
    """

    title: str
    reasons: Mapping[str, Sequence[Reason]]
    due: Mapping[str, timedelta]
    seconds: Sequence[SecondRule]
    gravity: Sequence[frozenset[str]] = ()
    disowns: frozenset[str] = frozenset()
    paces: Sequence[DueTimes] = ()
    risks: Sequence[str] = ()
    words: Mapping[str, OutcomeLabels] = field(default_factory=lambda: DEFAULT_OUTCOME_LABELS)
    words_by_rule: Mapping[str, Mapping[str, OutcomeLabels]] = field(default_factory=dict)
    decides: str = "review.decide_case"
    confirms: str = "review.approve_second"
    bulk: BulkClearRule | None = None
    true_matches: tuple[str, ...] = ()
    reported: frozenset[str] = frozenset()
    concerns_ofac: OfacConcernCheck | None = None
    lists: Callable[[dict[str, Any]], Collection[str]] | None = None
    picture: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    listed: Callable[[dict[str, Any]], Sequence[ListedParty]] | None = None
    entries: EntryLoader | None = None
    successors: SuccessorFinder | None = None
    answer: ClientAnswerReader | None = None
    decided: DecisionHandler | None = None
    sentence: Callable[[str], str] | None = None
    rules: Mapping[str, RuleLabel] = field(default_factory=dict)

    def offered(self, *, outcome: str, refs: Sequence[str]) -> tuple[Reason, ...]:
        """Return the reasons for an outcome that fit the rules which brought a case here.

        A fitting reason answers every rule of the most severe level.
        """
        rule_refs = frozenset(refs)
        gravest = self.gravest(rule_refs)
        return tuple(
            entry
            for entry in self.reasons.get(outcome, ())
            # OTHER always fits, so that a case can always be decided
            if entry.code == OTHER or not entry.rules or self._answers(entry, rule_refs, gravest)
            if not entry.about or entry.about & rule_refs
        )

    def gravest(self, held: frozenset[str]) -> frozenset[str]:
        """Return those of some rules that are of the most severe level; none if none has one."""
        return next((level & held for level in self.gravity if level & held), frozenset())

    def left_open(self, *, code: str, refs: Iterable[str]) -> frozenset[str]:
        """Return the rules that a reason to approve leaves open, except informative ones.

        A reason without rules answers the most severe.
        """
        rule_refs = frozenset(refs)
        reason = self.reason(outcome="APPROVE", code=code)
        weighty = rule_refs & frozenset().union(*self.gravity)
        return weighty - self.gravest(rule_refs) - (reason.rules if reason else frozenset())

    def answered(self, *, code: str, refs: Iterable[str]) -> frozenset[str]:
        """Return the rules that a reason to approve answers by itself."""
        rule_refs, reason = frozenset(refs), self.reason(outcome="APPROVE", code=code)
        if reason is None or reason.repairs:
            return frozenset()
        return rule_refs - self.left_open(code=code, refs=rule_refs)

    def level(self, ref: str) -> int:
        """Return the severity level of a rule, 0 the most severe; informative ones come last."""
        levels = (at for at, level in enumerate(self.gravity) if ref in level)
        informs = ref in self.rules and self.rules[ref].informs
        return next(levels, len(self.gravity) + informs)

    def _answers(self, one: Reason, held: frozenset[str], gravest: frozenset[str]) -> bool:
        # a true match is never hidden behind a more severe rule
        if not gravest or one.code in self.true_matches:
            return bool(one.rules & held)
        # all of the level: a case about a country and a sanctioned party is not closed for the
        # country
        return gravest <= one.rules

    def reason(self, *, outcome: str, code: str) -> Reason | None:
        """Return the reason of that code for an outcome, or None."""
        return next((entry for entry in self.reasons.get(outcome, ()) if entry.code == code), None)

    def within(self, *, risk: str, refs: Iterable[str]) -> timedelta:
        """Return for how long a case may wait: the least of all that brought it here."""
        rule_refs = frozenset(refs)
        return min([self.due[risk], *(p.due[risk] for p in self.paces if p.rules & rule_refs)])

    def second(self, stakes: Stakes) -> SecondRule | None:
        """Return the rule that asks for a second officer, or None when one is enough."""
        return next((rule for rule in self.seconds if rule.when(stakes)), None)

    def shared(self, refs: Sequence[str]) -> tuple[Reason, ...]:
        """Return the reasons that may clear several cases which the same rules brought here."""
        codes = self.bulk.reasons if self.bulk else ()
        return tuple(r for r in self.offered(outcome="APPROVE", refs=refs) if r.code in codes)


# `(user, ref) -> (title, address) | None`: the page of the record that a case is about, for users
# who may see it
RecordPageFinder = Callable[["User", str], tuple[str, str] | None]
CASE_TYPES: Registry[CaseType] = Registry("kind of case")
RECORD_PAGES: Registry[RecordPageFinder] = Registry("page of the record of a case")


def register_case_type(
    name: str, kind: CaseType, *, position: int, record_page: RecordPageFinder | None = None
) -> None:
    """Add a kind by its name in the rows of cases; `position` orders kinds as officers see them."""
    CASE_TYPES.register(name, kind, position=position)
    if record_page is not None:
        RECORD_PAGES.register(name, record_page)


def drop_disowned_lei(lei: str, rule_refs: str) -> str:
    """Return an LEI, or an empty text where a rule (`|ref|ref|`) found it to be another's."""
    return "" if lei and any(f"|{ref}|" in rule_refs for ref in list_disowning_rules()) else lei


def list_disowning_rules() -> frozenset[str]:
    """Return the rules of all kinds under which the LEI of a case is not the party's."""
    return frozenset().union(*(kind.disowns for kind in load_case_types().values()))


def order_reasons(reasons: Sequence[Reason], known: NoteFacts) -> tuple[Reason, ...]:
    """Return reasons in the order in which they are offered: supported ones before the others."""

    def place(reason: Reason) -> int:
        spoken = reason.speaks is None or reason.speaks(known)
        return 2 if reason.code == OTHER else 0 if spoken else 1

    # a stable sort by frozen evidence: officers choose by digit, and each keeps its digit while the
    # case is open
    return tuple(sorted(reasons, key=place))


def get_case_type(name: str) -> CaseType:
    """Return a kind; KeyError for one that no app registers."""
    return CASE_TYPES[name]


def load_case_types() -> dict[str, CaseType]:
    """Return every kind by its name."""
    return dict(CASE_TYPES)


def get_case_type_title(name: str) -> str:
    """Return the title of a kind; a removed one is shown by its name."""
    return get_case_type(name).title if name in CASE_TYPES else name


def get_outcome_labels(name: str, outcome: str, refs: Iterable[str] = ()) -> OutcomeLabels:
    """Return an outcome of a kind in words; of one that left, in the usual ones.

    `refs` are rules that brought the case here: where nothing waits for its decision, they say so.
    """
    kind = get_case_type(name) if name in CASE_TYPES else None
    own = (kind.words_by_rule[ref] for ref in refs if kind and ref in kind.words_by_rule)
    labels = next(own, kind.words if kind else DEFAULT_OUTCOME_LABELS)
    return labels.get(outcome) or OutcomeLabels(outcome, outcome)


def get_rule_label(ref: str) -> RuleLabel:
    """Return the label of a rule of any kind; a removed one is shown by its reference."""
    rule_labels = (kind.rules[ref] for kind in load_case_types().values() if ref in kind.rules)
    return next(rule_labels, RuleLabel(ref))


def format_recorded_sentence(name: str, recorded: str) -> str:
    """Format a recorded sentence for officers; unchanged for a removed kind."""
    turn = get_case_type(name).sentence if name in CASE_TYPES else None
    return turn(recorded) if turn else recorded


def draw_evidence(name: str, evidence: dict[str, Any]) -> dict[str, Any]:
    """Return what a kind draws of evidence; of a kind that left, the evidence as it is stored."""
    draw = get_case_type(name).picture if name in CASE_TYPES else None
    if draw is None:
        return evidence
    try:
        return draw(evidence)
    except (LookupError, TypeError, ValueError, AttributeError):
        # a case must stay readable whatever its evidence holds, so it is shown as it is stored
        logger.exception("the evidence of a case of the kind %s cannot be displayed", name)
        return {"evidence": evidence}


def sort_rules_by_severity(name: str, rules: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return recorded rules, the most severe of a kind first; unchanged for a removed kind."""
    kind = get_case_type(name) if name in CASE_TYPES else None
    sorted_rules = [dict(rule) for rule in rules]
    return sorted(sorted_rules, key=lambda rule: kind.level(rule["ref"])) if kind else sorted_rules


def get_second_rule_sentence(name: str, ref: str) -> str:
    """Return why a rule of a kind asks for a second officer, or an empty text."""
    seconds = get_case_type(name).seconds if name in CASE_TYPES else ()
    return next((rule.sentence for rule in seconds if rule.ref == ref), "")


def describe_reason(name: str, *, outcome: str, code: str) -> str:
    """Describe a reason and its basis; a removed code is shown as it is."""
    reason = get_case_type(name).reason(outcome=outcome, code=code) if name in CASE_TYPES else None
    return f"{reason.label} ({reason.basis})" if reason else code
