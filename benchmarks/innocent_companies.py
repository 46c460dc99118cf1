"""Innocent companies and offices as the world writes them, by legal culture.

Some are drawn from Faker (MIT); the rest is built from what lists are full of and innocents too:
banks, development banks, ports, universities, ministries, municipalities, trading houses and sole
traders of towns that no list is about. Written by us from usage. Towns of countries under
comprehensive sanctions are left out, for much there is truly listed.
"""

# ruff: noqa: E501 - a row of the table is a culture

import random
from collections.abc import Iterator

from faker import Faker

from apps.reference.names.payee.legal_form_table import FORMS
from benchmarks.cultures_data import Innocent, script_of
from benchmarks.frequent_names import tables

# a legal culture: whose family names, its towns in Latin letters, its legal form in Latin letters,
# and its own templates, in which `T` is a town, `F` a family name, and `G` a given name; towns of
# another script stand behind a stroke
_TABLE = """
German | German | Bremen, Kassel, Augsburg, Rostock, Erfurt, Lübeck, Ulm, Trier | GmbH | Volksbank T eG; Förderbank T; Hafen T GmbH; Universität T; Ministerium für Verkehr T; Stadt T; Handelshaus F GmbH & Co. KG; G F e.K.
French | French | Nantes, Rouen, Limoges, Dijon, Angers, Brest, Metz, Tours | SARL | Banque populaire de T; Banque de développement de T; Port autonome de T; Université de T; Ministère des transports, T; Commune de T; F Négoce SARL; Ets G F
Spanish | Spanish | Oviedo, Murcia, Zaragoza, Vigo, Huelva, Gijón, Burgos, Cádiz | S.L. | Banco de T S.A.; Instituto de Crédito de T; Autoridad Portuaria de T; Universidad de T; Consejería de Hacienda de T; Ayuntamiento de T; Comercial F S.L.; G F, autónomo
Mexican | Mexican and Colombian | Puebla, Toluca, Mérida, Querétaro, Durango, Tampico, Xalapa, Colima | S.A. de C.V. | Banco T S.A.; Banco de Desarrollo de T; Administración Portuaria de T; Universidad Autónoma de T; Secretaría de Finanzas de T; Municipio de T; Comercializadora F S.A. de C.V.; Abarrotes G F
Colombian | Mexican and Colombian | Pereira, Ibagué, Neiva, Tunja, Montería, Armenia, Popayán, Pasto | S.A.S. | Banco de T S.A.; Financiera de Desarrollo T; Sociedad Portuaria de T; Universidad de T; Gobernación de T; Alcaldía de T; Comercializadora F S.A.S.; Inversiones G F
Portuguese | Portuguese and Brazilian | Braga, Aveiro, Évora, Faro, Leiria, Setúbal, Viseu, Guarda | Lda | Banco de T SA; Banco de Fomento de T; Porto de T SA; Universidade de T; Ministério do Mar, T; Câmara Municipal de T; F Comércio Lda; G F, Unipessoal Lda
Brazilian | Portuguese and Brazilian | Curitiba, Natal, Recife, Goiânia, Maringá, Joinville, Santos, Cuiabá | Ltda | Banco de T S.A.; Agência de Fomento de T; Porto de T S.A.; Universidade Federal de T; Secretaria da Fazenda de T; Prefeitura de T; F Comércio Ltda; G F MEI
Italian | Italian | Padova, Ancona, Parma, Trieste, Bari, Lecce, Ravenna, Savona | S.r.l. | Banca Popolare di T; Finanziaria Sviluppo T S.p.A.; Autorità Portuale di T; Università di T; Ministero dei Trasporti, T; Comune di T; F Commerciale S.r.l.; Ditta G F
Dutch | German | Utrecht, Groningen, Breda, Zwolle, Haarlem, Venlo, Leiden, Delft | B.V. | Bank van T N.V.; Ontwikkelingsbank T N.V.; Havenbedrijf T N.V.; Universiteit T; Ministerie van Verkeer, T; Gemeente T; Handelsonderneming F B.V.; G F Eenmanszaak
Polish | Polish | Łódź, Lublin, Kielce, Opole, Radom, Gdynia, Toruń, Tarnów | Sp. z o.o. | Bank Spółdzielczy T; Bank Rozwoju T S.A.; Zarząd Portu T S.A.; Uniwersytet T; Ministerstwo Transportu, T; Gmina T; F Handel Sp. z o.o.; PHU G F
Russian | Russian | Kazan/Казань, Perm/Пермь, Tula/Тула, Omsk/Омск, Tver/Тверь, Kirov/Киров, Samara/Самара, Ryazan/Рязань | OOO | АКБ «T-Банк»; Банк развития T; ООО «Порт T»; T государственный университет; Министерство транспорта, T; Администрация города T; ООО «Торговый дом F»; ИП F G
Ukrainian | Ukrainian | Poltava/Полтава, Lutsk/Луцьк, Rivne/Рівне, Sumy/Суми, Uman/Умань, Ternopil/Тернопіль, Izmail/Ізмаїл, Vinnytsia/Вінниця | TOV | АТ «T Банк»; Фонд розвитку T; ДП «Порт T»; T національний університет; Департамент фінансів, T; T міська рада; ТОВ «Торговий дім F»; ФОП F G
Bulgarian | Bulgarian | Plovdiv/Пловдив, Varna/Варна, Ruse/Русе, Burgas/Бургас, Pleven/Плевен, Vidin/Видин, Sliven/Сливен, Dobrich/Добрич | EOOD | Банка T АД; Банка за развитие T АД; Пристанище T ЕАД; Университет T; Министерство на транспорта, T; Община T; F Трейд ЕООД; ЕТ G F
Serbian | Serbian | Subotica/Суботица, Kragujevac/Крагујевац, Čačak/Чачак, Zrenjanin/Зрењанин, Smederevo/Смедерево, Pirot/Пирот, Valjevo/Ваљево, Sombor/Сомбор | d.o.o. | T банка а.д.; Развојна банка T; Лука T а.д.; Универзитет у граду T; Министарство саобраћаја, T; Општина T; F трговина д.о.о.; СЗР G F
Greek | Greek | Patras/Πάτρα, Volos/Βόλος, Larissa/Λάρισα, Kavala/Καβάλα, Chania/Χανιά, Serres/Σέρρες, Corfu/Κέρκυρα, Rhodes/Ρόδος | A.E. | Τράπεζα T Α.Ε.; Αναπτυξιακή Τράπεζα T; Οργανισμός Λιμένος T Α.Ε.; Πανεπιστήμιο T; Υπουργείο Μεταφορών, T; Δήμος T; F Εμπορική Ε.Π.Ε.; G F
Turkish | Turkish | Bursa, Konya, Adana, Samsun, Trabzon, Mersin, Denizli, Eskişehir | Ltd. Şti. | T Bankası A.Ş.; T Kalkınma Bankası A.Ş.; T Limanı A.Ş.; T Üniversitesi; Ulaştırma Bakanlığı, T; T Belediyesi; F Dış Ticaret Ltd. Şti.; G F Şahıs İşletmesi
Egyptian | Arabic | Alexandria/الإسكندرية, Luxor/الأقصر, Tanta/طنطا, Aswan/أسوان, Damietta/دمياط, Ismailia/الإسماعيلية, Minya/المنيا, Mansoura/المنصورة | S.A.E. | بنك T; بنك التنمية في T; هيئة ميناء T; جامعة T; وزارة النقل T; محافظة T; شركة F للتجارة; مؤسسة G F
Emirati and Saudi | Gulf Arabic | Jeddah/جدة, Dammam/الدمام, Sharjah/الشارقة, Ajman/عجمان, Taif/الطائف, Fujairah/الفجيرة, Abha/أبها, Riyadh/الرياض | LLC | بنك T; صندوق التنمية T; موانئ T; جامعة T; وزارة المالية T; بلدية T; شركة F التجارية ذ.م.م; مؤسسة G F للتجارة
Israeli | Hebrew | Haifa/חיפה, Ashdod/אשדוד, Netanya/נתניה, Eilat/אילת, Holon/חולון, Rehovot/רחובות, Hadera/חדרה, Afula/עפולה | Ltd | בנק T בע"מ; בנק לפיתוח T; נמל T בע"מ; אוניברסיטת T; משרד התחבורה T; עיריית T; F סחר בע"מ; G F עוסק מורשה
Pakistani | Pakistani | Lahore/لاہور, Karachi/کراچی, Multan/ملتان, Sialkot/سیالکوٹ, Quetta/کوئٹہ, Faisalabad/فیصل آباد, Gwadar/گوادر, Sukkur/سکھر | (Pvt) Ltd | بینک آف T; ترقیاتی بینک T; T پورٹ اتھارٹی; جامعہ T; وزارت خزانہ T; بلدیہ T; F ٹریڈرز; G F اینڈ سنز
Indian | Hindi | Pune/पुणे, Nagpur/नागपुर, Indore/इंदौर, Kanpur/कानपुर, Patna/पटना, Surat/सूरत, Jaipur/जयपुर, Bhopal/भोपाल | Pvt Ltd | बैंक ऑफ T; T विकास बैंक; T बंदरगाह प्राधिकरण; T विश्वविद्यालय; वित्त मंत्रालय T; T नगर निगम; F ट्रेडर्स; G F एंड संस
Bangladeshi | Bengali | Dhaka/ঢাকা, Chittagong/চট্টগ্রাম, Khulna/খুলনা, Sylhet/সিলেট, Rajshahi/রাজশাহী, Comilla/কুমিল্লা, Barisal/বরিশাল, Bogra/বগুড়া | Ltd | T ব্যাংক লিমিটেড; T উন্নয়ন ব্যাংক; T বন্দর কর্তৃপক্ষ; T বিশ্ববিদ্যালয়; অর্থ মন্ত্রণালয় T; T সিটি কর্পোরেশন; F ট্রেডার্স; মেসার্স G F
Chinese | Chinese | Ningbo/宁波, Xiamen/厦门, Qingdao/青岛, Suzhou/苏州, Changsha/长沙, Kunming/昆明, Foshan/佛山, Yantai/烟台 | Co., Ltd. | T银行股份有限公司; T开发银行; T港务集团有限公司; T大学; T市交通局; T市人民政府; TF贸易有限公司; TF记商行
Japanese | Japanese | Nagoya/名古屋, Sendai/仙台, Niigata/新潟, Kobe/神戸, Fukuoka/福岡, Okayama/岡山, Kagoshima/鹿児島, Nara/奈良 | K.K. | 株式会社T銀行; T開発銀行; T港湾株式会社; T大学; T県庁; T市; F商事株式会社; F商店
Korean | Korean | Busan/부산, Daegu/대구, Incheon/인천, Gwangju/광주, Daejeon/대전, Ulsan/울산, Jeonju/전주, Pohang/포항 | Co., Ltd. | T은행; T개발은행; T항만공사; T대학교; T교통공사; T광역시청; F상사 주식회사; FG상회
Thai | Thai | Chiang Mai/เชียงใหม่, Phuket/ภูเก็ต, Rayong/ระยอง, Songkhla/สงขลา, Udon Thani/อุดรธานี, Lampang/ลำปาง, Trang/ตรัง, Saraburi/สระบุรี | Co., Ltd. | ธนาคารT จำกัด; ธนาคารพัฒนาT; การท่าเรือT; มหาวิทยาลัยT; กระทรวงคมนาคม T; เทศบาลนครT; บริษัท F การค้า จำกัด; ร้าน G F
Vietnamese | Vietnamese | Đà Nẵng, Huế, Hải Phòng, Cần Thơ, Nha Trang, Vinh, Quy Nhơn, Đà Lạt | Co., Ltd. | Ngân hàng TMCP T; Ngân hàng Phát triển T; Cảng T; Đại học T; Sở Giao thông T; Ủy ban nhân dân T; Công ty TNHH Thương mại F; Hộ kinh doanh F G
Indonesian | Indonesian | Surabaya, Bandung, Medan, Semarang, Makassar, Padang, Malang, Batam | PT | PT Bank T Tbk; Bank Pembangunan Daerah T; PT Pelabuhan T; Universitas T; Kementerian Perhubungan T; Pemerintah Kota T; PT F Dagang; CV G F
British | English | Leeds, Hull, Derby, Exeter, Dundee, Norwich, Swansea, Preston | Ltd | T Building Society; T Development Bank plc; T Harbour Commissioners; University of T; Department for Transport, T; T City Council; F Trading Co Ltd; G F t/a F Motors
American | English | Tucson, Omaha, Boise, Tulsa, Mobile, Duluth, Fresno, Toledo | Inc. | First National Bank of T; T Development Finance Corp; Port of T Authority; University of T; Department of Transportation, T; City of T; F Trading Inc.; G F DBA F Landscaping
Nigerian | Hausa | Kano, Ibadan, Jos, Enugu, Benin City, Kaduna, Calabar, Abuja | Ltd | T Microfinance Bank Ltd; T Development Bank Plc; T Ports Authority; University of T; Federal Ministry of Works, T; T Municipal Council; F Trading Co Ltd; G F & Sons Enterprises
Kenyan and Somali | Somali | Mombasa, Kisumu, Nakuru, Eldoret, Hargeisa, Garissa, Berbera, Thika | Ltd | T Commercial Bank Ltd; T Development Bank; T Ports Authority; University of T; Ministry of Finance, T; T County Government; F General Trading Ltd; G F Money Transfer
"""
# how offices and companies of any country are called in English, which payments do
_ENGLISH = (
    "Bank of T", "T Commercial Bank", "T Development Bank", "Port of T Authority", "University of T",
    "Ministry of Transport T", "T Municipality", "F Trading E", "F General Trading E",
    "F International E", "F and Sons E", "F Group Holding E", "T Export Import E", "F Oil and Gas E",
    "T Shipping E", "F Investment E", "F Construction and Industry E", "T Steel E", "G F E",
)  # fmt: skip
# left out is Persian: its companies are real ones, of which lists hold several
FAKER = {
    "ar_DZ": "Algerian", "az_AZ": "Azerbaijani", "bg_BG": "Bulgarian", "cs_CZ": "Czech",
    "da_DK": "Danish", "de_DE": "German", "el_GR": "Greek", "es_ES": "Spanish",
    "es_CL": "Chilean", "es_MX": "Mexican", "fi_FI": "Finnish",
    "fr_FR": "French", "fr_CH": "Swiss", "hr_HR": "Croatian", "hu_HU": "Hungarian",
    "hy_AM": "Armenian", "id_ID": "Indonesian", "it_IT": "Italian", "ja_JP": "Japanese",
    "ko_KR": "Korean", "nl_NL": "Dutch", "no_NO": "Norwegian", "fil_PH": "Filipino",
    "pl_PL": "Polish", "pt_BR": "Brazilian", "pt_PT": "Portuguese", "ro_RO": "Romanian",
    "ru_RU": "Russian", "sk_SK": "Slovak", "sl_SI": "Slovene", "sv_SE": "Swedish",
    "th_TH": "Thai", "tr_TR": "Turkish", "vi_VN": "Vietnamese", "zh_CN": "Chinese",
    "zh_TW": "Taiwanese", "en_US": "American",
}  # fmt: skip
_TRADES = ("Trading", "Logistics", "Textiles", "Foods", "Engineering")
_FORM_CULTURES = ("Arabic", "Persian", "Russian", "Spanish", "Chinese", "Korean", "Indonesian")


