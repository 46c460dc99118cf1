"""Names of companies, invented but for a few that everybody knows."""

_BRANDS = """
Nordhaven Kestrelo Brightwell Vantoro Alpenrose Silvermark Quillmont Tessaro Halvorsen Mirabeau
Oakfern Zephyria Lumenark Corvalis Dunmore Estrella Ferrovia Gantry Hibiscor Inverloch Jorvik
Kalligra Lindqvist Montessa Nimbusly Ostraka Pellworth Rosmarin Solventis Tamarind Umbriel
Veldkamp Wexcombe Xantrion Yarrowby Zillerthal Ambergris Beckford Castellan Drummond
"""
_LINES = """
Logistics Catering Consulting Software Shipping Insurance Textiles Energy Media Plastics Travel
Pharma Construction Furniture Bakery Security Engineering Publishing Advertising Mining
"""
_FORMS = """
GmbH AG Ltd plc S.A. SARL B.V. N.V. Inc LLC S.p.A. S.r.l. Oy AB A/S
"""
BRANDS = _BRANDS.split()
LINES = _LINES.split()
FORMS = _FORMS.split()
FIRMS = [
    f"{brand} {LINES[n % len(LINES)]} {FORMS[n % len(FORMS)]}" for n, brand in enumerate(BRANDS)
] + [f"{brand} {FORMS[(n + 4) % len(FORMS)]}" for n, brand in enumerate(BRANDS)]
