"""The rules by which two names are one payee's: a table of pure functions.

Every rule that holds deducts points, caps the score, or both; the rest of 100 is the score.
Under 35 a cap is what is left where all agrees: it falls with the share that does.
"""

from apps.reference.names.payee.pair_facts import PairFacts
from apps.reference.names.payee.rules import common, companies, people, short_names
from apps.reference.names.payee.rules.charge import Charge, Rule, format_reference
from apps.reference.names.payee.values import CLOSE_FROM, WORST, AppliedRule

RULES: tuple[Rule, ...] = (*common.RULES, *people.RULES, *companies.RULES, *short_names.RULES)
VERSION = "2026-11.6"
"""Changes whenever a rule or a price does."""
SAME = AppliedRule("P.01", "The names are the same", format_reference("the same"), 0, WORST)

__all__ = ["RULES", "SAME", "VERSION", "Charge", "Rule", "score_by_rules"]


def score_by_rules(facts: PairFacts) -> tuple[int, AppliedRule, tuple[AppliedRule, ...]]:
    """Return the score of a pair, the rule that decided it, and every rule that held."""
    applied_rules = [
        AppliedRule(rule.code, rule.title, rule.ref, charge.cost, charge.most)
        for rule in RULES
        if rule.applies(facts) and (charge := rule.judge(facts))
    ]
    if not applied_rules:
        return 100, SAME, (SAME,)
    # costs add up, caps do not: the lowest one holds
    left = max(0, 100 - sum(one.cost for one in applied_rules))
    lowest = min(applied_rules, key=lambda one: one.most)
    most = lowest.most
    # below a close match the cap would make all names equally wrong: let likeness rank them
    if most < CLOSE_FROM:
        most = round(most * facts.share)
    if most <= left:
        return most, lowest, tuple(applied_rules)
    return left, max(applied_rules, key=lambda one: one.cost), tuple(applied_rules)
