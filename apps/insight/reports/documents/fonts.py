"""Fonts of PDFs: DejaVu Sans, which is embedded, and the viewer's own for East Asian scripts."""

from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont

FONT_FOLDER = Path(__file__).parent.parent / "fonts"
PLAIN, BOLD = "DejaVuSans", "DejaVuSans-Bold"
# first and last code point of a script -> the CID font that viewers bring for it; kana precede the
# ideographs, which Japanese and Chinese share
ASIAN_FONTS = (
    (0x3040, 0x30FF, "HeiseiKakuGo-W5"),
    (0xAC00, 0xD7AF, "HYGothic-Medium"),
    (0x3000, 0x303F, "STSong-Light"),
    (0x3400, 0x9FFF, "STSong-Light"),
    (0xF900, 0xFAFF, "STSong-Light"),
    (0xFF00, 0xFFEF, "STSong-Light"),
)


@cache
def register_fonts() -> None:
    """Make the fonts known, once in a process."""
    for name in (PLAIN, BOLD):
        pdfmetrics.registerFont(TTFont(name, str(FONT_FOLDER / f"{name}.ttf")))
    pdfmetrics.registerFontFamily(PLAIN, normal=PLAIN, bold=BOLD, italic=PLAIN, boldItalic=BOLD)
    for name in sorted({font for *_, font in ASIAN_FONTS}):
        pdfmetrics.registerFont(UnicodeCIDFont(name))


def mark_up_text(text: str) -> str:
    """Return a text as a paragraph's markup: escaped, each letter in a font that has it."""
    register_fonts()
    parts: list[tuple[str, str]] = []
    for letter in text:
        font = _font_of_letter(letter)
        # a letter that no font has is shown by its code point: names are evidence, and a blank or a
        # box would hide which letter it was
        shown = letter if font else f"[U+{ord(letter):04X}]"
        if parts and parts[-1][0] == font:
            parts[-1] = (font, parts[-1][1] + shown)
        else:
            parts.append((font, shown))
    return "".join(
        f'<font name="{font}">{escape(mark)}</font>' if font not in ("", PLAIN) else escape(mark)
        for font, mark in parts
    )


def _font_of_letter(letter: str) -> str:
    code = ord(letter)
    if code in pdfmetrics.getFont(PLAIN).face.charToGlyph:
        return PLAIN
    return next((font for first, last, font in ASIAN_FONTS if first <= code <= last), "")
