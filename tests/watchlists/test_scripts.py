"""Names in other scripts find the party that a list prints in Latin letters, and no other."""

from pathlib import Path

import pytest

from apps.reference.watchlists import lookup
from apps.reference.watchlists.listed_entity import Schema
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.namefield import parse_name_field
from apps.reference.watchlists.namefield.parser import MOST_READINGS
from apps.reference.watchlists.namefield.script_readings import (
    FOREIGN,
    HEARD,
    JAPANESE,
    LETTERS,
    MANDARIN,
    SEVERAL,
    THAI,
)
from apps.reference.watchlists.subjects import Subject
from tests.watchlists.indexes import best_hit, index_of

LISTED: list[tuple[str, Schema]] = [
    ("Jong Un KIM", "Person"),
    ("Yo Jong KIM", "Person"),
    ("Jin Hyok PARK", "Person"),
    ("Yong Mu RI", "Person"),
    ("Song-chol RYU", "Person"),
    ("Quanguo CHEN", "Person"),
    ("Qinghong ZENG", "Person"),
    ("Dong-cheol JUNG", "Person"),
    ("Usama BIN LADIN", "Person"),
    ("Vladimir Vladimirovich PUTIN", "Person"),
    ("Oleg Vladimirovich DERIPASKA", "Person"),
    ("Igor SECHIN", "Person"),
    ("Nikolai PATRUSHEV", "Person"),
    ("Ihar HRYTSENKA", "Person"),
    ("Nicolas MADURO MOROS", "Person"),
    ("Ramzan KADYROV", "Person"),
    ("Robert Gabriel MUGABE", "Person"),
    ("Ayman AL-ZAWAHIRI", "Person"),
    ("Bashar AL-ASSAD", "Person"),
    ("Viktor Fedorovych YANUKOVYCH", "Person"),
    ("KOREA KWANGSON BANKING CORP", "Organization"),
    ("KOREA MINING DEVELOPMENT TRADING CORPORATION", "Organization"),
    ("DANDONG HONGXIANG INDUSTRIAL DEVELOPMENT CO LTD", "Organization"),
    ("Min Aung HLAING", "Person"),
    ("RYU JIN", "Person"),
    ("Kenichi SHINODA", "Person"),
    ("Kiyoshi TAKAYAMA", "Person"),
    ("Kunio INOUE", "Person"),
    ("YAMAGUCHI-GUMI", "Organization"),
    ("Suthep SAMSAENG", "Person"),
    ("Arin JANPRAPAPORN", "Person"),
    ("Wimonsi CHAIWORASIN", "Person"),
    ("Somboon KRADUMPORN", "Person"),
    ("SRICHAIWAT TRADING CO LTD", "Organization"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> MatchIndex:
    """The names above, opened."""
    return index_of(LISTED, tmp_path_factory.mktemp("index"))


BY_SOUND = {
    "김정은", "김 정은", "김여정", "박진혁", "리용무", "이용무",
    "류성철", "유성철", "정동철", "金正恩", "金与正", "金與正",
    "朴鎭赫", "朴鎮赫", "朴镇赫", "李勇武", "陈全国", "陳全國", "Ihor Siechin", "曾庆红",
}  # fmt: skip


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("김정은", "Jong Un KIM"),
        ("김 정은", "Jong Un KIM"),
        ("김여정", "Yo Jong KIM"),
        ("박진혁", "Jin Hyok PARK"),
        ("리용무", "Yong Mu RI"),
        ("이용무", "Yong Mu RI"),
        ("류성철", "Song-chol RYU"),
        ("유성철", "Song-chol RYU"),
        ("정동철", "Dong-cheol JUNG"),
        ("조선광선은행", "KOREA KWANGSON BANKING CORP"),
        ("조선광업개발무역회사", "KOREA MINING DEVELOPMENT TRADING CORPORATION"),
        ("金正恩", "Jong Un KIM"),
        ("金与正", "Yo Jong KIM"),
        ("金與正", "Yo Jong KIM"),
        ("朴鎭赫", "Jin Hyok PARK"),
        ("朴鎮赫", "Jin Hyok PARK"),
        ("朴镇赫", "Jin Hyok PARK"),
        ("李勇武", "Yong Mu RI"),
        ("朝鲜光鲜银行", "KOREA KWANGSON BANKING CORP"),
        ("陈全国", "Quanguo CHEN"),
        ("陳全國", "Quanguo CHEN"),
        ("Дерипаска Олег", "Oleg Vladimirovich DERIPASKA"),
        ("Дерипаска Олег Володимирович", "Oleg Vladimirovich DERIPASKA"),
        ("Deripaska Oleh", "Oleg Vladimirovich DERIPASKA"),
        ("Ігор Сєчін", "Igor SECHIN"),
        ("Ihor Siechin", "Igor SECHIN"),
        ("Миколай Патрушев", "Nikolai PATRUSHEV"),
        ("Mykola Patrushev", "Nikolai PATRUSHEV"),
        ("Игорь Гриценко", "Ihar HRYTSENKA"),
        ("曾庆红", "Qinghong ZENG"),
        ("丹东鸿祥实业发展有限公司", "DANDONG HONGXIANG INDUSTRIAL DEVELOPMENT CO LTD"),
        ("丹東鴻祥實業發展有限公司", "DANDONG HONGXIANG INDUSTRIAL DEVELOPMENT CO LTD"),
    ],
)
def test_a_name_in_its_own_script_is_found(index: MatchIndex, written: str, name: str) -> None:
    """It blocks; one of a person that agrees by sound or transliteration alone is for a human."""
    found, score = best_hit(index, written)
    assert found == name
    assert score == 0.69 if written in BY_SOUND else score >= 0.70


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("オサマ・ビンラディン", "Usama BIN LADIN"),
        ("オサマ・ビン・ラディン", "Usama BIN LADIN"),
        ("奥萨马·本·拉登", "Usama BIN LADIN"),
        ("奧薩瑪·賓·拉登", "Usama BIN LADIN"),
        ("ウラジーミル・プーチン", "Vladimir Vladimirovich PUTIN"),
        ("弗拉基米尔·普京", "Vladimir Vladimirovich PUTIN"),
        ("オレグ・デリパスカ", "Oleg Vladimirovich DERIPASKA"),
        ("奥列格·德里帕斯卡", "Oleg Vladimirovich DERIPASKA"),
        ("伊戈尔·谢钦", "Igor SECHIN"),
        ("ニコラス・マドゥロ", "Nicolas MADURO MOROS"),
        ("尼古拉斯·马杜罗", "Nicolas MADURO MOROS"),
        ("니콜라스 마두로", "Nicolas MADURO MOROS"),
        ("拉姆赞·卡德罗夫", "Ramzan KADYROV"),
        ("ロバート・ムガベ", "Robert Gabriel MUGABE"),
        ("로버트 무가베", "Robert Gabriel MUGABE"),
        ("アイマン・ザワヒリ", "Ayman AL-ZAWAHIRI"),
        ("バッシャール・アル＝アサド", "Bashar AL-ASSAD"),
        ("ヴィクトル・ヤヌコーヴィチ", "Viktor Fedorovych YANUKOVYCH"),
        ("キム・ジョンウン", "Jong Un KIM"),
        ("キム・ヨジョン", "Yo Jong KIM"),
        ("민아웅흘라잉", "Min Aung HLAING"),
    ],
)
def test_a_foreign_name_written_by_its_sound_flags(
    index: MatchIndex, written: str, name: str
) -> None:
    found, score = best_hit(index, written)
    assert found == name
    assert 0.45 <= score < 0.70


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("篠田建市", "Kenichi SHINODA"),
        ("篠田 建市", "Kenichi SHINODA"),
        ("髙山清司", "Kiyoshi TAKAYAMA"),  # the dictionary has Seiji alone
        ("井上邦雄", "Kunio INOUE"),
        ("山口組", "YAMAGUCHI-GUMI"),
        ("สุเทพ สามแสง", "Suthep SAMSAENG"),
        ("นายสุเทพ สามแสง", "Suthep SAMSAENG"),
        ("อรินทร์ จันทร์ประภาพร", "Arin JANPRAPAPORN"),
        ("วิมลศรี ไชยวรศิลป์", "Wimonsi CHAIWORASIN"),
        ("สมบูรณ์ กระดุมพร", "Somboon KRADUMPORN"),
        ("บริษัท ศรีชัยวัฒน์ เทรดดิ้ง จำกัด", "SRICHAIWAT TRADING CO LTD"),
    ],
)
def test_a_name_whose_characters_are_read_goes_to_an_officer(
    index: MatchIndex, written: str, name: str
) -> None:
    """A list prints it in Latin letters; its reading alone never blocks."""
    assert best_hit(index, written) == (name, 0.69)


