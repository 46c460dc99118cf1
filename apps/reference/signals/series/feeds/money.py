"""Files on money: rates of exchange and interest, prices, stress, stablecoins."""

from datetime import date, timedelta

from apps.reference.signals.series.definitions import DAY, US_PUBLIC_DOMAIN, Feed, Revises

BOARD = "Board of Governors of the Federal Reserve System, release "
FEDERAL = "https://www.federalreserve.gov/datadownload/Output.aspx"
CITED = "Free use with the source named"
PACKAGE = {"filetype": "csv", "label": "include", "layout": "seriescolumn", "type": "package"}
TREASURY = "https://home.treasury.gov/resource-center/data-chart-center/interest-rates/"


def _federal_reserve_feed(
    name: str, title: str, release: str, *, least: int, lag: int, weekly: bool = False
) -> Feed:
    """Return a whole release of the Federal Reserve Board: a ZIP with SDMX-ML in it."""
    return Feed(
        name=name,
        publisher="FED",
        title=title,
        url=FEDERAL,
        query={"rel": release, "filetype": "zip"},
        reader="sdmx_zip",
        licence=US_PUBLIC_DOMAIN,
        cite=f"{BOARD}{release[0]}.{release[1:]}",
        cadence="week" if weekly else "business_day",
        calendar="US_FED",
        lag=lag * DAY,
        max_age=13 * DAY,  # a week, its release, and holidays on both
        least=least,
        every=timedelta(hours=12),
        largest=64 * 1024 * 1024,
        patience=600,
    )


def labour_statistics_feed(
    name: str, title: str, series: str, *, cite: str, lag: int, revises: Revises
) -> Feed:
    """Return a file of one series of the US Bureau of Labor Statistics."""
    return Feed(
        name=name,
        publisher="BLS",
        title=title,
        url=f"https://api.bls.gov/publicAPI/v2/timeseries/data/{series}",
        query={
            "startyear": "{since_year}",
            "endyear": "{until_year}",
            "registrationkey": "{key}",
        },
        reader="json",
        options={
            "day": "year+period",
            "form": "bls",
            "value": "value",
            "status": "status=REQUEST_SUCCEEDED",
            "says": "message",
            "cut": "reduced",
        },
        licence=US_PUBLIC_DOMAIN,
        cite=cite,
        cadence="month",
        lag=lag * DAY,
        max_age=50 * DAY,
        least=12,
        every=timedelta(hours=12),
        overlap=3 * 365 * DAY,
        revises=revises,
        key="BLS_API_KEY",
        # ten calendar years at once and 25 requests a day without a key, twenty years with one
        window=9 * 365 * DAY,
        keyed_window=19 * 365 * DAY,
    )


