"""Short and pet forms of given names, and the names they stand for. Written by us from usage.

A row ends with a semicolon: a given name with its other spellings, and after the bar its short
forms.
"""

from functools import lru_cache
from typing import Literal

from apps.reference.names.words.word_classes import GIVEN_NAMES

_ROWS = """
abigail | abby abbie gail; abraham | abe bram; adelaide adelheid | addie heidi; agnes | aggie
nessie; albert alberto | al bert bertie berto; alexander aleksandr alessandro alejandro alexandre
oleksandr | alex al sandy sasha sascha xander lex sandro alec shura sanya ale; alexandra
aleksandra alessandra alejandra | alex sandra sasha lexi alexa sandy ale; alfred alfredo | al alf
fred alfie freddie fredo; alice alicia | ali allie; amanda | mandy; andrew andreas andrea andre |
andy drew dre; angela angelika | angie geli; anna anne ann hannah | annie nan nancy anni anya anja
anita nina; anthony antony anton antonio antoine antonia | tony toni toño; arnold | arnie; arthur
| art artie; augustus august | gus; barbara | barb babs barbie bobbie; bartholomew bartolomeo |
bart; beatrice beatrix beatriz | bea bee trixie; benjamin | ben benny benji; bernard bernhard
bernardo | bernie barney bernd; bertha | bertie; bradley | brad; bridget brigitte birgit | biddy
bridie gitte gitta; calvin | cal; cameron | cam; caroline carolyn karoline carolina | carrie caro
lina caz; catherine katherine katharine kathryn cathryn catharine katharina katarina catarina
caterina ekaterina kathrin | cathy kathy kate katie kat kitty cate katy kathi katja katya kathie
trina rina kati; cecilia | cissy celia; charles karl carlos carlo | charlie chuck chas charley
kalle; charlotte | lottie charlie lotte lotti; christian christiaan | chris christ kris; christine
christina kristin kristina christiane | chris tina chrissy chrissie kris kirsty christel;
christopher kristoffer christoph cristobal | chris kit topher kris stoffel; clifford clifton |
cliff; concepcion | concha conchita; constance | connie; cornelis cornelius | kees cor neil;
cynthia | cindy; daniel daniele | dan danny dani; deborah debra | deb debbie debby; denise | dee;
derek derrick theodoric | rick; dimitrios | dimitris mitsos dimi jimmy; dmitri dmitry dmitriy
dmytro | dima mitya; dolores | lola; domenico domingo | mimmo mingo; dominic dominik dominique |
dom nick; donald | don donnie; dorothy dorothea dorothee | dot dottie dolly dora thea doro;
douglas | doug; duncan | dunc; edith | edie; edmund edmond | ed ned ted; eduardo | edu lalo;
edward eduard edoardo | ed eddie ted ned teddy ward edi; edwin | ed eddie; eleanor eleonore elinor
leonora | ellie nell nellie nora lenore ella; elizabeth elisabeth elisabetta isabel | liz beth
betty lizzie eliza lisa libby betsy bess elsa elsie lisbeth ella lise lili lilly sissi sisi
lilibet liesl; emily emilia emma | em emmy millie; enrique | quique kike; ernest ernesto ernst |
ernie; esther hester | essie hettie; eugene evgeny yevgeny evgeni evgenii | gene zhenya; evelyn |
eve evie; federico | fede rico; felicity | flick fliss; ferdinand fernando | ferdi nando; florence
| flo florrie flossie; frances francesca francisca franziska francoise | fran frannie fanny cesca
franzi paca; francis francisco francesco franciscus frans franz francois | frank paco pancho
franco cesco kiko curro fran; frank franklin | frankie; frederick friedrich frederik frederic
federico | fred freddy fritz rick freddie; gabriel | gabe gab gabi; gabriele gabriella gabriela |
gabi gabby gaby ella; gareth | gary gaz; geoffrey jeffrey jeffery | geoff jeff; george georg
georgios jorge giorgio | georgie giorgos yorgos schorsch; georgina | gina georgie; gerald gerard
gerhard | gerry jerry gerd; gertrude gertrud | trudy gertie trudi; gilbert | gil bert; giovanni |
gianni vanni nino; giuseppe | beppe peppe pino peppino; grace | gracie; graham | gray; gregory
gregor | greg; guadalupe | lupe lupita; guillermo | memo; gwendolyn | gwen wendy; harold harald |
harry hal; harriet henriette | hattie harry jette; helen helena helene elena | nell nellie lena
ellie leni; hendrik | henk rik hein; henry heinrich henri enrico | harry hank hal heinz heini rico
heiner; herbert | herb bert bertie; hubert | hugh bert hubs; ignacio ignatius | nacho iggy;
ioannis johannes johann john giovanni jan | hans yannis giannis johnny jack jon hannes jannis
johan; ippolit | polya; irene | rene; isaac | ike zac; isabella isabelle isobel isabel | bella
izzy belle isa isabelita; ivan | vanya; jacob jakob | jake jack kobi cob; jacqueline | jackie
jacqui; james jacobus | jim jimmy jamie jem jas; jane janet jeanne | janie jenny jan jeannie;
jason | jay; jean-pierre | jeanpi; jennifer | jen jenny jennie; jeremy jeremiah | jerry jez;
jerome | jerry; jessica | jess jessie; jesus | chuy chucho suso; joan joanna johanna | jo joanie
hanna hanne; joaquin | quino chimo; john jonathan johnathan | johnny jack jock jon jonny nathan
john; jonathan jonathon | jon john nathan jonny; joseph josef jose giuseppe jozef | joe joey sepp
jos pepe beppe seppi jo josi pepito; josephine josefina | jo josie fina pepa finchen; joshua |
josh; judith | judy judi; julia juliana julie | jules juli; justin | jus; karl carl | charlie
kalle; kenneth | ken kenny; kimberly kimberley | kim; konstantin konstantinos constantin | kostas
kostya dinos; laurence lawrence lorenz lorenzo | larry lars laurie renzo lenz lorne enzo; leonard
leonardo leonhard | len leo lenny leon; leopold | leo poldi; lesley leslie | les; lillian lilian |
lily lil; louis luis ludwig luigi lewis | lou louie lutz gigi luigino wiggerl lew; louise luise
luisa | lou lulu; lucy lucia lucille | lu lucie; lydia | lyddie; madeleine madeline magdalena |
maddie maddy lena leni madge magda; manuel emmanuel | manny manolo manu manolito; manuela | manu
manuelita; margaret margarete margareta margherita marguerite margarita | maggie peggy meg greta
marge margie madge rita gretel grete meggie daisy peg gretchen; maria marie mary mariam | molly
polly mia mimi mitzi mary marichu mary mariechen maruja; marilyn | mary; mario | marietto; martha
| marty patty; martin | marty; matilda mathilde | tilly mattie tilda; matthew matthias mathias
matteo matthieu | matt matty matze hias; maureen | mo; maurice moritz mauricio | mo maury; maxim
maximilian maxwell | max maxi; melanie | mel; melissa | mel missy; michael mikhail michel miguel
michele | mike mick mikey misha micky michi mitch mischa migue; michelle | shelly; mildred |
millie; millicent | millie; mohammed muhammad mohamed | mo; montgomery | monty; nancy | nan;
natalia natalie nathalie | nat natasha tasha nata tally; natasha | tasha; nathan nathaniel | nat
nate; nicholas nikolaus nicolas nicola nikolai nikolay nikolaos nicolaas | nick nicky nico klaus
niko kolya colin claus nikos klaas nik; nicole | nicky nic; norman | norm; octavia octavius |
tavy; oliver | ollie olli; olga | olya; oscar | ossie; pamela | pam; pasquale | lino; patricia |
pat patty trish tricia patsy; patrick patricio patrizio | pat paddy rick; paul paulo pablo |
paulie; pavel | pasha; penelope | penny; peter petros pierre pedro pieter | pete piet perico;
philip phillip philippe philipp felipe filippo | phil pip fips pippo; philippa | pip pippa;
phyllis | phyl; priscilla | cilla; quentin | quinn; rachel rachael | rae ray; ralph rafael raphael
raffaele | rafe rafa raf raff lele; raymond raimund ramon | ray moncho; rebecca rebekka | becky
becca bex; reginald reinhold | reg reggie ron; richard ricardo riccardo | rick rich dick ricky
richie rico; robert roberto rupert | rob bob bobby robbie bert bertie robin beto; roderick rodrigo
| rod roddy rodri; rodney | rod; roger rogelio | rog; roland orlando | rolf rollo; ronald | ron
ronnie; rosa rose rosemary rosemarie | rosie romy rosi; rosario | charo; rudolph rudolf rodolfo |
rudi rudy rolf; russell | russ rusty; salvatore salvador | toto salva turi sal chava; samantha |
sam sammy; samuel samson | sam sammy; sarah sara | sally sadie sal; scott | scotty; sebastian
bastian sebastien | seb basti bastian sebi seba; sergei sergey sergio | serge seryozha checho;
sharon | shaz; shirley | shirl; sidney sydney | sid syd; silvester sylvester | sly; simon | si;
solomon | sol solly; sophia sofia sophie | sophie soph fia; stanley stanislaus stanislaw | stan
staszek; stephanie stefanie | steph stephie steffi; stephen steven stefan stephan esteban stefano
etienne | steve stevie steffen steff stef; susan susanna susannah susanne suzanne | sue susie suzy
sanna susi sanne suse; svetlana | sveta lana; sylvia silvia | syl silvi; tamara | tammy; tatiana
tatyana | tanya tanja; terence terrence | terry tel; theodore theodor teodoro | ted teddy theo;
theresa teresa therese | terry tess tessa tracy resi tere; thomas tomas tommaso | tom tommy thom
maso; timothy timotheus | tim timmy; ursula | uschi ulla; ulrich | uli ulli; ulrike | uli rike;
valentin valentine valentina valerie valeria | val; vanessa | nessa; veronica veronika veronique |
ronnie vera vero vroni; victor viktor | vic vick; victoria viktoria | vicky tori vic vicki;
vincent vincenzo vicente | vince vinnie enzo vin chente; virginia | ginny ginger; vivian vivienne
| viv; vladimir volodymyr | volodya vova vlad; walter walther | walt wally; wilfred wilfried |
wilf fred; wilhelm guillaume guglielmo | willi willy helmut bill will; wilhelmina | mina minnie
willa billie; william liam | bill will billy willie liam wills; winifred | winnie freda;
yekaterina ekaterina | katya katja; zachary zacharias | zach zack; anastasia | stacey nastya tasia
ana; aaron | ron ronnie; adam | ad; adrian adriano adrien | ade adi; alan allan allen | al;
alasdair alistair alastair | ali al; agnieszka | aga; aleksei alexei alexey oleksii | alyosha
lyosha alyoha; anneliese annelise | lisa liese anne; annemarie | anne mia; athanasios | thanasis;
boris | borya; brian bryan | bri; clarence | clare; clement clemens | clem; curtis | curt;
christophe | chris; daria | dasha; darren | daz; david davide | dave davey davy dai; diana | di;
eberhard | hardy; eileen | ellie; elaine | ellie; eleni | lena nitsa; elena yelena | lena helen;
ellen | ellie nell nellie; emmanouil | manolis; encarnacion | encarna; erzsebet | bozsi erzsi;
ethan | eth; eva | evie; evangelos | vangelis; fernanda | nanda; fiona | fi; frantisek | franta;
galina | galya; gaetano | tano; genevieve | ginette genny; georgia | georgie; georgios | giorgos
yorgos george; gerardus | gerrit gerard ger; gianluca | luca; gonzalo | gonza; gregorio | goyo;
grigory grigori | grisha; herman hermann | manni; hans-peter hanspeter | hape; hildegard | hilde
hilda; hugh hugo | hughie huey; ilya | ilyusha; irina | ira irka; istvan | pista pisti; jakub |
kuba; jan | janek honza; jiri | jirka; joachim | jochen achim jo; joao | joca; jordan | jordy;
jozsef | jozsi; juan | juanito juancho; juergen jurgen | jogi; kathleen | kathy kath katie kate
kay; katarzyna | kasia; katerina aikaterini | katia; krzysztof | krzysiek krzys; kristina | stina;
laszlo | laci; lazaros | lakis; lieselotte liselotte | lilo lotte; ludmila lyudmila | luda mila
lyuda; luciano | lucio; malcolm | mal; malgorzata | gosia malgosia; marcus markus marcos marco |
marc mark; marvin | marv; mercedes | merche; mitchell | mitch; montserrat | montse; nestor | tito;
nicanor | nico; nigel | nige; nikolaos | nikos; norbert | nobby bert; panagiotis | panos takis;
pilar | pili; piotr pyotr petr | petya piotrek petia; raffaele | lello; reinhard reinhardt | reini
hardy; remedios | reme; roman | roma; ruth | ruthie; sandor | sanyi; santiago | santi yago; semyon
| syoma; siegfried | sigi siggi; soledad | sole; spencer | spence; spyridon | spyros; stanislaw |
staszek stasiek; stuart stewart | stu stew; tabitha | tabby; tobias | toby tobi; tomasz | tomek;
trevor | trev; tyler | ty; vaclav | vasek venca; valentina | valya tina; vasily vasili | vasya;
vasileios | vasilis; vernon | vern; waltraud | traudl; wesley | wes; wilhelmus | wim willem;
willem | wim; wojciech | wojtek; wolfgang | wolf wolfi; yuri yury | yura; zbigniew | zbyszek;
antonius | ton toon anton; petrus | piet peter; johannes | joop hans jan; theodorus | theo;
jacobus | jaap ko koos; adrianus | adrie arie; hendrikus | henk hennie; catharina | toos rina;
maria | ria masha mariechen maruska; sofia | sonya; anna | anya anka anička; barbara | basia;
joanna | asia; andrzej | jedrek; aleksandra | ola; elisabeth | els betsie bep liesbeth ilse; jose
| ze pepito chepe; francisco | chico; fernando | nando; luis | lucho; rodolfo | fito; alfonso
alfonzo | fonso poncho; hernan | nano
"""
# given names of which one is no slip of the pen, nor another spelling, of the next
_MORE = """
mohammed mohammad muhammad mohamed ahmed ahmad ali hassan hasan hussein hussain husayn ibrahim
abdullah omar umar khaled khalid mahmoud mahmud mustafa yusuf said salem salim hamid karim rashid
nasser tariq tarek bilal hamza jamal kamal samir amir anwar akbar asif arif faisal imran irfan
chandra mohan rakesh rajesh ramesh suresh mahesh naresh mukesh dinesh ganesh umesh kamesh nilesh
hitesh jitesh ritesh anil sunil vinod pramod manoj sanjay ajay vijay anita sunita kavita savita
lalita amit sumit rohit mohit lalit ravi ravindra surendra mahendra narendra rajendra deepak dilip
lee scott marian marianne jean jeanne gene andrea andreas nicola nicolas nicole
"""
# pairs that are near, and each of a man and a woman, or of two languages that tell those so
_TWAINS = """
andrea andreas; nicola nicolas; jean jeanne; jean jane; marian maria; marian marion; gabriele
gabriel; simone simon; michele michel; daniele daniel; daniele daniela; dominique dominik; louis
louise; rene renee; pascal pascale; michel michelle; francis frances; martin martina; valerie valeri
"""
Call = Literal["pet", "cousins", ""]
"""`pet` where one word is called by the other, `cousins` where both are so called of one name."""


