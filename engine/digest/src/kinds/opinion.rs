//! Opinion: the claim, which seldom stands first, and what it rests on.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind {
    name: "opinion",
    wants: "what the author wants or claims, the reasons and numbers for it, and what is granted to the other side",
    evidence,
    compose,
};

const NAMES: &str = "opinion; op-ed; commentary; editorial; column; comment is free; letter to the editor; kommentar; meinung; leitartikel; gastbeitrag; tribune; point de vue; \
    éditorial; opinión; columna; tribuna; opinione; editoriale; opinião; coluna; opinie; felieton; мнение; колонка; رأي; مقال رأي; 社説; 观点; 칼럼; 사설; विचार";
const CLAIMS: &str = "should; must; need to; ought to; the truth is; the problem is; the point is; in fact; is not; are not; is no; cannot; instead; therefore; \
    sollte; sollten; muss; müssen; braucht; ist nicht; il faut; devrait; devons; n'est pas; debe; debería; deberíamos; hay que; no es; deve; dovrebbe; non è; deveria; não é; \
    moet; moeten; powinien; powinna; trzeba; должны; должен; нужно; нельзя; يجب; 应该; 必须; べき; 해야";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.09, "at first", true);
    signs.add(3.3, "type of schema.org", shape.is_typed(&["opinion"]));
    signs.add(2.1, "opinion", shape.is_kicked(NAMES));
    signs.add(1.3, "speaks as I or we", shape.first_person.min(0.3));
    signs.add(4.5, "claims", shape.claims.min(0.3));
    signs.add(0.31, "binding words", shape.binding > 0.08);
    signs.add(0.25, "plain text", shape.codes == 0 && shape.items < 8);
    signs.add(-1.1, "code", shape.codes > 0);
    signs.add(-0.42, "headings", shape.headings > 8);
    signs.add(-0.84, "several people", shape.people > 1);
    signs.add(-0.60, "clauses", shape.clauses > 2);
    signs.add(-1.7, "instructions", shape.commands.min(0.3));
    signs.add(-0.60, "days", shape.days > 0.3);
    signs.add(-0.60, "speech", shape.speech > 0.3);
}

fn compose(composer: &mut Composer<'_>) {
    composer.about();
    let claims = composer.cued(&composer.all(), CLAIMS);
    for claim in claims.into_iter().take(2) {
        composer.say(claim);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
