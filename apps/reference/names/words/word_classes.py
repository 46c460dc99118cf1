"""General knowledge of words in names: articles and titles, common names, legal forms."""

_ARTICLES = """
al el ul di da do dos das del della du de la le lo las los of the and und et y e en i in for fur des
a an zu zur van von der den ter
"""
_KINSHIP_AND_TITLES = """
bin ibn ben bint binti bent ould abu abou aboo abi ap mac mc st san wa dr mr mrs ms mme prof
sir hon sheikh shaikh shaykh cheikh sheik haji hajji hadji hajj hadj mullah mulla maulavi mawlawi
maulawi mawlana maulana seyed sayyid syed ustad general gen colonel col major maj captain capt
lieutenant president minister senator ayatollah jr sr excellency
"""
_COMMON_PERSON_NAMES = """
mohammed mohammad muhammad mohamed ahmed ahmad ali hassan hasan hussein hussain husayn ibrahim
abdullah omar umar khan khaled khalid mahmoud mahmud mustafa yusuf said salem salim hamid karim
rashid nasser
kim lee park pak choi jung jong kang cho yoon lim han shin kwon
wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he gao lin luo
nguyen tran le pham singh kumar sharma patel das gupta
juan jose maria carlos luis jorge antonio francisco manuel pedro garcia rodriguez martinez
hernandez lopez gonzalez perez sanchez ramirez torres flores silva santos
ivan sergei sergey alexander aleksandr alexandr vladimir dmitry dmitri andrei andrey mikhail
nikolai igor oleg yuri viktor victor ivanov petrov anna elena olga natalia tatiana
john james robert michael william david richard thomas charles george paul peter mark daniel
joseph smith jones williams brown johnson miller muller
jean pierre michel marie hans karl jan martin marco giovanni giuseppe francesco
"""
_GIVEN_NAMES = """
aaron abigail adam adriana agnes aisha alan albert alberto alejandro alessandro alex alexandra
alexis alfred alfredo alice alicia alina amanda amelia amina amir ana andre andrea andreas andrew
andy angel angela angelo anita ann anne annie anthony anton antonia antonio ariana arthur arturo
barbara beatrice ben benjamin bernard bianca boris brian bruno bryan camila carla carmen carol
carolina caroline caterina catherine cecilia charlotte chiara chloe chris christian christina
christine christopher clara claire claudia claudio clara cristian cristina dana daniela daria dario
dave deborah denis dennis diana diego dina dominic donald dora edith eduardo edward elias elena
eleonora elif elisa elizabeth ella ellen elsa emil emilia emilio emily emma enrique eric erica erik
ernesto esther eugene eva evelyn fabio fatima federica federico felipe felix fernando filip
florence frank franz frederic frida gabriel gabriela gary gerard gino gloria grace greta guido
gustavo hana hanna hannah harald harry hassan heidi helen helena helene helga henri henry hugo ian
ibrahim ida ines ingrid irene irina iris isaac isabel isabella ismail ivana jack jacob jacqueline
jakob jana jane janet jasmine jason javier jeff jennifer jenny jeremy jerry jesse jessica jesus jim
joan joana joe joel johan johanna jonas jonathan jordan josef josephine joshua joyce judith julia
julian juliana julie julio kai karen karim karin karina karolina kate katherine kathleen katia katja
keith kelly kenneth kevin kim kristina lana lara laura lea leah leila lena leo leon leonard leonardo
lia lidia lila lily lina linda lisa liza lorenzo louis louise luca lucas lucia luciano lucy luisa
lukas luka lydia maggie malik manuela mara marcel marcela margaret maria mariam mariana marianne
marina mario marion marisa marta martha martina mary mateo matteo matthew matthias maurice max maya
melissa mia milan milena mina miriam mohamed molly monica monika muriel nadia nancy naomi natalie
natasha nathan nelson nicholas nicola nicolas nicole nikita nina noah noel nora oliver olivia omar
oscar oskar otto pamela pascal patricia patrick paula paulina paulo pavel pedro petra philip
philippe pierre rachel rafael raj ralph ramon rania raul rebecca regina rene renata rita roberta
roberto robin roger roland roman romeo ron rosa rosalia rose rosie ruben rudolf ruth ryan sabina
sabrina sally sam samantha samir samira samuel sandra sara sarah sasha sean sebastian selma serena
sergio sharon silvia simon simona simone sofia sonia sonja sophia sophie stefan stefania stefano
stella stephanie stephen steve steven sunita susan susanna suzanne sven sylvia tamara tanya tara
ted teresa thea theodor theresa tim timothy tina tom tomas tommy tony tyler ursula valentin
valentina valeria vanessa vera veronica veronika victoria vincent viola virginia vivian walter
wanda wendy werner wilhelm xavier yana yara yasmin yasmina yvonne zahra zara zoe zoltan
"""
_LONG_LEGAL_WORDS = """
limited liability company corporation incorporated obshchestvo ogranichennoy otvetstvennostyu
aktsionernoe aktsionernoye publichnoe gesellschaft aktiengesellschaft sirketi anonim limitada
sociedad anonima
"""
_SHORT_LEGAL_WORDS = " sarl gmbh fze llc ltd plc jsc ojsc pjsc inc ooo oao joint stock"
_TWO_LETTER_FORMS = "ао ag sa se ab as nv bv kg oy ou oü ao lp sl ad pt kk ev ek"
# by the laws of Vietnam (Luật Doanh nghiệp), Japan, Korea and China, as Latin letters have them,
# and of countries whose abbreviations alone the library knows
_FORMS_OF_WORDS = """
cong ty trach nhiem huu han mot thanh vien, cong ty trach nhiem huu han,
cong ty tnhh mot thanh vien, cong ty tnhh mtv, cong ty tnhh, cong ty co phan, cong ty hop danh,
doanh nghiep tu nhan, cty tnhh mtv, cty tnhh, cty cp, kabushiki kaisha, kabushiki gaisha,
yugen kaisha, yugen gaisha, godo kaisha, godo gaisha, jusik hoesa, yuhan hoesa,
gufen youxian gongsi, youxian zeren gongsi, youxian gongsi, sendirian berhad, perseroan terbatas,
societe anonyme, sociedad limitada, besloten vennootschap, naamloze vennootschap
"""
_TRANSLATABLE_FORMS = """
llc ltd inc coltd jsc ooo ao oao pao zao pjsc cjsc ojsc plc tov tdv at pat prat oü
"""

