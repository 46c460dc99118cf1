"""Spellings of frequent Arabic, Persian and Urdu given and family names.

`Muhammad` and `Mohamed` are one name, `Mahmud` is another: in Arabic they differ by a letter that
Latin spelling shows only by a vowel. A row is a name, in Latin letters as in records, and in Arabic
after the bar. Names that Latin letters cannot distinguish (`Hamid`, `Salim`, `Kamel`) are one row.
Family names are without their article. Our own, from usage.
"""

from collections.abc import Iterator

from rapidfuzz.distance import OSA
from rigour.text import ascii_text

from apps.reference.names.scripts.phonetics import ABJAD, fold_sounds

_VOWELLESS = str.maketrans("", "", "aeiou")
_NAMES = """
muhammad mohammad mohammed mohamed mohamad muhammed muhamed muhamad mohammod mohamud | محمد
mahmoud mahmud mahmood mehmood mahmut mehmud | محمود
ahmed ahmad ahmet ahmd achmad | أحمد احمد
hamid hamed hameed hamied | حامد حميد حمید
hamad | حمد
hamdi hamdy hamdee | حمدي
hammad | حماد
hamdan | حمدان
omar umar omer oumar umer omr | عمر
amir ameer emir amer aamir | أمير امیر امير عامر
ammar amar | عمار
amr amro amrou | عمرو
imran emran omran umran | عمران
hasan hassan hasen | حسن
hassaan hassane | حسان
husain hussain hussein husayn hossein hosein hussien husein houssein hossain | حسين حسین
ali aly | علي علی
alaa ala | علاء
khalid khaled khalled | خالد
khalil khaleel | خليل خلیل
khalaf | خلف
said saeed saied saiid | سعيد سعید
saad sad | سعد
salim salem saleem selim | سالم سليم سلیم
salam | سلام
salman salmaan | سلمان
sulaiman suleiman sulayman soleiman sulayman suleyman soliman | سليمان سلیمان
salih saleh | صالح
salah salaah | صلاح
nasir nasser naser nassir nasseer | ناصر نصير
nasr | نصر
rashid rasheed rached rachid raschid | راشد رشيد رشید
rashad | رشاد
karim kareem | كريم کریم
karam | كرم
jamal gamal jamaal djamal djamel | جمال
jamil jameel gamil djamil | جميل جمیل
kamal kemal kamaal kamil kamel kameel camil | كمال کمال كامل کامل
tariq tarek tareq tarik tarique | طارق
yusuf youssef yousef yousuf yusef youcef yousif youssouf youseff | يوسف یوسف
yunus younis younes yunis younus | يونس یونس
yasin yassin yaseen yassine | ياسين یاسین
yasir yasser yaser | ياسر یاسر
ismail ismael esmail ismaeel | إسماعيل اسماعيل اسماعیل
faisal faysal feisal faysul | فيصل فیصل
fadl fazl | فضل
fadil fadel fazil fadhel fadhil | فاضل
fahd fahad | فهد
fahim faheem | فهيم فهیم
farid fareed | فريد فرید
faruq farouk farooq faruk farouq | فاروق
majid majed majeed | ماجد مجيد مجید
hashim hashem hachem | هاشم
hisham hesham hicham | هشام
hatim hatem | حاتم
habib habeeb | حبيب حبیب
bilal belal bilel | بلال
bashir basheer bachir beshir | بشير بشیر
bashar bachar | بشار
basim basem bassem | باسم
bassam | بسام
walid waleed oualid | وليد ولید
ziad ziyad zeyad | زياد زیاد
zaid zayd zeid | زيد زید
zayed | زايد
zahir zaher zaheer | زاهر ظاهر
samir sameer | سمير سمیر
sami samy | سامي
sabir saber | صابر
sabri sabry | صبري
sadiq sadeq sadek | صادق
tahir taher | طاهر
talib taleb | طالب
talal | طلال
usama osama ousama oussama usamah osamah | أسامة اسامة
uthman othman usman ousmane osman | عثمان
adil adel | عادل
anas | أنس
anis anees | أنيس
asim assem asem | عاصم
azim azeem | عظيم
aziz azeez | عزيز عزیز
azzam | عزام
jabir jaber gaber | جابر
jabbar | جبار
jafar jaafar jaffar gaafar | جعفر
jalal djalal galal jalaal | جلال
jalil jaleel | جليل جلیل
latif lateef | لطيف لطیف
lutfi lotfi lutfy | لطفي
malik malek maalik | مالك
masud masoud massoud mesud | مسعود
murad mourad morad | مراد
munir mounir moneer muneer | منير منیر
mansur mansour mansoor mansor | منصور
mazin mazen | مازن
musa moussa mousa | موسى
mustafa moustafa mostafa mustapha mostapha | مصطفى
nabil nabeel | نبيل نبیل
nadir nader nadeer | نادر
nadim nadeem | نديم
najib najeeb nagib | نجيب
naji nagi | ناجي
qasim qassem kassem qasem kasim kassim | قاسم
rafiq rafeeq rafik | رفيق
rahim raheem | رحيم رحیم
rahman rehman | رحمن
rauf raouf | رؤوف
wasim waseem | وسيم
wael wail | وائل
"""

