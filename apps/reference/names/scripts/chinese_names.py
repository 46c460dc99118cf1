"""Names in Chinese characters: which are of a Chinese person, and how those are romanised."""

import re
from functools import cache

from opencc import OpenCC
from rigour.text import ascii_text

HAN = "\u3005\u3007\u3400-\u9fff\uf900-\ufaff"
_HAN = re.compile(f"[{HAN}]+")
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩邓冯曹彭曾肖萧田董潘袁蔡蒋余于杜叶程魏苏吕"
    "丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付傅方邹熊白孟秦邱丘侯江尹薛闫阎段雷龙黎史陶贺毛郝顾龚邵万覃"
    "武钱戴严莫孔向常汤康易乔赖文洪季申齐安兰葛俞章庄涂鲁岳倪樊殷左耿关焦辛祝柴管甘纪欧曲翁费米柳翟聂"
    "詹饶舒盛宁成路游牛霍冉项尚车童解温颜梅单骆华凌毕苗裴阮符蓝古池屈连牟隋简吉桂包官明辜仇褚裘仲房边"
    "卞应冷滕栾邢宗占麦邝区阳蒲时粟谷商柯苑巫全冀卓芦宫查原农靳艾匡党荣岑海景雍晏楚厉郁司邸阙佟佘楼庞"
    "巩束訾寇揭蔺鞠衣敖习蒙伍沙郎鄢危初仝臧扈鲍缪和蔚席朴玄太南表咸千皮"
    "施栗索别仰茅柏云廉薄谈屠瞿茹容步满国荆权桓姬桑濮寿燕浦储井富祖幸阚那丰竺盖师晁苟迟隗芮惠封羊"
)
_LONG_SURNAMES = (
    "欧阳", "司马", "上官", "诸葛", "司徒", "东方", "独孤", "南宫", "夏侯", "慕容",
    "尉迟", "长孙", "皇甫", "令狐", "宇文", "公孙", "轩辕", "端木", "呼延", "拓跋",
)  # fmt: skip
_MOST_GIVEN = 2
# characters that are read otherwise as a family name
_AS_SURNAME = {"曾": "zeng", "单": "shan", "解": "xie", "仇": "qiu", "翟": "zhai", "查": "zha"}
_AS_SURNAME |= {"缪": "miao", "尉迟": "yuchi", "朴": "piao", "覃": "qin", "区": "ou"}


@cache
def _simplified_converter() -> OpenCC:
    # made at first use: reading its dictionaries takes time
    return OpenCC("t2s")


def simplify_han(text: str) -> str:
    """Return a text with its Chinese characters in their simplified form."""
    return _simplified_converter().convert(text)


def split_chinese_name(text: str) -> tuple[str, str] | None:
    """Return family and given name of a Chinese, in simplified characters, None where it is none.

    The names of Japanese are mostly longer, or begin with other characters.
    """
    written = simplify_han(text).split()
    bare = "".join(written)
    if not _HAN.fullmatch(bare) or len(written) > 2:
        return None
    # surnames of two characters first: 司马 begins with 司, which is a surname too
    for size in (2, 1) if bare.startswith(_LONG_SURNAMES) else (1,):
        family, given = bare[:size], bare[size:]
        known = size > 1 or family in _SURNAMES
        if known and written[0] in (family, bare) and 1 <= len(given) <= _MOST_GIVEN:
            return family, given
    return None


def spell_chinese_name(*, family: str, given: str) -> str:
    """Return a Chinese name in Latin letters (Pinyin): family name, then the given name whole."""
    return f"{_AS_SURNAME.get(family) or romanize_han(family)} {romanize_han(given)}"


def romanize_han(text: str) -> str:
    """Return Chinese characters as they are read in Mandarin, as one word without tones."""
    return (ascii_text(text) or "").replace(" ", "")
