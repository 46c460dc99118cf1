"""The US Treasury's Reporting Rates of Exchange: units of a currency for one US dollar.

JSON of the Fiscal Data API (`v1/accounting/od/rates_of_exchange`): `data` is a list of rows with
`country_currency_desc`, `exchange_rate`, `record_date` (the end of a quarter) and
`effective_date`, all text; `meta.total-pages` says whether that is all of it. A rate that was
amended within its quarter is a row more, of a later effective date: by that the rows are dated.

Rows name a country and its currency, no code. `CURRENCIES` has those of currencies for which the
European Central Bank publishes no rate, and which are no peg; every other row is left out. Built
from the published description of the API; not yet read from a file of the publisher's own.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from apps.reference.signals.row_parsing import FileRow, Malformed, decode_text
from apps.reference.signals.series.definitions import Feed, Series

FEWEST = 40  # of the currencies below; a file with fewer was cut, or names them otherwise now
CURRENCIES: Mapping[str, str] = {
    "Afghanistan-Afghani": "AFN",
    "Albania-Lek": "ALL",
    "Algeria-Dinar": "DZD",
    "Angola-Kwanza": "AOA",
    "Argentina-Peso": "ARS",
    "Armenia-Dram": "AMD",
    "Azerbaijan-Manat": "AZN",
    "Bangladesh-Taka": "BDT",
    "Belarus-New Ruble": "BYN",
    "Bolivia-Boliviano": "BOB",
    "Botswana-Pula": "BWP",
    "Burma-Kyat": "MMK",
    "Burundi-Franc": "BIF",
    "Cambodia-Riel": "KHR",
    "Chile-Peso": "CLP",
    "Colombia-Peso": "COP",
    "Costa Rica-Colon": "CRC",
    "Democratic Republic Of Congo-Congolese Franc": "CDF",
    "Democratic Republic Of Congo-Franc": "CDF",
    "Dominican Republic-Peso": "DOP",
    "Egypt-Pound": "EGP",
    "Eritrea-Nakfa": "ERN",
    "Ethiopia-Birr": "ETB",
    "Fiji-Dollar": "FJD",
    "Gambia-Dalasi": "GMD",
    "Georgia-Lari": "GEL",
    "Ghana-Cedi": "GHS",
    "Guatemala-Quetzal": "GTQ",
    "Guinea-Franc": "GNF",
    "Guyana-Dollar": "GYD",
    "Haiti-Gourde": "HTG",
    "Honduras-Lempira": "HNL",
    "Iran-Rial": "IRR",
    "Iraq-Dinar": "IQD",
    "Jamaica-Dollar": "JMD",
    "Kazakhstan-Tenge": "KZT",
    "Kenya-Shilling": "KES",
    "Kuwait-Dinar": "KWD",
    "Kyrgyzstan-Som": "KGS",
    "Laos-Kip": "LAK",
    "Lebanon-Pound": "LBP",
    "Liberia-Dollar": "LRD",
    "Libya-Dinar": "LYD",
    "Macao-Mop": "MOP",
    "Madagascar-Ariary": "MGA",
    "Malawi-Kwacha": "MWK",
    "Maldives-Rufiyaa": "MVR",
    "Mauritius-Rupee": "MUR",
    "Moldova-Leu": "MDL",
    "Mongolia-Tugrik": "MNT",
    "Morocco-Dirham": "MAD",
    "Mozambique-Metical": "MZN",
    "Myanmar-Kyat": "MMK",
    "Nicaragua-Cordoba": "NIO",
    "Nigeria-Naira": "NGN",
    "Pakistan-Rupee": "PKR",
    "Papua New Guinea-Kina": "PGK",
    "Paraguay-Guarani": "PYG",
    "Peru-Sol": "PEN",
    "Republic Of North Macedonia-Denar": "MKD",
    "Russia-Ruble": "RUB",
    "Rwanda-Franc": "RWF",
    "Serbia-Dinar": "RSD",
    "Seychelles-Rupee": "SCR",
    "Solomon Islands-Dollar": "SBD",
    "Somali-Shilling": "SOS",
    "South Sudan-Sudanese Pound": "SSP",
    "Sri Lanka-Rupee": "LKR",
    "Suriname-Dollar": "SRD",
    "Taiwan-Dollar": "TWD",
    "Tajikistan-Somoni": "TJS",
    "Tanzania-Shilling": "TZS",
    "Tonga-Pa'Anga": "TOP",
    "Trinidad & Tobago-Dollar": "TTD",
    "Tunisia-Dinar": "TND",
    "Turkmenistan-New Manat": "TMT",
    "Uganda-Shilling": "UGX",
    "Ukraine-Hryvnia": "UAH",
    "Uruguay-Peso": "UYU",
    "Uzbekistan-Som": "UZS",
    "Vanuatu-Vatu": "VUV",
    "Vietnam-Dong": "VND",
    "Western Samoa-Tala": "WST",
    "Yemen-Rial": "YER",
    "Zambia-New Kwacha": "ZMW",
    # against which a peg is held: where both say something else, the peg has ended
    "Bahrain-Dinar": "BHD",
    "Jordan-Dinar": "JOD",
    "Oman-Rial": "OMR",
    "Qatar-Riyal": "QAR",
    "Saudi Arabia-Riyal": "SAR",
    "United Arab Emirates-Dirham": "AED",
}
CODES = frozenset(CURRENCIES.values())


def read_treasury_rates(body: bytes, feed: Feed, wanted: Sequence[Series]) -> Iterator[FileRow]:
    """Yield the rates of the currencies that are known here; Malformed for any breach.

    Where two names of one currency have a rate of one day, that which is listed first counts.
    """
    (family,) = wanted
    prefix, order = family.name.removesuffix("*"), list(CURRENCIES)
    rate_texts: dict[tuple[str, date], tuple[int, str]] = {}
    for row in _parse_rows(body):
        name, text = _text_at(row, "country_currency_desc"), _text_at(row, "exchange_rate")
        if name not in CURRENCIES:
            continue
        try:
            day = date.fromisoformat(_text_at(row, "effective_date"))
        except ValueError as error:
            raise Malformed(f"{name}: {error}") from error
        order_and_text = (order.index(name), text)
        first_seen = rate_texts.setdefault((CURRENCIES[name], day), order_and_text)
        # the same name twice; two names of one currency may overlap while one replaces the other
        if first_seen[0] == order_and_text[0] and first_seen != order_and_text:
            raise Malformed(f"two values for {name} on {day}")
        rate_texts[CURRENCIES[name], day] = min(first_seen, order_and_text)
    if len({code for code, _ in rate_texts}) < FEWEST:
        raise Malformed(f"fewer than {FEWEST} of the known currencies are in it")
    for (code, day), (_, text) in sorted(rate_texts.items()):
        yield FileRow(prefix + code, day, text)


def _parse_rows(body: bytes) -> list[Any]:
    try:
        document = json.loads(decode_text(body), parse_float=str, parse_int=str)
        rows, pages = document["data"], document["meta"]["total-pages"]
    except (ValueError, RecursionError, LookupError, TypeError) as error:
        raise Malformed("the file is not a Fiscal Data API response") from error
    if pages != "1":
        raise Malformed(f"the response has {pages} pages, and this is only one")
    if not isinstance(rows, list):
        raise Malformed("its rows are not a list")
    return rows


def _text_at(row: Any, name: str) -> str:
    value = row.get(name) if isinstance(row, dict) else None
    if not isinstance(value, str):
        raise Malformed(f"a row has no text in {name}")
    return value