# further frequent names, of families too, by which a word without vowels is read
_FURTHER = """
sayed sayyid sayyed seyed syed seyyed saiyed | سيد سید
shahid shaheed | شهيد شاهد شهید
abbas abas | عباس
abdullah abdallah abdulla abdellah abdoullah | عبدالله
ibrahim ebrahim ibraheem brahim | إبراهيم ابراهيم ابراهیم
jassim jasim jasem | جاسم
haidar haider haydar heidar hyder | حيدر حیدر
kazim kazem kadhim kadhem kazimi kathim | كاظم کاظم
mahdi mehdi | مهدي مهدی
jawad javad jawed | جواد
javed jawid javid | جاوید جاويد
rida reza ridha redha raza | رضا
ghulam gholam golam | غلام
nur noor nour nor | نور
gul gol | گل
akbar | أكبر اکبر
asghar asgar | أصغر اصغر
iqbal eqbal | إقبال اقبال
aslam | أسلم اسلم
akhtar akhter akter | أختر اختر
shah | شاه
khan | خان
sheikh shaikh shaykh cheikh sheik | شيخ شیخ
butt bhatt | بٹ
chaudhry chaudhary choudhury chowdhury chaudary chaudhri | چوہدری چودھری
qureshi quraishi koreshi | قریشی قريشي
siddiqui siddiqi seddiqi sediqi siddique | صديقي صدیقی
bhatti | بھٹی
raja raaja | راجہ
mir meer | مير میر
fatima fatma fatemeh fatimah fatema fatme fatouma | فاطمة فاطمه
zaynab zainab zeinab zeynab zineb | زينب زینب
maryam mariam meryem miriam | مريم مریم
aisha ayesha aicha aysha aishah | عائشة عائشہ
khadija khadijah khadijeh | خديجة خدیجه
zahra zohra zahraa | زهرا زهراء
sara sarah | سارة ساره سارا
layla leila laila leyla | ليلى لیلا لیلی
amina aminah amineh | أمينة امینه
mona muna | منى
huda hoda houda | هدى هدی
salma selma | سلمى سلمی
amal | أمل امل
hind hend | هند
nadia nadiya nadya | نادية نادیه
samira sameera | سميرة سمیرا سمیره
malika | مليكة
hanan hanane | حنان
iman eman imane | إيمان ايمان ایمان
latifa lateefa latifah | لطيفة لطیفه
munira mounira | منيرة منیره
noura nora nura | نورة
rim reem | ريم
shaykha sheikha shaikha | شيخة
masoumeh masuma | معصومه
sakineh sakina | سکینه سكينة
parvin parwin parveen | پروین
soraya thuraya suraya | ثريا ثریا
sana thana | ثنا
hina heena | حنا
amin ameen emin | أمين امين امین
amini ameeni | امینی أميني
ayyub ayoub ayub ayoob | أيوب ايوب ایوب
hamza hamzah hamzeh | حمزة حمزه
harun haroun haroon | هارون
idris idriss edris | إدريس ادريس ادریس
ishaq eshaq isaac ishak | إسحاق اسحاق
yaqub yaqoub yakub yaghoub | يعقوب یعقوب
yahya yahia yehia | يحيى یحیی
dawud daoud dawood davood daud | داود داوود
isa issa eissa essa | عيسى عیسی
zakaria zakariya zakariyya | زكريا زکریا
abdulrahman abdelrahman abdurrahman abdulrehman | عبدالرحمن عبدالرحمان
abdulqadir abdelkader abdulkader abdulqader | عبدالقادر
abdulaziz abdelaziz | عبدالعزيز عبدالعزیز
abdulkarim abdelkarim abdulkareem | عبدالكريم عبدالکریم
nuruddin noureddine nooruddin nuruldin | نورالدين نورالدین
sultan soltan | سلطان
saud soud saoud | سعود
badr bader badar | بدر
turki torki | تركي ترکی
mishal mishaal meshal | مشعل
nayef naif nayif | نايف نایف
khamis khamees | خميس خمیس
jumaa juma gomaa jomaa | جمعة جمعه
rajab rejab ragab | رجب
ramadan ramazan ramzan ramadhan romdhane | رمضان
shaaban shaban chaabane | شعبان
eid aid | عيد عید
haddad hadad | حداد
khoury khuri khouri | خوري
masri misri elmasri | مصري مصری
nassar nasar | نصار
najjar nagar naggar | نجار
hajjar hajar | حجار
qahtani kahtani | قحطاني قحطانی
ghamdi ghamidi | غامدي غامدی
otaibi utaybi oteibi utaibi | عتيبي
shammari shamari shamri shammary | شمري
harbi | حربي
dosari dossari dawsari dosary dossary | دوسري
mutairi mutayri mteiri | مطيري
zahrani zahrany | زهراني زهرانی
shehri shahri shihri | شهري شهری
maliki malki | مالكي مالکی
anazi enezi anzi anezi | عنزي
subaie sbeai subaiei | سبيعي
hajri hajeri | هاجري
kaabi kabi | كعبي کعبی
mansouri mansoori mansuri | منصوري منصوری
balushi balooshi baluchi | بلوشي بلوشی
shamsi | شامسي
ameri amiri amri amery | عامري عامری أميري امیری
kindi kendi | كندي
marri murri | مري
jubouri jaburi jabouri juburi jubori | جبوري
obaidi ubaydi ubaidi obeidi obaidy | عبيدي
dulaimi dulaymi dolaimi | دليمي
tamimi tameemi | تميمي تمیمی
rubaie rubaiee rubayi rabii rabiei | ربيعي
khafaji khafagi | خفاجي
musawi mousavi mousawi musavi moosavi | موسوي موسوی
samarrai samaraie samarai | سامرائي
azzawi azawi | عزاوي
zubaidi zubaydi zubeidi | زبيدي
himyari homairi | حميري
omari umari | عمري
hakimi hakeemi | حكيمي حکیمی
hasani hassani | حسني حسنی
husseini hosseini hussaini husayni hoseini hussini | حسيني حسینی
alawi alaoui alavi | علوي علوی
idrissi edrissi idrisi | إدريسي ادریسی
tazi | تازي
trabelsi tarabulsi | طرابلسي
fassi fasi | فاسي
hamidi hameedi | حميدي حمیدی
mohammadi muhammadi mohamadi mohammedi | محمدي محمدی
ahmadi ahmedi | أحمدي احمدی
rezaei rezai rezaee rezaie | رضایی رضائي رضائی
moradi muradi | مرادی مرادي
karimi kareemi | کریمی كريمي
jafari jaafari jafary | جعفری جعفري
hashemi hashimi | هاشمی هاشمي
sadeghi sadiqi sadeqi | صادقی صادقي
rahimi rahimy | رحیمی رحيمي
ebrahimi ibrahimi | ابراهیمی إبراهيمي
heydari haidari heidari haydari | حیدری حيدري
ghasemi qasemi qasimi | قاسمی قاسمي
akbari | اکبری أكبري
soltani sultani | سلطانی سلطاني
zarei zaree zarai | زارعی
nouri noori nuri | نوری نوري
sharifi shareefi | شریفی شريفي
azizi | عزیزی عزيزي
safi | صافی صافي
ahmadzai ahmadzay | احمدزی
stanikzai stanekzai stanakzai | ستانکزی استانکزی
noorzai nurzai | نورزی
barakzai | بارکزی
yousafzai yusufzai yosufzai | یوسفزی یوسفزئی
wardak vardak | وردک
popal | پوپل
haqqani haqani | حقاني حقانی
rahmani rehmani | رحماني رحمانی
"""


