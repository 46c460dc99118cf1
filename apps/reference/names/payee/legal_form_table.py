"""Spellings of legal forms, and which are equivalent. Data.

Written by us from company law as it is commonly known. A row of FORMS is a code, then its
spellings, which are compared without dots, blanks and marks. Forms with one code are one form
(`Ltd`, `Limited`). LEADING_FORMS come before a name. In SHORTER_FORMS the first is a shorter
way to say the others; in EQUIVALENT_FORMS both are written alike, one replaced the other by law, or
is what companies of one country alone call it in English. TRANSLATED_FORMS are those whose
translation is itself the form of other countries, and CJK_FORM_PAIRS what registers and companies
also use for forms in Chinese, Japanese and Korean letters. KINDRED_FORMS are forms of which
companies of countries with several languages have both, and forms that are nearly one.
"""

FORMS = """
ltd | ltd, limited, lmtd, ltd liability
private ltd | pvt ltd, private limited, pvt limited, p ltd, (p) ltd, private ltd
pty ltd | pty ltd, proprietary limited, pty limited, proprietary ltd, pty
pte ltd | pte ltd, private limited singapore, pte limited, pte
co ltd | co ltd, company limited, co limited, company ltd, coltd
kk | kabushiki kaisha, kabushiki gaisha, kk, jusik hoesa
yk | yugen kaisha, yugen gaisha, yuhan hoesa
gk | godo kaisha, godo gaisha
plc | plc, public limited company, public ltd company, p l c, cyf ccc, ccc
llp | llp, limited liability partnership
lp | lp, limited partnership
inc | inc, incorporated, incorporation
corp | corp, corporation, corpn, corporacion
co | co, company, compagnie, cie, compania, cia, compagnia, companhia, et cie, und co, y cia
co | and company
llc | llc, limited liability company, limited liability co, lc, ltd co
na | na, national association
pllc | pllc, professional limited liability company
cic | cic, community interest company
unlimited | unlimited, unltd, ultd
gmbh | gmbh, gesellschaft mit beschränkter haftung, gesellschaft mbh, ges mbh, gesmbh, mbh, ggmbh
gmbh | gemeinnützige gmbh
ug | ug, ug haftungsbeschränkt, unternehmergesellschaft, unternehmergesellschaft haftungsbeschränkt
ag | ag, aktiengesellschaft
kg | kg, kommanditgesellschaft
gmbh co kg | gmbh co kg, gmbh und co kg, gmbh and co kg, gmbh co kommanditgesellschaft, mbh co kg
gmbh co kg | mbh und co kg, gmbh cokg, gmbh u co kg, mbh u co kg
ag co kg | ag co kg, ag und co kg, ag u co kg
gmbh co kgaa | gmbh co kgaa, se co kgaa, ag co kgaa
kgaa | kgaa, kommanditgesellschaft auf aktien
ug co kg | ug co kg, ug haftungsbeschränkt co kg
ohg | ohg, offene handelsgesellschaft, gmbh co ohg
gbr | gbr, gesellschaft bürgerlichen rechts
ek | ek, eingetragener kaufmann, eingetragene kauffrau, ekfr, ekfm, eingetragener unternehmer
ev | ev, eingetragener verein
eg | eg, eingetragene genossenschaft, egen
partg | partg, partgmbb, partnerschaftsgesellschaft, partg mbb
se | se, societas europaea
sa | sa, société anonyme, sociedad anónima, sociedade anónima, sociedade anônima, spółka akcyjna
sa | societate pe acțiuni, societe anonyme
sarl | sarl, société à responsabilité limitée, s a r l, sàrl, gmbh sarl
sas | sas, société par actions simplifiée
sasu | sasu, société par actions simplifiée unipersonnelle
eurl | eurl, entreprise unipersonnelle à responsabilité limitée
snc | snc, société en nom collectif, società in nome collettivo
scs | scs, société en commandite simple
sca | sca, société en commandite par actions
sci | sci, société civile immobilière
scop | scop
spa | spa, società per azioni
srl | srl, società a responsabilità limitata, sociedad de responsabilidad limitada
srl | societate cu răspundere limitată
srls | srls, società a responsabilità limitata semplificata
sas it | società in accomandita semplice
ss | società semplice
coop | scarl, soc coop, società cooperativa, scrl, s coop, sociedad cooperativa
sl | sl, sociedad limitada
slu | slu, sociedad limitada unipersonal
slp | slp, sociedad limitada profesional
sau | sau, sociedad anónima unipersonal
sa de cv | sa de cv, sociedad anónima de capital variable, s a de c v
sapi | sapi de cv, sapi
srl de cv | s de rl de cv, srl de cv, s de rl
lda | lda, limitada, ltda
unipessoal | unipessoal lda, unipessoal, sociedade unipessoal
eireli | eireli
sas co | sociedad por acciones simplificada
spa cl | sociedad por acciones
bv | bv, besloten vennootschap, besloten vennootschap met beperkte aansprakelijkheid
nv | nv, naamloze vennootschap
vof | vof, vennootschap onder firma
cv nl | commanditaire vennootschap
bvba | bvba, sprl, besloten vennootschap met beperkte aansprakelijkheid be
bvba | société privée à responsabilité limitée
cvba | cvba, scrl be
asbl | asbl, vzw, association sans but lucratif, vereniging zonder winstoogmerk
ab | ab, aktiebolag, aktiebolaget, ab publ, aktiebolag publ
hb | hb, handelsbolag
kb | kb, kommanditbolag
ek for | ekonomisk förening
as | as, a s, aksjeselskap, aksjeselskab, aktieselskab, aktieselskabet
asa | asa, allmennaksjeselskap
aps | aps, anpartsselskab
ivs | ivs, iværksætterselskab
is | interessentskab
ks | k s, kommanditselskab, kommandittselskap
da | ansvarlig selskap
oy | oy, osakeyhtiö, oy ab, ab oy
oyj | oyj, julkinen osakeyhtiö, abp
ky | ky, kommandiittiyhtiö
tmi | tmi, toiminimi
ehf | ehf, einkahlutafélag
hf | hf, hlutafélag
ou | oü, osaühing
as ee | aktsiaselts
uab | uab, uždaroji akcinė bendrovė
ab lt | akcinė bendrovė
sia | sia, sabiedrība ar ierobežotu atbildību
as lv | akciju sabiedrība
spzoo | sp z oo, sp zoo, spółka z ograniczoną odpowiedzialnością, spolka z oo
spk | sp k, spółka komandytowa, sp z oo sp k, spzoo spk
spj | sp j, spółka jawna
psa | prosta spółka akcyjna
sro | sro, spol s ro, společnost s ručením omezeným, spoločnosť s ručením obmedzeným
as cz | akciová společnost, akciová spoločnosť
kft | kft, korlátolt felelősségű társaság
zrt | zrt, zártkörűen működő részvénytársaság
nyrt | nyrt, nyilvánosan működő részvénytársaság
bt | bt, betéti társaság
doo | doo, družba z omejeno odgovornostjo, društvo s ograničenom odgovornošću
doo | društvo sa ograničenom odgovornošću, d o o, dooel
dd | dd, delniška družba, dioničko društvo
ad | ad, акционерно дружество, akcionarsko društvo
ood | ood, оод, дружество с ограничена отговорност
eood | eood, еоод, еднолично дружество с ограничена отговорност
pfa | pfa, persoană fizică autorizată
ooo | ооо, ooo, общество с ограниченной ответственностью
ao | ао, ao, акционерное общество, jsc, joint stock company
pao | пао, pao, pjsc, публичное акционерное общество, public joint stock company
pao | публічне акціонерне товариство
oao | оао, oao, ojsc, открытое акционерное общество, open joint stock company
oao | відкрите акціонерне товариство
zao | зао, zao, cjsc, закрытое акционерное общество, closed joint stock company
ip | ип, индивидуальный предприниматель
tov | тов, tov, товариство з обмеженою відповідальністю
prat | прат, prat, приватне акціонерне товариство
fop | фоп, фізична особа підприємець
too | тоо, too, товарищество с ограниченной ответственностью
ae | αε, ae, ανώνυμη εταιρεία, ανώνυμος εταιρεία
epe | επε, epe, εταιρεία περιορισμένης ευθύνης
oe | οε, ομόρρυθμη εταιρεία
ike | ικε, ike, ιδιωτική κεφαλαιουχική εταιρεία
as tr | anonim şirketi, anonim sirket
ltd sti | ltd şti, limited şirketi, limited sirket
sdn bhd | sdn bhd, sendirian berhad, sdn berhad
bhd | bhd, berhad
pt | pt, perseroan terbatas, persero
tbk | tbk
fze | fze, fzco, fz llc, free zone establishment, fz co
wll | wll, with limited liability
saog | saog, saoc
sae | sae, s a e, egyptian joint stock company
psc | psc, pjsc ae
selarl | selarl, société d'exercice libéral à responsabilité limitée
selas | selas, société d'exercice libéral par actions simplifiée
scp fr | société civile professionnelle
scm | société civile de moyens
gaec | gaec, groupement agricole d'exploitation en commun
earl | exploitation agricole à responsabilité limitée
scic | scic, société coopérative d'intérêt collectif
pcl | pcl, public company limited
dac | dac, designated activity company, cuideachta ghníomhaíochta ainmnithe
clg | clg, company limited by guarantee, cuideachta faoi theorainn ráthaíochta
ulc | ulc, unlimited liability company, unlimited company
ltd | teoranta, cyfyngedig, limitée, ltée
plc | cuideachta phoiblí theoranta
lllp | lllp, limited liability limited partnership
npc | npc, non profit company
sac pe | s a c, sociedad anónima cerrada
saa pe | sociedad anónima abierta
eirl | eirl, empresa individual de responsabilidad limitada
sll | sll, sociedad limitada laboral
sal es | sociedad anónima laboral
slne | slne, sociedad limitada nueva empresa
coop | sccl, soc coop arl, sociedad cooperativa limitada
sc mx | sociedad civil
ac mx | asociación civil
sgps | sgps, sociedade gestora de participações sociais
sapa | sapa, società in accomandita per azioni
sagl | sagl
jdoo | jdoo, jednostavno društvo s ograničenom odgovornošću
sp si | samostojni podjetnik
vos | vos, veřejná obchodní společnost, verejná obchodná spoločnosť
ks cz | komanditní společnost, komanditná spoločnosť
ops | obecně prospěšná společnost
kkt | kkt, közkereseti társaság
ska | spółka komandytowo akcyjna
sc pl | spółka cywilna
ead | ead, еад, еднолично акционерно дружество
fie | füüsilisest isikust ettevõtja
mtu | mtü, mittetulundusühing
mb lt | mažoji bendrija
vsi | všį, viešoji įstaiga
enk | enkeltpersonforetak
ans | ansvarlig selskap med delt ansvar
amba | amba, andelsselskab med begrænset ansvar
ry | rekisteröity yhdistys
osk | osuuskunta
ef se | enskild firma
ua | coöperatie ua, uitgesloten aansprakelijkheid
tnhh | công ty tnhh, ct tnhh, cty tnhh, công ty trách nhiệm hữu hạn, tnhh
ctcp | công ty cổ phần, ctcp, cty cp, ct cp
cv id | persekutuan komanditer
plt | plt, perkongsian liabiliti terhad
ae | ανώνυμος ετερόρρυθμη, μονοπρόσωπη ανώνυμη εταιρεία
ike | μονοπρόσωπη ιδιωτική κεφαλαιουχική εταιρεία, μονοπρόσωπη ικε
npo | ано, автономная некоммерческая организация
gie | gie, groupement d'intérêt économique
sicav | sicav, société d'investissement à capital variable
"""
LEADING_FORMS = """
ооо, оао, зао, пао, ао, ип, тов, прат, фоп, тоо, общество с ограниченной ответственностью,
акционерное общество, публичное акционерное общество, открытое акционерное общество, закрытое
акционерное общество, товариство з обмеженою відповідальністю, публічне акціонерне товариство,
ooo, oao, zao, pao, tov, jsc, pjsc, ojsc, cjsc, joint stock company, public joint stock company,
limited liability company, llc, pt, uab, sia, sarl, sas, eurl, snc, sci, société anonyme,
aktiebolag, aktiebolaget, ab, oy, kabushiki kaisha, kk, công ty tnhh, công ty cổ phần, ct tnhh,
cty tnhh, ctcp, cty cp, ct cp,
công ty trách nhiệm hữu hạn, индивидуальный предприниматель, фізична особа підприємець, gmbh,
gesellschaft mit beschränkter haftung, aktiengesellschaft,
sociedad anónima, sociedad limitada, sociedad de responsabilidad limitada, società per azioni,
società a responsabilità limitata, spółka akcyjna, naamloze vennootschap, besloten vennootschap
"""
# forms of people; and forms of which one stands before and the other behind the same name
SOLE_TRADERS = frozenset(["ip", "fop", "pfa"])
SPLIT_FORMS = ({"pt", "tbk"},)
SHORTER_FORMS = {
    "ltd": {"co ltd"},
    "co": {"co ltd"},
    "lda": {"unipessoal"},
    "sl": {"slu", "slp", "sll", "slne"},
    "sas": {"sasu"},
    "srl": {"srl de cv"},
    "sa": {"sau", "sa de cv"},
    "pt": {"tbk"},
}
EQUIVALENT_FORMS = (
    {"ao", "pao"}, {"ao", "oao"}, {"ao", "zao"}, {"pao", "oao"}, {"bvba", "bv"}, {"bvba", "srl"},
    {"as cz", "as"}, {"as lv", "as"}, {"as ee", "as"}, {"ab lt", "ab"}, {"as tr", "as"},
    {"spa cl", "spa"}, {"sas co", "sas"}, {"sas it", "sas"}, {"oyj", "corp"}, {"oyj", "plc"},
    {"kk", "corp"}, {"kk", "inc"}, {"kk", "plc"}, {"kk", "co ltd"}, {"yk", "co ltd"},
    {"as tr", "inc"}, {"tnhh", "co ltd"}, {"pcl", "plc"},
)  # fmt: skip
TRANSLATED_FORMS = (
    {"yk", "llc"}, {"gk", "llc"}, {"ooo", "llc"}, {"tov", "llc"}, {"too", "llc"}, {"wll", "llc"},
    {"spzoo", "llc"}, {"doo", "llc"}, {"ood", "llc"}, {"fze", "llc"}, {"tnhh", "llc"},
    {"co ltd", "llc"}, {"co ltd", "corp"}, {"co ltd", "inc"}, {"ooo", "tov"}, {"ooo", "too"},
    {"tnhh", "ltd"}, {"as tr", "ao"}, {"as cz", "ao"}, {"ctcp", "ao"}, {"ead", "ao"},
    {"private ltd", "pte ltd"},
)  # fmt: skip
CJK_FORM_PAIRS = ({"kk", "ltd"}, {"yk", "ltd"})
KINDRED_FORMS = (
    {"kg", "gmbh co kg"}, {"kg", "ag co kg"}, {"kg", "ug co kg"}, {"srl", "srls"},
    {"co", "corp"}, {"co", "inc"}, {"co", "llc"},
    {"sa", "nv"}, {"bv", "srl"}, {"oy", "ab"}, {"oyj", "ab"}, {"ag", "sa"}, {"inc", "corp"},
    {"ae", "sa"}, {"lda", "ltd"}, {"ooo", "ltd"}, {"gmbh", "sarl"}, {"tov", "ltd"},
    {"spzoo", "ltd"}, {"sac pe", "sa"}, {"saa pe", "sa"}, {"ead", "ad"}, {"jdoo", "doo"},
    {"clg", "ltd"}, {"dac", "ltd"},
)  # fmt: skip
