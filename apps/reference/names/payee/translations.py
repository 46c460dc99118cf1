"""Words of companies and towns as languages call them, which the general dictionary lacks. Data.

Written by us; a row is one word in several languages, folded.
"""

from functools import cache

_ROWS = """
university universitat universite universidad universidade universita universiteit universitet
uniwersytet universitatea universitesi univerzita;
insurance versicherung versicherungs assurance assurances seguros assicurazioni verzekering
verzekeringen forsikring forsakring ubezpieczenia;
school schule ecole escuela escola scuola skola szkola;
hospital krankenhaus spital hopital ospedale ziekenhuis sygehus sjukhus szpital klinikum;
church kirche eglise iglesia igreja chiesa kerk kirke kyrka kosciol;
railway railways bahn bahnen eisenbahn ferrocarriles ferrovie spoorwegen;
association verein asociacion associacao associazione vereniging forening stowarzyszenie;
bank banque banco banca;
geneva geneve genf ginevra; zurich zuerich; munich munchen muenchen; cologne koln koeln;
vienna wien; rome roma; milan milano; turin torino; naples napoli; florence firenze;
venice venezia; prague praha; warsaw warszawa; lisbon lisboa; copenhagen kobenhavn;
moscow moskva; brussels bruxelles brussel; basel basle bale; bern berne; lucerne luzern;
antwerp antwerpen anvers; ghent gent gand; gothenburg goteborg; athens athina; seville sevilla
"""


@cache
def _row_of_word() -> dict[str, int]:
    rows = enumerate(_ROWS.split(";"))
    return {word: number for number, row in rows for word in row.split()}


def are_translations(one: str, other: str) -> bool:
    """Return whether two folded words are one in two languages."""
    table = _row_of_word()
    return one in table and table[one] == table.get(other)
