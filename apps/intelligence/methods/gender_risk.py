"""Gaps between women and men: law, work, parliaments, schools, deaths of mothers."""

from apps.intelligence.known import Known, Made
from apps.intelligence.methods.gauging import answer
from apps.intelligence.rules.nature import GENDER


def compute(known: Known) -> Made:
    """Return how wide the gaps are; raises Unavailable where too little is known."""
    return answer(known, GENDER, headline="gender_risk_score")
