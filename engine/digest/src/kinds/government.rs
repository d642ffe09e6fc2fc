//! Services of public offices: who may apply, what it costs, what to bring, how long it takes.

use super::forms::has_any_word;
use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::outline::Section;

pub(super) static KIND: Kind = Kind { name: "government", evidence, compose };

const NAMES: &str = "apply; permit; renew; register; registration; visa; passport; benefit; allowance; grant; licence; certificate; tax; antrag; beantragen; anmelden; ausweis; genehmigung; \
    demande; demander; permis; solicitar; solicitud; permiso; richiedere; richiesta; permesso; solicitar; aanvragen; vergunning; paspoort; wniosek; zezwolenie; заявление; разрешение; \
    申请; 办理; 申請; 手続き; 신청";
const OFFICE: &str = "gov; government; department of; ministry; municipality; city of; council; official; county; federal; state of; agency; amt; behörde; stadt; gemeinde; bundes; \
    service-public; mairie; préfecture; gobierno; ayuntamiento; ministerio; comune; ministero; prefeitura; governo; gemeente; rijksoverheid; urząd; gmina; министерств; администрац; 政府; 市役所; 정부; 局";
const PARTS: [&str; 5] = [
    "who can; who may; eligib; who needs; who is; requirements; conditions; before you apply; do you need; wer ; voraussetzung; qui peut; conditions; quién; requisitos; chi può; requisiti; quem pode; wie kan; voorwaarden; kto może; warunki; кто может; 对象; 条件; 対象",
    "cost; fee; fees; price; charges; how much; kosten; gebühr; coût; tarif; prix; coste; tasa; precio; costo; tassa; custo; taxa; tarief; opłata; koszt; стоимость; пошлина; 费用; 手数料; 料金; 비용",
    "document; papers; what you need; you need; bring; evidence; unterlagen; dokumente; pièces; justificatifs; documentos; documentación; documenti; meenemen; documenten; dokumenty; документы; 材料; 書類; 서류",
    "how long; processing; time; when; deadline; dates; takes effect; dauer; bearbeitung; frist; délai; durée; plazo; cuánto tarda; tempi; scadenza; prazo; hoe lang; termijn; termin; срок; 时间; 期限; 処理; 기간",
    "how to; apply; where; step; procedure; so ; ablauf; comment; démarche; cómo; come ; como ; hoe ; aanvragen; jak ; как ; 流程; 方法; 申請方法; 방법",
];

fn evidence(shape: &Shape) -> f32 {
    let parts =
        PARTS.iter().filter(|words| shape.headings_text.lines().any(|line| begins_any(line, words))).count();
    let office = shape.begins(OFFICE) || has_any_word(&shape.title, NAMES) || shape.is_typed(&["government"]);
    if !office {
        return 0.0;
    }
    0.9 * sign(has_any_word(&shape.title, NAMES))
        + 0.8 * sign(shape.begins(OFFICE))
        + 1.4 * sign(shape.is_typed(&["governmentservice", "governmentorganization"]))
        + 0.35 * parts as f32
        + 2.0 * shape.second_person.min(0.3)
        - 0.6 * sign(shape.codes > 0)
        - 0.8 * sign(shape.reporting > 0.12)
        - 2.0 * shape.first_person.min(0.3)
        - 0.6 * sign(Shape::share(shape.questions, shape.headings) > 0.6)
}

fn begins_any(line: &str, words: &str) -> bool {
    words.split(';').map(str::trim_start).any(|word| line.starts_with(word) || has_any_word(line, word))
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
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
