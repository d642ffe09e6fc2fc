//! A list of data: words by which a text speaks of its writer, addresses its reader, binds somebody or tells who said something, by language.
//! Words with a blank behind them are whole words, others may be part of one. Lower case, but for German, where the polite form is a capital.

/// Words of one language.
pub(super) struct Voices {
    language: &'static str,
    /// A writer who speaks of himself, and of more than himself.
    pub(super) singular: &'static str,
    pub(super) plural: &'static str,
    pub(super) second_person: &'static str,
    pub(super) binding: &'static str,
    pub(super) reporting: &'static str,
    /// Claims: what ought to be, what is not true.
    pub(super) claims: &'static str,
    /// When it was, as news say it.
    pub(super) days: &'static str,
    /// What instructions begin with.
    pub(super) commands: &'static str,
}

/// The words of a language; those of English where it is not known here.
pub(super) fn voices(language: &str) -> &'static Voices {
    ALL.iter().find(|one| one.language == language).unwrap_or(&ALL[0])
}

static ALL: [Voices; 17] = [
    Voices {
        language: "en",
        singular: "i ; i'm ; i've ; i'd ; i'll ; my ; me ; myself ",
        plural: "we ; we're ; we've ; our ; us ",
        second_person: "you ; your ; you'll ; you're ; yourself ",
        binding: "shall ; must ; may not ; is entitled ; is prohibited ; hereby ; are prohibited ; is required ; may be revoked ; may only ",
        reporting: "said ; says ; told ; according to ; announced ; spokesman ; spokeswoman ; spokesperson ; officials ; police ; reporters ; he added ; she added ; reported that ",
        claims: "should ; ought ; the truth is ; the problem is ; the point is ; let us ; critics ; it is wrong ; is not about ; need to ; nonsense ; must ; cannot ; instead ; in fact ; deserve ; of course ; surely ; rather than ; not because ; it is time ",
        days: "monday ; tuesday ; wednesday ; thursday ; friday ; saturday ; sunday ; yesterday ; this week ; last week ; this morning ; \
            on the day ",
        commands: "add ; adjust ; apply ; attach ; avoid ; bake ; begin ; boil ; bring ; change ; check ; choose ; clean ; click ; close ; collect ; \
            combine ; connect ; cook ; copy ; cover ; create ; cut ; do not ; don't ; drain ; draw ; dry ; enter ; fill ; find ; fit ; fold ; \
            follow ; hang ; heat ; hold ; insert ; install ; keep ; lay ; leave ; lift ; look ; make ; mark ; measure ; mix ; move ; open ; \
            paste ; place ; plug ; pour ; preheat ; press ; pull ; push ; put ; read ; remove ; repeat ; replace ; rinse ; roll ; run ; \
            scan ; select ; serve ; set ; simmer ; slide ; spread ; sprinkle ; start ; stir ; store ; take ; tie ; tighten ; turn ; type ; \
            unplug ; use ; wait ; wash ; wipe ; wrap ; write ; soak ; slip ; switch ; knit ; sew ; screw ; drill ; always ; try ; test ; \
            verify ; whisk ; chop ; peel ; fry ; season ; grease ; tap ; drag ; download ; save ; send ; sign ; go to ",
    },
    Voices {
        language: "de",
        singular: "ich ; mich ; mir ; mein ; meine ; meinen ; meiner ",
        plural: "wir ; uns ; unser ; unsere ; unseren ",
        second_person: "Sie ; Ihnen ; Ihr ; Ihre ; Ihren ; Ihrem ; Ihrer ; du ; dir ; dich ; dein ; deine ; deinen ; euch ",
        binding: "muss ; müssen ; darf ; dürfen ; verpflichtet ; ist verboten ; sind verboten ; untersagt ; ist zu ; sind zu ; zulässig ; bedarf ",
        reporting: "sagte ; sagt ; laut ; erklärte ; erklärten ; teilte ; mitteilte ; nach angaben ; zufolge ; berichtet ; berichtete ; sprecher ; \
            sprecherin ; sei ; seien ; habe ; hätten ",
        claims: "sollte ; sollten ; müsste ; wäre ; ist nicht wahr ; gewiss ; fehler ; man sollte ; braucht es ; falsch ; es geht nicht ; wer glaubt ; unsinn ",
        days: "montag ; dienstag ; mittwoch ; donnerstag ; freitag ; samstag ; sonnabend ; sonntag ; gestern ; am morgen ; am abend ; \
            diese woche ",
        commands: "nehmen sie ; legen sie ; drehen sie ; prüfen sie ; öffnen sie ; schließen sie ; drücken sie ; wählen sie ; setzen sie ; \
            achten sie ; stellen sie ; lassen sie ; ziehen sie ; entfernen sie ; verwenden sie ; reinigen sie ; halten sie ; geben sie ; \
            tragen sie ; klicken sie ; lesen sie ; füllen sie ; warten sie ",
    },
    Voices {
        language: "fr",
        singular: "je ; j'ai ; j'étais ; moi ; mon ; ma ; mes ; j' ",
        plural: "nous ; notre ; nos ",
        second_person: "vous ; votre ; vos ; tu ; ton ; tes ; toi ",
        binding: "doit ; doivent ; est interdit ; sont interdits ; est tenu ; ne peut ; ne peuvent ; devez ; obligatoire ; est autorisé ",
        reporting: "a déclaré ; a annoncé ; selon ; explique ; a expliqué ; assure ; a indiqué ; a affirmé ; d'après ; a précisé ; raconte ; confie ; dit-il ; dit-elle ; avoue ",
        claims: "il faut ; devrait ; devraient ; devons ; cessons ; n'est pas ; il est temps ; on ne ; faute ; illusion ; encore faut ; prétend ",
        days: "lundi ; mardi ; mercredi ; jeudi ; vendredi ; samedi ; dimanche ; hier ; ce matin ; cette semaine ",
        commands: "prenez ; mettez ; ajoutez ; versez ; coupez ; ouvrez ; fermez ; cliquez ; choisissez ; placez ; retirez ; laissez ; vérifiez ; \
            appuyez ; tournez ; installez ; lancez ; créez ; téléchargez ; mélanger ; verser ; ajouter ; couper ; laisser ; faire ; \
            préchauffer ; éplucher ; disposer ; servir ; retirer ; mettre ; remplissez ; déposez ; secouer ",
    },
    Voices {
        language: "es",
        singular: "yo ; me ; mi ; mis ; he ; soy ",
        plural: "nosotros ; nuestro ; nuestra ; nuestros ; nos ; hemos ",
        second_person: "tu ; tus ; te ; usted ; ustedes ; puedes ; debes ; tienes ; necesitas ; quieres ; puede usted ; vuestro ",
        binding: "deberá ; deberán ; debe ; deben ; queda prohibido ; quedan prohibidos ; podrá ; podrán ; se sancionará ; se sancionarán ; está obligado ; corresponde a ",
        reporting: "dijo ; según ; anunció ; aseguró ; afirmó ; explicó ; declaró ; señaló ; ha anunciado ; ha dicho ; informó ",
        claims: "deberíamos ; debería ; hay que ; no es ; no se trata ; verdad ; basta ; no podemos ; pido ; error ",
        days: "lunes ; martes ; miércoles ; jueves ; viernes ; sábado ; domingo ; ayer ; esta semana ; esta mañana ",
        commands: "añade ; agrega ; pon ; corta ; abre ; cierra ; pulsa ; elige ; coloca ; retira ; deja ; mezcla ; calienta ; haz ; usa ; \
            comprueba ; escribe ; quita ; llena ; lava ; pela ; tritura ; sirve ; desmonta ; aclara ; cepilla ; pulse ; seleccione ; \
            introduzca ; abra ; coloque ; no uses ; use ; instale ; ejecute ",
    },
    Voices {
        language: "it",
        singular: "io ; mi ; mio ; mia ; miei ; ho ; sono stato ",
        plural: "noi ; nostro ; nostra ; nostri ; abbiamo ",
        second_person: "tu ; ti ; tuo ; tua ; tuoi ; voi ; vi ; vostro ; vostra ; puoi ; devi ; potete ; dovete ",
        binding: "deve ; devono ; è vietato ; sono vietati ; è tenuto ; può essere ; è obbligatorio ; sono tenuti ; disciplina ",
        reporting: "ha detto ; ha dichiarato ; ha aggiunto ; secondo ; ha annunciato ; spiega ; ha spiegato ; ha affermato ; racconta ; fanno sapere ",
        claims: "dovremmo ; dovrebbe ; bisogna ; non è ; occorre ; basta ; è ora di ; sbagliato ; la verità ",
        days: "lunedì ; martedì ; mercoledì ; giovedì ; venerdì ; sabato ; domenica ; ieri ; questa mattina ; stamattina ",
        commands: "aggiungete ; aggiungi ; mettete ; metti ; tagliate ; taglia ; aprite ; apri ; premete ; premi ; scegliete ; scegli ; lasciate ; \
            lascia ; togliete ; togli ; versate ; versa ; copiare ; avviare ; fermare ; mescolate ; scaldate ; prendi ; usa ; controlla ; \
            bagna ; riempi ; svuota ",
    },
    Voices {
        language: "pt",
        singular: "eu ; me ; meu ; minha ; meus ; minhas ; fui ; estou ; tenho ",
        plural: "nós ; nosso ; nossa ",
        second_person: "você ; vocês ; teu ; tua ; lhe ",
        binding: "deve ; devem ; deverá ; é proibido ; fica proibido ; poderá ; está obrigado ; são obrigados ",
        reporting: "disse ; afirmou ; segundo ; anunciou ; de acordo com ; explicou ; informou ; declarou ; contou ; conta ",
        claims: "deveria ; deveríamos ; é preciso ; não é ; temos de ; basta ; verdade ; chega de ",
        days: "segunda-feira ; terça-feira ; quarta-feira ; quinta-feira ; sexta-feira ; sábado ; domingo ; ontem ; esta semana ",
        commands: "adicione ; coloque ; corte ; abra ; feche ; clique ; escolha ; retire ; deixe ; misture ; use ; passe ; puxe ; leve ; sirva ; \
            junte ; ponha ; asse ; mexa ; dê ; una ; lave ",
    },
    Voices {
        language: "nl",
        singular: "ik ; mij ; mijn ; m'n ",
        plural: "wij ; we ; ons ; onze ",
        second_person: "u ; uw ; je ; jij ; jouw ; jullie ",
        binding: "moet ; moeten ; mag niet ; mogen niet ; is verboden ; verplicht ; dient ; dienen ",
        reporting: "zei ; zegt ; volgens ; aldus ; liet weten ; meldt ; vertelt ; laat weten ; verklaarde ",
        claims: "zou moeten ; zouden moeten ; is geen ; het is tijd ; onzin ; we moeten ; fout ",
        days: "maandag ; dinsdag ; woensdag ; donderdag ; vrijdag ; zaterdag ; zondag ; gisteren ; vanmorgen ",
        commands: "draai ; zet ; haal ; leg ; neem ; vul ; sluit ; open ; druk ; kies ; klik ; laat ; maak ; controleer ; verwijder ; wikkel ; wip ; \
            snijd ; roer ; giet ; vraag ; voeg ; bak ; spoel ",
    },
    Voices {
        language: "sv",
        singular: "jag ; mig ; min ; mitt ; mina ",
        plural: "vi ; oss ; vår ; vårt ; våra ",
        second_person: "du ; dig ; din ; ditt ; dina ; ni ; er ",
        binding: "ska ; måste ; får inte ; skall ; är skyldig ; förbjudet ",
        reporting: "säger ; sade ; enligt ; uppger ; meddelar ; berättar ",
        claims: "borde ; bör ; är fel ; vi måste ; handlar inte ; låt ",
        days: "måndag ; tisdag ; onsdag ; torsdag ; fredag ; lördag ; söndag ; måndagen ; tisdagen ; onsdagen ; torsdagen ; fredagen ; igår ",
        commands: "ta ; lägg ; sätt ; dra ; skär ; häll ; öppna ; stäng ; tryck ; välj ; klicka ; låt ; släpp ; slipa ; stryk ; börja ; koka ; rör ; \
            känn ; fyll ",
    },
    Voices {
        language: "pl",
        singular: "ja ; mnie ; mi ; mój ; moja ; moje ; jestem ; mam ; używam ; używałem ",
        plural: "my ; nas ; nam ; nasz ; nasza ; nasze ",
        second_person: "ty ; ci ; twój ; twoja ; twoje ; możesz ; musisz ; państwo ; państwa ; proszę ; masz ",
        binding: "musi ; muszą ; powinien ; obowiązany ; obowiązani ; zabrania się ; zabronione ; może być ; podlega ",
        reporting: "powiedział ; powiedziała ; poinformował ; poinformowała ; według ; podał ; podała ; zapowiedział ; jak podaje ; mówi ; tłumaczy ",
        claims: "powinniśmy ; powinno ; trzeba ; nie jest ; należy ; czas ; nie wolno ",
        days: "poniedziałek ; wtorek ; środę ; czwartek ; piątek ; sobotę ; niedzielę ; wczoraj ; w poniedziałek ",
        commands: "dodaj ; włóż ; pokrój ; otwórz ; zamknij ; kliknij ; wybierz ; wyjmij ; zostaw ; wymieszaj ; wlej ; naciśnij ; przekręć ; \
            sprawdź ; zdejmij ; umyj ",
    },
    Voices {
        language: "ru",
        singular: "я ; меня ; мне ; мной ; мой ; моя ; мои ; моего ",
        plural: "мы ; нас ; нам ; наш ; наша ; наши ; нашего ; нашей ",
        second_person: "вы ; вам ; вас ; ваш ; ваша ; ваши ; вашего ; ты ; тебе ; твой ",
        binding: "должен ; должна ; должны ; обязан ; обязаны ; не вправе ; вправе ; запреща ; не допускается ; надлежит ",
        reporting: "сообщил ; сообщила ; сообщили ; заявил ; заявила ; по словам ; рассказал ; рассказала ; отметил ; по данным ; говорит ",
        claims: "нужно ; нельзя ; следует ; надо ; пора ; не правда ; ошибка ; хватит ",
        days: "понедельник ; вторник ; среду ; четверг ; пятницу ; субботу ; воскресенье ; вчера ; на этой неделе ",
        commands: "добавьте ; положите ; нарежьте ; откройте ; закройте ; нажмите ; выберите ; снимите ; оставьте ; смешайте ; налейте ; проверьте ; \
            установите ; возьмите ; запустите ",
    },
    Voices {
        language: "tr",
        singular: "ben ; bana ; benim ; beni ",
        plural: "biz ; bizim ; bize ",
        second_person: "siz ; sizin ; size ; sen ; senin ; sana ",
        binding: "zorundadır ; gerekir ; yasaktır ; yükümlüdür ; mecburdur ",
        reporting: "dedi ; söyledi ; açıkladı ; göre ; belirtti ; bildirdi ; söylüyor ; anlattı ",
        claims: "gerekiyor ; olmalı ; yapmalıyız ; değildir ; yanlış ",
        days: "pazartesi ; salı ; çarşamba ; perşembe ; cuma ; cumartesi ; pazar ; dün ",
        commands: "ekleyin ; koyun ; kesin ; açın ; kapatın ; basın ; seçin ; çıkarın ; bırakın ; karıştırın ",
    },
    Voices {
        language: "ar",
        singular: "أنا ; كنت ; لدي ; عندي ; قلت ",
        plural: "نحن ; لدينا ; كنا ",
        second_person: "أنت ; يمكنك ; عليك ; لك ; لديك ; تستطيع ; ستحصل ",
        binding: "يجب ; يحظر ; لا يجوز ; يلتزم ; يعاقب ",
        reporting: "قال ; وقال ; قالت ; وقالت ; أعلن ; أعلنت ; وأعلنت ; وأضاف ; وأضافت ; بحسب ; وفقا ; صرح ; أكد ; وأكد ",
        claims: "ينبغي ; لا بد ; ليس صحيحا ; آن الأوان ; خطأ ",
        days: "الأحد ; الاثنين ; الإثنين ; الثلاثاء ; الأربعاء ; الخميس ; الجمعة ; السبت ; أمس ",
        commands: "يسلق ; يخلط ; يضاف ; يقلب ; توضع ; يوضع ; تقطع ; يقطع ; يترك ; أضف ; ضع ; اخلط ; افتح ; اضغط ; اختر ",
    },
    Voices {
        language: "zh",
        singular: "我",
        plural: "我们;咱们;本公司",
        second_person: "你;您;请",
        binding: "应当;不得;必须;应予;禁止;有权",
        reporting: "表示;消息;记者;报道;宣布;指出;据悉;据介绍;据了解;据省;据市;通报",
        claims: "应该;不应;难道;其实;必须承认;可惜",
        days: "昨天;昨日;今晚;今晨;近日;日前;星期;周一;周二;周三;周四;周五;周六;周日;日下午;日上午;日电",
        commands: "将;把;先;再;用;取;放入;加入;倒入;打开;点击;选择;关;拧;切;洗;然后;最后;不要;请",
    },
    Voices {
        language: "ja",
        singular: "私;僕;俺;わたし;ぼく;我が家;うちの",
        plural: "私たち;我々;弊社;当社;当店",
        second_person: "あなた;ください;ましょう;下さい",
        binding: "なければならない;ものとする;てはならない;することができる;義務;罰;禁ずる",
        reporting: "によると;によれば;と述べ;と話;発表した;明らかにした;という;と語",
        claims: "べきだ;べきで;ではないか;はずだ;必要がある",
        days: "昨日;月曜;火曜;水曜;木曜;金曜;土曜;日曜",
        commands: "まず;次に;最後に;それから",
    },
    Voices {
        language: "ko",
        singular: "나는;저는;제가;내가;나의;내",
        plural: "우리;저희",
        second_person: "당신;여러분;세요;십시오;해 주;합니다만;드립니다",
        binding: "하여야 한다;해야 한다;아니 된다;할 수 있다;금지",
        reporting: "밝혔다;말했다;전했다;따르면;관계자;라고 ",
        claims: "해야 한다;아니다.;되어야;옳지",
        days: "월요일;화요일;수요일;목요일;금요일;토요일;일요일;어제;오는;지난;일 밝",
        commands: "먼저;다음;마지막으로;그다음;한 뒤",
    },
    Voices {
        language: "hi",
        singular: "मैं ; मेरा ; मेरी ; मेरे ; मुझे ; मैंने ",
        plural: "हम ; हमारा ; हमारी ; हमारे ; हमें ; हमने ",
        second_person: "आप ; आपको ; आपके ; आपका ; आपकी ; तुम ",
        binding: "अनिवार्य ; निषिद्ध ; दंडनीय ; बाध्य ",
        reporting: "कहा ; कहते ; कहती ; बताया ; अनुसार ; घोषणा ; बताते ",
        claims: "चाहिए ; गलत ; सच यह ",
        days: "सोमवार ; मंगलवार ; बुधवार ; गुरुवार ; शुक्रवार ; शनिवार ; रविवार ; कल ",
        commands: "सबसे पहले ; डालें ; काटें ",
    },
    Voices {
        language: "fa",
        singular: "من ; مرا ; برایم ",
        plural: "ما ; ما را ",
        second_person: "شما ; تو ; می‌توانید ",
        binding: "موظف ; ممنوع ; مجاز نیست ; مکلف ",
        reporting: "گفت ; می‌گوید ; گفته ; اعلام ; افزود ; به گفته ",
        claims: "باید ; نباید ; اشتباه ",
        days: "شنبه ; یکشنبه ; دوشنبه ; سه‌شنبه ; چهارشنبه ; پنجشنبه ; جمعه ; دیروز ",
        commands: "ابتدا ; سپس ; اضافه ; بریزید ; بگذارید ",
    },
];
