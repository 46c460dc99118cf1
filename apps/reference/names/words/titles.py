"""Forms of address and degrees before a name that are not part of it."""

TITLES = """
mr, mrs, ms, miss, mx, messrs, m/s, dr, prof, professor, sir, dame, hon, honourable, the
honourable, the hon, right honourable, the right honourable, rt hon, his excellency, her
excellency, their excellencies, your excellency, excellency, h.e., h.e, hrh, h.r.h., his royal
highness, her royal highness, his highness, her highness, h.h., his majesty, her majesty, his
eminence, his holiness, his beatitude, his grace, his honour, her honour, rev, reverend, the
reverend, bishop, archbishop, pastor, rabbi, president, vice president, prime minister, deputy
prime minister, minister, deputy minister, foreign minister, defence minister, defense minister,
secretary of state, secretary, senator, governor, ambassador, consul, chairman, chairwoman,
chairperson, director, general director, managing director, chief executive, ceo, general, gen,
lieutenant general, lt gen, lt. gen, major general, maj gen, maj. gen, brigadier general, brig
gen, brig. gen, brigadier, colonel, col, lieutenant colonel, lt col, lt. col, major, maj, captain,
capt, lieutenant, lt, sergeant, sgt, admiral, adm, vice admiral, rear admiral, commodore,
commander, cdr, marshal, field marshal, engineer, eng, engr, ing, dipl.-ing, dipl. ing, advocate,
atty, attorney, herr, herrn, frau, herr dr, fräulein, firma, eheleute, familie, dkfm, monsieur,
madame, mme, mlle, mademoiselle, maître, société, son excellence, s.e., s.e.m., señor, sr, señora,
sra, señorita, srta, doña, dña, ing., licenciado, arq, excmo sr, excelentísimo señor, su
excelencia, senhor, senhora, dona, exmo sr, sua excelência, empresa, signor, sig, signora, sig.ra,
dott, dott.ssa, dottore, avv, avvocato, geom, cav, spett, spett.le, sua eccellenza, de heer, dhr,
mevrouw, mevr, drs, fru, frøken, herra, rouva, inż, mgr, prof., pán, paní, domnul, doamna, bayan,
sayın, bapak, tuan, encik, datuk, dato, tan sri, dato', shri, shree, smt, shrimati, kumari,
господин, г-н, г-жа, госпожа, гражданин, гр, тов, товарищ, доктор, генерал, полковник, пан, пані,
кириос, κύριος, κυρία, δρ, السيد, السيدة, الدكتور, المهندس, الأستاذ, سعادة, معالي, صاحب السمو,
سمو, فخامة, جلالة, العميد, العقيد, اللواء, الفريق, آقای, خانم, دکتر, مهندس
"""
