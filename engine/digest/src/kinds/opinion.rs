//! Opinion: the claim, which seldom stands first, and what it rests on.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "opinion", evidence, compose };

const NAMES: &str = "opinion; op-ed; commentary; editorial; column; comment is free; letter to the editor; kommentar; meinung; leitartikel; gastbeitrag; tribune; point de vue; \
    éditorial; opinión; columna; tribuna; opinione; editoriale; opinião; coluna; opinie; felieton; мнение; колонка; رأي; مقال رأي; 社説; 观点; 칼럼; 사설; विचार";
const CLAIMS: &str = "should; must; need to; ought to; the truth is; the problem is; the point is; in fact; is not; are not; is no; cannot; instead; therefore; \
    sollte; sollten; muss; müssen; braucht; ist nicht; il faut; devrait; devons; n'est pas; debe; debería; deberíamos; hay que; no es; deve; dovrebbe; non è; deveria; não é; \
    moet; moeten; powinien; powinna; trzeba; должны; должен; нужно; нельзя; يجب; 应该; 必须; べき; 해야";

fn evidence(shape: &Shape) -> f32 {
    2.5 * sign(shape.is_typed(&["opinion"]))
        + 1.6 * sign(shape.begins(NAMES) || shape.is_titled(NAMES))
        + 1.5 * shape.first_person.min(0.3)
        + sign(shape.binding > 0.08) * 0.3
        + 0.3 * sign(shape.codes == 0 && shape.items < 8)
        - sign(shape.codes > 0)
        - 0.4 * sign(shape.headings > 8)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let claims = composer.cued(&composer.all(), CLAIMS);
    for claim in claims.into_iter().take(2) {
        composer.say(claim);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
