"""Main towns of countries under a comprehensive programme or a call for action. Pure data.

An address often ends with its town. These are towns whose name no larger town elsewhere has, as
spelt in English, the country's language and the languages of payments; the gazetteer of countries
has few of them. Compiled by hand from the usual names in atlases.
"""

from functools import cache

_TOWNS = {
    "CU": """havana, la habana, habana, ciudad de la habana, la havane, havanna, l avana, гавана,
        哈瓦那, 夏灣拿, ハバナ, 아바나, هافانا, santiago de cuba, сантьяго де куба, camaguey,
        holguin, cienfuegos, pinar del rio, varadero, bayamo, guantanamo, mariel, matanzas""",
    "IR": """tehran, teheran, tahran, tegeran, tehrān, téhéran, teerao, тегеран, 德黑兰, 德黑蘭,
        テヘラン, 테헤란, تهران, طهران, isfahan, esfahan, ispahan, исфахан, اصفهان, أصفهان,
        mashhad, mashad, meshed, мешхед, مشهد, tabriz, tebriz, табриз, тебриз, تبریز, تبريز,
        shiraz, шираз, شیراز, شيراز, karaj, кередж, کرج, qom, ghom, кум, قم, ahvaz, ahwaz, ахваз,
        اهواز, bandar abbas, бендер аббас, بندرعباس, بندر عباس, bushehr, bushire, бушер, بوشهر,
        kermanshah, керманшах, کرمانشاه, orumiyeh, urmia, урмия, ارومیه, rasht, решт, رشت,
        zahedan, захедан, زاهدان, hamadan, hamedan, хамадан, همدان, yazd, йезд, یزد, kerman,
        керман, کرمان, arak, арак, اراک, ardabil, ардебиль, اردبیل, abadan, абадан, آبادان, qazvin,
        казвин, قزوین, zanjan, зенджан, زنجان, bandar imam khomeini, asaluyeh, عسلویه""",
    "KP": """pyongyang, pyeongyang, p yongyang, phyongyang, pjongjang, pyong yang, piongyang,
        pionyang, pyongyang city, пхеньян, 平壤, 平壌, ピョンヤン, 평양, 평양시, بيونغ يانغ,
        پیونگ یانگ, hamhung, хамхын, 함흥, 咸兴, 咸興, chongjin, чхонджин, 청진, 清津, nampo,
        нампхо, 남포, 南浦, wonsan, вонсан, 원산, 元山, sinuiju, синыйджу, 신의주, 新义州, 新義州,
        kaesong, кэсон, 개성, 开城, 開城, sariwon, rason, rajin, haeju, kanggye, hyesan""",
    "MM": """yangon, rangoon, rangun, янгон, рангун, 仰光, ヤンゴン, 양곤, يانغون, ရန်ကုန်,
        naypyidaw, naypyitaw, nay pyi taw, nay pyi daw, нейпьидо, 内比都, 奈比多, ネピドー, 네피도,
        နေပြည်တော်, mandalay, мандалай, 曼德勒, マンダレー, 만달레이, မန္တလေး, mawlamyine,
        mawlamyaing, moulmein, моламьяйн, taunggyi, myitkyina, sittwe, pathein""",
}


@cache
def countries_by_town() -> dict[str, str]:
    """Return the country, ISO 3166-1, of each town by its name as it is written here."""
    return {
        " ".join(name.split()): country
        for country, names in _TOWNS.items()
        for name in names.split(",")
    }
