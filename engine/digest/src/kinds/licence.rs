//! Licences and terms of use: what one may do, what one must do, what is not promised.

use super::forms::has_any_word;
use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::Composer;
use crate::words::lower;

pub(super) static KIND: Kind = Kind {
    name: "licence",
    wants: "what it is, what one may do, what one must do, what is forbidden, and what is not promised",
    evidence,
    compose,
};

pub(super) const NAMES: &str = "license; licence; terms of service; terms of use; terms and conditions; eula; end user; privacy policy; privacy notice; privacy; your data; lizenz; nutzungsbedingungen; agb; geschäftsbedingungen; \
    datenschutzerklärung; conditions d'utilisation; conditions générales; términos; condiciones de uso; licencia; condizioni; licenza; termos de uso; política de privacidade; política de privacidad; politique de confidentialité; informativa sulla privacy; privacybeleid; polityka prywatności; политика конфиденциальности; лицензионное соглашение; 隐私政策; プライバシーポリシー; 개인정보; licença; voorwaarden; licentie; \
    regulamin; licencja; лицензия; условия; الشروط; 许可; 服务条款; 使用条款; 利用規約; ライセンス; 약관; 라이선스";
/// Rules of one sort: words that they have, and whether they name an amount.
pub(super) struct Sort {
    words: &'static str,
    has_amount: bool,
}

pub(super) const fn sort(words: &'static str) -> Sort {
    Sort { words, has_amount: false }
}

/// What the reader may do, may not do, pays, is not promised, and must do.
const SORTS: [Sort; 5] = [
    sort(
        "grants; permission is granted; is permitted; are permitted; granted; may copy; may use; may distribute; are free to; you may; you can; gewährt; räumt; dürfen; accorde; vous pouvez; otorga; concede; puede; \
     può; pode; verleent; mag; udziela; może; предоставляет; вправе; 授予; 可以; 許諾; できます; 허락",
    ),
    sort(
        "may not; must not; shall not; prohibited; not permitted; without permission; do not sell; never sell; dürfen nicht; nicht gestattet; untersagt; ne pouvez pas; interdit; no puede; no podrá; prohibido; non può; vietato; \
     não pode; proibido; mag niet; mogen niet; verboden; nie może; zabronione; запрещ; не вправе; 不得; 禁止; できません",
    ),
    Sort { words: FEES, has_amount: true },
    sort(
        "as is; as it is; no event; warranty; warranties; liable; liability; haftung; haftet; gewährleistung; responsabilité; garantía; responsabilidad; garanzia; responsabilità; garantia; aansprakelijk; gwarancj; \
     odpowiedzialno; гаранти; ответственност; 担保; 责任; 保証; 責任; 보증; 책임",
    ),
    sort(
        "must; you must; shall; provided that; required; terminate; terminated; cancel; become available; becomes available; agree; müssen; kündig; devez; doit; résili; debe; deve; moet; musi; обязан; 必须; 应当; しなければ",
    ),
];
const FEES: &str = "fee; fees; charge; charges; price; per month; a month; per year; a year; subscription; deposit; gebühr; gebühren; entgelt; preis; monatlich; jährlich; frais; abonnement; commission; tarifa; comisión; cuota; \
    tariffa; commissione; canone; taxa; mensalidade; kosten; vergoeding; opłata; opłaty; prowizja; плата; комиссия; 费用; 手续费; 料金; 手数料; 요금; 수수료";

const MONEY: &str =
    "euro; euros; dollar; dollars; pounds; usd; eur; gbp; chf; kr; zł; percent; per cent; prozent; pour cent";

const BEGINS: &str = "hereby; licensor; permission is granted; terms and conditions; these terms; this license; this licence; this agreement; diese bedingungen; présentes conditions; настоящее соглашение; \
    estas condiciones; questo accordo; estes termos; 本协议; 本規約";
const DATA: &str = "personal data; your data; we collect; data protection; cookies; datenschutz; données personnelles; datos personales; dati personali; dados pessoais; que dados; \
    persoonsgegevens; dane osobowe; персональных данных; 个人信息; 個人情報; 개인정보";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.17, "at first", true);
    signs.add(2.6, "title", shape.is_titled(NAMES));
    signs.add(0.35, "speaks as we to you", shape.plural > 0.1 && shape.second_person > 0.1);
    signs.add(1.9, "binding words", shape.binding.min(0.4));
    signs.add(0.97, "beginning", shape.begins(BEGINS));
    signs.add(0.52, "personal data", shape.begins(DATA));
    signs.add(0.60, "no warranty", shape.heads("warranty; warranties; liability; haftung; garantie; garantía; responsabilité; responsabilidad; responsabilidade; garanzia; гаранти; 责任; 保証; gewährleistung"));
    signs.add(0.54, "clauses", shape.clauses > 2);
    signs.add(-0.50, "code", shape.codes > 2);
    signs.add(-0.82, "reports", shape.reporting > 0.1);
    signs.add(-0.90, "fees and papers", shape.priced_rows > 1);
    signs.add(-0.82, "several people", shape.people > 1);
}

fn compose(composer: &mut Composer<'_>) {
    rules(composer, &SORTS);
}

/// What the text is, then the best rule of each sort, a short one where there is one.
pub(super) fn rules(composer: &mut Composer<'_>, sorts: &[Sort]) {
    composer.about();
    for sort in sorts {
        let mut found = composer.cued(&composer.all(), sort.words);
        found.retain(|&at| !composer.is_said(at) && (!sort.has_amount || has_amount(composer, at)));
        let is_short = |at: &&usize| composer.digest.sentences()[**at].words <= LINE_WORDS_MAX;
        if let Some(&at) = found.iter().find(is_short).or(found.first()) {
            composer.say(at);
        }
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}

/// It names an amount of money or a share.
fn has_amount(composer: &Composer<'_>, at: usize) -> bool {
    let text = &composer.digest.sentences()[at].text;
    let has_number = text.chars().any(|c| c.is_ascii_digit());
    has_number
        && (text.contains(['%', '$', '€', '£', '¥', '₹', '₽', '元', '円', '원'])
            || has_any_word(&lower(text), MONEY))
}
