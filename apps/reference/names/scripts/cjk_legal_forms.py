"""Legal forms that Chinese, Japanese and Korean write together with a name."""

import re

# the longest first
_FORMS = {
    "股份有限公司": "coltd",
    "有限责任公司": "llc",
    "有限責任公司": "llc",
    "有限公司": "coltd",
    "株式会社": "coltd",
    "有限会社": "coltd",
    "合同会社": "llc",
    "주식회사": "coltd",
    "유한회사": "llc",
    "公司": "",
    "会社": "",
}
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uac00-\ud7af]")


def strip_cjk_legal_forms(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Leave out legal forms that Chinese, Japanese and Korean write together with the name."""
    if not _IDEOGRAPH.search(text):
        return text, []
    found = []
    for written, form in _FORMS.items():
        if written in text:
            text = text.replace(written, " ")
            found += [(written, form)] if form else []
    return text, found
