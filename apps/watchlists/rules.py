"""How like is alike: the thresholds by which every look-up of a listed party is judged. Pure.

Specification: document 1 sections 2.6 and 2.7; DESIGN.md section 4. Scores are whole percents.
"""

from decimal import Decimal

BLOCK_SCORE = 70  # document 1 section 2.7, check rule 3; section 2.6: sanctionsMatches from 0.70
PARTIAL_SCORE = 45  # document 1 section 2.7, check rule 3; DESIGN section 4, 2.6: partial match
PEP_SCORE = 60  # document 1 section 2.7, check rule 4; section 2.6: pepMatches from 0.60


def percent(score: float) -> int:
    """Return a score of 0..1 as whole percents, rounded down: 0.6999 does not reach 70."""
    return int(Decimal(str(round(score, 6))) * 100)
