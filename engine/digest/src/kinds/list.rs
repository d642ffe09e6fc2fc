//! Lists: what is listed, how many, from when to when, the entries that stand out.

use super::kind::{Kind, Signs, sign};
use super::shape::Shape;
use crate::compose::{Composer, Draft};
use crate::labels::is_numbered;

pub(super) static KIND: Kind = Kind {
    name: "list",
    wants: "what is listed and how many there are, the first and most important entries, how they were chosen, and what stands out",
    evidence,
    compose,
};

const NAMES: &str = "list of; best; top; ranking; ranked; liste; die besten; bestenliste; meilleurs; classement; lista; mejores; migliori; classifica; melhores; beste; lijst; najlepsze; ranking; лучших; список; \
    أفضل; 榜; 排行; 一览; 一覧; ランキング; おすすめ; 選; 목록; 베스트";

const NUMBERS: &str = "five; six; seven; eight; nine; ten; eleven; twelve; fifteen; twenty; thirty; fünf; sechs; sieben; acht; neun; zehn; zwölf; cinq; sept; huit; neuf; dix; douze; cinco; seis; siete; \
    ocho; nueve; diez; doce; cinque; sei; sette; otto; nove; dieci; dodici; sete; oito; dez; doze; vijf; zes; zeven; acht; negen; tien; twaalf; fem; sju; tio; pięć; sześć; siedem; dziesięć; \
    пять; шесть; семь; восемь; десять; beş; altı; yedi; sekiz; on";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let numbered = |word: &str| NUMBERS.split(';').any(|number| number.trim() == word);
    let counted = shape.title.chars().take(6).any(|c| c.is_ascii_digit())
        || shape.title.split_whitespace().take(2).any(numbered);
    let listed = shape.rows > 9
        || shape.numbered > 4
        || shape.headings > 5
        || (shape.items > 6 && shape.item_words > 6);
    let rows = Shape::share(shape.rows, shape.rows + shape.paragraphs + shape.items);
    signs.add(0.11, "at first", true);
    signs.add(1.4, "title", shape.is_titled(NAMES) && listed);
    signs.add(0.77, "number in the title", counted && listed);
    signs.add(1.2, "as many headings as the title says", counts_headings(shape));
    signs.add(0.96, "numbered headings", shape.numbered > 4 && shape.codes == 0);
    signs.add(1.2, "rows", shape.rows > 9);
    signs.add(1.7, "share of rows", (rows - 0.4).max(0.0) * 2.0 * sign(shape.rows > 7));
    signs.add(0.73, "beginning", shape.begins("ranked; sorted by; we picked; our picks; our favourites; in no particular order; sortiert nach; notre classement; notre sélection; nuestra selección; la nostra classifica; 選んだ; 紹介します; 盘点") && listed);
    signs.add(0.89, "type of schema.org", shape.is_typed(&["itemlist"]));
    signs.add(-0.81, "code", shape.codes > 2);
    signs.add(
        -0.81,
        "materials or ingredients",
        shape.has.materials || shape.has.ingredients || shape.has.method,
    );
    signs.add(-0.81, "questions", shape.questions > 3);
    signs.add(-0.80, "versions", shape.versions > 2 || shape.years > 4);
    signs.add(-1.6, "binding words", shape.binding.min(0.3));
    signs.add(-0.81, "several people", shape.people > 2);
    signs.add(-0.80, "parts of a study", shape.study > 2);
    signs.add(-0.85, "data of one thing", shape.has.specs || shape.pairs * 2 > shape.rows);
    signs.add(-1.0, "members", shape.members > 3);
    signs.add(-1.5, "instructions", (shape.commands - 0.25).max(0.0));
}

/// "The 8 best games" has eight headings, and may have one above and one below them.
fn counts_headings(shape: &Shape) -> bool {
    let counts = |word: &str| {
        word.parse().is_ok_and(|number: usize| number > 3 && shape.headings.wrapping_sub(number) < 3)
    };
    shape.title.split(' ').any(counts)
}

fn compose(composer: &mut Composer<'_>) {
    composer.lead();
    let rows = composer.rows(&composer.all());
    let top = composer.top_level();
    let headings: Vec<usize> = composer
        .sections()
        .iter()
        .filter(|section| section.level == top)
        .map(|section| section.heading)
        .collect();
    let numbered: Vec<usize> = composer
        .sections()
        .iter()
        .map(|section| section.heading)
        .filter(|&at| is_numbered(composer.text(at)))
        .collect();
    let entries = match () {
        () if rows.len() > 9 => rows,
        () if numbered.len() > 3 => numbered,
        () if headings.len() > 3 => headings,
        () => composer.items(&composer.all()),
    };
    count_line(composer, &entries);
    let lines = composer.room().saturating_sub(1).clamp(1, 2);
    let names: Vec<usize> = entries.iter().copied().take(lines * 5).collect();
    composer.join(None, &names, lines, "; ");
    composer.fill(composer.room());
}

/// "title (12): first ... last".
fn count_line(composer: &mut Composer<'_>, entries: &[usize]) {
    let (Some(&first), Some(&last)) = (entries.first(), entries.last()) else { return };
    let mut draft = Draft::default();
    if let Some(title) = composer.title_block() {
        composer.put_label(&mut draft, title);
    }
    let before = if draft.is_empty() { String::new() } else { format!(" ({}): ", entries.len()) };
    composer.put(&mut draft, &before, first, 8);
    if last != first {
        composer.put(&mut draft, " … ", last, 8);
    }
    composer.add(draft);
}
