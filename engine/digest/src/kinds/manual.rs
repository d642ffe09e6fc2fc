//! Manuals and handbooks: what the part is for, then one line of each main part.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind {
    name: "manual",
    wants: "what the thing is for, how it is set up and used, its most important settings, warnings and limits",
    evidence,
    compose,
};

const NAMES: &str = "manual; user guide; handbook; documentation; docs; reference; guide; administration; configuration; configuring; installation; installing; setup; policy; \
    bedienungsanleitung; anleitung; handbuch; benutzerhandbuch; gebrauchsanweisung; leitfaden; manuel; notice; guía; manuale; guida; handleiding; podręcznik; instrukcja; \
    руководство; инструкция; دليل; 手册; 指南; 説明書; マニュアル; 取扱説明書; 설명서; 매뉴얼; 안내; 가이드; 사용법; 使い方; ガイド; 手引き; 使用说明; 使用指南; 操作指南; 帮助; instructions; instrukcja obsługi; instruções; guia; bruksanvisning; kullanım kılavuzu; kılavuz; pomoc; ayuda; ajuda; hilfe; \
    gebruiksaanwijzing; mode d'emploi; manuel d'utilisation; gebrauchsanleitung; betriebsanleitung; istruzioni per l'uso; manual de instruções; manual de instrucciones; руководство пользователя; كتيب التعليمات";

fn evidence(shape: &Shape, signs: &mut Signs) {
    signs.add(-0.14, "at first", true);
    signs.add(1.7, "title", shape.is_titled(NAMES));
    signs.add(0.88, "beginning", shape.opens(NAMES));
    signs.add(1.1, "addresses the reader", shape.second_person.min(0.2));
    signs.add(1.7, "instructions", shape.commands.min(0.25));
    signs.add(0.52, "code", shape.codes > 0);
    signs.add(0.30, "headings", shape.headings > 3);
    signs.add(0.21, "no reports", shape.reporting < 0.03);
    signs.add(0.28, "binding words", shape.binding > 0.1);
    signs.add(0.75, "faults and care", shape.heads("troubleshooting; safety; maintenance; care; cleaning; disposal; faults; prerequisites; install; installation; configuration; limits; störungen; sicherheit; reinigung; wartung; \
        entsorgung; sécurité; entretien; dépannage; seguridad; mantenimiento; solución de problemas; sicurezza; manutenzione; storingen; veiligheid; onderhoud; безопасность; 故障; 安全; 维护; お手入れ; 故障かな; 문제 해결; 관리"));
    signs.add(-3.3, "speaks as I", shape.singular.min(0.25));
    signs.add(-0.48, "prices", shape.prices + shape.priced_rows > 1);
    signs.add(-0.82, "several people", shape.people > 1);
    signs.add(-0.80, "ingredients", shape.has.ingredients);
    signs.add(-0.82, "questions", shape.questions > 3);
    signs.add(-0.80, "versions", shape.versions > 2);
    signs.add(-0.60, "members", shape.members > 3);
    signs.add(-0.44, "clauses", shape.clauses > 3);
}

pub(super) fn compose(composer: &mut Composer<'_>) {
    composer.about();
    composer.outline_line();
    composer.rules_line();
    composer.spread(composer.room().saturating_sub(1));
    composer.fill(composer.room());
    composer.in_page_order(1);
}
