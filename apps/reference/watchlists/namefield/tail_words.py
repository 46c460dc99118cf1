"""Words after which a name field speaks of something else: references, addresses, purposes.

Written in lower case, a comma between each two, in the languages of payments.
"""

REFERENCES = """
inv, invoice, invoices, inv no, ref, reference, our ref, your ref, po, p.o., order, purchase order,
so, sales order, bill, contract, agreement, proforma, pi, quote, quotation, receipt, policy,
statement, stmt, account, acct, acc, a/c, acc no, iban, customer, client, cust, member, id, dob,
passport, passp, tax id, tin, vat, reg, regn, reg no, registration, tel, phone, mobile, fax, email,
l/c, lc, b/l, bl, awb, dd, dtd, dated, date, loan, claim, case, file, ticket, booking, shipment,
container, period, payment, pmt, pymt, txn, trn, transaction, batch, msg,
rechnung, rechnungen, rg, rnr, re, rechn, rech, auftrag, bestellung, vertrag, kd, kundennummer,
kundennr, konto, kto, kontonr, steuernummer, ustid, geb, vom,
facture, factures, fact, fac, fra, commande, contrat, dossier, compte, référence, réf, tva, siret,
siren, du, né le, factura, facturas, pedido, contrato, cuenta, referencia, cif, nif, nit, rif, ruc,
rfc, fatura, faturas, nota fiscal, nf, nfe, encomenda, conta, cnpj, cpf, fattura, fatture, ft,
ordine, contratto, conto, rif, p.iva, p. iva, c.f., factuur, bestelling, klantnummer, rekening,
kvk, btw, faktura, fakturor, fakturanr, ordre, kontrakt, konto, cvr, orgnr, org.nr, lasku, viite,
faktura vat, umowa, zamówienie, nip, regon, pesel, smlouva, faktúra, ico, ičo, dič, szamla, számla,
factura fiscala, contract nr, cui, cnp, fatura no, sipariş, sözleşme, vergi no, tckn, tc kimlik no,
hesap, kontrak, tagihan, npwp, no rekening, счет, счёт, сч, инвойс, договор, дог, заказ, накладная,
инн, кпп, огрн, окпо, р/с, от, рахунок, договір, інн, єдрпоу, фактура, поръчка, еик, τιμολόγιο,
αφμ, فاتورة, رقم, عقد, حساب, مرجع, هوية, فاکتور, قرارداد, 发票, 合同, 订单, 账号, 編號, 号码,
請求書, 注文, 口座, 송장, 계약, 계좌
"""
"""What stands before a number."""

PURPOSES = """
payment for, payment of, payment against, payment in, payments for, pmt for, pymt for,
paymt for, in payment of, in payment for, in settlement of, settlement of, settlement for,
being payment, towards, on account of goods, for goods, for the goods, for services, for service,
for purchase, for the purchase, for supply, for delivery, for rent, for invoice, for invoices,
for contract, for consulting, for consultancy, for travel, for tuition, for salary, for medical,
for order, purchase of, sale of goods, supply of, delivery of, salary for, salary of, rent for,
rent of, wages for, family support, family maintenance, living expenses, school fees, tuition fee,
tuition fees, medical expenses, loan repayment, repayment of, refund of, refund for, donation for,
donation to, gift to, gift for, advance payment, final payment, part payment, down payment,
monthly payment, monthly rent, invoice dated, as per invoice, as per contract, as per,
zahlung für, zahlung von, zahlung der, bezahlung, anzahlung, miete für, miete, gehalt, lohn,
kauf von, kaufpreis, lieferung von, verwendungszweck, spende für, darlehen, für rechnung nr,
für waren, paiement de, paiement pour, paiement facture, règlement de, règlement facture,
règlement, virement de, virement pour, acompte, loyer, salaire, achat de, pour facture, don pour,
pago de, pago por, pago a, pago factura, abono de, abono factura, anticipo, alquiler, nómina,
salario, compra de, por concepto de, concepto, pagamento de, pagamento da, pagamento di,
pagamento fattura, pagamento, aluguel, aluguer, salário, compra, saldo fattura, saldo, affitto,
stipendio, acquisto di, causale, betaling van, betaling voor, betaling, huur, salaris, koop van,
betalning för, betalning, hyra, lön, betaling for, husleje, leie, lønn, maksu, vuokra, palkka,
zapłata za, płatność za, czynsz, wynagrodzenie, zakup, platba za, nájem, plata pentru, plata,
chirie, salariu, fizetés, ödeme, ödemesi, kira, kirası, maaş, maaşı, mal bedeli, bedeli,
pembayaran untuk, pembayaran, bayaran untuk, bayaran, sewa, gaji, untuk pembelian,
оплата за, оплата по, оплата, за товар, за товары, за услуги, по договору, по счету, по счёту,
аренда, арендная плата, зарплата, заработная плата, перевод средств, назначение платежа,
предоплата, возврат, плата за, сплата за, за товари, за послуги, плащане за, наем,
πληρωμή, ενοίκιο, دفعة, دفع, سداد, راتب, ايجار, إيجار, ثمن, شراء, پرداخت, بابت, 货款, 付款, 支付,
租金, 工资, 购买, 貨款, 支払, 代金, 給与, 家賃, 대금, 급여, 임대료
"""
"""What a payment is for; it counts without a number."""

