//! A list of data: abbreviations by language, and words that open sentences. Lower case, without the last stop.

/// How an abbreviation behaves before a capital letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Abbreviation {
    /// Never ends a sentence: a name or an example follows.
    Leading,
    /// Ends one when a typical first word of a sentence follows.
    Either,
    /// Only an abbreviation before a number.
    BeforeNumber,
}

/// One language: leading, either, before a number.
type Row = (&'static str, &'static str, &'static str, &'static str);

/// `*` holds in every language.
const TABLE: &[Row] = &[
    (
        "*",
        "dr prof mr mrs ms messrs vs cf viz e.g i.e eg ie ca approx gen col capt sgt rev hon ed eds trans transl ph.d ing",
        "al inc ltd co corp jr sr st mt ft dept est univ assn bros u.s u.k u.n e.u u.s.a d.c a.m p.m b.c a.d op cit ibid",
        "no nos p pp vol vols fig figs ch sec sect art arts eq eqs tab app jan feb mar apr jun jul aug sep sept oct nov dec",
    ),
    (
        "en",
        "lt maj cmdr adm gov sen rep pres supt mme mlle dist",
        "ave blvd rd hwy min max avg govt",
        "ver ref para",
    ),
    (
        "de",
        "hr fr fa frl dipl mag bzw vgl z.b d.h u.a o.ä s.o s.u i.d.r z.t v.a bspw sog ggf evtl inkl exkl insb geb gest hrsg verf \
         jh bd str tel mio mrd dt engl frz lat griech röm ev kath allg bes gem gegr ehem zzgl abzgl max min mind u.u o.g n.chr v.chr \
         a.d i.a z.zt m.e w.o",
        "usw usf etc ff gmbh e.v",
        "nr abs abb art kap s bd ziff jan feb mrz apr aug sept okt nov dez",
    ),
    (
        "fr",
        "m mm mme mmes mlle mlles me mgr st ste p.ex c.-à-d env av boul bd éd coll dir trad",
        "etc j.-c apr",
        "n° art chap fig p pp vol janv févr avr juil sept oct nov déc",
    ),
    (
        "es",
        "sr sra srta d dña dr dra ud uds lic ing p.ej ej aprox av avda c pág ee.uu gral sto sta",
        "etc s.a",
        "núm art cap vol fig págs pág ene feb abr ago sept oct nov dic",
    ),
    (
        "it",
        "sig sig.ra dott dott.ssa ing avv prof on p.es ad.es es cfr sec ca s.p.a",
        "ecc",
        "n pag art cap fig vol",
    ),
    ("pt", "sr sra dr dra exmo exma p.ex ex av eng prof profa", "etc ltda s.a", "n.º nº pág art cap fig vol"),
    (
        "nl",
        "dhr mw mevr drs ir ing bijv bv o.a d.w.z m.b.t t.a.v i.v.m ca vgl resp mr jhr",
        "enz etc n.v",
        "nr blz art hfst fig",
    ),
    ("sv", "t.ex bl.a d.v.s s.k dr prof ca resp jfr", "m.m o.s.v osv m.fl", "nr s kap fig kl"),
    ("da", "f.eks bl.a dvs ca dr prof hr fr jf", "osv m.m m.fl", "nr s kap fig kl"),
    ("no", "f.eks bl.a dvs ca dr prof hr fr jf", "osv m.m m.fl", "nr s kap fig kl"),
    ("fi", "esim ts ns mm prof tri n", "jne ym yms", "nro s"),
    (
        "pl",
        "np m.in tzn tj prof dr mgr inż hab im ul al św ks gen płk wg ok pt tzw ww zob por red",
        "itd itp r w",
        "nr s str art rys poz ust",
    ),
    ("cs", "např tj tzn tzv mgr ing dr prof mudr judr doc sv popř resp", "atd apod", "č str s kap obr"),
    ("tr", "dr prof doç av bkz örn sn alb gen", "vb vs vd", "no s"),
    (
        "ru",
        "т.е т.к т.н т.д.и г-н г-жа им ул пр проф акад св ср см напр обл р-н д-р тыс млн млрд руб коп кв лат англ нем греч о.о пос",
        "др пр т.д т.п гг г в вв н.э",
        "рис табл стр с гл ст п пп № т",
    ),
    (
        "uk",
        "т.зв ім вул проф акад св див напр обл р-н тис млн млрд грн",
        "ін т.д т.п рр р ст",
        "рис табл стор с гл п",
    ),
    ("el", "κ κα δρ πχ π.χ δηλ βλ αρ καθ", "κ.λπ κλπ κ.ά", "σελ αρ"),
    ("ar", "د أ م ص ت ط ج هـ إلخ", "", ""),
    ("he", "ד פרופ מר גב למשל", "", ""),
    ("hi", "डॉ श्री प्रो पं कु रु नं ई सं कि.मी", "", ""),
];

/// Languages that write ordinals with a stop: am 3. Oktober.
const ORDINAL_STOP: &[&str] = &[
    "de", "da", "no", "nb", "nn", "fi", "et", "lv", "pl", "cs", "sk", "sl", "hr", "sr", "bs", "hu", "tr",
    "is", "lb",
];

/// Names of Latin letters in Hindi, as initials are written: ए. पी. जे.
pub(crate) const HINDI_LETTERS: &str =
    "ए बी सी डी ई एफ जी एच आई जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई जेड";

/// Words that open a sentence far oftener than they follow an abbreviation or an initial inside one.
const OPENERS: &str = "the this that these those there then they their it its he she his her we our you your i my a an \
    in on at as if but and or so for from with when while where what who why how after before during since because although however \
    although yet also still now once one some many most no not to by all each both \
    der die das dem den des ein eine einer eines einem einen er sie es wir ich ihr sein seine ihre und aber oder doch denn im am an auf aus bei \
    mit nach seit von vor zu zum zur als wenn weil da dass so wie wer was wo dies diese dieser dieses dabei damit danach daher jedoch auch nur \
    noch schon hier heute man für über unter durch \
    le la les l' un une des il elle ils elles on nous vous je ce cet cette ces mais et ou donc car dans en sur sous pour par avec \
    sans après avant depuis quand lorsque si comme ainsi cependant \
    el los las una unos unas él ella ellos ellas yo se su sus pero y o no con por para desde cuando si como este esta estos estas \
    lo gli uno lei lui loro noi ma e non nel nella con per da quando se questo questa \
    os as um uma ele ela eles elas mas não no na em com por quando este esta \
    het een hij zij ze wij ik maar en of niet in op bij met van voor door als dit deze die dat er \
    det den de han hun hon vi jag jeg och og men inte ikke på i med av som när når \
    в на и а но не он она оно они мы я это этот эта эти с по для из за до при как что когда если так также однако \
    bir bu ve ama o";

pub(crate) fn find(language: &str, token: &str) -> Option<Abbreviation> {
    let holds = |list: &str| list.split_ascii_whitespace().any(|entry| entry == token);
    TABLE.iter().filter(|row| row.0 == "*" || row.0 == language).find_map(|(_, leading, either, number)| {
        if holds(leading) {
            Some(Abbreviation::Leading)
        } else if holds(either) {
            Some(Abbreviation::Either)
        } else if holds(number) {
            Some(Abbreviation::BeforeNumber)
        } else {
            None
        }
    })
}

pub(crate) fn opens_sentences(word: &str) -> bool {
    OPENERS.split_ascii_whitespace().any(|entry| entry == word)
}

pub(crate) fn writes_ordinals_with_stop(language: &str) -> bool {
    ORDINAL_STOP.contains(&language)
}
