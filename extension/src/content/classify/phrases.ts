// Words by which sites speak of themselves: to sell, to sign up, to be allowed.

const PHRASES = [
  // English
  "newsletter|subscri(?:be|ption|ber)s?|unsubscribe|sign(?:ed|ing)? (?:up|in)|log(?:ged)? (?:in|out)|regist(?:er|ration)|free trial|unlimited access|your (?:account|inbox|cart|email|browser|privacy)|privacy (?:policy|choices|notice|settings)|terms (?:of|and)|cookies?|all rights reserved|copyright|©|powered by|verified (?:purchase|buyer)|was this (?:page |article |review |answer )?helpful|did you find this|report (?:abuse|this|post)|add to (?:cart|basket|wish)|(?:free|fast) (?:delivery|shipping|returns)|(?:tax|taxes|vat|shipping) (?:included|calculated|excluded)|at checkout|for every order|with every (?:order|purchase)|no questions|in stock|view (?:all|profile)|see all|show (?:all|more)|load more|leave a (?:comment|reply)|post(?:ing)? (?:a |your )(?:comment|reply|answer)|your answer|thanks for contributing|be(?:come)? a member|donat(?:e|ions?|ors?)|support(?:ing)? (?:us|this|our)|(?:funded|paid for|supported) by (?:our )?(?:readers|donations|supporters|members|you)|buy (?:me|us) a|thanks? (?:you )?for (?:reading|posting|subscribing|your support)|reader-supported|new posts|in your inbox|our (?:editors?|experts?|writers?|journalists?|readers|app|shop|store)|editors? (?:pick|choose|recommend)s?|discounts?|coupons?|promo codes?|medically reviewed|send us|best viewed|reprinted (?:by|with) permission|hope you (?:enjoyed|appreciated|liked)|before you (?:go|leave|close)|help us|your (?:gift|support|donation)|i am a bot|create an account|free articles?|(?:ask|need) (?:you|our readers)|readers to help|follow (?:us|me)|share (?:this|on)|like (?:this|us)|download (?:the|our) app|get the app|javascript|not responsible for|opens in a new|last (?:edited|modified|updated)(?: on| by|:)|this page|this site|our (?:site|website|partners|team|advertis\\w+)|advertis\\w+|sponsored|customers also|people also|also bought|contact us|about us|site ?map|back to (?:the )?top|skip to|enjoy(?:ing|ed) this|you (?:can(?:not|'t)?|may not|must) (?:post|reply|edit|vote|attach|be logged)|members? online|gift (?:card|article)|buy now|shop now|learn more|find out more|continue reading|read more",
  // German, French, Spanish
  "datenschutz\\w*|impressum|anmelden|registrieren|abonnieren|nutzungsbedingungen|alle rechte vorbehalten|kommentar (?:schreiben|hinterlassen)|einwilligung|jetzt (?:kaufen|bestellen|testen)|mehr erfahren",
  "s'abonner|abonnez-vous|abonnés?|inscrivez-vous|inscription|connexion|se connecter|mentions légales|confidentialité|tous droits réservés|laisser un commentaire|en savoir plus|partager",
  "suscr[ií]b\\w+|registr(?:arse|arte|o)|bienvenid[oa]s?|iniciar sesión|regístr\\w+|aviso legal|política de|todos los derechos|compartir|boletín|deja(?:r)? un comentario",
  // Italian, Portuguese, Dutch, Polish, Swedish, Turkish
  "iscri(?:viti|versi|zione)|accedi|informativa|condividi|abbonati|promozione|inscreva-se|entrar|assine|compartilhar|promoção|abonneer|inloggen|aanmelden|privacybeleid|zapisz się|zaloguj|zarejestruj|promocja|regulamin|udostępnij|prenumerera|logga in|dela|kampanj|abone ol|giriş yap|kayıt ol|gizlilik|paylaş",
  // Russian, Arabic, Hindi, Chinese, Japanese
  "подпис\\p{L}+|войти|регистрац\\p{L}+|все права защищены|политик\\p{L} конфиденциальности|рассылк\\p{L}+|поделиться|куки",
  "اشترك|النشرة البريدية|تسجيل الدخول|سياسة الخصوصية|جميع الحقوق|ملفات تعريف الارتباط|شارك",
  "सदस्यता|न्यूज़लेटर|लॉग ?इन|गोपनीयता|सर्वाधिकार|कुकीज़|साझा करें",
  "订阅|登录|注册|隐私|版权所有|关注我们|分享|广告|使用条款",
  "購読|登録|ログイン|プライバシー|メルマガ|ニュースレター|利用規約|無断転載|シェア|クッキー",
];
const LETTER = "\\p{L}\\p{N}";
const SITE = new RegExp(
  PHRASES.map((one, at) => (at < 6 ? `(?<![${LETTER}])(?:${one})(?![${LETTER}])` : `(?:${one})`)).join("|"),
  "giu",
);
const WORDS_MAX = 45;

/** How much of a short text is about the site, 0 to 1: two such phrases, or one in few words, are much. */
export function siteTalk(text: string, words: number): number {
  if (words === 0 || words > WORDS_MAX) return 0;
  const found = text.match(SITE)?.length ?? 0;
  return Math.min(1, (found * 8) / words + Math.max(0, found - 1) / 2);
}
