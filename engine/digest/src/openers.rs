//! A list of data: words at the start of a sentence that refer to the sentence before, by language. Alone such a sentence hangs in the
//! air. Also lines that only announce what follows.

use super::words::{behind_phrase, head, lower};
use unicode_segmentation::UnicodeSegmentation;

/// Pronouns and connectives. Words are separated by spaces, phrases by semicolons.
const OPENERS: &[(&str, &str, &str)] = &[
    (
        "en",
        "this that these those it its it's he she they they're his her hers their theirs him them such thus hence therefore however moreover \
         furthermore also but and or so then instead otherwise nevertheless nonetheless meanwhile consequently additionally similarly likewise \
         besides still yet accordingly afterwards afterward thereafter thereby subsequently conversely alternatively rather indeed finally \
         lastly secondly thirdly both neither another others likewise again though too here there's nor which",
        "in addition; in contrast; in this case; in that case; in this way; in these cases; in such cases; in turn; in other words; in particular; \
         in fact; for example; for instance; for this reason; for this purpose; as a result; as a consequence; as such; as above; as before; \
         at this point; at the same time; after that; after this; before that; because of this; because of that; by contrast; by then; \
         by doing so; even so; even then; from this; from there; if so; if not; just as; of these; of course; on the other hand; on the contrary; \
         on top of that; to do so; to do this; to this end; to that end; that said; the former; the latter; the same; the other; the others; \
         the rest; the second; with this; with that; with these; without this; until then; since then; what is more; more importantly; one of them; \
         one of these; some of them; some of these; most of them; all of them; all of these; each of them; each of these; none of them; \
         at that time; at that point; during this; under this; when this; once this; if this; if that; despite this; apart from this; \
         like this; unlike this",
    ),
    (
        "de",
        "dies diese dieser dieses diesem diesen er sie es ihr ihre ihren sein seine ihm ihn ihnen aber und oder doch jedoch daher deshalb deswegen \
         darum außerdem zudem ferner dann danach anschließend dazu dabei damit dadurch dafür dagegen darauf daraus darin davon davor trotzdem \
         dennoch allerdings auch so also somit folglich denn sondern hingegen stattdessen andernfalls sonst ebenso ebenfalls schließlich \
         solche solcher solches solch jene jener jenes derselbe dieselbe dasselbe hier hierfür hierbei hierzu hiermit hierdurch beide beides nun \
         inzwischen dort weiterhin zweitens drittens",
        "zum beispiel; in diesem fall; in diesen fällen; auf diese weise; aus diesem grund; im gegensatz dazu; darüber hinaus; mit anderen worten; \
         das heißt; das ist; das sind; das war; das hat; das bedeutet; die andere; der andere; unter anderem; zu diesem zweck; nach diesem; \
         bei diesem; bei dieser; mit dieser; mit diesem; von diesen; einer von ihnen; im anschluss daran; im übrigen",
    ),
    (
        "fr",
        "ce cela ceci ça cet cette ces c'est c'était celui celle ceux celles il elle ils elles son sa ses leur leurs lui mais et ou donc or ainsi \
         cependant toutefois pourtant néanmoins aussi ensuite puis alors enfin également sinon finalement ici là autrement inversement \
         deuxièmement troisièmement notamment voilà voici tel telle tels telles",
        "par exemple; en outre; de plus; par ailleurs; en revanche; au contraire; par conséquent; en effet; en conséquence; dans ce cas; \
         dans ces cas; de cette façon; de cette manière; pour cela; pour cette raison; c'est pourquoi; à cause de cela; après cela; \
         malgré cela; d'autre part; en d'autres termes; autrement dit; grâce à cela; de même; du coup; en fait; l'autre; les autres; à ce moment",
    ),
    (
        "es",
        "este esta esto estos estas ese esa eso esos esas aquel aquella aquello él ella ello ellos ellas su sus pero y e o así además también \
         entonces luego después sino finalmente asimismo tampoco aquí ahí igualmente aun tal tales ambos ambas",
        "sin embargo; no obstante; por eso; por ello; por lo tanto; por tanto; por ejemplo; por otra parte; por otro lado; por consiguiente; \
         en cambio; en este caso; en ese caso; en estos casos; en consecuencia; en otras palabras; de este modo; de esta manera; de esta forma; \
         de lo contrario; a pesar de ello; a pesar de esto; debido a esto; al mismo tiempo; es decir; con esto; con ello; para ello; para esto; \
         como resultado; más tarde; el otro; la otra; los otros; lo mismo; del mismo modo",
    ),
    (
        "it",
        "questo questa questi queste quello quella quelli quelle ciò esso essa essi esse lui lei loro egli suo sua suoi sue ma e o però quindi dunque \
         pertanto perciò così inoltre anche poi allora tuttavia infine invece altrimenti comunque infatti qui tale tali entrambi ecco",
        "per esempio; ad esempio; in questo caso; in tal caso; in questo modo; per questo; di conseguenza; al contrario; d'altra parte; \
         in altre parole; nonostante ciò; dopo di che; allo stesso modo; a tal fine; l'altro; l'altra; gli altri; cioè",
    ),
    (
        "pt",
        "este esta isto estes estas esse essa isso esses essas aquele aquela aquilo ele ela eles elas seu sua seus suas mas e ou porém contudo todavia \
         portanto assim também então depois logo além entretanto finalmente aqui tal tais ambos ambas",
        "por exemplo; por isso; por outro lado; no entanto; neste caso; nesse caso; dessa forma; desta forma; deste modo; em consequência; \
         em outras palavras; ou seja; ao contrário; apesar disso; além disso; ao mesmo tempo; para isso; com isso; como resultado; o outro; a outra; \
         da mesma forma; de fato",
    ),
    (
        "nl",
        "dit dat deze die hij zij ze zijn haar hun hen maar en of dus daarom daardoor daarna daarbij daarmee daarvoor daarentegen echter toch ook \
         verder bovendien vervolgens anders intussen hierdoor hiervoor hierbij hiermee hier daar dan zo zulke beide eveneens tenslotte",
        "bijvoorbeeld; in dit geval; in dat geval; op deze manier; om deze reden; aan de andere kant; als gevolg daarvan; met andere woorden; \
         in plaats daarvan; in tegenstelling; de andere; het andere; dat wil zeggen; onder andere; desondanks; niettemin",
    ),
    (
        "sv",
        "detta denna dessa det han hon dess deras hans hennes dem men och eller därför alltså också även sedan därefter dock däremot \
         istället annars dessutom vidare så då där här sådana både likaså slutligen följaktligen ändå",
        "till exempel; i detta fall; i så fall; på så sätt; på detta sätt; av denna anledning; å andra sidan; med andra ord; trots detta; \
         det vill säga; den andra; de andra; efter detta; som ett resultat",
    ),
    (
        "da",
        "dette denne disse det han hun dens deres hans hendes dem men og eller derfor altså også desuden derefter dog derimod \
         ellers videre så da der her sådanne både ligeledes endelig følgelig alligevel",
        "for eksempel; i dette tilfælde; i så fald; på denne måde; af denne grund; på den anden side; med andre ord; på trods af dette; \
         det vil sige; i stedet; den anden; de andre; efter dette",
    ),
    (
        "pl",
        "to ten ta te ci tego tej tym tych on ona ono oni one jego jej ich ale i a lub więc dlatego zatem jednak również także ponadto potem następnie \
         wtedy wówczas natomiast inaczej tak tutaj tu tam takie taki taka oba obie też toteż",
        "na przykład; w tym przypadku; w takim przypadku; w ten sposób; z tego powodu; z drugiej strony; innymi słowy; mimo to; \
         poza tym; oprócz tego; po tym; w rezultacie; to znaczy; w przeciwnym razie",
    ),
    (
        "tr",
        "bu şu o bunlar şunlar onlar bunun onun onların ama fakat ancak ve veya ya ayrıca böylece sonra sonuçta yine de dolayısıyla oysa \
         halbuki üstelik öyle böyle burada orada ikisi bunu onu buna ona bundan ondan",
        "bu nedenle; bu yüzden; bu durumda; bu şekilde; bunun için; bunun yerine; buna rağmen; buna karşın; öte yandan; örneğin; mesela; \
         bu sayede; bundan sonra; daha sonra; başka bir deyişle; aksi takdirde; aynı zamanda; sonuç olarak",
    ),
    (
        "ru",
        "это этот эта эти этого этой этих он она оно они его её ее их такой такая такое такие но и а или однако поэтому затем потом также тоже \
         тогда следовательно зато иначе далее наконец здесь там так же притом причём причем оба обе тот та те впрочем",
        "например; в этом случае; в таком случае; таким образом; по этой причине; с другой стороны; другими словами; иными словами; \
         несмотря на это; кроме того; более того; после этого; из-за этого; в результате; то есть; при этом; тем не менее; в то же время; \
         для этого; вместо этого; в частности; к тому же; благодаря этому; вместе с тем",
    ),
    (
        "uk",
        "це цей ця ці цього цієї цих він вона воно вони його її їх такий така таке такі але і й а або однак проте тому потім також теж тоді отже \
         зате інакше далі нарешті тут там так обидва обидві той та ті втім",
        "наприклад; у цьому випадку; в цьому випадку; у такому разі; таким чином; з цієї причини; з іншого боку; іншими словами; \
         незважаючи на це; крім того; після цього; через це; в результаті; тобто; при цьому; водночас; для цього; замість цього; до того ж; завдяки цьому",
    ),
    (
        "el",
        "αυτό αυτός αυτή αυτά αυτοί αυτές αυτού αυτής αυτών εκείνος εκείνη εκείνο αλλά και ή όμως ωστόσο επίσης έτσι επομένως συνεπώς \
         άρα μετά τότε ακόμη ακόμα επιπλέον αντίθετα διαφορετικά εδώ εκεί τέτοια τέτοιο τέλος",
        "για παράδειγμα; σε αυτή την περίπτωση; με αυτόν τον τρόπο; για αυτό; γι' αυτό; από την άλλη; με άλλα λόγια; παρ' όλα αυτά; \
         ως αποτέλεσμα; δηλαδή; στη συνέχεια; εκτός από αυτό; αντί γι' αυτό",
    ),
    (
        "ar",
        "هذا هذه ذلك تلك هؤلاء هو هي هم وهو وهي وهم وهذا وهذه وذلك لكن ولكن لذلك ولذلك لذا ثم كما أيضا أيضًا وأيضا كذلك وكذلك بالتالي وبالتالي \
         إلا بل أو هنا هناك وهناك عندها حينها بعدها وبذلك بذلك",
        "على سبيل المثال; في هذه الحالة; بهذه الطريقة; لهذا السبب; من ناحية أخرى; بعبارة أخرى; على الرغم من ذلك; رغم ذلك; بعد ذلك; \
         بالإضافة إلى ذلك; علاوة على ذلك; نتيجة لذلك; ومع ذلك; مع ذلك; إضافة إلى ذلك; من جهة أخرى; في المقابل",
    ),
    (
        "fa",
        "این آن اینها آنها او وی ایشان همین همچنین اما ولی لیکن و یا پس سپس بنابراین لذا نیز هم آنگاه چنین چنان وگرنه اینجا آنجا",
        "به عنوان مثال; برای مثال; در این صورت; در این حالت; به این ترتیب; به همین دلیل; از سوی دیگر; از طرف دیگر; به عبارت دیگر; \
         با این حال; با وجود این; پس از آن; پس از این; علاوه بر این; در نتیجه; به جای آن",
    ),
    (
        "he",
        "זה זו זאת אלה אלו הוא היא הם הן אותו אותה אבל אך ו או לכן לפיכך אולם גם אז בנוסף ואולם ולכן ואז כך שם כאן אחרת לבסוף",
        "לדוגמה; לדוגמא; למשל; במקרה זה; במקרה כזה; בדרך זו; מסיבה זו; מצד שני; במילים אחרות; למרות זאת; לאחר מכן; נוסף על כך; \
         בנוסף לכך; כתוצאה מכך; עם זאת; יתר על כן; במקום זאת; בשל כך; כמו כן",
    ),
    (
        "hi",
        "यह वह ये वे इस उस इन उन इसका इसकी इसके उसका उसकी उसके उनका उनकी उनके लेकिन परंतु किंतु मगर और या इसलिए अतः तब फिर भी तो यहाँ वहाँ \
         इससे उससे इसमें उसमें इसने उसने उन्होंने इन्होंने दोनों अन्यथा",
        "उदाहरण के लिए; इस मामले में; इस प्रकार; इस तरह; इस कारण; दूसरी ओर; दूसरे शब्दों में; इसके बावजूद; इसके बाद; इसके अलावा; \
         परिणामस्वरूप; इसके बजाय; साथ ही; के बाद",
    ),
];

