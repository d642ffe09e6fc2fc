//! Services of public offices: who may apply, what it costs, what to bring, how long it takes.

use super::forms::has_any_word;
use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;
use crate::outline::Section;

pub(super) static KIND: Kind = Kind {
    name: "government",
    wants: "who needs it or is concerned, what is required, what it costs, how and until when to apply, and what happens otherwise",
    evidence,
    compose,
};

const NAMES: &str = "apply; permit; renew; register; registration; visa; passport; benefit; allowance; grant; licence; certificate; tax; antrag; beantragen; anmelden; ausweis; genehmigung; \
    demande; demander; permis; solicitar; solicitud; permiso; richiedere; richiesta; permesso; solicitar; aanvragen; vergunning; paspoort; wniosek; zezwolenie; заявление; разрешение; \
    申请; 办理; 申請; 手続き; 신청; \
    subsidie; subvention; zuschuss; ayuda; bonus; 居住证; 護照; 补贴; 補助金; 지원금; 발급; pozwolenie; dowód osobisty; паспорт; пособие; رخصة; تصريح";
const OFFICE: &str = "gov; government; department of; ministry; municipality; city of; council; official; county; federal; state of; agency; amt; behörde; stadt; gemeinde; bundes; \
    service-public; mairie; préfecture; gobierno; ayuntamiento; ministerio; comune; ministero; prefeitura; governo; gemeente; rijksoverheid; urząd; gmina; министерств; администрац; 政府; 市役所; 정부; 局";
const PARTS: [&str; 5] = [
    "who can; who may; eligib; who needs; who is; requirements; conditions; before you apply; do you need; wer ; voraussetzung; qui peut; conditions; quién; requisitos; chi può; requisiti; quem pode; wie kan; voorwaarden; kto może; warunki; кто может; 对象; 条件; 対象",
    "cost; fee; fees; price; charges; how much; kosten; gebühr; coût; tarif; prix; coste; tasa; precio; costo; tassa; custo; taxa; tarief; opłata; koszt; стоимость; пошлина; 费用; 手数料; 料金; 비용",
    "document; papers; what you need; you need; bring; evidence; unterlagen; dokumente; pièces; justificatifs; documentos; documentación; documenti; meenemen; documenten; dokumenty; документы; 材料; 書類; 서류",
    "how long; processing; time; when; deadline; dates; takes effect; dauer; bearbeitung; frist; délai; durée; plazo; cuánto tarda; tempi; scadenza; prazo; hoe lang; termijn; termin; срок; 时间; 期限; 処理; 기간",
    "how to; apply; where; step; procedure; so ; ablauf; comment; démarche; cómo; come ; como ; hoe ; aanvragen; jak ; как ; 流程; 方法; 申請方法; 방법",
];

fn evidence(shape: &Shape, signs: &mut Signs) {
    let parts =
        PARTS.iter().filter(|words| shape.headings_text.lines().any(|line| begins_any(line, words))).count();
    let titled = shape.is_titled(NAMES);
    let office = shape.begins(OFFICE) || titled || shape.is_typed(&["government"]);
    if !office {
        return;
    }
    signs.add(-0.10, "at first", true);
    signs.add(1.1, "title", titled);
    signs.add(0.71, "office", shape.begins(OFFICE));
    signs.add(1.4, "type of schema.org", shape.is_typed(&["governmentservice", "governmentorganization"]));
    signs.add(0.46, "parts of a service", parts as f32);
    signs.add(0.68, "most parts of a service", parts > 2);
    signs.add(1.1, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-0.60, "code", shape.codes > 0);
    signs.add(-4.1, "reports", (shape.reporting - 0.05).clamp(0.0, 0.3));
    signs.add(-2.0, "first person", shape.first_person.min(0.3));
    signs.add(-0.80, "questions", Shape::share(shape.questions, shape.headings) > 0.6);
    signs.add(-0.60, "clauses", shape.clauses > 2);
    signs.add(-0.80, "several people", shape.people > 1);
    signs.add(-0.80, "licence", shape.is_titled(super::licence::NAMES) && parts < 3);
    signs.add(-0.70, "pairs of data", shape.has.specs);
}

fn begins_any(line: &str, words: &str) -> bool {
    words.split(';').map(str::trim_start).any(|word| line.starts_with(word) || has_any_word(line, word))
}

fn compose(composer: &mut Composer<'_>) {
    composer.about();
    let mut parts: Vec<&Section> = Vec::new();
    for words in PARTS {
        let is_it = |section: &&Section| {
            let heading = crate::headings::fold(composer.text(section.heading));
            section.level > 1 && begins_any(&heading, words)
        };
        let is_new = |section: &&Section| parts.iter().all(|known| known.heading != section.heading);
        if let Some(section) = composer.sections().iter().find(|section| is_it(section) && is_new(section)) {
            parts.push(section);
        }
    }
    for section in parts {
        composer.section_line(section);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
