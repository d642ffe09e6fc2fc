//! A list of data: phrases of boilerplate, lower case, separated by semicolons.

/// Boilerplate wherever they stand in a sentence of ordinary length: nobody writes them about a subject.
const ANYWHERE: &str = "we use cookies; this site uses cookies; this website uses cookies; our use of cookies; accept cookies; \
accept all cookies; our cookie policy; cookie settings; cookie preferences; manage cookies; manage preferences; our privacy policy; \
our terms of service; our terms of use; our terms and conditions; all rights reserved; subscribe to our; subscribe to the newsletter; \
subscribe now; sign up for our; sign up for the newsletter; sign up to our; already a subscriber; our newsletter; \
our free newsletter; our weekly newsletter; our daily newsletter; enter your email; \
to your inbox; in your inbox; click here; tap here; learn more about our; you may also like; you might also like; more from this author; \
share this article; share this page; share this story; share this post; follow us on; like us on; leave a comment below; \
comments are closed; back to top; skip to content; skip to main; jump to navigation; download our app; get our app; \
javascript is disabled; enable javascript; your browser does not support; your browser is out of date; disable your ad blocker; copyright ©; \
unsubscribe at any time; buy me a coffee; this site is protected by; was this page helpful; was this answer helpful; did this answer your question; this question will not help; jump to recipe; \
jump to the recipe; skip to recipe; print recipe; zum rezept springen; direkt zum rezept; aller à la recette; ir a la receta; vai alla ricetta; \
report an issue with this page; \
wir verwenden cookies; wir nutzen cookies; diese website verwendet cookies; diese website nutzt cookies; diese seite verwendet cookies; \
diese seite nutzt cookies; cookies akzeptieren; alle cookies; unsere datenschutzerklärung; unserer datenschutzerklärung; \
alle rechte vorbehalten; newsletter abonnieren; unseren newsletter; unserem newsletter; jetzt abonnieren; hier klicken; klicken sie hier; \
lesen sie auch; diesen artikel teilen; folgen sie uns; zum seitenanfang; zum inhalt springen; das könnte sie auch; javascript aktivieren; \
nous utilisons des cookies; ce site utilise des cookies; accepter les cookies; politique de confidentialité; tous droits réservés; \
abonnez-vous; inscrivez-vous à notre; notre newsletter; cliquez ici; à lire aussi; suivez-nous; laisser un commentaire; aller au contenu; \
utilizamos cookies; usamos cookies; este sitio usa cookies; aceptar cookies; política de privacidad; \
todos los derechos reservados; suscríbete a; suscríbase a; nuestro boletín; haz clic aquí; haga clic aquí; seguir leyendo; síguenos en; \
deja un comentario; ir al contenido; aceitar cookies; política de privacidade; todos os direitos reservados; clique aqui; leia também; \
siga-nos; utilizziamo i cookie; accetta i cookie; informativa sulla privacy; tutti i diritti riservati; clicca qui; leggi anche; seguici su; \
wij gebruiken cookies; alle rechten voorbehouden; klik hier; volg ons op; używamy plików cookie; polityka prywatności; \
wszelkie prawa zastrzeżone; kliknij tutaj; czytaj także; çerezleri kullan; gizlilik politikası; tüm hakları saklıdır; buraya tıklayın; \
мы используем файлы cookie; мы используем cookie; использует файлы cookie; политика конфиденциальности; все права защищены; \
подпишитесь на наш; подписывайтесь на наш; нажмите здесь; читайте также; оставить комментарий; ми використовуємо файли cookie; \
усі права захищено; ملفات تعريف الارتباط; سياسة الخصوصية; جميع الحقوق محفوظة; اشترك في نشرتنا; اشترك الآن; انقر هنا; اضغط هنا; اقرأ المزيد; اقرأ أيضا; \
اقرأ أيضًا; تابعنا على; نشرتنا البريدية; النشرة البريدية; تمامی حقوق محفوظ; اینجا کلیک کنید; אנו משתמשים בעוגיות; קובצי cookie; מדיניות הפרטיות; \
כל הזכויות שמורות; לחצו כאן; कुकीज़ का उपयोग; कुकीज का उपयोग; गोपनीयता नीति; सर्वाधिकार सुरक्षित; यहाँ क्लिक करें; यहां क्लिक करें; \
使用cookie; 使用 cookie; 接受所有cookie; 隐私政策; 隱私政策; 版权所有; 版權所有; 保留所有权利; 点击这里; 點擊這裡; 点击此处; 阅读原文; 订阅我们; 訂閱我們; 订阅本站; \
关注我们; 關注我們; 扫描二维码; 分享到; 返回顶部; クッキーを使用; cookieを使用; プライバシーポリシー; 無断転載; 続きを読む; こちらをクリック; ここをクリック; メルマガ登録; \
ニュースレターに登録; 쿠키를 사용; 개인정보 처리방침; 여기를 클릭; เราใช้คุกกี้; นโยบายความเป็นส่วนตัว; สงวนลิขสิทธิ์; คลิกที่นี่; \
chúng tôi sử dụng cookie; bấm vào đây; kami menggunakan cookie; klik di sini; baca juga";