def companies(*, seed: int, count: int) -> Iterator[Innocent]:
    """Yield of each legal culture so many of Faker's and of those built, in each script."""
    yield from _of_faker(seed, count)
    for line in _TABLE.strip().splitlines():
        culture, names, towns, form, own = (cell.strip() for cell in line.split(" | "))
        draw = random.Random(f"{seed} {culture}")
        built = _built(names, towns, form, [part.strip() for part in own.split(";")], draw)
        by_script: dict[str, list[str]] = {}
        for name in dict.fromkeys(built):
            by_script.setdefault(script_of(name), []).append(name)
        for script, some in by_script.items():
            draw.shuffle(some)
            for name in some[:count]:
                yield Innocent(culture, script, "companies", name, "Organization")
    yield from _of_every_form(seed, count)


def _of_faker(seed: int, count: int) -> Iterator[Innocent]:
    for locale, culture in FAKER.items():
        fake = Faker(locale)
        fake.seed_instance(f"{seed} {locale}")
        names = [fake.company() for _ in range(count)]
        script = script_of("".join(names))
        for name in names:
            yield Innocent(f"{culture} (Faker)", script, "companies", name, "Organization")


def _built(names: str, towns: str, form: str, own: list[str], draw: random.Random) -> Iterator[str]:
    table = tables()[names]
    for place in towns.split(","):
        latin, _, written = place.strip().partition("/")
        for template in own:
            family, given = draw.choice(table.family), draw.choice(table.given)
            yield _filled(template, written or latin, family.own, given.own, form)
        for template in _ENGLISH:
            family, given = draw.choice(table.family), draw.choice(table.given)
            yield _filled(template, latin, family.latin, given.latin, form)


