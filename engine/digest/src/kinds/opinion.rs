//! Opinion: the claim, which seldom stands first, and what it rests on.

use super::kind::{Kind, Signs};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "opinion",
    wants: "what the author wants or claims, the reasons and numbers for it, and what is granted to the other side",
    evidence,
    compose: prose::compose,
};

const NAMES: &str = "opinion; op-ed; commentary; editorial; column; comment is free; letter to the editor; kommentar; meinung; leitartikel; gastbeitrag; tribune; point de vue; \
    éditorial; opinión; columna; tribuna; opinione; editoriale; opinião; coluna; opinie; felieton; мнение; колонка; رأي; مقال رأي; 社説; 观点; 칼럼; 사설; विचार";
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