def test_an_officer_sees_which_reading_found_a_party(index: MatchIndex) -> None:
    subject = Subject(name="髙山清司")
    match = lookup.match_sanctions_in_index(index=index, subject=subject, most=1).matches[0]
    assert match.part == "JAPANESE"
    assert any("as a Japanese reading of its characters." in note for note in match.notes)


@pytest.mark.parametrize(
    "written", ["井上清司", "高山邦雄", "篠田和夫", "สุเทพ ใจดี", "สมชาย สามแสน"]
)
def test_another_name_of_the_same_script_is_not_found(index: MatchIndex, written: str) -> None:
    assert best_hit(index, written)[1] < 0.45


def test_office_holders_are_found_by_the_same_readings(tmp_path: Path) -> None:
    listed: list[tuple[str, Schema]] = [("ABE Shinzo", "Person"), ("Thaksin SHINAWATRA", "Person")]
    index = index_of(listed, tmp_path / "index")
    asked = ("安倍晋三", "安倍和夫", "ทักษิณ ชินวัตร", "ทักษิณ ใจดี")
    found = [
        [
            match.score
            for match in lookup.match_peps_in_index(
                index=index, subject=Subject(name=name), most=1
            ).matches
        ]
        for name in asked
    ]
    assert found == [[69], [], [69], []]


