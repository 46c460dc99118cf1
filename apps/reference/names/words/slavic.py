"""Given names that Russians, Ukrainians and Belarusians spell each in their way: `Oleg`, `Oleh`."""

_NAMES = """
oleg oleh aleh
vladimir volodymyr volodimir uladzimir wladimir
sergei sergey sergej sergii serhii serhiy serhij siarhei syarhey siarhiej
igor ihor ihar
nikolai nikolay nikolaj mykola mikola mikalai
dmitri dmitry dmitriy dmitrij dmytro dmitro dzmitry
aleksandr alexander alexandr aleksander oleksandr olexandr aliaksandr alyaksandr
aleksei alexei alexey aleksey oleksii oleksiy oleksij aliaksei alyaksey
andrei andrey andrii andriy andrij
mikhail michail mykhailo mikhailo mykhaylo mikhas
evgeny yevgeny evgenii evgeniy yevgeniy yevgenii yevhen evhen yauhen jauhen
gennady gennadiy gennadii hennadii hennadiy henadz
grigory grigoriy grigorii hryhorii hryhoriy ryhor
georgy georgiy georgii georgi heorhii heorhiy heorgii
vasily vasiliy vasilii vasyl vasil
pavel pavlo paval
petr pyotr piotr petro piatro
fyodor fedor fiodor fedir fiodar
ilya ilia illia illya
konstantin kostiantyn kostyantyn kanstantsin
maxim maksim maksym
viktor victor viktar
vitaly vitaliy vitalii vital
vyacheslav viacheslav viachaslau vyachaslau
yuri yury yuriy yurii iurii juri jurij
nikita mykyta mikita
kirill kyrylo kirilo kiryl
gleb hlib
bogdan bohdan bahdan
egor yegor yehor yahor
timofei timofey tymofii tsimafei
filipp filip pylyp
elena yelena olena alena
olga olha volha
ekaterina yekaterina kateryna katsiaryna
galina halyna halina
natalia natalya nataliya nataliia natallia
tatiana tatyana tetiana tetyana tatsiana
svetlana svitlana sviatlana
nadezhda nadiia nadiya nadzeya
lyudmila ludmila liudmila lyudmyla liudmyla
irina iryna
marina maryna
margarita marharyta
evgenia yevgenia yevheniia yauheniya
oksana aksana
"""
_ROW_OF = {name: number for number, row in enumerate(_NAMES.split("\n")) for name in row.split()}


def slavic_name_row(token: str) -> int:
    """Return the number of the name that a token is a spelling of, 0 where it is none."""
    return _ROW_OF.get(token, 0)