FEEDS: tuple[Feed, ...] = (
    Feed(
        name="ecb-rates",
        publisher="ECB",
        title="Euro foreign exchange reference rates",
        url="https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A",
        query={
            "format": "csvdata",
            "detail": "dataonly",
            "startPeriod": "{since}",
            "endPeriod": "{until}",
        },
        reader="ecb_rates",
        licence="European Central Bank, free reuse with the source named",
        cite="European Central Bank, euro foreign exchange reference rates",
        cadence="business_day",
        calendar="TARGET",
        max_age=6 * DAY,
        revises="never",
        window=2 * 365 * DAY,
        begins=date(1999, 1, 4),
    ),
    Feed(
        name="treasury-rates",
        publisher="TREASURY",
        title="Treasury Reporting Rates of Exchange, by quarter",
        url="https://api.fiscaldata.treasury.gov/services/api/fiscal_service"
        "/v1/accounting/od/rates_of_exchange",
        query={
            "fields": "record_date,effective_date,country_currency_desc,exchange_rate",
            "filter": "record_date:gte:{since}",
            "sort": "effective_date,country_currency_desc",
            "page[size]": "10000",
            "format": "json",
        },
        reader="treasury_rates",
        licence=US_PUBLIC_DOMAIN,
        cite="US Department of the Treasury, Treasury Reporting Rates of Exchange",
        cadence="quarter",
        # they hold until those of the next quarter are out, some weeks after its end
        max_age=130 * DAY,
        every=timedelta(hours=24),
        # a rate is amended within its quarter, under the quarter's date
        overlap=200 * DAY,
    ),
    Feed(
        name="fed-h15",
        publisher="FED",
        title="Yields of US Treasury securities (H.15)",
        url=FEDERAL,
        query={
            "rel": "H15",
            # the Data Download Program's own id of this package of series
            "series": "bf17364827e38702b42a58cf8eaa3f78",
            "lastobs": "",
            **PACKAGE,
        },
        reader="csv",
        options={"header": "Time Period", "day": "Time Period"},
        licence=US_PUBLIC_DOMAIN,
        cite=BOARD + "H.15",
        cadence="business_day",
        calendar="US_FED",
        lag=2 * DAY,
        max_age=6 * DAY,
        least=5000,
    ),
    _federal_reserve_feed(
        "fed-h15-real", "Real yields of US Treasury securities (H.15)", "H15", least=4000, lag=2
    ),
    _federal_reserve_feed("fed-h10", "Indexes of the dollar (H.10)", "H10", least=3000, lag=6),
    _federal_reserve_feed(
        "fed-h41", "Assets of the Federal Reserve (H.4.1)", "H41", least=800, lag=2, weekly=True
    ),
    Feed(
        name="fed-ebp",
        publisher="FED",
        title="Excess bond premium and spread of corporate bonds",
        url="https://www.federalreserve.gov/econres/notes/feds-notes/ebp_csv.csv",
        reader="csv",
        options={"day": "date", "form": "month"},
        licence=US_PUBLIC_DOMAIN,
        cite="Favara, Gilchrist, Lewis and Zakrajsek, FEDS Notes, Federal Reserve Board",
        cadence="month",
        lag=10 * DAY,
        max_age=75 * DAY,
        least=500,
        revises="whole_history",
    ),
    Feed(
        name="treasury-yields",
        publisher="TREASURY",
        title="Par yields of the US Treasury, this year",
        url=TREASURY + "daily-treasury-rates.csv/{year}/all",
        query={
            "type": "daily_treasury_yield_curve",
            "field_tdr_date_value": "{year}",
            "_format": "csv",
        },
        reader="csv",
        options={"form": "american"},
        licence=US_PUBLIC_DOMAIN,
        cite="US Department of the Treasury, daily par yield curve rates",
        cadence="business_day",
        calendar="US_FED",
        max_age=6 * DAY,
    ),
    Feed(
        name="ofr-fsi",
        publisher="OFR",
        title="Financial Stress Index",
        url="https://www.financialresearch.gov/financial-stress-index/data/fsi.csv",
        reader="csv",
        licence=US_PUBLIC_DOMAIN,
        cite="Office of Financial Research, OFR Financial Stress Index",
        cadence="business_day",
        calendar="US_FED",
        lag=3 * DAY,
        max_age=7 * DAY,
        least=5000,
        revises="whole_history",
    ),
    Feed(
        name="chicago-nfci",
        publisher="CHICAGO FED",
        title="National Financial Conditions Index",
        url="https://api.data.chicagofed.org/NFCI/nfci-data-series-csv.csv",
        reader="csv",
        options={"day": "Friday_of_Week", "form": "american"},
        licence=CITED,
        cite="Federal Reserve Bank of Chicago, National Financial Conditions Index",
        cadence="week",
        lag=6 * DAY,
        max_age=12 * DAY,
        least=2500,
        revises="whole_history",
    ),
    Feed(
        name="cboe-vix",
        publisher="CBOE",
        title="Volatility index VIX",
        url="https://cdn.cboe.com/api/global/us_indices/daily_prices/VIX_History.csv",
        reader="csv",
        options={"day": "DATE", "form": "american"},
        licence="Cboe: showing or passing on the level needs a licence",
        cite="Cboe Global Indices, VIX",
        cadence="business_day",
        calendar="US_MARKETS",
        lag=2 * DAY,
        max_age=6 * DAY,
        least=5000,
        opt_in=True,
    ),
    Feed(
        name="fred-t10y2y",
        publisher="FRED",
        title="Yield curve as FRED has it, by your own key and consent",
        url="https://api.stlouisfed.org/fred/series/observations",
        query={"series_id": "T10Y2Y", "api_key": "{key}", "file_type": "json"},
        reader="json",
        options={"day": "date", "value": "value"},
        licence="FRED terms of use forbid storing without written consent",
        cite="Federal Reserve Bank of St. Louis, FRED",
        cadence="business_day",
        calendar="US_FED",
        lag=2 * DAY,
        max_age=6 * DAY,
        least=5000,
        key="FRED_API_KEY",
        needs_key=True,
        opt_in=True,
    ),
    labour_statistics_feed(
        "bls",
        "Consumer prices of the United States",
        "CUUR0000SA0",
        cite="US Bureau of Labor Statistics, CPI-U (BLS.gov cannot vouch for the data after it "
        "was retrieved)",
        lag=16,
        revises="never",
    ),
    labour_statistics_feed(
        "bls-lumber",
        "Producer prices of lumber",
        "WPU081",
        cite="US Bureau of Labor Statistics, PPI commodity data",
        lag=18,
        revises="recent",
    ),
    Feed(
        name="cleveland-nowcast",
        publisher="CLEVELAND FED",
        title="Inflation nowcast, year on year",
        url="https://www.clevelandfed.org/-/media/files/webcharts/inflationnowcasting/"
        "nowcast_year.json",
        reader="charts",
        licence=CITED,
        cite="Federal Reserve Bank of Cleveland, Inflation Nowcasting",
        cadence="business_day",
        gapless=False,  # of each month it has the last nowcast alone
        calendar="US_FED",
        lag=2 * DAY,
        max_age=10 * DAY,
        revises="recent",
    ),
    Feed(
        name="defillama-stablecoins",
        publisher="DEFILLAMA",
        title="Stablecoins: prices and amounts in circulation",
        url="https://stablecoins.llama.fi/stablecoins",
        query={"includePrices": "true"},
        reader="json",
        licence="DefiLlama, with attribution; commercial terms not published",
        cite="DefiLlama",
        cadence="minutes",
        lag=timedelta(0),
        every=timedelta(minutes=30),
        max_age=2 * DAY,
        revises="recent",
    ),
    Feed(
        name="defillama-gold",
        publisher="DEFILLAMA",
        title="Price of a token backed by an ounce of gold",
        url="https://coins.llama.fi/prices/current/coingecko:pax-gold",
        reader="json",
        options={"form": "seconds"},
        licence="DefiLlama, with attribution; commercial terms not published",
        cite="DefiLlama, coingecko:pax-gold",
        cadence="minutes",
        lag=timedelta(0),
        every=timedelta(hours=1),
        max_age=2 * DAY,
        revises="recent",
    ),
)