def _of_every_form(seed: int, count: int) -> Iterator[Innocent]:
    """Yield companies of frequent names with each form of the table of legal forms, and without trade."""
    draw = random.Random(f"{seed} forms")
    found: dict[str, list[str]] = {}
    for line in FORMS.strip().splitlines():
        for spelling in line.partition(" | ")[2].split(", "):
            table = tables()[draw.choice(_FORM_CULTURES)]
            family, given = draw.choice(table.family).latin, draw.choice(table.given).latin
            shown = spelling.upper() if len(spelling) <= 4 else spelling
            for kind, name in (
                ("every legal form, with a trade", f"{family} {draw.choice(_TRADES)} {shown}"),
                ("every legal form, a person's name", f"{given} {family} {shown}"),
            ):
                found.setdefault(kind, []).append(name)
    for kind, names in found.items():
        draw.shuffle(names)
        for name in names[:count]:
            yield Innocent(kind, "Latin", "companies", name, "Organization")


def _filled(template: str, town: str, family: str, given: str, form: str) -> str:
    words = {"T": town, "F": family, "G": given, "E": form}
    return "".join(
        words[letter] if letter in words and _stands_alone(template, at) else letter
        for at, letter in enumerate(template)
    )


def _stands_alone(template: str, at: int) -> bool:
    """Return whether a letter of a template is no letter of a Latin word, as in `TF贸易` none is."""
    beside = template[max(0, at - 1) : at] + template[at + 1 : at + 2]
    return not any(one.isascii() and one.isalnum() and one not in "TFG" for one in beside)