def test_words_are_spotted_in_what_is_written_alone(tmp_path: Path) -> None:
    """The reading `ishii insurance` is longer than the name, and is no text to look through."""
    index = index_of([("Shi ZHANG", "Person")], tmp_path / "index")
    assert best_hit(index, "有限会社石井保険")[1] < 0.45


def test_the_readings_of_a_field_are_bounded() -> None:
    field = parse_name_field("一ノ瀬真 alias 安倍晋三")
    parts = [part for part in field.parts if part.kind == "JAPANESE"]
    assert len(parts) == MOST_READINGS


@pytest.mark.parametrize(
    "written",
    [
        "ドナルド・トランプ",
        "唐纳德·特朗普",
        "アンゲラ・メルケル",
        "安格拉·默克尔",
        "앙겔라 메르켈",
        "パク・チソン",
        "바흐친스키",
        "류성민상회",  # a shop, of which three pieces sound like Ryu, Song and Min
        "Oleh Petrenko",
        "Олег Иванов",
        "Mykola Ivanenko",
        "Ihor Shevchenko",
    ],
)
def test_another_name_that_sounds_otherwise_is_not_found(index: MatchIndex, written: str) -> None:
    assert best_hit(index, written)[1] < 0.45


@pytest.mark.parametrize(
    "written",
    [
        "김정일",  # Kim Jong Il
        "김영철",  # Kim Yong Chol
        "박정혁",  # Pak Jong Hyok
        "류청송",
        "金正日",
        "李勇章",
        "陈全民",
        "曾庆平",
        "张伟",
        "조선무역은행",  # Foreign Trade Bank
        "丹东万达实业有限公司",
    ],
)
def test_another_of_the_same_length_does_not_block(index: MatchIndex, written: str) -> None:
    assert best_hit(index, written)[1] < 0.70


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("奥萨马·本·拉登", FOREIGN),
        ("奧薩瑪·賓·拉登", FOREIGN),
        ("马杜罗", FOREIGN),
        ("普京", SEVERAL),
        ("鄧炳強", MANDARIN),
        ("株式会社蠍蛸", JAPANESE),
        (
            "山田零",
            f"{SEVERAL} It was read as Yamada Re (or Yamada Rei); other readings are possible.",
        ),
        (
            "高橋零",
            f"{MANDARIN} It was read as Takahashi Re (or Takahashi Rei); other readings are"
            " possible.",
        ),
        ("ドナルド・トランプ", HEARD),
        ("앙겔라 메르켈", HEARD),
        ("ຈູມມະລີ ໄຊຍະສອນ", LETTERS),
        (
            "โรเบิร์ต มูกาเบ",
            f"{THAI} It was read as Roboet Mukabe (or Robert Mookabe); other readings are"
            " possible.",
        ),
        ("オウム真理教", JAPANESE),
    ],
)
def test_what_is_not_read_surely_is_told(written: str, why: str) -> None:
    assert why in parse_name_field(written).unread


@pytest.mark.parametrize(
    "written",
    [
        "김정은",
        "习近平",
        "ヤマダ タロウ",
        "삼성전자",
        "欧阳娜娜",
        "张 伟",
        "ソニー株式会社",
        "中国银行",
        "深圳市大疆创新科技有限公司",
        "삼성전자 주식회사",
        "Иван Петров",
        "安倍晋三",
        "髙山清司",
        "辻太郎",
        "山田さくら",
        "三菱商事株式会社",
        "株式会社名古屋銀行",
        "林建設株式会社",
        "山口組",
        "สมชาย ใจดี",
        "นางสาวศิริพร น้ำทอง",
        "บริษัท พรชัย ขนส่ง จำกัด",
    ],
)
def test_what_is_read_by_rule_counts_as_checked(written: str) -> None:
    assert parse_name_field(written).unread == ()