/// Boilerplate where a sentence begins with them and is short, or is hardly more than they are.
const SHORT: &str = "subscribe; sign up; related; sign in; log in; create an account; read more; read next; continue reading; see also; related articles; \
related stories; related posts; share; follow; leave a comment; leave a reply; post a comment; advertisement; sponsored; privacy policy; \
cookie policy; terms of service; terms of use; terms and conditions; powered by; support our work; table of contents; print this; free trial; \
add to cart; next article; previous article; next post; previous post; last updated; posted by; posted in; edit this page; edit on; filed under; \
tagged; comments; menu; search; home; accept; reject; ok; impressum; datenschutz; nutzungsbedingungen; anmelden; jetzt anmelden; mehr lesen; weiterlesen; \
mehr zum thema; teilen; kommentar schreiben; kommentar verfassen; nach oben; zur startseite; seite drucken; werbung; anzeige; lire la suite; \
lire aussi; partager; mentions légales; retour en haut; tout accepter; publicité; leer más; compartir; aviso legal; publicidad; assine; leia mais; \
compartilhe; iscriviti; leggi tutto; condividi; pubblicità; lees meer; lees ook; delen; advertentie; czytaj więcej; udostępnij; devamını oku; paylaş; \
поделиться; читать далее; подписаться; реклама; читати далі; شارك; إعلان; اشترك; مشاركة; קרא עוד; שתפו; הירשמו; और पढ़ें; साझा करें; सदस्यता लें; \
阅读更多; 上一篇; 下一篇; 相关文章; 分享; 广告; 登录; 注册; 利用規約; 関連記事; 次の記事; 前の記事; シェア; フォロー; 広告; ログイン; 더 읽기; 구독하기; 관련 기사; 공유; 광고; อ่านต่อ; \
อ่านเพิ่มเติม; แชร์; đọc thêm; baca selengkapnya";

/// The end of a line that says who wrote what follows, before its colon.
const WROTE: &str = "wrote; writes; said; says; replied; answered; commented; asked; schrieb; schreibt; antwortete; sagte; hat geschrieben; a écrit; \
écrit; a répondu; escribió; dijo; respondió; ha scritto; scrive; escreveu; disse; schreef; skrev; napisał; napisała; yazdı; написал; написала; пишет; \
написав; написала; пише; έγραψε; كتب; كتبت; نوشت; כתב; כתבה; ने लिखा";

/// The beginning of a line that says when a page was written.
const PUBLISHED: &str = "published; posted; updated; last updated; last modified; last changed; created on; modified; reviewed on; first published; \
veröffentlicht; aktualisiert; zuletzt geändert; zuletzt aktualisiert; stand; publié; mis à jour; mise à jour; dernière mise à jour; publicado; \
actualizado; última actualización; pubblicato; aggiornato; ultimo aggiornamento; atualizado; última atualização; gepubliceerd; bijgewerkt; publicerad; \
uppdaterad; udgivet; opdateret; opublikowano; zaktualizowano; yayınlanma; güncelleme; опубликовано; обновлено; опубліковано; оновлено; δημοσιεύτηκε; \
نشر في; تم التحديث; 发布于; 更新于; 公開日; 更新日; 게시일; 수정일";

/// The beginning of a line that only points elsewhere.
const POINTERS: &str = "refer to; please refer to; see also; please see; see section; see chapter; see table; see figure; see appendix; see page; see below; \
see above; see the section; see the chapter; see the documentation; see the manual; see the man page; for more information; for further information; \
for more details; for further details; for details see; for details, see; for a list of; consult the; read more; learn more; siehe; siehe auch; \
vergleiche; weitere informationen; mehr informationen; mehr dazu; näheres; voir; voir aussi; pour plus d'informations; pour plus de détails; \
pour en savoir plus; consultez; reportez-vous; véase; vea; ver también; consulte; para más información; para más detalles; vedi; vedi anche; \
per ulteriori informazioni; per maggiori informazioni; veja; veja também; para mais informações; zie; zie ook; voor meer informatie; se även; \
för mer information; se også; for mere information; zobacz; zobacz też; zobacz także; więcej informacji; ayrıntılı bilgi; daha fazla bilgi; ayrıca bakınız; \
см; смотрите также; подробнее; див; дивіться також; докладніше; δείτε; δείτε επίσης; انظر; انظر أيضا; لمزيد من المعلومات; برای اطلاعات بیشتر; \
ראו גם; למידע נוסף; अधिक जानकारी; 参见; 参阅; 另见; 请参阅; 请参见; 詳しくは; 詳細は; 関連項目; 자세한 내용은; ดูเพิ่มเติม";

pub(crate) fn wrote() -> impl Iterator<Item = &'static str> {
    WROTE.split(';').map(str::trim)
}

pub(crate) fn published() -> impl Iterator<Item = &'static str> {
    PUBLISHED.split(';').map(str::trim)
}

pub(crate) fn pointers() -> impl Iterator<Item = &'static str> {
    POINTERS.split(';').map(str::trim)
}

pub(crate) fn anywhere() -> impl Iterator<Item = &'static str> {
    ANYWHERE.split(';').map(str::trim)
}

pub(crate) fn short() -> impl Iterator<Item = &'static str> {
    SHORT.split(';').map(str::trim)
}