# given names of men that are women's with `-a` behind them; of others that makes no woman's name
# (Hausa `Haruna` is Harun)
_MEN_AND_WOMEN = """
adil amin amir aziz basim fahim farid habib hafiz hakim halim hamid jalil jamil karim khalid khalil
latif majid malik munir nabil nadir naim najib nasim nasir rafiq rahim rashid sabir sadiq said salih
salim samir shahid shakir sharif tahir wahid wasim zahir
"""
_OF_WOMEN_TOO = frozenset(_MEN_AND_WOMEN.split())
_FAMILY_ENDINGS = ("i", "y", "ee", "ie")
_WOMEN_ENDINGS = ("a", "ah", "eh")
_SHORTEST_STEM = 4
_ALI = frozenset({"ali", "aly"})
# Hausa and Somali write the given name so, and no family is called by it
_GIVEN_NAMES_IN_I = frozenset({"abdullahi", "abdulahi", "abdallahi"})


def _number_spellings(table: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, row in enumerate(table.strip().split("\n"), start=1):
        for name in row.replace("|", " ").split():
            spelt = name if name.isascii() else ABJAD + (ascii_text(name) or "").lower()
            # a spelling of two names tells neither
            found[spelt] = 0 if found.get(spelt, number) != number else number
    return found


def _strip_foreign_marks(rows: dict[str, int]) -> dict[str, int]:
    """Return the rows by spellings as tokens have them, without a mark for what Latin lacks."""
    found: dict[str, int] = {}
    for spelt, row in rows.items():
        token = spelt.replace("?", "")
        found[token] = 0 if found.get(token, row) != row else row
    return found


_ROW_OF = _number_spellings(_NAMES)
_ROW_OF_READ = _strip_foreign_marks(_ROW_OF)
_FREQUENT = _strip_foreign_marks(_number_spellings(_NAMES + _FURTHER.strip()))
_SPELLINGS: dict[int, list[str]] = {}
for _spelt, _row in _FREQUENT.items():
    if _row and _spelt[0] != ABJAD:
        _SPELLINGS.setdefault(_row, []).append(fold_sounds(_spelt))


def is_same_arabic_name(one: str, other: str) -> bool:
    """Return whether two tokens are spellings of one Arabic name."""
    row = _ROW_OF_READ.get(one, 0)
    return bool(row) and row == _ROW_OF_READ.get(other, 0)


def are_different_arabic_names(one: str, other: str) -> bool:
    """Return whether two tokens, each a spelling of one Arabic name, are of two names."""
    # by the spellings as written: a token that lost a letter in transliteration proves nothing
    row, second = _ROW_OF.get(one, 0), _ROW_OF.get(other, 0)
    return bool(row and second and row != second)


def is_derived_arabic_name(one: str, other: str) -> bool:
    """Return whether one of two tokens is a given name and the other is formed from it.

    A family name is formed with `-i` (`Mohammadi` of Muhammad), a woman's name with `-a` (`Amina`
    of Amin): other people bear it than bear the given name.
    """
    return _is_derived_from(one, other) or _is_derived_from(other, one)


def _is_derived_from(derived: str, given: str) -> bool:
    if derived in _GIVEN_NAMES_IN_I or (
        _FREQUENT.get(derived) and _FREQUENT.get(derived) == _FREQUENT.get(given)
    ):
        return False
    return any(_is_same_given_name(stem, given) for stem in _stems_of(derived))


def _stems_of(derived: str) -> Iterator[str]:
    """Yield the given names from which a name may be formed by its ending."""
    for ending in (*_FAMILY_ENDINGS, *_WOMEN_ENDINGS):
        stem = derived.removesuffix(ending)
        if stem == derived or len(stem) < _SHORTEST_STEM:
            continue
        if ending in _FAMILY_ENDINGS or _is_of_women_too(stem):
            yield stem


# the same names for look-ups: their rows of frequent names, and how they sound
_ROWS_OF_WOMEN_TOO = frozenset(_FREQUENT[name] for name in _OF_WOMEN_TOO if name in _FREQUENT)
_SOUNDS_OF_WOMEN_TOO = frozenset(map(fold_sounds, _OF_WOMEN_TOO))
_RARE_SOUNDS_OF_WOMEN_TOO = frozenset(
    fold_sounds(name) for name in _OF_WOMEN_TOO if not _FREQUENT.get(name)
)


def _is_of_women_too(stem: str) -> bool:
    row, sounds = _FREQUENT.get(stem), fold_sounds(stem)
    if row:
        return row in _ROWS_OF_WOMEN_TOO or sounds in _RARE_SOUNDS_OF_WOMEN_TOO
    return sounds in _SOUNDS_OF_WOMEN_TOO


def is_arabic_given_name(token: str) -> bool:
    """Return whether a Latin token is a frequent given name, and not one formed for families."""
    return is_frequent_arabic_name(token) and (token in _ALI or not token.endswith(("i", "y")))


def _is_same_given_name(one: str, other: str) -> bool:
    row, second = _FREQUENT.get(one, 0), _FREQUENT.get(other, 0)
    if row and second:
        return row == second
    # names of other languages have such endings in spellings of one name (`Georgi`, `Georg`)
    known = row or second or {one, other} & _OF_WOMEN_TOO
    return bool(known) and fold_sounds(one) == fold_sounds(other)


def is_frequent_arabic_name(token: str) -> bool:
    """Return whether a token is a spelling of one of these names, with its article or without."""
    return _FREQUENT.get(_strip_arabic_article(token)) is not None


def is_arabic_reading_of(unvowelled: str, latin: str) -> bool | None:
    """Return whether a word without vowels represents a Latin one; None if undecidable.

    A frequent name is read in the spellings of that name, or with one different vowel.
    """
    bare = _strip_arabic_article(unvowelled)
    row, other = _FREQUENT.get(bare, 0), _FREQUENT.get(latin, 0)
    if row and other:
        return row == other
    if not row:
        return None
    fold = fold_sounds(latin)
    bones = fold.translate(_VOWELLESS)
    return any(
        fold == one or (bones == one.translate(_VOWELLESS) and OSA.distance(fold, one) <= 1)
        for one in _SPELLINGS[row]
    )


def _strip_arabic_article(unvowelled: str) -> str:
    """Return a token without the article, unless the whole token is a name."""
    if unvowelled in _FREQUENT or not unvowelled.startswith(f"{ABJAD}al"):
        return unvowelled
    return ABJAD + unvowelled[3:]
