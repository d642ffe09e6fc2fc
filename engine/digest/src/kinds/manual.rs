//! Manuals and handbooks: what the part is for, then one line of each main part.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "manual", evidence, compose };

const NAMES: &str = "manual; user guide; handbook; documentation; docs; reference; guide; administration; configuration; configuring; installation; installing; setup; policy; \
    bedienungsanleitung; anleitung; handbuch; benutzerhandbuch; gebrauchsanweisung; leitfaden; manuel; notice; guía; manuale; guida; handleiding; podręcznik; instrukcja; \
    руководство; инструкция; دليل; 手册; 指南; 説明書; マニュアル; 取扱説明書; 설명서; 매뉴얼; 사용자 가이드";

fn evidence(shape: &Shape) -> f32 {
    1.1 * sign(shape.is_titled(NAMES))
        + 0.5 * sign(shape.begins(NAMES))
        + 2.0 * shape.second_person.min(0.2)
        + 0.3 * sign(shape.codes > 0)
        + 0.3 * sign(shape.headings > 3)
        + 0.3 * sign(shape.reporting < 0.03)
        + 0.3 * sign(shape.binding > 0.1)
        - 2.0 * shape.first_person.min(0.25)
        - 0.5 * sign(shape.prices > 1)
}

pub(super) fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    composer.spread(composer.room().saturating_sub(1));
    composer.fill(composer.room());
    composer.in_page_order(1);
}
