//! Statutes, bylaws, rules: who decides, what is required, what follows.

use super::kind::{Kind, Signs};
use super::licence::{Sort, rules, sort};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind {
    name: "legal",
    wants: "what the rules are for, whom they bind, what is required, deadlines and numbers, and penalties",
    evidence,
    compose,
};

const NAMES: &str = "act; ordinance; bylaw; bylaws; by-laws; statute; statutes; constitution; charter; regulation; regulations; code of; gesetz; verordnung; satzung; statuten; loi; règlement; \
    statuts; ley; reglamento; estatutos; legge; regolamento; statuto; lei; regulamento; wet; reglement; ustawa; statut; закон; устав; положение; قانون; नियम; 法; 条例; 规定; 章程; 規約; 법; 조례";
const SORTS: [Sort; 4] = [
    sort(
        "elect; elected; appoint; appointed; majority; vote; votes; quorum; two thirds; two-thirds; wahl; gewählt; mehrheit; élu; majorité; mayoría; elegido; maggioranza; maioria; meerderheid; większość; большинств; 选举; 多数; 選挙",
    ),
    sort(
        "shall; must; required; is required; may only; muss; müssen; ist verpflichtet; doit; debe; deve; moet; musi; обязан; должен; 应当; 必须; しなければ",
    ),
    sort(
        "fine; penalty; prohibited; offence; offense; may not; shall not; revoked; verboten; bußgeld; strafe; amende; interdit; multa; prohibido; vietato; sanzione; proibido; boete; verboden; kara; zakaz; штраф; запрещ; 罚款; 不得; 罰",
    ),
    sort(
        "means; applies; applies to; takes effect; effective; comes into force; within; days; members; gilt; tritt in kraft; s'applique; entre en vigueur; se aplica; entra en vigor; si applica; aplica-se; 适用; 施行",
    ),
];

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.02, "at first", true);
    signs.add(1.8, "title", shape.is_titled(NAMES));
    signs.add(5.9, "binding words", shape.binding.min(0.35));
    signs.add(1.1, "clauses", shape.clauses > 2);
    signs.add(0.29, "numbered headings", shape.numbered > 3);
    signs.add(1.5, "court", shape.opens("judgment; judgement; appellant; respondent; claimant; defendant; urteil; kläger; arrêt du; sentencia; sentenza; решение суда; 判决书; 判決"));
    signs.add(-3.0, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-2.3, "first person", shape.first_person.min(0.2));
    signs.add(-0.60, "code", shape.codes > 1);
    signs.add(-1.5, "reports", (shape.reporting - 0.1).max(0.0));
    signs.add(-1.00, "licence", shape.is_titled(super::licence::NAMES));
    signs.add(-0.81, "several people", shape.people > 1);
}

fn compose(composer: &mut Composer<'_>) {
    rules(composer, &SORTS);
}
