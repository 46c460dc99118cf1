"""What makes two names score alike or apart."""

import pytest

from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.score import score_pair
from apps.reference.watchlists.matching.token_weights import TokenWeights

GENERAL = TokenWeights.general()


def score(query: str, candidate: str, schema: Schema = "Person") -> float:
    return score_pair(query=query, candidate=candidate, schema=schema, weights=GENERAL)


def firm(query: str, candidate: str) -> float:
    return score(query, candidate, "Organization")


MATCHES: list[tuple[str, str, Schema]] = [
    ("Kim Jong Un", "KIM, Jong Un", "Person"),
    ("Friedrich Lindenberg", "LINDENBERG Friedrich", "Person"),
    ("Wladimir Putin", "Vladimir PUTIN", "Person"),
    ("Владимир Путин", "Vladimir Putin", "Person"),
    ("محمد ولی محمد عوض", "MOHAMMAD WALI MOHAMMAD EWAZ", "Person"),
    ("Abd al-Rahman Yasin", "ABDURRAHMAN YASIN", "Person"),
    ("Gerhhard WISSER", "Gerhard WISSER", "Person"),
    ("Maria nKOCNER", "Marian KOCNER", "Person"),
    ("Hans J Friedrich", "Hans Joachim Friedrich", "Person"),
    ("Goodwill Machinery", "Good Will Machinery", "Organization"),
    ("LIMITED LIABILITY COMPANY Luch Plant", "Luch Plant", "Organization"),
    ("Oboronnye Initsiativy o.O.O.", "OOO Oboronnye Initsiativy", "Organization"),
    ("Third Ocean GmbH & Co. KG", "3RD OCEAN GMBH AND CO. KG", "Organization"),
    ("L.X.C. Aviation", "LXC Aviation", "Organization"),
    ("Mahan Airlines", "MAHAN AIR", "Organization"),
    ("Ramesh Kumar Sharma Pvt. Ltd.", "Ramesh Kumar Sharma Private Limited", "Organization"),
    ("ONDARA LEIGH", "M/T Ondara Leigh (ex-Pelican Morrow)", "Vessel"),
]


@pytest.mark.parametrize(("query", "candidate", "schema"), MATCHES)
def test_one_party_under_two_spellings_is_a_match(
    query: str, candidate: str, schema: Schema
) -> None:
    assert score(query, candidate, schema) >= 0.70


OTHERS: list[tuple[str, str, Schema]] = [
    ("Philippa Quenneville-Thackeray", "Kim Jong Un", "Person"),
    ("Herbert Kroemer", "Omer GELERI", "Person"),
    ("LEE Junho", "John LEE", "Person"),
    ("Paul Murphy", "Pol Pot", "Person"),
    ("Wang Wei", "Zhang Wei", "Person"),
    ("Microsoft Corporation", "Lazarus Group", "Organization"),
    ("Amberlo General Trading LLC", "Dirwaz General Trading LLC", "Organization"),
    ("Surge Components Inc", "LLC IQ COMPONENTS", "Organization"),
    ("PG&E Corp", "EVIL CORP", "Organization"),
    ("Etsy Inc", "AUC", "Organization"),
]


@pytest.mark.parametrize(("query", "candidate", "schema"), OTHERS)
def test_names_that_share_little_need_no_human(query: str, candidate: str, schema: Schema) -> None:
    assert score(query, candidate, schema) < 0.45


@pytest.mark.parametrize(
    ("name", "omitted", "contradicted"),
    [
        ("Omar Sabawi Hasan Tikriti", "Omar Sabawi Tikriti", "Omar Sabawi Karim Tikriti"),
        ("Zaurbek Salimovich Guchaev", "Zaurbek Guchaev", "Zaurbek Magomedovich Guchaev"),
        ("Hans Joachim Friedrich", "Hans Friedrich", "Hans O Friedrich"),
    ],
)
def test_contradiction_costs_more_than_omission(name: str, omitted: str, contradicted: str) -> None:
    assert score(omitted, name) > score(contradicted, name)


@pytest.mark.parametrize(
    ("query", "candidate"),
    [
        ("Mohammed Salem", "Mohammed Karim"),
        ("Kowalski", "Andrzej Kowalski"),
        ("Ivan", "Ivan Petrov"),
    ],
)
def test_one_shared_token_of_several_is_no_match(query: str, candidate: str) -> None:
    assert score(query, candidate) < 0.70


def test_a_shared_rare_token_says_more_than_a_shared_common_one() -> None:
    assert score("Omar Quenneville", "Omar Petit Quenneville") > score(
        "Omar Mohammed", "Omar Petit Mohammed"
    )


def test_another_number_is_another_company() -> None:
    same = firm("Golden Lotus Investment No. 3 Ltd", "Golden Lotus Investment III Ltd")
    other = firm("Golden Lotus Investment No. 3 Ltd", "Golden Lotus Investment No. 8 Ltd")
    assert same >= 0.70 > other


def test_a_foreign_legal_form_lowers_the_score_and_an_equivalent_one_hardly() -> None:
    exact = firm("Altamura Ferrostampi S.r.l.", "Altamura Ferrostampi S.r.l.")
    silent = firm("Altamura Ferrostampi", "Altamura Ferrostampi S.r.l.")
    translated = firm("OOO Altamura Ferrostampi", "Altamura Ferrostampi LLC")
    foreign = firm("Altamura Ferrostampi S.r.l.", "Altamura Ferrostampi Sdn. Bhd.")
    assert exact == silent == 1.0
    assert exact > translated > foreign


def test_the_country_of_a_subsidiary_lowers_the_score() -> None:
    assert firm("Banco Santander", "Banco Santander") > firm(
        "Banco Santander", "Banco Santander Mexico"
    )


def test_scripts_are_compared_in_their_own_letters_when_both_have_them() -> None:
    assert score("高市早苗", "高市早苗") == 1.0
    assert score("高石早苗", "高市早苗") < 0.70


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="profile"):
        score_pair(query="a", candidate="b", schema="Person", weights=GENERAL, profile="other")
