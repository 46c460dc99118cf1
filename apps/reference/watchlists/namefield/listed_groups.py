"""Names of listed groups and a few companies that lists lack. Pure data.

A few groups are on every country's list, and each language has its own name for them: 基地组织 (the
base's organization) is Al-Qaida, which no reading of its characters shows. Some languages have
their own spelling (`Hisbollah`), and companies that trade with China have Chinese names. This is
data like business words: the usual names in the press and those that such a company uses itself,
by the spelling of the lists; none is a person's. Whether the party is listed depends on the list.
"""

import re
import unicodedata
from functools import cache

from apps.reference.names.scripts import chinese_names
from apps.reference.names.scripts.greek import has_greek_letters

_NAMES = {
    "Al-Qaida": """基地组织, 凯达组织, 盖达组织, 阿尔盖达, 阿尔凯达, アルカイダ, アルカーイダ,
        アル・カイダ,
        アル・カーイダ, アルカイーダ, 알카에다, 알카이다, 알 카에다, Аль-Каида, Аль-Каїда,
        Аль-Кайда,
        Ал Каида, Αλ Κάιντα, አልቃይዳ, አልቃኢዳ, ალ-ყაიდა,
        تنظيم القاعدة, منظمة القاعدة""",
    "Hizballah": """真主党, 黎巴嫩真主党, ヒズボラ, ヒズブッラー, ヒズボッラー, ヒズブラ,
        ヘズボラ,
        헤즈볼라, 히즈볼라, Хезболла, Хизбалла, Хизболла, Хизбулла, Гезболла, Хізбалла,
        Χεζμπολάχ, Χεζμπολλάχ, ሂዝቦላህ, ሂዝቡላህ, ሄዝቦላ, Hisbollah, Hisbullah, Hisbolá, Hesbolá,
        Hizbolá, Hezbolá,
        Hisbollah Libanon, Hezbollah libanais, Hisb Allah, Hezb Allah, Hezb-e Allah, حزب الله,
        حزب الله اللبناني""",
    "Ansarallah": """Хуситы, Движение хуситов, Хусити, Ансар Алла, Ансар Аллах, 胡塞武装, 胡塞运动,
        胡塞组织, 也门胡塞武装, フーシ派, フーシー派, 후티, 후티반군, 후티 반군, Χούθι,
        Huthis, Huthi-Rebellen, Huthi-Miliz, Houthi-Rebellen, Rebelles houthis, Houthistes, Hutíes,
        الحوثيون, الحوثيين, جماعة الحوثي, أنصار الله""",
    "PMC Wagner": """Группа Вагнера, Группа Вагнер, ЧВК Вагнера, Група Вагнера, ПВК Вагнера,
        Gruppa Vagnera, CHVK Vagnera, Gruppe Wagner, Söldnergruppe Wagner, Groupe Wagner,
        Grupo Wagner, Gruppo Wagner, 瓦格纳集团, 瓦格纳, ワグネル, 바그너 그룹, 바그너그룹""",
    "Sberbank of Russia": """俄罗斯联邦储蓄银行, 俄罗斯储蓄银行, 俄联邦储蓄银行, ロシア連邦貯蓄銀行,
        ロシア貯蓄銀行, ズベルバンク, 스베르방크, 러시아저축은행""",
    "VTB Bank": """俄罗斯外贸银行, 俄罗斯对外贸易银行, 俄外贸银行, ロシア対外貿易銀行""",
    "Gazprombank": """俄罗斯天然气工业银行, 俄气银行, ガスプロムバンク, 가스프롬방크""",
    "Rosoboroneksport": """俄罗斯国防出口公司, 俄罗斯国防产品出口公司""",
    "Hamas": """哈马斯, 伊斯兰抵抗运动, ハマス, ハマース, 하마스, Хамас, Χαμάς, ሐማስ, ሃማስ,
        حركة المقاومة الإسلامية, Harakat al-Muqawama al-Islamiyya,
        Islamische Widerstandsbewegung, Mouvement de la résistance islamique,
        حماس, حركة حماس, جماعة حماس, حركة المقاومة الإسلامية حماس""",
    "Taliban": """塔利班, 神学士, ターリバーン, タリバン, タリバーン, 탈레반, 탈리반, Талибан,
        Талібан,
        Движение Талибан, Ταλιμπάν, ታሊባን""",
    "Islamic State of Iraq and the Levant": """伊斯兰国, 伊拉克和黎凡特伊斯兰国,
        伊拉克和沙姆伊斯兰国, イスラム国, イスラーム国, 이슬람국가, 이슬람 국가,
        Исламское государство,
        Исламское государство Ирака и Леванта, Ісламська держава, ИГИЛ, ІДІЛ, Ισλαμικό Κράτος,
        داعش, الدولة الإسلامية في العراق والشام, እስላማዊ መንግሥት,
        تنظيم الدولة الإسلامية, الدولة الإسلامية, Daesh, Daech, Islamic State, État islamique,
        Islamischer Staat, Estado Islámico, Stato Islamico""",
    "Al-Shabaab": """索马里青年党, 伊斯兰青年运动, アルシャバブ, アル・シャバブ, アルシャバーブ,
        アッシャバーブ, 알샤바브, 알샤바압, Аш-Шабааб, Аш-Шабаб, Аль-Шабаб, Αλ Σαμπάμπ,
        Αλ Σεμπάμπ,
        አልሸባብ, አል ሸባብ, አልሻባብ,
        حركة الشباب, حركة الشباب المجاهدين, Harakat al-Shabaab al-Mujahideen""",
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
        Исламский джихад, حركة الجهاد الإسلامي في فلسطين,
        حركة الجهاد الإسلامي""",
    "Islamic Revolutionary Guard Corps": """伊斯兰革命卫队, 伊朗革命卫队, 伊斯兰革命卫队军,
        イスラム革命防衛隊, 革命防衛隊, 이슬람혁명수비대, 혁명수비대,
        Корпус стражей исламской революции, Корпус вартових ісламської революції,
        Φρουροί της Επανάστασης, سپاه پاسداران انقلاب اسلامی, الحرس الثوري الإيراني,
        سپاه پاسداران, Iranische Revolutionsgarden, Gardiens de la révolution islamique,
        Corps des gardiens de la révolution islamique, Guardia Revolucionaria Islámica""",
    "Haqqani Network": """哈卡尼网络, ハッカーニ・ネットワーク, 하카니 네트워크, Сеть Хаккани,
        شبكة حقاني""",
    "Abu Sayyaf Group": """阿布沙耶夫, 阿布沙耶夫组织, アブ・サヤフ, 아부 사야프, Абу-Сайяф,
        Абу Сайяф,
        جماعة أبو سياف""",
    "Islamic Revolutionary Guard Corps Qods Force": """نیروی قدس, سپاه قدس, فيلق القدس, قوة القدس,
        Niru-ye Qods, Quds-Einheit, Quds-Brigaden, Force al-Qods, 圣城旅, コッズ部隊""",
    "National Iranian Oil Company": """شرکت ملی نفت ایران, شركة النفط الوطنية الإيرانية,
        Nationale Iranische Ölgesellschaft, 伊朗国家石油公司""",
    "Mahan Air": """هواپیمایی ماهان, شرکت هواپیمایی ماهان, طيران ماهان, 马汉航空""",
    "Reconnaissance General Bureau": """정찰총국, 侦察总局, 朝鲜侦察总局, 偵察総局""",
    "Lazarus Group": """라자루스, 라자루스 그룹, 拉撒路集团, 拉撒路组织, ラザルス, ラザルスグループ,
        مجموعة لازاروس, Группа Лазарус, Groupe Lazarus, Grupo Lazarus""",
    "Jemaah Islamiyah": """伊斯兰祈祷团, ジェマ・イスラミア, 제마 이슬라미야, Джемаа Исламия""",
}


# private military companies in Russian and Ukrainian, in both alphabets
_MILITARY = re.compile(r"(?:ЧВК|ПВК|ChVK|PVK)[\s«\"„“]+(.+?)[»\"”“\s]*", re.IGNORECASE)


def find_listed_group(text: str) -> str:
    """Return how lists call the group of which a text is the whole name, else an empty text."""
    if listed := _groups_by_name().get(_group_key(text)):
        return listed
    military = _MILITARY.fullmatch(text)
    return f"PMC {military[1]}" if military else ""


@cache
def _groups_by_name() -> dict[str, str]:
    return {_group_key(one): listed for listed, names in _NAMES.items() for one in names.split(",")}


def _group_key(text: str) -> str:
    if text.isascii():
        return "".join(filter(str.isalpha, text.casefold()))
    plain = unicodedata.normalize(
        "NFKC", chinese_names.simplify_han(unicodedata.normalize("NFKC", text))
    )
    if has_greek_letters(text):  # in capitals it has no accents
        plain = unicodedata.normalize("NFD", plain)
    return "".join(one for one in plain.casefold() if one.isalpha()).replace("ς", "σ")
