"""Names of a seeded sandbox: invented firms and people, and what officers write about them.

Some resemble listed names, as real ones do; none is a real party.
"""

from decimal import Decimal

# Invented names that resemble an entry of the sample lists and are flagged for it
RESEMBLE_FIRMS = (
    "Lazarus Funeral Group", "Lazarus Group Films", "Wagner Group Travel", "Garantex Optics",
    "Reconnaissance Bureau Travel",
)  # fmt: skip
RESEMBLE_PEOPLE = (
    "Keith Starmor", "Andrea Burnhem", "Emmanuelle Makron", "Georgia Melloni", "Pedra Sanches",
    "Emanuel Macrone", "Pedro Sanchis", "Kim Jon Unn", "Andreu Burnham-Oakes", "Andy Burnam",
)  # fmt: skip
# Listed names with a slip of the pen, which match at 70 % or more: a screen of them is blocked
MATCH_FIRMS = (
    "Hiden Cobra Ltd", "Guardians of Peece Ltd", "World Islamik Front",
    "Wagner Groupe", "Korea Kwangsong Banking Corp", "Lazarrus Group Ltd",
)  # fmt: skip
FIRST = (
    "Amberfield", "Birchwater", "Calderon", "Dunmarrow", "Eskilby", "Fernhollow", "Galtmoor",
    "Haverlund", "Inkberrow", "Juniper & Vane", "Kestrelton", "Lindqvist-Orr", "Marrowdale",
    "Nettlecombe", "Oakenfjord", "Pellucid", "Quillan", "Rosmere", "Saltmarsh", "Thistledown",
    "Umbervale", "Vellacott", "Wintergreen", "Yarrowby", "Zephyrine",
)  # fmt: skip
SECOND = (
    "Coffee Imports", "Marine Parts", "Textiles", "Seed Trading", "Pharma Supplies", "Timber",
    "Instruments", "Freight", "Ceramics", "Spice Company", "Optics", "Bicycle Works",
)  # fmt: skip
FORMS = ("Ltd", "GmbH", "SA", "AB", "LLC", "BV", "Oy", "SpA")
GIVEN = (
    "Ailsa", "Bertrand", "Corisande", "Damaris", "Eluned", "Florian", "Gwendal", "Hortense",
    "Isolde", "Jarek", "Kerensa", "Leopold", "Mirela", "Ottilie", "Pascoe", "Rosalba",
)  # fmt: skip
FAMILY = (
    "Abernoon", "Brackwell", "Castellane-Ruy", "Drumgold", "Elvestad", "Fonteyne", "Grzelak-Moor",
    "Hollowell", "Ibanescu", "Jorvik", "Kalliste", "Lovibond", "Mandelbaum-Frey", "Nordqvist",
)  # fmt: skip
# Countries under increased monitoring or of high risk, and others
WATCHED = ("HT", "VN", "KE", "LA", "NP", "VE", "CM", "LB", "CD", "DZ")
CALL_FOR_ACTION = ("KP", "IR")
PLAIN = ("DE", "FR", "SE", "US", "GB", "NL", "JP", "CH", "PT", "CA")
AMOUNTS = tuple(
    Decimal(text)
    for text in ("480.00", "2350.75", "9800.00", "12400.50", "25245.30", "61000.00", "84750.00")
)
LARGE = tuple(Decimal(text) for text in ("104000.00", "250000.00", "780000.00", "1250000.00"))
CURRENCIES = ("USD", "USD", "EUR", "GBP")

# What officers write, by outcome and reason code of screening/case_types. Each text completes the
# note that the reason's template begins, or is the whole note where there is no template. Notes of
# the reason "other" are in OTHERS, by the rule that opened the case.
NOTES: dict[str, tuple[tuple[str, str], ...]] = {
    "APPROVE": (
        ("DIFFERENT_PARTY", "address and line of business, by the papers that the client sent."),
        ("NAME_ONLY", "nothing but the name is shared; papers and past payments show it."),
        ("EMBARGO_LICENSED", "31 CFR 515.533; the client's memorandum on it is in the file."),
        ("COUNTRY_EDD", "contract, bill of lading and end use seen; nothing speaks against it."),
        ("COUNTRY_EDD", "known since 2019; invoices and customs papers agree."),
        ("CHECK_COMPLETED", "an extract of the register, two weeks old; an LEI is applied for."),
        ("OWNERSHIP_CLEAR", "the shareholder register of last month; no shareholder holds 25 %."),
        ("PEP_ACCEPTED", "declared income and the bank's letter explain the funds."),
    ),
    "REJECT": (
        ("NOT_IDENTIFIED", "an extract of the register, twice; the owner stays unknown."),
        ("EMBARGO_REFUSED", "the goods are not exempt, and no licence was applied for."),
        ("COUNTRY_DECLINED", "the end user is not named, and the goods could serve two purposes."),
        ("PEP_DECLINED", "the source of funds; the bank statements do not show it."),
    ),
}
OTHERS: dict[str, dict[str, str]] = {
    "APPROVE": {
        "sanctions": "The papers seen at the branch are of a third party of that name.",
        "owners": "The owner on record sold its share; the notary's deed is in the file.",
        "pep": "The office ended years ago; the risk officer agreed to the relationship.",
        "country": "A humanitarian delivery under a licence, of which a copy is in the file.",
        "unchecked": "Intercompany payment, confirmed by both controllers by telephone.",
    },
    "REJECT": {
        "sanctions": "The client withdrew the payment while we awaited identity documents.",
        "owners": "The client withdrew the payment while we awaited the owners' documents.",
        "pep": "The client withdrew the payment while we awaited proof of the source of funds.",
        "country": "The goods need a licence, and the client has none.",
        "unchecked": "The client withdrew the payment while we awaited documents.",
    },
}
SNOOZES = (
    "Waiting for the register extract that the client ordered.",
    "The client sends the contract on the day after tomorrow.",
)
ESCALATIONS = (
    "The ownership papers contradict each other; a senior should judge.",
    "Third payment of this kind in a week, always just under the threshold.",
)
RETURNS = ("The register number in the note is of another party: please look again.",)
RATIONALES = (
    "Blocked for the country alone; the payer confirmed a mistyped country code.",
    "Another party by its papers; no pattern in the last twelve months.",
)
SECOND_LOOK_NOTES = {
    "AGREE": "The documents support the decision; I would have decided the same.",
    "DISAGREE": "The register extract is older than the change of owner; it proves little.",
}
