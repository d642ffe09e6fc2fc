//! Statutes, bylaws, rules: who decides, what is required, what follows.

use super::kind::{Kind, sign};
use super::licence::rules;
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "legal", evidence, compose };

const NAMES: &str = "act; ordinance; bylaw; bylaws; by-laws; statute; statutes; constitution; charter; regulation; regulations; code of; gesetz; verordnung; satzung; statuten; loi; règlement; \
    statuts; ley; reglamento; estatutos; legge; regolamento; statuto; lei; regulamento; wet; reglement; ustawa; statut; закон; устав; положение; قانون; नियम; 法; 条例; 规定; 章程; 規約; 법; 조례";
const CUES: [&str; 4] = [
    "elect; elected; appoint; appointed; majority; vote; votes; quorum; two thirds; two-thirds; wahl; gewählt; mehrheit; élu; majorité; mayoría; elegido; maggioranza; maioria; meerderheid; większość; большинств; 选举; 多数; 選挙",
    "shall; must; required; is required; may only; muss; müssen; ist verpflichtet; doit; debe; deve; moet; musi; обязан; должен; 应当; 必须; しなければ",
    "fine; penalty; prohibited; offence; offense; may not; shall not; revoked; verboten; bußgeld; strafe; amende; interdit; multa; prohibido; vietato; sanzione; proibido; boete; verboden; kara; zakaz; штраф; запрещ; 罚款; 不得; 罰",
    "means; applies; applies to; takes effect; effective; comes into force; within; days; members; gilt; tritt in kraft; s'applique; entre en vigueur; se aplica; entra en vigor; si applica; aplica-se; 适用; 施行",
];

fn evidence(shape: &Shape) -> f32 {
    let sections = shape
        .headings_text
        .lines()
        .filter(|line| {
            [
                "section",
                "article",
                "artikel",
                "paragraph",
                "§",
                "chapter",
                "part",
                "artículo",
                "articolo",
                "artigo",
            ]
            .iter()
            .any(|word| line.starts_with(word))
        })
        .count();
    1.2 * sign(super::forms::has_any_word(&shape.title, NAMES))
        + 4.0 * shape.binding.min(0.35)
        + 0.8 * sign(sections > 2)
        + 0.5 * sign(shape.numbered > 3)
        - 2.0 * shape.second_person.min(0.3)
        - 2.0 * shape.first_person.min(0.2)
        - 0.6 * sign(shape.codes > 1)
        - 0.5 * sign(shape.reporting > 0.1)
}

fn compose(composer: &mut Composer<'_>) {
    rules(composer, &CUES);
}
