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
        "dr prof mr mrs ms messrs vs cf viz e.g i.e eg ie ca approx gen col capt sgt rev hon ed eds trans transl ph.d ing tel fax",
        "al inc ltd co corp jr sr st mt ft dept est univ assn bros u.s u.k u.n e.u u.s.a d.c a.m p.m b.c a.d op cit ibid",
        "no nos n° p pp vol vols fig figs ch sec sect art arts eq eqs tab app jan feb mar apr jun jul aug sep sept oct nov dec",
    ),
    (
        "en",
        "lt maj cmdr adm gov sen rep pres supt mme mlle dist",
        "ave blvd rd hwy min max avg govt",
        "v ver ref para exod deut isa jer ezek matt rom cor eph phil thess heb",
    ),
    (
        "de",
        "hr fr fa frl dipl mag bzw vgl z.b d.h u.a o.ä s.o s.u i.d.r z.t v.a bspw sog ggf evtl inkl exkl insb geb gest hrsg verf \
         jh bd str tel mio mrd dt engl frz lat griech röm ev kath med vet phil rer nat jur habil allg bes gem gegr ehem zzgl abzgl max min mind u.u o.g n.chr v.chr \
         a.d i.a z.zt m.e w.o",
        "usw usf etc ff gmbh e.v",
        "nr abs abb art kap s bd ziff jan feb mrz apr aug sept okt nov dez",
    ),
    (
        "fr",
        "m mm mme mmes mlle mlles me mgr st ste p.ex c.-à-d env av boul bd éd coll dir trad",
        "etc j.-c apr",
        "h min al alin art chap fig p pp vol janv févr avr juil sept oct nov déc",
    ),
    (
        "es",
        "sr sra srta d dña dr dra ud uds lic ing arq p.ej ej aprox av avda c pág ee ee.uu gral sto sta",
        "etc s.a",
        "núm art párr párrf cap vol fig págs pág lun mié jue vie sáb dom ene feb abr ago sept oct nov dic",
    ),
    (
        "it",
        "sig sig.ra dott dott.ssa ing avv arch geom rag dir amm egr gent prof psicol on p.es ad.es es cfr sec ca s.p.a",
        "ecc",
        "n pag art cap fig vol",
    ),
    (
        "pt",
        "sr sra srta dr dra exmo exma p.ex ex aprox av eng arq prof profa",
        "etc ltda s.a",
        "n.º nº pág art cap fig vol",
    ),
    (
        "nl",
        "dhr mw mevr drs ir ing bijv bv o.a d.w.z m.b.t t.a.v i.v.m ca vgl resp mr jhr",
        "enz etc n.v",
        "nr blz art hfst fig",
    ),
    ("sv", "t.ex bl.a d.v.s s.k dr prof ing ca resp jfr st", "m.m o.s.v osv m.fl", "nr s kap fig kl st"),
    ("da", "f.eks bl.a dvs ca dr prof hr fr jf skt mht pga mio mia", "osv m.m m.fl", "nr s kap fig kl stk"),
    ("no", "f.eks bl.a dvs ca dr prof hr fr jf st mht pga mill", "osv m.m m.fl", "nr s kap fig kl"),
    ("fi", "esim ts ns mm prof tri n klo n.s ent os", "jne ym yms", "nro s klo"),
    (
        "pl",
        "np m.in tzn tj prof dr mgr inż hab im ul al św ks gen płk wg ok pt tzw ww zob por red",
        "itd itp r w",
        "nr m s str art rys poz ust",
    ),
    (
        "cs",
        "např tj tzn tzv mgr ing bc dr prof mudr judr phdr doc sv popř resp cca tis mil mld ul nám tř",
        "atd apod",
        "č r str s kap obr čl odst",
    ),
    ("tr", "dr prof doç av bkz örn sn alb gen", "vb vs vd", "no s"),
    (
        "ru",
        "т.е т.к т.н т.д.и г-н г-жа им ул проф акад доц инж св ср см напр обл р-н д-р кв лат англ нем греч о.о пос пгт",
        "др пр т.д т.п гг г в вв н.э тыс млн млрд руб коп",
        "рис табл стр с гл ст п пп № т",
    ),
    (
        "uk",
        "т.зв ім вул проф акад доц інж св див напр обл р-н",
        "ін т.д т.п рр р ст тис млн млрд грн",
        "рис табл стор с гл п",
    ),
    ("el", "κ κα δρ πχ π.χ δηλ βλ αρ καθ", "κ.λπ κλπ κ.ά", "σελ αρ"),
    ("ar", "د أ م ص ت ط ج هـ إلخ", "", ""),
    ("fa", "د م", "", ""),
    (
        "hu",
        "pl dr ifj özv id prof ún kb ill vö ld mr sz u tel",
        "stb kft bt zrt nyrt rt",
        "kb old sz d fej ábra",
    ),
    (
        "ro",
        "dl dna d-na dna dra drd dr prof ing conf acad sf str bd nr ex lt cca tel",
        "etc ș.a s.a s.r.l d.hr",
        "nr pag art cap alin fig vol lit",
    ),
    ("bg", "пл ул бул гр св проф доц акад д-р инж вкл напр т.е т.нар им", "г др т.н лв ст", "г стр чл ал т"),
    (
        "id",
        "bpk bp ibu sdr sdri dr drs dra ir prof hj h k.h jl kab kec kel yth a.n a.l",
        "dll dsb dst tbk pt",
        "tgl no hlm hal jl rp",
    ),
    ("ms", "en tn pn dr prof hj dato jln kg", "dll dsb bhd", "no hlm"),
    ("vi", "tp tx ts ths pgs gs bs ks ls q p tr", "v.v", "đ q p tr số"),
    (
        "sk",
        "napr tj tzn tzv mgr ing bc dr prof mudr judr doc sv resp cca tis mil ul nám",
        "atď apod s.r.o a.s",
        "č r str s kap obr čl",
    ),
    ("sl", "npr t.i dr prof mag inž doc sv oz g ga ul tj", "itd ipd d.o.o", "št str čl sl"),
    ("hr", "npr tj tzv dr prof mr ing sc doc sv ul g gđa gđica", "itd d.o.o d.d", "br str čl sl god"),
    (
        "sr",
        "npr tj tzv dr prof mr ing sv ul нпр тј тзв др проф мр инж св ул",
        "itd итд",
        "br str čl бр стр чл",
    ),
    ("lt", "pvz t.y vad dr prof doc gen g al pr pan", "ir.t.t kt", "nr psl str pav"),
    ("lv", "piem t.i dr prof doc sv ģen", "utt u.c", "nr lpp att"),
    ("et", "nt näit s.o st dr prof hr pr mag u tn", "jne jms", "nr lk joon"),
    ("ca", "sr sra srta dr dra prof av pl c st sta p.ex ex aprox", "etc s.a", "núm art cap fig pàg vol"),
    ("kk", "т.б проф акад", "т.б т.с.с", "б.з.б б.з ж № бет"),
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
    hvad hvor hvem hvordan hvorfor hva hvem \
    did do does is are was were can could will would should has have had \
    bir bu ve ama o";

pub(crate) fn find(language: &str, token: &str) -> Option<Abbreviation> {
    let holds = |list: &str| list.split_ascii_whitespace().any(|entry| entry == token);
    // What a language says of a word holds, not what all say.
    let own = TABLE.iter().filter(|row| row.0 == language);
    own.chain(&TABLE[..1]).find_map(|(_, leading, either, number)| {
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
