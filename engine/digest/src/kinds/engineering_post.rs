//! Posts of engineers: what was done, how, what it brought, what it cost.

use super::kind::{Kind, Signs, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::headings::CONCLUSION;

pub(super) static KIND: Kind = Kind {
    name: "engineering-post",
    wants: "what was changed or broke, why, how it was solved, the measured result, the cost and the limits",
    evidence,
    compose,
};

const FIELD: &str = "latency; deploy; database; postgres; mysql; kubernetes; migrate; migrated; migration; migrating; outage; incident; postmortem; post-mortem; p99; throughput; cluster; cache; backend; \
    compiler; benchmark; production; pipeline; queue; rollback; downtime; infrastructure; root cause; engineering; datenbank; ausfall; latenz; abfrage; serverless; server; base de données; latence; déploiement; requête; producción; base de datos; servidor; latencia; despliegue; \
    banco de dados; implantação; servidores; сервер; сборка; сборки; компилятор; кэш; база данных; базы данных; задержк; 数据库; 延迟; 部署; 服务器; データベース; サーバー; 障害; 데이터베이스; 서버; 장애";
const RESULTS: &str = "reduced; fell; dropped; cut; saved; faster; slower; percent; cost; took; now; root cause; because; we learned; we will; improved; from; went from; ms; seconds; minutes; hours";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let field =
        FIELD.split(';').map(str::trim).filter(|word| shape.begins(word) || shape.heads(word)).count();
    signs.add(0.8, "told in the title", shape.told_in_title && field > 0);
    signs.add(0.00, "at first", true);
    signs.add(0.40, "words of the field", field.min(5) as f32);
    signs.add(2.8, "first person", (shape.plural + 0.5 * shape.singular).min(0.35));
    signs.add(0.39, "engineering", shape.begins("engineering"));
    signs.add(0.32, "code", shape.codes > 0);
    signs.add(0.63, "numbers", shape.numbers.min(0.5) * sign(field > 1));
    signs.add(-1.2, "no first person", shape.first_person < 0.08);
    signs.add(-0.94, "no words of the field", field == 0);
    signs.add(-2.1, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-0.60, "members", shape.members > 4);
    signs.add(-0.81, "several people", shape.people > 1);
    signs.add(-0.60, "study", shape.has.r#abstract);
    signs.add(-0.7, "what is new", shape.has.highlights > 1);
    signs.add(
        -0.80,
        "release",
        crate::labels::is_version(&shape.title_cased)
            || super::looks::is_version_named(&shape.title)
            || shape.is_titled("release; released; announcing"),
    );
}

fn compose(composer: &mut Composer<'_>) {
    composer.about();
    let results = composer.cued(&composer.all(), RESULTS);
    let numbered = |at: &usize| composer.digest.sentences()[*at].text.chars().any(char::is_numeric);
    let (mut first, rest): (Vec<usize>, Vec<usize>) = results.into_iter().partition(numbered);
    first.extend(rest);
    for at in first.into_iter().take(2) {
        composer.say(at);
    }
    if let Some(section) = composer.section(CONCLUSION) {
        let sentences = composer.sentences(&section.whole);
        if let Some(best) = composer.best(&sentences) {
            composer.say(best);
        }
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
