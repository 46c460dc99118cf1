"""Where a likeness becomes a match, and what two spellings of an identifier have in common."""

import pytest

from apps.watchlists.matching.identifiers import normal_identifier
from apps.watchlists.matching.profile import profile_of


@pytest.mark.parametrize(
    ("raw", "score"), [(0.0, 0.0), (0.483, 0.45), (0.64, 0.70), (0.5, 0.4771), (1.0, 1.0)]
)
def test_the_thresholds_stand_where_they_were_measured(raw: float, score: float) -> None:
    """Moved, they need the labelled pairs anew (./run bench matching)."""
    prices = profile_of("list")
    assert prices.calibrated(raw) == pytest.approx(score, abs=1e-4)
    assert prices.raw(score) == pytest.approx(raw, abs=1e-4)


@pytest.mark.parametrize(
    ("kind", "one", "other", "same"),
    [
        ("wallet", "0xABCDEF0123", "0xabcdef0123", True),
        ("wallet", "0XABCDEF0123", "0xabcdef0123", True),
        # letters of other chains' addresses mean something
        (
            "wallet",
            "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
            "1boatslrhtknngkdxeeobr76b53lettpyt",
            False,
        ),
        ("bic", "sabrrumm", "SABRRUMMXXX", True),
        ("bic", "SABRRUMMSP1", "SABRRUMMXXX", False),
        ("imo", "IMO 9187629", "9187629", True),
    ],
)
def test_identifiers_are_the_same_whatever_their_spelling(
    kind: str, one: str, other: str, same: bool
) -> None:
    found = {normal_identifier(kind=kind, value=value) for value in (one, other)}
    assert (len(found) == 1) is same
