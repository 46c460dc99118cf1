"""Very common given and family names, by culture. Data, our own from usage.

One of each does not identify a person: every large town has several of that name. A name is looked
up by its sound, so that one spelling covers all that sound alike.
"""

from functools import cache

from apps.reference.names.scripts.phonetics import ABJAD, consonant_skeleton, fold_sounds
from apps.reference.names.words.word_classes import PERSON_NAMES

_LEAST_WITH_ARTICLE = 7  # letters
_COMMON = """
abbas abdallah abdel abdi abdo abdul abdullahi abed abu adel adnan ahmad akbar akram alam ali
alavi
alawi amin amir amiri ammar anwar aref asghar ashraf asim aslam awad ayman ayub aziz
azizi babaei badr bagheri bahram bakr barakat bashir bilal chaudhry darwish daud ebrahimi eid
ezzat fadel fahad fahim faisal farah faraj farhan farid farooq farouk fathi fawzi fayez ghaffar
ghasemi ghani ghorbani habib habibi haddad hadi hafez haidar hakim hakimi hamad hamdan hameed
hamza hani haque harun hasani hashem hashemi hatem haydar heidari hosseini hosseinzadeh hoda huda
hussaini ibrahimi idris imran iqbal isa ismail issa jabbar jaber jabir jafar jafari jalal jalali
jamal jamali jamil jassim javad jawad kabir kamal kamali kamil karam karimi kassem kazem kazemi
khalaf khalifa khalil khalili khatib khoury latif luqman mahdi mahdavi mahmoudi majed majid malek
maleki mansour mansoor marwan masood masoud mehdi mirza moghaddam mohammadi mohamud mohsen
mojtaba mokhtar moradi morteza mosa mostafa mousavi mubarak mujahid mukhtar munir murad murtaza
musa musavi muslim nabil nader naderi nadir naeem najafi najjar naji najib naqvi naser nasir
nasiri nassar nawaz nazari nazir nizar noor noori nour osman othman qadir qasem qasim qureshi
rabia
radi rafiq rahim rahimi rahman rahmani rajab ramadan ramzi rasheed rashidi rasool rauf reza rezaei
riad riaz rizvi rostami sabah saad sabri sadeghi sadiq saeed saeedi safi sajjad salah salahuddin
salam saleh salehi salman sami samir sattar sayed shafi shah shahid shakir shams sharif sharifi
shaikh siddiqui sohrabi soltani suleiman sultan syed taha taheri tahir talal talib tariq tavakoli
tawfiq akbari akhtar asgari khatibi khattab qasemi shaheen tahiri zahedi zahiri usman wael wahid
waleed walid wasim yahya yaqub yasin yaser yassin younes younis yousef
yousefi yunus zadeh zaid zaki zaman zarei zayed zia ziad zubair
qahtani zahrani ghamdi otaibi utaybi shammari harbi dosari mutairi maliki juhani shehri asiri
rashidi enezi anazi subaie tamimi dulaimi jubouri obeidi ubaydi azzawi samarrai tikriti masri
halabi hamawi homsi shami baghdadi
acar akin aksoy arslan aslan ates aydin bayram bulut can celik cetin demir dogan erdogan fatma
gunes hatice kaplan kara kaya keskin kilic koc kurt mehmet ozcan ozdemir ozturk polat sahin simsek
tekin unal yavuz yildirim yildiz yilmaz
abraham aharon amar ariel asher avi avraham azoulay baruch ben biton chaim cohen dahan dan dov
eitan eli elias eliyahu esther friedman gabay gal goldberg haim hadad itzhak katz klein levi levy
malka menachem mizrahi moshe natan ohana ohayon peretz rachel reuven rosenberg sara sarah shalom
shapiro shimon shlomo shmuel tal uri vaknin weiss yaakov yair yehuda yitzhak yosef zvi
acosta aguilar aguirre alonso alvarado alvarez arias avila benitez blanco cabrera campos cardenas
carrillo castillo castro chavez contreras cordero correa cortes cruz delgado diaz dominguez duarte
escobar espinoza estrada fernandez figueroa fuentes gallardo gallego garrido gil gimenez gomez
guerra guerrero gutierrez guzman herrera hidalgo ibarra iglesias jimenez juarez lara leon lozano
luna maldonado marin marquez medina mejia mendez mendoza molina montero montes mora morales moreno
munoz navarro nunez ochoa orozco ortega ortiz pacheco padilla parra pena pineda ponce quintero
ramos
reyes rios rivas rivera robles rojas roman romero rosales rosario rubio ruiz salas salazar salinas
sanz santana santiago serrano solis soto suarez trujillo valdez valencia vargas vasquez vazquez
vega
velasco velasquez vera vidal villa villanueva zamora zapata zuniga
jose angel armando enrique esteban guadalupe guillermo hector hugo ignacio jaime josefina leticia
miguel oscar pablo patricio ramon raul ricardo rigoberto rodrigo salvador sergio victor yolanda
almeida alves andrade araujo azevedo barbosa barros batista borges cardoso carvalho coelho costa
cunha dias esteves faria ferreira fonseca freitas goncalves joao lima lopes machado marques
martins
matos melo mendes monteiro moreira mota nascimento nunes oliveira pereira pinto pires ribeiro
rocha rodrigues sousa souza tavares teixeira vieira
bianchi bruno colombo conti costa deluca esposito ferrari fontana gallo greco lombardi mancini
marino moretti rizzo romano rossi russo santoro
bauer becker fischer hoffmann klein koch kruger lange meyer neumann richter schmidt schneider
schroder schulz schwarz wagner weber werner wolf zimmermann bernard bonnet dubois durand fournier
girard lambert laurent lefebvre leroy mercier moreau morel petit roux simon vincent
adams allen anderson baker campbell carter clark collins cooper davis edwards evans green hall
harris hill hughes jackson jenkins kelly king lewis martin mitchell moore morgan morris murphy
nelson parker phillips roberts robinson rogers ross scott stewart taylor thompson turner walker
ward watson white wilson wood wright young
abramov aleksandrov aleksandrova alekseev andreev antonov bogdanov bondarenko boyko egorov fedorov
filippov fomin frolov golubev gusev ilyin ivanenko ivanova kalinin kiselev kovalenko kovalev
kovalchuk kozlov kozlova krylov kuzmin kuznetsov kuznetsova lebedev makarov maksimov markov
mikhailov morozov morozova nikitin nikolaev novikov novikova orlov osipov pavlov petrenko petrova
polyakov popov popova romanov semenov sergeev shevchenko sidorov smirnov smirnova sokolov
sokolova solovyov sorokin stepanov tarasov titov tkachenko vasiliev vasilyev vinogradov volkov
volkova vorobyov yakovlev zaitsev zakharov aleksey alexei anatoly anton artem boris denis evgeny
ekaterina galina gennady grigory irina kirill konstantin ksenia larisa leonid lyudmila maksim
maxim
marina nikita nina pavel petr roman ruslan stanislav stepan svetlana timur vadim valentin valery
vasily vyacheslav yevgeny yulia
jankowski kaminski kowalczyk kowalski kozlowski krawczyk lewandowski nowak piotrowski szymanski
wisniewski wojcik zielinski horvat jovanovic kovac kovacevic markovic milosevic nikolic novak
pavlovic petrovic popovic savic stojanovic
agarwal ahluwalia anand arora banerjee bhatt bhattacharya bose chakraborty chandra chatterjee
chopra
choudhury das desai devi dey ghosh goel iyer jain jha joshi kapoor kaur lal mahajan malhotra mehta
menon mishra mukherjee nair pandey pillai prasad rai raj ram rani rao ray reddy roy saha saxena
sen
sethi shukla sinha srivastava thakur tiwari varma verma yadav begum bibi hossain islam khatun mia
miah sarkar uddin
cao cai chang chao cheng chin chou chow chu cui deng ding dong du fan fang feng fu gan han hao
hong
hsu huo jia jiang jin kong lai lau leung liang liao lu luo mao meng mo ng ni pan peng qian qiao
qin
qiu ren shao shen shi song su tan tang tao tian tsai tsang wei wen weng wong xia xiao xie xiong
yan
yao ye yin yu yuan zeng zheng zhong zhou zou wei fang min jing li lei jun yang yong jie juan tao
ming chao xiulan ping gang hui hua ying xin yan hong bin bo chun dan feng guang hai jian jianguo
kai lan ling long mei na ning peng qiang qing rong rui shan wenjie xiang xiaoming yi yun zhen zhi
ahn bae baek cha chun chung gwon ha hwang hyun im jang jeon jo ju ko koo kwak lim min moon nam noh
oh
paik ryu seo shim sim sohn son song suh woo yeo yi yim yoo yu yun
bui cao dang dao dinh do duong ha hoang ho huynh luong ly mai ngo phan phung ta to trinh truong
van vo
vu vuong
abebe adebayo adeyemi afolabi agus asfaw ayu bekele budi dewi diallo getachew girma haile hartono
kamara kariuki keita kipkorir kone kurniawan kusuma maina mensah mohamud mwangi ndiaye ngugi
njoroge
nugroho nur ochieng odhiambo ojo okafor okeke okoro olawale omondi ouattara owusu prasetyo pratama
purnama putra putri rahayu saputra sari setiawan siregar sow susanto suryanto tesfaye toure traore
utomo wahyudi wanjiku wati wibowo widodo wijaya yusof zulkifli
ahmadi ahmadzai afridi barakzai durrani ghulam gul hotak jan khattak noorzai popal rasuli stanikzai
wardak yousafzai
aung aye ei hla hlaing hnin htay htet htoo htun htut khaing khin ko kyaw kyi lin lwin maung min moe
mu mya myint myo naing nay nwe nwin nyein nyunt oo phyo sandar san sein soe swe than thandar thant
thein thet thida thiha thin thura tin tun wai win wunna ye yee zarni zaw zin
chol guk gwang hak hwa hyon il jong kuk kwang kyong myong nam ok ryong sik sok sop su suk sun
ung uk ho yong
aarti abhishek ajay akash alok amit anil anita anjali arjun arun asha ashok bharat chaudhary deepak
dinesh geeta gopal harish kamala kavita kiran krishna lakshmi madan mahesh manish manoj meena mohan
mukesh neha nitin pooja pradeep prakash pramod priya rahul rajendra rajesh rajiv rakesh ramesh ravi
rekha sandeep sanjay sanjeev santosh satish seema shanti shyam sita sonia suman sunil sunita suresh
sushil usha vijay vikas vikram vinod vivek biswas mondal majumdar agrawal bansal mittal reddy naidu
abubakar adamu aliyu amina asha aden adan bello danjuma fadumo garba halima hadiza haruna hauwa
hodan isah isse jama lawal maryam maryan rabi safiya sahra sani shehu umar warsame yakubu yahaya
yusuf zainab abdirahman abdullahi fowsia ifrah nur sheikh
dragan zoran milan nikola marko stefan jovan petar milos goran dusan nenad slobodan dejan luka
branko nebojsa djordjevic ilic stankovic ristic zivkovic simic todorovic lazic kostic jankovic
mitrovic kovacic babic
oleksandr andriy serhiy volodymyr mykola vasyl yuriy dmytro mykhailo ihor oleh bohdan taras petro
yaroslav anatoliy melnyk kravchenko oliynyk shevchuk koval polishchuk tkachuk savchenko marchenko
rudenko moroz lysenko ponomarenko
georgi dimitar hristo yordan stoyan atanas krasimir plamen georgiev dimitrov hristov stoyanov
todorov iliev atanasov angelov marinov kolev kostov nikolov
akhmetov omarov ospanov ibragimov aliyev suleimenov kasymov akhmedov nurgaliyev yusupov karimov
musayev ismailov mammadov hasanov huseynov guliyev abdullayev rahimov saidov nazarov sharipov
umarov tursunov
ansari paredes griffin olsson zafar raza shahzad asadi diab karami gholami abbasi mirzaei timofeev
mironov moyo jianping weihua maric peric matic jovic nesterov dehghan farhad saleem naveed kashif
rehman aslam bhatti cheema chowdhury hossein mohsin mohsen karic persson svensson nilsson
gustafsson jonsson jansson hansen olsen larsen jensen nielsen pedersen christensen haugen murray
murphy kennedy sullivan ferrero conti vitale leone parisi messina
andres paola pilar carmen ana laura marta cristina daniela camila valentina sofia lucia julio cesar
rolando orlando gustavo edgar german alfonso ernesto rafael arturo alberto eduardo fernando jorge
alejandro alejandra diana claudia sandra monica adriana teresa isabel elena beatriz rocio andrea
veronica natalia carolina mauricio fabian hernan wilson jairo alvaro ruben javier dario emilio
federico gerardo joaquin leonardo lorenzo marcelo mariana nicolas osvaldo rene rodolfo sebastian
tomas sosa montoya franco aviles rincon cano velez osorio giraldo cardona flores trevino
palacios salgado benavides bermudez calderon carvajal cervantes cisneros davila duran galindo galvan
gamboa leal lugo macias miranda murillo naranjo nava ordonez peralta quiroz rangel rendon saenz
salcedo sandoval
segura sepulveda tapia toledo tovar uribe valenzuela villarreal zambrano zarate
ricci giordano rinaldi barbieri serra caruso ferrara gatti conte
nacer hamdi amri janabi saadi hashimi ayad benali bouzid trabelsi cherif slimani belkacem gharbi
khelifi brahimi ziani amrani alaoui tazi bennani idrissi benyahia saidi hamidi bakri obaidi jumaili
ubaidi kindi balushi marri mansoori shamsi mazrouei nuaimi suwaidi kaabi zubaidi
noureddine abdelkader yacine ayoub rachid hocine mourad sofiane kadhim osama ghazi nadia
medvedev medvedeva belov komarov baranov borisov gerasimov danilov zhukov kirillov matveev maslov
osokin belyaev kazakov efimov denisov gromov melnikov shcherbakov blinov kolesnikov karpov afanasyev
vlasov isaev tikhonov aksenov gavrilov rodionov kotov gorbunov kudryavtsev bykov zuev tretyakov
savelyev gulnara aigul dinara nurlan serik yerzhan bolat askar marat daniyar arman aizhan saule
joko santoso hidayat gunawan hendra eko sri fitri siti nurul azman faizal norhayati rohani azizah
salleh razak bakar zakaria hussin
bautista ocampo mercado aquino villanueva santos reyes marilou teresita
fatima fatemeh zeinab zahra sakineh narges leila parvin shirin nasrin farhad behzad hamideh
mahmoudzadeh rezaie fatema ayesha nadia sana hina shazia saima bibi nusrat rukhsana hanan huda
salma mona amal souad suad wafa hind rim noura munira latifa khadija samira
"""


@cache
def _common_sounds() -> frozenset[str]:
    return frozenset(fold_sounds(name) for name in (*_COMMON.split(), *PERSON_NAMES))


@cache
def _common_skeletons() -> frozenset[str]:
    return frozenset(consonant_skeleton(name) for name in (*_COMMON.split(), *PERSON_NAMES))


def is_common_name(word: str) -> bool:
    """Return whether very many people bear a given or family name, in lower case, as it sounds.

    A word from a script without vowels (`phonetics.ABJAD`) is one that may be written for such a
    name; an Arabic article may be run together with it (`Alzahrani`).
    """
    if word.startswith(ABJAD):
        return consonant_skeleton(word) in _common_skeletons()
    if fold_sounds(word) in _common_sounds():
        return True
    with_article = word.startswith("al") and len(word) >= _LEAST_WITH_ARTICLE
    return with_article and fold_sounds(word.removeprefix("al")) in _common_sounds()
