"""Risk of nature: species, forest, and what is protected."""

from apps.intelligence.known import Known, Made
from apps.intelligence.methods.gauging import answer
from apps.intelligence.rules.nature import BIODIVERSITY


def compute(known: Known) -> Made:
    """Return the risk of nature; raises Unavailable where too little is known."""
    return answer(known, BIODIVERSITY, headline="biodiversity_risk_score")
