"""General knowledge of words in names: articles and titles, common names, legal forms."""

_PARTICLES = """
al el ul bin ibn ben bint binti bent ould wald abu abou aboo abi de da di do dos das del della du
van von der den ter la le lo las los of the and und et y e en i in for fur des a an zu zur ap mac
mc st san wa dr mr mrs ms mme prof sir hon sheikh shaikh shaykh cheikh sheik haji hajji hadji hajj
hadj mullah mulla maulavi mawlawi maulawi mawlana maulana seyed sayyid syed ustad
general gen colonel col major captain capt lieutenant president minister senator ayatollah
jr sr
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
_LONG_LEGAL_WORDS = """
limited liability company corporation incorporated obshchestvo ogranichennoy otvetstvennostyu
aktsionernoe aktsionernoye publichnoe gesellschaft aktiengesellschaft sirketi anonim limitada
sociedad anonima
"""
_SHORT_LEGAL_WORDS = "sarl gmbh fze llc ltd plc jsc ojsc pjsc inc ooo oao joint stock"
_TWO_LETTER_FORMS = "ag sa se ab as nv bv kg oy ou oü ao lp sl ad pt kk ev ek"
_TRANSLATABLE_FORMS = "llc ltd inc coltd jsc ooo ao oao pao zao pjsc cjsc ojsc plc"

PARTICLES = frozenset(_PARTICLES.split())
"""Articles, kinship words and titles: present or absent without meaning much."""
COMMON_PERSON_NAMES = frozenset(_COMMON_PERSON_NAMES.split())
"""Given and family names that very many people bear, whatever a list may hold."""
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
    "bros": "brothers",
    "dept": "department",
    "engg": "engineering",
    "govt": "government",
    "mfg": "manufacturing",
    "mgmt": "management",
    "natl": "national",
    "pvt": "private",
    "svcs": "services",
    "univ": "university",
}
"""Company words as they are cut short on forms and payments, and those that stand for another."""
