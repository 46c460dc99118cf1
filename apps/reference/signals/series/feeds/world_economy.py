"""Files on the world's economy: euro area, commodities, trade, policy, debt, energy."""

from datetime import timedelta

from apps.reference.signals.series.definitions import DAY, US_PUBLIC_DOMAIN, Feed

CC_BY = "CC BY 4.0"
ECB = "European Central Bank, free reuse with the source named"
SERVICE = "https://data-api.ecb.europa.eu/service/data/"
SDMX = {"format": "csvdata", "detail": "dataonly"}
SDMX_DAY = {"day": "TIME_PERIOD"}
BONDS = "European Central Bank, long-term interest rates for convergence purposes"
EIA = {"api_key": "{key}", "frequency": "daily", "data[0]": "value", "length": "5000"}
NEWEST = {"sort[0][column]": "period", "sort[0][direction]": "desc"}


def _bond_feed(country: str, title: str) -> Feed:
    """Return the file of one country's bond yields: monthly averages."""
    return Feed(
        name=f"ecb-bonds-{country.lower()}",
        publisher="ECB",
        title=title,
        url=f"{SERVICE}IRS/M.{country}.L.L40.CI.0000.EUR.N.Z",
        query=SDMX,
        reader="csv",
        options=SDMX_DAY | {"form": "month"},
        licence=ECB,
        cite=BONDS,
        cadence="month",
        lag=12 * DAY,
        max_age=50 * DAY,
        least=250,
    )


def _spot_price_feed(name: str, title: str, path: str, series: str) -> Feed:
    """Return a file of daily spot prices of the US energy agency; asked with a free key."""
    return Feed(
        name=name,
        publisher="EIA",
        title=title,
        url=f"https://api.eia.gov/v2/{path}/data/",
        query=EIA | NEWEST | {"facets[series][]": series},
        reader="json",
        options={"day": "period", "value": "value", "error": "error", "says": "error"},
        licence=US_PUBLIC_DOMAIN,
        cite="US Energy Information Administration",
        cadence="business_day",
        calendar="US_FED",
        lag=7 * DAY,
        max_age=14 * DAY,  # a batch each Wednesday, and the holidays at the turn of the year
        least=1000,
        key="EIA_API_KEY",
        needs_key=True,
    )


def _debt_feed(name: str, title: str, indicator: str) -> Feed:
    """Return a file of the World Economic Outlook; its years to come are forecasts."""
    return Feed(
        name=name,
        publisher="IMF",
        title=title,
        url=f"https://www.imf.org/external/datamapper/api/v1/{indicator}/USA/GBR/JPN/EU",
        reader="json",
        options={"day": "@", "form": "year", "until": "last_year"},
        licence="IMF, reuse with attribution",
        cite="International Monetary Fund, World Economic Outlook",
        cadence="year",
        lag=120 * DAY,
        max_age=480 * DAY,
        least=20,
        every=timedelta(days=7),
        revises="whole_history",
    )


def _eu_governments_feed(name: str, title: str, item: str) -> Feed:
    """Return a file of what the European Union's governments owe or lack, of Eurostat."""
    return Feed(
        name=name,
        publisher="EUROSTAT",
        title=title,
        url="https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/gov_10dd_edpt1/"
        f"A.PC_GDP.S13.{item}.EU27_2020",
        query={"format": "SDMX-CSV"},
        reader="csv",
        options=SDMX_DAY | {"header": "DATAFLOW", "form": "year"},
        licence="European Union, reuse with the source named (decision 2011/833/EU)",
        cite="Eurostat, government deficit and debt (gov_10dd_edpt1)",
        cadence="year",
        lag=120 * DAY,
        max_age=500 * DAY,
        least=10,
        every=timedelta(days=7),
        revises="whole_history",
    )