_KIND_WORDS = """
company companies corporation corp co group groupe gruppe grupo holding holdings enterprise
enterprises industries industry center centre agency office bureau department directorate division
section branch organization organisation association society foundation institution institute
establishment establishments est firm house concern complex
compania empresa sociedad fundacion asociacion societe entreprise compagnie gesellschaft firma
lda ltda cia stiftung verein kompaniya predpriyatie obedinenie sirket sharikat sherkat
"""

ARTICLES = frozenset(_ARTICLES.split())
"""Articles and what joins words: present or absent without meaning much."""
THING_PARTICLES = ARTICLES | {"no", "nr"}
PARTICLES = frozenset((_ARTICLES + _KINSHIP_AND_TITLES).split())
"""The same of persons, with words of kinship and titles; a company may be called by those."""
COMMON_PERSON_NAMES = frozenset(_COMMON_PERSON_NAMES.split())
"""Given and family names that very many people bear, whatever a list may hold."""
KIND_WORDS = frozenset((_KIND_WORDS + _LONG_LEGAL_WORDS + _SHORT_LEGAL_WORDS).split())
"""What kind of body a name is of: another such word makes no other body."""
GIVEN_NAMES = frozenset(_GIVEN_NAMES.split())
"""Given names that are about as common."""
PERSON_NAMES = COMMON_PERSON_NAMES | GIVEN_NAMES
"""Those and given names that are no rarer: a company of such a name shares it with many people."""
FORMS_OF_WORDS = frozenset(tuple(form.split()) for form in _FORMS_OF_WORDS.split(","))
"""Legal forms of several words, in Latin letters without marks, each as a row of its words."""
LONG_LEGAL_WORDS = tuple(_LONG_LEGAL_WORDS.split())
SHORT_LEGAL_WORDS = tuple(_SHORT_LEGAL_WORDS.split())
"""Words of legal forms that are still known for what they are with a slip of the pen."""
TWO_LETTER_FORMS = frozenset(_TWO_LETTER_FORMS.split())
"""Legal forms of two letters that are hardly ever anything else."""
TRANSLATABLE_FORMS = frozenset(_TRANSLATABLE_FORMS.split())
"""Legal forms that lists give in translation: one for another is no other company."""
ABBREVIATIONS = {
    "airline": "air",
    "airlines": "air",
    "airways": "air",
    "bk": "bank",
    "bnk": "bank",
    "bros": "brothers",
    "bco": "banco",
    "bque": "banque",
    "cttee": "committee",
    "dept": "department",
    "engg": "engineering",
    "exch": "exchange",
    "gov": "government",
    "govt": "government",
    "mfg": "manufacturing",
    "mgmt": "management",
    "mktg": "marketing",
    "natl": "national",
    "orgn": "organization",
    "pvt": "private",
    "svcs": "services",
    "trdng": "trading",
    "univ": "university",
    "vnzla": "venezuela",
    "vzla": "venezuela",
}
"""Company words as they are cut short on forms and payments, and those that stand for another."""
PERSON_ABBREVIATIONS = dict.fromkeys(("md", "mhd", "mohd", "mohmd", "muhd"), "muhammad")
"""Names of persons as registers cut them short."""
