//! Licences and terms of use: what one may do, what one must do, what is not promised.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "licence", evidence, compose };

const NAMES: &str = "license; licence; terms of service; terms of use; terms and conditions; eula; end user; privacy policy; lizenz; nutzungsbedingungen; agb; geschäftsbedingungen; \
    datenschutzerklärung; conditions d'utilisation; conditions générales; términos; condiciones de uso; licencia; condizioni; licenza; termos de uso; licença; voorwaarden; licentie; \
    regulamin; licencja; лицензия; условия; الشروط; 许可; 服务条款; 使用条款; 利用規約; ライセンス; 약관; 라이선스";
/// Groups of cues: what the reader may do, must do, may not do, and what is not promised.
const CUES: [&str; 4] = [
    "may copy; may use; may distribute; you may; you can; grant; grants; granted; permitted; are free to; dürfen; vous pouvez; puede; può; pode; mag; może; вправе; 可以; できます",
    "must; you must; shall; required; provided that; retain; give; include; agree; müssen; devez; doit; debe; deve; moet; musi; обязан; 必须; 应当; しなければ",
    "may not; must not; shall not; prohibited; not permitted; without permission; nicht; ne pouvez pas; no puede; non può; não pode; niet; nie może; запрещ; не вправе; 不得; 禁止; できません",
    "warranty; warranties; liable; liability; as is; terminate; terminated; termination; refund; cancel; haftung; gewährleistung; kündig; garantie; responsabilité; garantía; responsabilidad; \
     garanzia; responsabilità; garantia; aansprakelijk; gwarancj; odpowiedzialno; гаранти; ответственност; 担保; 责任; 保証; 責任; 보증; 책임",
];

fn evidence(shape: &Shape) -> f32 {
    1.8 * sign(shape.is_titled(NAMES))
        + 3.0 * shape.binding.min(0.4)
        + 0.9 * sign(shape.begins("hereby; licensor; permission is granted; terms and conditions; these terms; this license; this licence; this agreement; diese bedingungen; présentes conditions"))
        - 0.5 * sign(shape.codes > 2)
        - 0.5 * sign(shape.reporting > 0.1)
}

fn compose(composer: &mut Composer<'_>) {
    rules(composer, &CUES);
}

/// What the text is, then the shortest good sentence for each group of cues.
pub(super) fn rules(composer: &mut Composer<'_>, cues: &[&str]) {
    composer.lead();
    for words in cues {
        let found = composer.cued(&composer.all(), words);
        let short = |at: &usize| (6..=30).contains(&composer.digest.sentences()[*at].words);
        let next = found
            .iter()
            .copied()
            .find(|at| short(at) && !composer.is_said(*at))
            .or_else(|| found.first().copied());
        if let Some(at) = next {
            composer.say(at);
        }
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
