"""Everyday words by which companies everywhere call themselves: they tell hardly anybody apart.

General knowledge: qualities, colours, nature, animals, gods and heroes, shops and trades, Greek
letters and names of stars, in the languages in which companies are named.
"""

from apps.reference.names.words.word_classes import KIND_WORDS

_QUALITIES = """
able absolute access active adept advance advanced advantage agile allied ambition apex ascend
aspire assured atlas authentic basic beacon best better bold bonus brave bright brilliant capable
care central century certain champion choice civic classic clean clear clever complete concept
concord concorde connect consensus constant cool core creative crest cross crown custom daily dear
deluxe digital direct diverse divine dream dynamic dynasty early eager easy effective efficient
elegant element elemental elements elite eminent endeavour endeavor energetic enigma envision epic
equal essence essential essentials eternal ethical evolution exact excel excellence excellent
exclusive expert experts express extra fair fairway faith famous fast festive fidelity fine first
flash flex flexible focus force foremost forever fortune forward free freedom fresh friend friends
friendly fun fusion future galaxy genesis genius gentle genuine gift glad glorious glory good
goodwill grand great happy harmony haven heritage hero high holy home honest honour honor hope
horizon humble icon ideal idea ideas imagine impact imperial impulse independence independent
infinite infinity initiative insight inspire integral integrity intelligent interactive intersection
joy junior just keen key kind king kings kingdom knight leader leaders leading legacy legend legion
liberty life light limit link live logic lotus love loyal luck lucky luxury magic magnum majestic
major master matrix maximum merit meta metro million miracle mission mobile model modern modus
momentum monarch motion multi mutual mystic nation native natural new next nexus noble nobility
normal nova novel nucleus oasis omni open optimal optimum optimus option oracle orbit origin
original pact palace paradise paragon paramount passion patriot peace peak perfect performance
phenomenon pilot pinnacle pioneer pioneers planet platform plus point polaris popular portal
positive power practical precise precision premier premium prestige pride prima primary prime prince
princess principal priority pristine pro profit progress prominent promise proper prospect prosper
prosperity proud provident prudent pulse pure quality quantum quest quick quiet radiant rapid rare
ready real reality regal regency regent reliable reliance renaissance renown resolute reward rich
right rising rocket royal sacred safe sage saint select senior senses serenity shine shining signal
signature silent simple single smart smooth social solid solo sonic soul source sovereign spark
special spectrum speed spirit splendid sprint standard step sterling strategic strategy strength
strong style sublime success summit sunny sunrise sunset superb superior super supreme sure swift
symphony synergy target team titan token top total touch tower tradition tranquil treasure triumph
true trust truth ultimate ultra union unique unison united unity universal universe upper urban
utopia valor valour value vanguard vantage variety vector velocity venture versatile vertex victor
victory vigor vintage virtue vision visionary vista vital vivid voyage warm wealth welcome wellness
whole wise wisdom wonder wonderful worthy young zenith zest zone
"""
_COLOURS_AND_NATURE = """
amber aqua azure black blue bronze brown coral crimson cyan ebony emerald gold golden gray green
grey indigo ivory jade lavender lime maroon navy olive orange pearl pink platinum purple red ruby
sapphire scarlet silver teal topaz turquoise violet white yellow acorn alpine arctic autumn
avalanche bamboo bay beach birch blossom breeze brook canyon cascade cave cedar cherry chestnut clay
cliff cloud clover coast coastal comet copper corner cosmos cove creek crystal cypress dawn delta
desert diamond dune dusk earth east eastern eclipse elm everest evergreen falls fern field fields
fire flame flora flower flowers forest fountain frost garden gardens glacier glade gorge granite
grass grove gulf harbor harbour hawthorn heather heights highland hill hills horizons ice iris iron
island isle ivy jasmine jungle lagoon lake lakeside land laurel leaf lightning lily magnolia maple
marble marina marine meadow meadows melon meteor metal mint mist moon moonlight moss mountain
mountains nature north northern oak oaks ocean oceanic oceans orchard orchid pacific palm palms park
path peach pebble pepper pine pines planet plum pole pond prairie quartz rain rainbow reef ridge
river rivers riverside rock rocks rocky rose roses rush sand sands savanna sea season seaside shade
shadow shell shore silk sky skyline snow solar south southern spring springs star starlight stars
steel stone stones storm stream summer sun sunflower sunlight sunshine surf terra thunder tide
timber tree trees tropic tropical tulip tundra twilight valley vine volcano water waters waterfall
wave waves west western wild willow wind winds winter wood woods antelope bear beaver bee bird
buffalo bull butterfly camel cat cheetah cobra condor crane deer dog dolphin dove dragon eagle
eagles elephant falcon fish flamingo fox gazelle gull hawk heron horse jaguar kangaroo kestrel
kingfisher koala leopard lion lions lynx mammoth monkey mustang nightingale osprey otter owl panda
panther peacock pegasus pelican penguin phoenix pigeon puma rabbit ram raven robin salmon scorpion
seal shark sparrow stallion stork swallow swan tiger tigers turtle unicorn viper whale wolf zebra
"""
_NAMES_THAT_ALL_KNOW = """
achilles adonis aegis aeon ajax alpha apollo aquarius aries ariel artemis athena atlantis atlantic
aurora avalon bella beta centaur ceres cleopatra columbia cosmo cupid diana dione eden eldorado
electra elysium eos equinox eros eureka europa excalibur galactic gamma gemini hades helios hera
hercules hermes hydra hyperion icarus janus juno jupiter kappa lambda leo libra luna magellan marco
mars maya mercury mermaid minerva mira nautilus neptune nike nirvana odin odyssey olympia olympic
olympus omega omicron orion osiris pandora perseus pharaoh pluto poseidon prometheus ra regulus rex
sahara samson saturn scorpio sigma sirius sol solaris sparta spartan sphinx stella taurus tempo
theta thor trident triton troy ulysses uranus vega venus vesta virgo vulcan zeta zeus zodiac
"""
_TRADES = """
academy accessories advertising agencies air antiques apparel appliances architects architecture art
artisan arts atelier auction audio auto bags bakery bakers bar barber bath batteries beauty bed beer
beverage beverages bike bikes biotech bistro boat boats body book books bookshop boutique box brand
brands brew brewery brewing bricks broker brokers brokerage builder builders building bus butcher
cab cable cafe cake cakes camera camp candle candy car cards cargo carpet carpets carriers cars cart
cash catering cement ceramics charter chef chicken chocolate cinema cleaners cleaning clinic clothes
clothing coaching coffee coin collection commodities component components computer computers
confectionery construct contractors contracting cook cooking copy cosmetics cotton courier crafts
crew cruise cruises cuisine cycles dairy dance data deal dealer dealers decor delivery dental
dentist detail diner display doctor doner door doors dress dresses drill drink drinks dry egg eggs
electrician elevator engine engines event events eye fabric fabrics factory farm farms farming
fashion fence film films filter fishing fitness floor floors florist food foods footwear forwarding
foto framing freight fruit fruits fuel furniture gallery game games gaming garage garment garments
gas gear gems generator gifts glass grain graphics grill grocery grocer guard guest guide gym hair
hairdresser handbags hardware heating herbal herbs hosting hostel hotels hub hygiene inn interior
interiors jeans jet jewel jewellers jewels juice kebab kids kitchen kitchens lamp laundry lawyers
leather lighting limousine linen liquor lounge lumber lunch machines mall market markets marketplace
mart massage materials mattress meat metals milk mill mills mineral minerals mode motel motorcycle
motors movers movie moving museum music nails news nursery nursing nut nuts oils optic optical
optics organic outdoor outlet packaging paint painting paints paper parcel parking parts party pasta
pastry pets pharmacies photo photography pictures pipe pipes pizza pizzeria plastic plastics plumber
plumbing poultry press print printers printing protein pub publisher publishers publishing pump
pumps radio rent rental rentals repair repairs restaurants retail rice robotics roofing rubber rugs
sales salon salt seafood seed seeds sewing ship ships shirt shoe shoes shop shops shopping sign
signs skin snacks soap software spa spare spices spice sport sports staffing stationery stationers
store stores storage studio studios sugar supermarket surgery sushi sweets swim table tailor
tailoring tank tanker tankers tattoo taxi tea textile textiles theatre theater tickets tile tiles
tire tires tobacco tool tools tour tourism tours toy toys tractor traders training transit
translation travel travels truck trucking trucks tubes tutor tyre tyres uniform uniforms vegetables
vehicles video villa villas waste watch watches wear web wedding welding wellness wheels wholesale
window windows wine wines wire wireless workshop workshops yacht yachts yard yoga
"""
_ELSEWHERE = """
agua alba alegria alianza alma amanecer amigo amigos andina arena aurora azul bahia barato bello
blanco bonita bravo bueno campo canal casa central cielo ciudad claro condor corona costa cristal
dorado edificar elemento esmeralda esperanza espiritu estrella estrellas excelencia familia feliz
flor flores fortuna fuego fuente fuerza futuro gloria gracia grande hermosa hogar ideal imperial
isla jardin joya justicia leon libertad lider luna luz madera mar mejor mercado moda monte mundo
negro nueva nuevo nuevas occidente optima optimo oriente oro oceano oceanos palma paz pesca piedra
plata playa portal primavera progreso puerto reina rey rio rojo rosa salud santa selva sierra sol
solidaridad sonrisa tierra torre trabajo triunfo unica unico unidas unidos union valle verano verde
viento viva vida bleu bonne bon chateau ciel coeur etoile fleur lumiere maison mer monde nouveau
nouvelle rouge soleil terre vert vie alt berg blau blume burg erde feuer freiheit fuchs gold grun
haus heim himmel licht meer neu nord nordstern ost platz rot schwarz see sonne sonnen stadt stein
stern sud tal wald wasser weiss welt acqua bella fiore fuoco mare mondo sole stella terra vita
sputnik mir zarya zvezda vostok sever sokol rodina soyuz vesna luch orel impuls garant konstanta
standart progress start sfera forum resurs gorizont fakel vympel rubin almaz amal amana aman amin
amir baraka barakat falah fajr hayat hilal huda ihsan iman jadid kamal karam khair khalij madina
majd manar manara medina najm nahda najah nasr nima noor nour nur qamar rahma rahmah rahmat rahat
raja rayan risala saada sabah safa safwa sahel salam salama salamah sama shams sharq shifa taj taqwa
tawfiq thuraya wafa wahda yaqeen zahra zaman ziyad arya parsa pars sepehr setareh aftab aria asia
africa america arabia
"""
# trades in other languages, beside those that the library of senses has
_TRADES_ELSEWHERE = """
dis ithalat ihracat insaat nakliyat gida tekstil otomotiv turizm kimya makina importadora
exportadora importaciones exportaciones construcciones distribuidora comercializadora agropecuaria
spedition handelsgesellschaft torgovlya torgovyi torgovy stroitelnaya stroitelnyi promyshlennaya
panaderia ferreteria abarrotes taller talleres farmacia carniceria zapateria papeleria fruteria
peluqueria lavanderia backerei baeckerei metzgerei autohaus apotheke tischlerei boulangerie
boucherie pharmacie epicerie panificio farmacia macelleria pekara apteka magazin kuafor eczane
toko warung costruzioni trasporti perdagangan bazargani sherkat tijara tijarah muqawalat trgovina
"""
EVERYDAY_WORDS = frozenset(
    (
        _QUALITIES
        + _COLOURS_AND_NATURE
        + _NAMES_THAT_ALL_KNOW
        + _TRADES
        + _ELSEWHERE
        + _TRADES_ELSEWHERE
    ).split()
)
"""Words of which a name may consist wholly, and still be that of very many companies."""
TRADE_WORDS = frozenset((_TRADES + _TRADES_ELSEWHERE).split())
"""Of those the words that say what a business does: no person is called by them."""
BUSINESS_WORDS = TRADE_WORDS | KIND_WORDS
"""Words that say what a company does or what kind of body it is."""
