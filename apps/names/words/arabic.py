"""Arabic given names that Latin letters bring close together: which spellings are of one name.

`Muhammad` and `Mohamed` are one name, `Mahmud` is another: in Arabic they differ by a letter that
Latin spelling shows by a vowel alone. A row is a name, in Latin letters as records have it, and
in Arabic behind the stroke. Where Latin letters cannot tell two names apart (`Hamid`, `Salim`,
`Kamel`) they are one row.
"""

from rigour.text import ascii_text

from apps.names.scripts.phonetics import ABJAD

_NAMES = """
muhammad mohammad mohammed mohamed mohamad muhammed muhamed muhamad mohammod mohamud | محمد
mahmoud mahmud mahmood mehmood mahmut mehmud | محمود
ahmed ahmad ahmet ahmd achmad | أحمد احمد
hamid hamed hameed hamied | حامد حميد
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


def _rows() -> dict[str, int]:
    found: dict[str, int] = {}
    for number, row in enumerate(_NAMES.strip().split("\n"), start=1):
        for name in row.replace("|", " ").split():
            spelt = name if name.isascii() else ABJAD + (ascii_text(name) or "").lower()
            # a spelling of two names tells neither
            found[spelt] = 0 if found.get(spelt, number) != number else number
    return found


_ROW_OF = _rows()
_ROW_OF_READ = {spelt.replace("?", ""): row for spelt, row in _ROW_OF.items()}


def same_name(one: str, other: str) -> bool:
    """Return whether two tokens are spellings of one Arabic name."""
    row = _ROW_OF_READ.get(one, 0)
    return bool(row) and row == _ROW_OF_READ.get(other, 0)


def others(one: str, other: str) -> bool:
    """Return whether two tokens, each a spelling of one Arabic name, are of two names."""
    row, second = _ROW_OF.get(one, 0), _ROW_OF.get(other, 0)
    return bool(row and second and row != second)
