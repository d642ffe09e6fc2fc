//! Posts of engineers: what was done, how, what it brought, what it cost.

use super::kind::{Kind, Signs, sign};
use super::prose;
use super::shape::Shape;

pub(super) static KIND: Kind = Kind {
    name: "engineering-post",
    wants: "what was changed or broke, why, how it was solved, the measured result, the cost and the limits",
    evidence,
    compose: prose::compose,
};

const FIELD: &str = "latency; deploy; database; postgres; mysql; kubernetes; migrate; migrated; migration; migrating; outage; incident; postmortem; post-mortem; p99; throughput; cluster; cache; backend; \
    compiler; benchmark; production; pipeline; queue; rollback; downtime; infrastructure; root cause; engineering; datenbank; ausfall; latenz; abfrage; serverless; server; base de données; latence; déploiement; requête; producción; base de datos; servidor; latencia; despliegue; \
    banco de dados; implantação; servidores; сервер; сборка; сборки; компилятор; кэш; база данных; базы данных; задержк; 数据库; 延迟; 部署; 服务器; データベース; サーバー; 障害; 데이터베이스; 서버; 장애";

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
        -1.6,
        "release",
        crate::labels::is_version(&shape.title_cased)
            || super::looks::is_version_named(&shape.title)
            || shape.is_titled("release; released; announcing"),
    );
}
