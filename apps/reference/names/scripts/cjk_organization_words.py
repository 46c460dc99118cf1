"""Whether a name in Chinese or Japanese characters says that it is a body's and no person's."""

import re

from apps.reference.names.scripts.chinese_names import simplify_han
from apps.reference.names.scripts.cjk_trade_words import WORDS
from apps.reference.names.scripts.hangul import is_hangul
from apps.reference.names.scripts.japanese import BUSINESS_WORDS

_SHORTEST = 3  # characters
_OFFICES = "政府 市役所 区役所 县厅 都厅 交通局 财政局 教育局 税务局 公安局 法院 检察院 文化事业"
_LONG_WORDS = [word for word in (*WORDS, *BUSINESS_WORDS, *_OFFICES.split()) if len(word) > 1]
_BODY = re.compile("|".join(map(re.escape, _LONG_WORDS)))
_OFFICE = re.compile(".{2,}[市局厅庁縣県区區都省港署]")  # a city, bureau, prefecture, port …


def has_organization_word(text: str) -> bool:
    """Return whether a name in characters has a word of a business or an office, or ends so."""
    if len(text) < _SHORTEST or is_hangul(text):
        return False
    return any(
        _BODY.search(written) is not None or _OFFICE.fullmatch(written) is not None
        for written in (text, simplify_han(text))
    )