/// The same in languages that are written without spaces, and in Korean: beginnings of sentences.
const BEGINNINGS: &[(&str, &str)] = &[
    (
        "zh",
        "这也; 这些; 这是; 这样; 这种; 这让; 这使; 这个; 那些; 那是; 那样; 它; 他; 她; 其中; 其; 该; 此外; \
         另外; 但; 然而; 不过; 因此; 所以; 于是; 而且; 同时; 例如; 比如; 然后; 接着; 并且; 否则; 相反; 与此; \
         除此; 后来; 也就是; 換言之; 換句話; 這些; 這是; 這樣; 這種; 這個; 但是; 於是; 總之; 总之; 最后; 之后; \
         对此; 为此; 尽管如此",
    ),
    (
        "ja",
        "これ; それ; あれ; この; その; あの; こう; そう; 彼; 彼女; しかし; だが; ただし; また; そして; さらに; \
         したがって; 従って; だから; そのため; 例えば; たとえば; 一方; 次に; なお; つまり; すると; ところが; けれど; \
         ここ; そこ; 同様に; 加えて; 最後に; 逆に",
    ),
    (
        "ko",
        "이것; 그것; 이는; 이러한; 그러한; 이런; 그런; 이 ; 그 ; 그는; 그녀; 그들; 하지만; 그러나; 그리고; 그래서; \
         따라서; 또한; 예를 들어; 그러므로; 반면; 즉; 게다가; 이후; 그 후; 그렇지만; 여기; 거기; 이에; 이를; \
         마지막으로",
    ),
    (
        "th",
        "นี่; นั่น; สิ่งนี้; สิ่งนั้น; มัน; เขา; เธอ; พวกเขา; แต่; และ; \
         ดังนั้น; อย่างไรก็ตาม; นอกจากนี้; ตัวอย่างเช่น; เช่น; จากนั้น; จึง; \
         เพราะฉะนั้น; ในทางกลับกัน",
    ),
];