@lru_cache(maxsize=1)
def _nickname_tables() -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
    names: dict[str, set[int]] = {}
    pets: dict[str, set[int]] = {}
    for number, row in enumerate(_ROWS.split(";")):
        whole, _, short = row.partition("|")
        for table, listed in ((names, whole), (pets, short)):
            for name in listed.replace("ñ", "n").replace("č", "c").replace("-", "").split():
                table.setdefault(name, set()).add(number)
    frozen = [{name: frozenset(rows) for name, rows in table.items()} for table in (names, pets)]
    return frozen[0], frozen[1]


_NONE: frozenset[int] = frozenset()
_GIVEN = frozenset(_MORE.split())
_PAIRS = frozenset(frozenset(pair.split()) for pair in _TWAINS.split(";"))


def relate_nicknames(one: str, other: str) -> Call:
    """Return how two folded given names are names of one person, empty where they are not."""
    names, pets = _nickname_tables()
    one_pet, other_pet = pets.get(one, _NONE), pets.get(other, _NONE)
    if not (one_pet or other_pet):
        return ""
    if names.get(one, _NONE) & other_pet or names.get(other, _NONE) & one_pet:
        return "pet"
    return "cousins" if one_pet & other_pet else ""


def is_listed_given_name(word: str) -> bool:
    """Return whether a folded word is a given name of the table, or short for one."""
    names, pets = _nickname_tables()
    return word in names or word in pets


def is_same_given_name(one: str, other: str) -> bool:
    """Return whether two folded words are spellings of one given name of the table."""
    names, _pets = _nickname_tables()
    return bool(names.get(one, _NONE) & names.get(other, _NONE))


def is_given_name(word: str) -> bool:
    """Return whether a folded word is a well-known given name, be it one of families as well."""
    return word in _GIVEN or word in GIVEN_NAMES or is_listed_given_name(word)


def are_distinct_given_names(one: str, other: str) -> bool:
    """Return whether two folded given names are near, and known to be two people's."""
    return frozenset((one, other)) in _PAIRS
