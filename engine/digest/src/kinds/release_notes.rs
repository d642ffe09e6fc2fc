//! Release notes: which version, what breaks, what is new.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::HIGHLIGHTS;
use crate::labels::is_version;

pub(super) static KIND: Kind = Kind {
    name: "release-notes",
    wants: "the version and its date, what is new, what no longer works or is required, and what was repaired",
    evidence,
    compose,
};

const NAMES: &str = "release; released; releases; what's new; release notes; announcing; is here; now available; veröffentlicht; erschienen; neuerungen; notes de version; disponible; \
    nouveautés; notas de la versión; novedades; lanzamiento; note di rilascio; novità; lançamento; notas de versão; uitgebracht; wydanie; выпуск; релиз; إصدار; 发布; リリース; 출시; 릴리스";

pub(super) const BREAKS: &str = "no longer; removed; breaking; requires; required; minimum; dropped; must; deprecated; incompatible; security; vulnerability; before upgrading; nicht mehr; entfernt; mindestens; erfordert; \
    ne sont plus; n'est plus; supprimé; au minimum; nécessite; ya no; elimina; requiere; mínimo; non è più; rimosso; richiede; não é mais; removido; niet meer; vereist; już nie; wymaga; больше не; \
    требует; 不再; 移除; 最低; 廃止; 必須; 더 이상";
const DATES: &str = "released; release date; published; january; february; march; april; may; june; july; august; september; october; november; december; veröffentlicht; publié; publiée; publicado; \
    pubblicato; uitgebracht; wydano; выпущен; 发布; リリース; 2023; 2024; 2025; 2026; 2027";

const SOFTWARE: &str = "software; app; update; major release; changes by; operating system; for windows; download; installer; logiciel; systèmes; lizenzen; aplicación; programm; アプリ; バージョン; 软件; 앱";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let versioned = is_version(&shape.title_cased) || shape.title.chars().any(|c| c.is_ascii_digit());
    let titled = shape.is_titled(NAMES);
    signs.add(0.07, "at first", true);
    signs.add(0.95, "title", titled);
    signs.add(
        0.79,
        "version in the title",
        is_version(&shape.title_cased) || super::looks::is_version_named(&shape.title),
    );
    signs.add(0.59, "title with a number", titled && versioned);
    signs.add(0.73, "what is new", shape.has.highlights.min(3) as f32);
    signs.add(0.29, "items", versioned && shape.items > 8);
    signs.add(0.84, "software", (titled || shape.has.highlights > 0) && shape.begins(SOFTWARE));
    signs.add(-1.00, "versions", shape.versions > 3);
    signs.add(-0.98, "no number in the title", !versioned);
    signs.add(-0.60, "several people", shape.people > 2);
    signs.add(-0.60, "prices", shape.prices > 2);
    signs.add(-1.0, "members", shape.members > 3);
    signs.add(-2.0, "reports", shape.reporting.min(0.3));
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&(0..composer.all().end.min(12)), DATES, 1);
    composer.title_line(&facts);
    composer.lead();
    for at in composer.cued(&composer.all(), BREAKS).into_iter().take(1) {
        composer.say(at);
    }
    let called: Vec<_> = composer.sections_called(HIGHLIGHTS).collect();
    let lines = composer.room().saturating_sub(1);
    for section in called.iter().take(lines) {
        composer.section_line(section);
    }
    if called.is_empty() {
        let items = composer.items(&composer.all());
        if items.len() > 6 {
            let lines = composer.room().saturating_sub(1).min(3);
            composer.join(None, &items[..items.len().min(lines * 3)], lines, "; ");
        }
        composer.spread(composer.room());
    }
    composer.fill(composer.room());
}
