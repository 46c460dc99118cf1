"""Letters that look like Latin ones, and digits and signs used as letters."""

# one Latin letter, then the letters of other scripts that look like it
_CAPITALS = """
A АΑᎪꓮ B ВΒᏴꓐ C СϹᏟꓚ D ᎠꓓꭰԀ E ЕΕᎬꓰ F Ϝꓝ G ԌᏀꓖ H НΗᎻꓧ I ІΙӀꓲ J ЈᎫꓙЈ K КΚᏦꓗ L Ꮮꓡ M МΜϺᎷꓟ
N Νꓠԝ O ОΟՕꓳ P РΡᏢꓑ Q Ԛ R Ꭱꓣ S ЅՏᏚꓢ T ТΤᎢꓔ U ՍꓴЦ V ѴᏙꓦ W ԜᎳꓪ X ХΧꓫ Y ҮΥУᎩꓬ Z ΖᏃꓜ
"""
_SMALL = """
a аαɑ b Ььƅ c сϲ d ԁժɗ e еёҽε f ƒք g ɡցԍ h һհ i іιıɩ j јϳ k кκ l ӏⅼǀ m мṃ n пηոռ o оοօσ p рρ
q ԛգզ r гᴦ s ѕꜱ t тτ u υսцʋ v νѵ w ԝωшա x хχ y уγүყ z ʐᴢ
"""
# Cyrillic letters for Latin ones that slipped into a Cyrillic word
_CYRILLIC = (
    "AА BВ CС EЕ HН IІ JЈ KК MМ OО PР SЅ TТ XХ YУ aа cс eе iі jј oо pр sѕ xх yу kк mм tт nп hн"
)
_LEET = {
    "0": "o", "1": "i", "2": "z", "3": "e", "4": "a", "5": "s", "6": "g", "7": "t", "8": "b",
    "9": "g", "@": "a", "$": "s", "€": "e", "£": "l", "!": "i", "|": "l", "¡": "i", "§": "s",
    "¢": "c", "¥": "y",
}  # fmt: skip


def _parse_lookalikes(table: str) -> dict[str, str]:
    fields = table.split()
    pairs = zip(fields[::2], fields[1::2], strict=True)
    return {alike: letter for letter, others in pairs for alike in others}


TO_LATIN = _parse_lookalikes(_CAPITALS) | _parse_lookalikes(_SMALL)
TO_CYRILLIC = {pair[0]: pair[1] for pair in _CYRILLIC.split()}
LEET = str.maketrans(_LEET)
LEET_WITH_L = str.maketrans(_LEET | {"1": "l", "!": "l"})
"""`1` stands for an i, and for an l."""
SIGNS = "".join(_LEET)


def replace_lookalikes(word: str) -> str:
    """Return a word with Latin letters for those of other scripts that look like them."""
    return "".join(TO_LATIN.get(letter, letter) for letter in word)
