"""What listed groups are called where their name is translated,
        or written by its sound. Pure data.

A few groups are on every country's list,
        and each language has its own name for them: 基地组织 (the
base's organization) is Al-Qaida,
        as no reading of its characters tells. This is data like words of
business: the usual names in the press,
        by the spelling of the lists; none of them is a person's or
a company's. Whether the group is listed the list says.
"""

import unicodedata
from functools import cache

from apps.reference.names.scripts import han
from apps.reference.names.scripts.greek import has_greek_letters

_NAMES = {
    "Al-Qaida": """基地组织, 凯达组织, 盖达组织, 阿尔盖达, 阿尔凯达, アルカイダ, アルカーイダ,
        アル・カイダ,
        アル・カーイダ, アルカイーダ, 알카에다, 알카이다, 알 카에다, Аль-Каида, Аль-Каїда,
        Аль-Кайда,
        Ал Каида, Αλ Κάιντα, አልቃይዳ, አልቃኢዳ, ალ-ყაიდა""",
    "Hizballah": """真主党, 黎巴嫩真主党, ヒズボラ, ヒズブッラー, ヒズボッラー, ヒズブラ,
        ヘズボラ,
        헤즈볼라, 히즈볼라, Хезболла, Хизбалла, Хизболла, Хизбулла, Гезболла, Хізбалла,
        Χεζμπολάχ, Χεζμπολλάχ, ሂዝቦላህ, ሂዝቡላህ, ሄዝቦላ""",
    "Hamas": """哈马斯, 伊斯兰抵抗运动, ハマス, ハマース, 하마스, Хамас, Χαμάς, ሐማስ, ሃማስ""",
    "Taliban": """塔利班, 神学士, ターリバーン, タリバン, タリバーン, 탈레반, 탈리반, Талибан,
        Талібан,
        Движение Талибан, Ταλιμπάν, ታሊባን""",
    "Islamic State of Iraq and the Levant": """伊斯兰国, 伊拉克和黎凡特伊斯兰国,
        伊拉克和沙姆伊斯兰国, イスラム国, イスラーム国, 이슬람국가, 이슬람 국가,
        Исламское государство,
        Исламское государство Ирака и Леванта, Ісламська держава, ИГИЛ, ІДІЛ, Ισλαμικό Κράτος,
        داعش, الدولة الإسلامية في العراق والشام, እስላማዊ መንግሥት""",
    "Al-Shabaab": """索马里青年党, 伊斯兰青年运动, アルシャバブ, アル・シャバブ, アルシャバーブ,
        アッシャバーブ, 알샤바브, 알샤바압, Аш-Шабааб, Аш-Шабаб, Аль-Шабаб, Αλ Σαμπάμπ,
        Αλ Σεμπάμπ,
        አልሸባብ, አል ሸባብ, አልሻባብ""",
    "Boko Haram": """博科圣地, 博科哈拉姆, ボコ・ハラム, ボコハラム, 보코하람, 보코 하람,
        Боко харам,
        Μπόκο Χαράμ, ቦኮ ሀራም, بوكو حرام""",
    "Kurdistan Workers' Party": """库尔德工人党, 庫爾德斯坦工人黨, 库尔德斯坦工人党,
        クルディスタン労働者党, クルド労働者党, 쿠르드노동자당, 쿠르디스탄노동자당,
        Рабочая партия Курдистана, Робітнича партія Курдистану,
        Εργατικό Κόμμα του Κουρδιστάν, حزب العمال الكردستاني""",
    "Aum Shinrikyo": """奥姆真理教, オウム真理教, 옴진리교, Аум Синрикё, Аум сенрикё""",
    "Palestine Islamic Jihad": """巴勒斯坦伊斯兰圣战组织, 伊斯兰圣战组织,
        パレスチナ・イスラム聖戦,
        イスラム聖戦, 이슬라믹 지하드, 팔레스타인이슬람지하드, Палестинский исламский джихад,
        Исламский джихад, حركة الجهاد الإسلامي في فلسطين""",
    "Islamic Revolutionary Guard Corps": """伊斯兰革命卫队, 伊朗革命卫队, 伊斯兰革命卫队军,
        イスラム革命防衛隊, 革命防衛隊, 이슬람혁명수비대, 혁명수비대,
        Корпус стражей исламской революции, Корпус вартових ісламської революції,
        Φρουροί της Επανάστασης, سپاه پاسداران انقلاب اسلامی, الحرس الثوري الإيراني""",
    "Haqqani Network": """哈卡尼网络, ハッカーニ・ネットワーク, 하카니 네트워크, Сеть Хаккани,
        شبكة حقاني""",
    "Abu Sayyaf Group": """阿布沙耶夫, 阿布沙耶夫组织, アブ・サヤフ, 아부 사야프, Абу-Сайяф,
        Абу Сайяф,
        جماعة أبو سياف""",
    "Jemaah Islamiyah": """伊斯兰祈祷团, ジェマ・イスラミア, 제마 이슬라미야, Джемаа Исламия""",
}


def find_listed_group(text: str) -> str:
    """Return how lists call the group of which a text is the whole name, else an empty text."""
    return _groups_by_name().get(_group_key(text), "")


@cache
def _groups_by_name() -> dict[str, str]:
    return {_group_key(one): listed for listed, names in _NAMES.items() for one in names.split(",")}


def _group_key(text: str) -> str:
    plain = unicodedata.normalize("NFKC", han.simplify_han(unicodedata.normalize("NFKC", text)))
    if has_greek_letters(text):  # in capitals it has no accents
        plain = unicodedata.normalize("NFD", plain)
    return "".join(one for one in plain.casefold() if one.isalpha()).replace("ς", "σ")