/// "This page" refers to no sentence.
const PAGE_WORDS: &str = "page document article guide manual chapter section paper report policy course lesson tutorial book release site website recipe \
    faq study work post review draft memo standard reference specification appendix plan list table howto seite dokument artikel anleitung kapitel handbuch leitfaden \
    abschnitt kurs bericht studie beitrag buch text chapitre manuel cours recette étude rapport texte página documento artículo guía capítulo \
    curso política receta estudio informe texto pagina articolo capitolo studio guida artigo capítulo estudo guia hoofdstuk pagina document \
    handleiding sida dokument kapitel guide side artikel strona dokument rozdział artykuł sayfa belge bölüm makale страница документ статья \
    глава раздел руководство страницы документе статье главе разделе сторінка документ стаття розділ";

/// Whether a sentence begins with a pronoun or connective, so that it needs the sentence before.
pub(super) fn refers_back(sentence: &str, language: &str) -> bool {
    let folded = folded_head(sentence);
    if let Some((_, beginnings)) = BEGINNINGS.iter().find(|(name, _)| *name == language) {
        return beginnings.split(';').map(str::trim_start).any(|beginning| folded.starts_with(beginning));
    }
    let Some((_, words, phrases)) = OPENERS.iter().find(|(name, ..)| *name == language) else { return false };
    let mut heads = folded.unicode_words();
    let (Some(first), second) = (heads.next(), heads.next().unwrap_or_default()) else { return false };
    if PAGE_WORDS.split_ascii_whitespace().any(|word| word == second) {
        return false;
    }
    // "This," and "c'est" are found whole; an elided word ("l'autre") is in a phrase.
    let plain = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
    words.split_ascii_whitespace().any(|word| word == first)
        || phrases.split(';').map(str::trim).any(|phrase| behind_phrase(plain, phrase).is_some())
}