STREETS = """
street, st, road, rd, avenue, ave, lane, drive, boulevard, blvd, highway, hwy, square, sq, plaza,
court, crescent, terrace, way, parkway, po box, p.o. box, p o box, pob, post box, postbox, box,
building, bldg, tower, floor, flr, suite, ste, room, rm, apartment, apt, flat, unit, block, plot,
villa, house, office, shop, sector, phase, zone, free zone, industrial area, industrial zone,
district, province, region, city, town, village, county, state, governorate, municipality, near,
opposite, opp, behind, corner of, km, zip, postcode, postal code,
strasse, straße, str, weg, platz, allee, gasse, ring, postfach, haus, stock, etage, ortsteil,
rue, place, quai, chemin, route, impasse, bp, boîte postale, bâtiment, bât, étage, quartier, cedex,
calle, avenida, av, avda, carrera, cra, paseo, plaza, carretera, ctra, apartado, edificio, piso,
oficina, colonia, barrio, rua, praça, travessa, estrada, alameda, andar, sala, bairro, caixa postal,
via, viale, piazza, corso, largo, vicolo, straat, laan, plein, kade, postbus, gade, vej, gata,
gatan, väg, vägen, katu, tie, ulica, ul, al, pl, aleja, plac, ulice, náměstí, nám, utca, út, tér,
strada, bulevardul, piata, sokak, sk, sok, cadde, caddesi, cad, mahallesi, mah, bulvarı, apartmanı,
kat, daire, jalan, jl, jln, lorong, улица, ул, проспект, пр-т, просп, пер, переулок, шоссе, бульвар,
площадь, пл, дом, д, корп, корпус, стр, строение, кв, квартира, оф, офис, этаж, обл, область, край,
район, р-н, г, город, вулиця, вул, будинок, οδός, λεωφόρος, شارع, طريق, منطقة, حي, مدينة, بناية,
ص.ب, خیابان, کوچه, بلوار, پلاک, 路, 街, 号, 區, 区, 市, 省, 县, 楼, 室, 丁目, 番地, 로, 길, 동, 구
"""
"""Words of addresses."""

BRANCHES = """
branch, branches, head office, main office, main branch, representative office, rep office,
regional office, liaison office, offshore banking unit, headquarters, hq, subsidiary, agency,
zweigniederlassung, niederlassung, filiale, zweigstelle, hauptsitz, repräsentanz, succursale,
agence, siège, siège social, bureau de représentation, sucursal, oficina de representación, agencia,
sede, sede principal, filial, agência, escritório, succursale, sede secondaria, bijkantoor,
filiaal, filialen, sivuliike, oddział, przedstawicielstwo, pobočka, fióktelep, sucursala, şubesi,
şube, temsilciliği, cabang, kantor cabang, cawangan, филиал, отделение, представительство, філія,
відділення, клон, υποκατάστημα, فرع, شعبه, مكتب, 分行, 支行, 分公司, 支店,
営業所, 代表处, 지점, 지사
"""
"""What an office of a company is called."""

UNIT_WORDS = """
po, p.o., p.o, no, no., nr, nr., num, number, n°, nº, №, #, unit, suite, ste, flat, apt, apartment,
room, rm, floor, block, bldg, building, house, plot, box, km, d, kv, of,
shop, office, lot, at, on, and, &
"""
"""Words that stand before a number and belong to it."""

LABELS = """
name, full name, account name, account holder, a/c name, a/c, account, beneficiary,
beneficiary name, beneficiary customer, ultimate beneficiary, benef, bnf, ben, payee, payer,
payer name, remitter, sender, receiver, recipient, ordering customer, ordering party, ordering,
originator, orig, applicant, debtor, creditor, debtor name, creditor name, customer, client,
customer name, company, company name, holder, drawer, drawee, shipper, consignee, notify party,
consignor, buyer, seller, supplier, vendor, bill to, sold to, ship to, deliver to, to, from, attn,
for, by order of, owner, owners, party, entity, counterparty, signatory, director, nombre,
beneficiario, ordenante, titular, nombre completo, razón social, razon social, cliente, proveedor,
nome, beneficiário, ordenante, titular, razão social, nome completo, beneficiaria, intestatario,
ordinante, ragione sociale, nom, nom complet, bénéficiaire, donneur d'ordre, titulaire, client,
raison sociale, name des empfängers, empfänger, begünstigter, auftraggeber, kontoinhaber, zahler,
firma, naam, begunstigde, opdrachtgever, rekeninghouder, modtager, mottagare, mottaker, odbiorca,
nadawca, příjemce, plátce, alıcı, gönderen, lehdar, ünvan, unvan, adı soyadı, penerima, pengirim,
nama, получатель, отправитель, плательщик, наименование, имя, фио, бенефициар, отримувач, платник,
δικαιούχος, المستفيد, الاسم, اسم المستفيد, المرسل, ذینفع, نام, 收款人, 付款人, 姓名, 名称,
受取人, 依頼人, 수취인, 송금인
"""
"""What a form calls the field, before a colon."""
