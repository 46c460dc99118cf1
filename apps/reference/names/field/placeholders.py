"""What people write where a name belongs and they have none. Data, written by us from usage."""

import re
from functools import cache

from apps.reference.names.field.word_tests import (
    build_comparison_key,
    parse_phrases,
    strip_legal_forms,
)
from apps.reference.names.words.titles import TITLES

_PLACEHOLDERS = """
n/a, na, not applicable, not available, not provided, not known, not given, unknown, unnamed,
anonymous, nobody, no name, noname, none, nil, null, void, blank, empty, undefined, tba, tbc, tbd,
to be advised, to be confirmed, to be determined, name, first name, last name, surname, full name,
first name last name, name surname, your name, company, company name, beneficiary, beneficiary name,
benef, bene, creditor, debtor, payee, payer, recipient, receiver, sender, remitter, originator,
customer, client, supplier, vendor, merchant, holder, account holder, account owner, account name,
cardholder, ordering customer, counterparty, third party, various, miscellaneous, misc, other,
others, several, multiple, diverse, sundry, cash, self, myself, same, same name, same as above,
as above, see above, see below, see attached, see attachment, see annex, see invoice, see reference,
as per attached, as per invoice, as per contract, ditto, idem, test, testing, test test, tester,
test name, test user, test customer, test payment, dummy, sample, example, demo, asdf, asdfgh,
qwerty, foo, foo bar, foobar, abc, abcd, xyz, lorem ipsum, sir or madam, dear sir, dear madam,
to whom it may concern, unbekannt, ohne namen, ohne angabe, ohne, k.a., keine angabe,
keine angaben, keine, nicht bekannt, nicht angegeben, siehe anlage, siehe oben, siehe rechnung,
wie oben, dito, empfänger, begünstigter, zahlungsempfänger, auftraggeber, kunde, kundin, lieferant,
kontoinhaber, inhaber, verschiedene, divers, sonstige, privat, privatperson, bar, muster, inconnu,
inconnue, anonyme, sans nom, non renseigné, néant, aucun, aucune, bénéficiaire, destinataire,
donneur d'ordre, fournisseur, titulaire, titulaire du compte, voir annexe, voir ci-joint,
voir facture, divers tiers, espèces, desconocido, desconocida, sin nombre, ninguno, ninguna,
no consta, no aplica, no disponible, beneficiario, beneficiaria, destinatario, ordenante, cliente,
proveedor, titular, titular de la cuenta, varios, ver adjunto, ver factura, efectivo, prueba,
sconosciuto, sconosciuta, senza nome, nessuno, fornitore, intestatario, vari, vedi allegato,
vedi fattura, contanti, prova, desconhecido, sem nome, nenhum, não aplicável, fornecedor, diversos,
ver anexo, teste, onbekend, geen, geen naam, niet bekend, begunstigde, klant, leverancier,
rekeninghouder, diversen, zie bijlage, okänd, ingen, mottagare, kund, leverantör, ukjent, ukendt,
mottaker, modtager, kunde, tuntematon, saaja, nieznany, brak, odbiorca, klient, dostawca, próba,
bilinmiyor, yok, alıcı, müşteri, неизвестно, неизвестный, нет, без имени, получатель, клиент,
поставщик, тест, невідомо, отримувач, غير معروف, مجهول, لا يوجد, المستفيد, العميل, نامشخص, ندارد,
לא ידוע, ללא שם, המוטב, לקוח, 不明, 无, 無, 未知, 收款人, 受益人, 客户, 客戶, 测试, 匿名, なし,
受取人, 顧客, テスト, 없음, 미상, 수취인, 고객, 테스트, ไม่ทราบ, ไม่มี, ผู้รับ
"""
_REPEATED = re.compile(r"([a-z])\1{2,}")
_LONGEST_FORM = 4  # words of a legal form


@cache
def _placeholder_keys() -> frozenset[str]:
    return frozenset(build_comparison_key(phrase) for phrase in parse_phrases(_PLACEHOLDERS))


@cache
def _title_keys() -> frozenset[str]:
    return frozenset(build_comparison_key(phrase) for phrase in parse_phrases(TITLES))


def is_placeholder_name(text: str) -> bool:
    """Return whether a text is only a placeholder for a name.

    A filler word (`N/A`, `Beneficiary`), only titles or a legal form, or one repeated letter.
    Followed by a legal form such a word may be a name (`Test GmbH`).
    """
    comparison_key = build_comparison_key(text)
    if comparison_key in _placeholder_keys() or _REPEATED.fullmatch(
        comparison_key.replace(" ", "")
    ):
        return True
    words = comparison_key.split()
    if not 0 < len(words) <= _LONGEST_FORM or "-" in text.strip(" -"):  # `EP-MMC` is an aircraft
        return False
    if comparison_key in _title_keys() or all(word in _title_keys() for word in words):
        return True
    return not build_comparison_key(strip_legal_forms(text))