/// Whether a sentence only announces what follows: nothing but marks stands behind a colon at its end.
pub(super) fn announces(sentence: &str) -> bool {
    let tail = sentence.rsplit(|c: char| c.is_alphanumeric() || c == '_').next().unwrap_or_default();
    tail.contains([':', '：'])
}

/// Whether a sentence that stands before code only announces it: it ends in a colon, or it breaks off.
pub(super) fn announces_code(sentence: &str) -> bool {
    announces(sentence) || sentence.ends_with(|c: char| c.is_alphanumeric() || c == ',')
}

/// The beginning in lower case, as far as openers reach.
fn folded_head(sentence: &str) -> String {
    lower(head(sentence, 60).trim_start_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::{announces, refers_back};

    #[test]
    fn lines_that_need_the_sentence_before_are_known() {
        for (language, sentence, expected) in [
            ("en", "This makes it louder.", true),
            ("en", "In addition, the lamp blinks.", true),
            ("en", "However, nobody came.", true),
            ("en", "This guide explains the lamp.", false),
            ("en", "Thistles grow here.", false),
            ("en", "The mill grinds flour.", false),
            ("de", "Außerdem blinkt die Lampe.", true),
            ("de", "Dieses Handbuch erklärt die Lampe.", false),
            ("de", "Die Mühle mahlt wieder.", false),
            ("fr", "C’est pourquoi il est fermé.", true),
            ("fr", "Cependant, il est fermé.", true),
            ("fr", "Le marais couvre deux collines.", false),
            ("es", "Sin embargo, está cerrado.", true),
            ("es", "El seguro paga los gastos.", false),
            ("it", "Inoltre è chiuso.", true),
            ("pt", "Além disso, está fechado.", true),
            ("nl", "Daarom is het gesloten.", true),
            ("sv", "Därför är det stängt.", true),
            ("da", "Derfor er det lukket.", true),
            ("pl", "Dlatego jest zamknięte.", true),
            ("tr", "Bu nedenle kapalıdır.", true),
            ("ru", "Кроме того, она закрыта.", true),
            ("ru", "Мельница снова работает.", false),
            ("uk", "Тому він закритий.", true),
            ("el", "Ωστόσο είναι κλειστό.", true),
            ("ar", "ومع ذلك فهي مغلقة.", true),
            ("fa", "بنابراین بسته است.", true),
            ("he", "לכן הוא סגור.", true),
            ("hi", "इसलिए वह बंद है।", true),
            ("zh", "因此它关闭了。", true),
            ("zh", "水车建在河边。", false),
            ("ja", "しかし閉まっている。", true),
            ("ko", "그러나 닫혀 있다.", true),
            ("th", "ดังนั้นจึงปิด", true),
        ] {
            assert_eq!(refers_back(sentence, language), expected, "{language}: {sentence}");
        }
    }

    #[test]
    fn an_announcement_ends_in_a_colon_and_marks() {
        for (sentence, expected) in [
            ("To create a branch, use:", true),
            ("To create a branch, use:**", true),
            ("使用以下命令：", true),
            ("It opens at 10:30", false),
            ("Use: arbor branch", false),
        ] {
            assert_eq!(announces(sentence), expected, "{sentence}");
        }
    }
}
