"""Where a likeness becomes a match, and what two spellings of an identifier have in common."""

from pathlib import Path

import pytest

from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.matching.explanation import explain_score
from apps.reference.watchlists.matching.identifiers import normalize_identifier
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, Query, build_index
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.scoring_profile import get_match_profile
from apps.reference.watchlists.matching.token_weights import TokenWeights


@pytest.mark.parametrize(
    ("raw", "score"), [(0.0, 0.0), (0.483, 0.45), (0.64, 0.70), (0.5, 0.4771), (1.0, 1.0)]
)
def test_the_thresholds_stand_where_they_were_measured(raw: float, score: float) -> None:
    """Moved, they need the labelled pairs anew (./run bench matching)."""
    prices = get_match_profile("list")
    assert prices.calibrated(raw) == pytest.approx(score, abs=1e-4)
    assert prices.raw(score) == pytest.approx(raw, abs=1e-4)


ETHER = "0xde709f2102306220921060314715629080e2fb77"
BECH = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
CASH = "qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a"
CHAINS = (
    "ethereum:{}",
    "ethereum:pay-{}",
    "ethereum://{}",
    "eth:{}",
    "ETH {}",
    "eip155:1:{}",
    "eip155:137: {}",
)


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
        *(("wallet", form.format(ETHER), ETHER, True) for form in CHAINS),
        ("wallet", ETHER.upper(), ETHER, True),
        ("wallet", ETHER.removeprefix("0x"), ETHER, True),
        ("wallet", ETHER.replace("0x", "xdc"), ETHER, True),
        ("wallet", f"ethereum:{ETHER}@1?value=1", ETHER, True),
        ("wallet", BECH.upper(), BECH, True),
        ("wallet", f"BITCOIN:{BECH.upper()}", BECH, True),
        ("wallet", f"bip122:000000000019d6689c085ae165831e93:{BECH}", BECH, True),
        ("wallet", f"bitcoincash:{CASH}", CASH, True),
        ("wallet", f"BITCOINCASH:{CASH.upper()}", CASH, True),
        ("wallet", "0.0.1234567", "hedera:mainnet:0.0.1234568", False),
        ("wallet", f"eip155:1:{ETHER}", ETHER[:-1] + "c", False),
        ("wallet", "\uff10x" + ETHER[2:], ETHER, True),
        ("passport", "\uff21\uff11\uff12\uff13\uff14", "A1234", True),
        ("passport", "A\u0661\u0662\u0663\u0664", "A1234", True),
        ("passport", "A\uff11\uff12\uff13\uff15", "A1234", False),
        ("imo", "\uff19187629", "9187629", True),
        ("bic", "sabrrumm", "SABRRUMMXXX", True),
        ("bic", "SABRRUMMSP1", "SABRRUMMXXX", False),
        ("imo", "IMO 9187629", "9187629", True),
    ],
)
def test_identifiers_are_the_same_whatever_their_spelling(
    kind: str, one: str, other: str, same: bool
) -> None:
    identifiers = {normalize_identifier(kind=kind, value=value) for value in (one, other)}
    assert (len(identifiers) == 1) is same


def test_an_office_holder_takes_more_evidence_than_a_listed_party() -> None:
    near = ("Christina Moldani", "Christian Meldini")
    scores = [
        score_pair(
            query=near[0],
            candidate=near[1],
            schema="Person",
            weights=TokenWeights.general(),
            profile=name,
        )
        for name in ("list", "pep")
    ]
    assert scores[0] > scores[1] > 0


@pytest.mark.parametrize("profile", ["list", "pep"])
def test_an_index_scores_and_explains_by_its_own_profile(tmp_path: Path, profile: str) -> None:
    listed = ListedEntity(entity_id="1", schema="Person", names=(ListedName("Christian Miesch"),))
    build_index(entries=[IndexEntry("test:1", "test", listed)], directory=tmp_path / "index")
    index = MatchIndex.open(tmp_path / "index", profile=profile)
    query = Query("Christina Moschi", "Person")
    (hit,) = index.search(query, cutoff=0.1)
    score = explain_score(query=query, entity=listed, name=hit.name, weights=index.weights)
    alone = score_pair(
        query=query.name,
        candidate=hit.name,
        schema="Person",
        weights=index.weights,
        profile=profile,
    )
    assert hit.score == score.score == alone