FEEDS: tuple[Feed, ...] = (
    Feed(
        name="ecb-ciss",
        publisher="ECB",
        title="Composite indicator of systemic stress",
        url=f"{SERVICE}CISS/D.U2.Z0Z.4F.EC.SS_CIN.IDX",
        query=SDMX,
        reader="csv",
        options=SDMX_DAY,
        licence=ECB,
        cite="European Central Bank, CISS",
        cadence="business_day",
        calendar="TARGET",
        lag=3 * DAY,
        max_age=12 * DAY,
        least=4000,
        revises="recent",
    ),
    _bond_feed("IT", "Yields of Italian ten-year bonds"),
    _bond_feed("DE", "Yields of German ten-year bonds"),
    _spot_price_feed("eia-wti", "Oil, West Texas", "petroleum/pri/spt", "RWTC"),
    _spot_price_feed("eia-brent", "Oil, Brent", "petroleum/pri/spt", "RBRTE"),
    _spot_price_feed("eia-gas", "Natural gas, Henry Hub", "natural-gas/pri/fut", "RNGWHHD"),
    Feed(
        name="pink-sheet",
        publisher="WORLD BANK",
        title="Prices of commodities (Pink Sheet)",
        url="https://thedocs.worldbank.org/en/doc/74e8be41ceb20fa0da750cda2f6b9e4e-0050012026/"
        "related/CMO-Historical-Data-Monthly.xlsx",
        reader="xlsx",
        options={"sheet": "Monthly Prices", "names": "5", "form": "month"},
        licence=CC_BY,
        cite="World Bank, Commodity Price Data (The Pink Sheet)",
        cadence="month",
        lag=6 * DAY,
        max_age=40 * DAY,
        missing=frozenset({"", "…", "..", "..."}),
        least=500,
        revises="recent",
    ),
    Feed(
        name="nyfed-gscpi",
        publisher="NY FED",
        title="Global Supply Chain Pressure Index",
        url="https://www.newyorkfed.org/medialibrary/research/interactives/data/gscpi/"
        "gscpi_interactive_data.csv",
        reader="csv_vintages",
        licence="Free use with the source named",
        cite="Federal Reserve Bank of New York, Global Supply Chain Pressure Index",
        cadence="month",
        lag=8 * DAY,
        max_age=40 * DAY,
        missing=frozenset({"", "#N/A"}),
        least=280,
        revises="whole_history",
        agent="Mozilla/5.0 (compatible; compliance-oracle/1; reference data)",
    ),
    Feed(
        name="epu-daily",
        publisher="EPU",
        title="Economic policy uncertainty of the United States",
        url="https://www.policyuncertainty.com/media/All_Daily_Policy_Data.csv",
        reader="csv",
        options={"day": "year+month+day", "form": "parts"},
        licence="Baker, Bloom and Davis: to be cited; reported as CC BY 4.0",
        cite="Baker, Bloom and Davis, policyuncertainty.com",
        cadence="day",
        lag=2 * DAY,
        max_age=5 * DAY,
        least=12000,
        revises="recent",
    ),
    Feed(
        name="iacoviello-tpu",
        publisher="TPU",
        title="Trade policy uncertainty",
        url="https://www.matteoiacoviello.com/tpu_files/tpu_web_latest.xlsx",
        reader="xlsx",
        options={"sheet": "TPU_MONTHLY", "form": "sheet_month"},
        licence="Free use with the source cited",
        cite="Caldara, Iacoviello, Molligo, Prestipino and Raffo, trade policy uncertainty",
        cadence="month",
        lag=10 * DAY,
        max_age=60 * DAY,
        least=500,
        revises="whole_history",
    ),
    _debt_feed("imf-debt", "Gross debt of governments", "GGXWDG_NGDP"),
    _debt_feed("imf-balance", "Net lending of governments", "GGXCNL_NGDP"),
    _eu_governments_feed("eurostat-debt", "Gross debt of governments of the European Union", "GD"),
    _eu_governments_feed(
        "eurostat-balance", "Net lending of governments of the European Union", "B9"
    ),
    Feed(
        name="treasury-debt",
        publisher="TREASURY",
        title="Debt of the United States to the penny",
        url="https://api.fiscaldata.treasury.gov/services/api/fiscal_service/v2/accounting/od/"
        "debt_to_penny",
        query={"sort": "-record_date", "page[size]": "1000"},
        reader="json",
        options={"day": "record_date", "value": "tot_pub_debt_out_amt", "says": "message"},
        licence=US_PUBLIC_DOMAIN,
        cite="US Department of the Treasury, Debt to the Penny",
        cadence="business_day",
        calendar="US_FED",
        lag=2 * DAY,
        max_age=6 * DAY,
        revises="never",
    ),
    Feed(
        name="owid-energy",
        publisher="OWID",
        title="Electricity by country and year",
        url="https://owid-public.owid.io/data/energy/owid-energy-data.csv",
        reader="csv",
        options={"day": "year", "form": "year"},
        licence=CC_BY,
        cite="Our World in Data, Ember, Energy Institute",
        cadence="year",
        lag=180 * DAY,
        max_age=500 * DAY,
        least=20,
        every=timedelta(days=7),
        revises="whole_history",
        largest=50 * 1024 * 1024,
    ),
    Feed(
        name="worldbank-water",
        publisher="WORLD BANK",
        title="Freshwater withdrawn, share of available resources",
        url="https://api.worldbank.org/v2/country/WLD/indicator/ER.H2O.FWST.ZS",
        query={"format": "json", "per_page": "500"},
        reader="json",
        options={"day": "date", "form": "year", "value": "value", "says": "0.message"},
        licence=CC_BY,
        cite="World Bank, World Development Indicators",
        cadence="year",
        lag=400 * DAY,
        max_age=1500 * DAY,
        least=10,
        every=timedelta(days=7),
    ),
)
