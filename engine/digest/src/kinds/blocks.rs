//! What the text of single blocks says of a page's kind.

use super::looks::{
    amounts, asks, finds, has_lifespan, has_price, is_field, is_measured, is_rating, is_stamp, quotes_post,
};
use super::names::ABSTRACT;
use super::shape::Shape;
use crate::count_words;
use crate::headings as names;
use crate::labels::is_member;
use crate::outline::Part;
use crate::page::{Block, BlockKind, Page};
use crate::words::head;

/// Characters of a block that are looked at.
const CHARS_MAX: usize = 200;
/// Blocks before which a price stands at the beginning, and blocks at the beginning at all.
const PRICED_FIRST: usize = 5;
const FRONT_BLOCKS: usize = 12;
/// Words of an offer, and of a question.
const OFFER_WORDS_MAX: usize = 40;
const QUESTION_WORDS_MAX: usize = 30;
/// What speech begins with.
const SPEECH: [char; 9] = ['"', '“', '„', '«', '「', '『', '—', '–', '‘'];

impl Shape {
    /// Adds what a block looks like.
    pub(super) fn look_at(&mut self, block: &Block, part: &Part) {
        let text = head(&block.text, CHARS_MAX);
        let may_ask = part.kind != BlockKind::Code && part.words < QUESTION_WORDS_MAX;
        self.asks += usize::from(may_ask && text.len() == block.text.len() && asks(text));
        if part.kind == BlockKind::Table {
            let cells = || text.split('\t');
            self.fields += usize::from(cells().skip(1).take(2).any(is_field));
            self.priced_rows += usize::from(has_price(text));
            self.member_items += usize::from(cells().take(2).any(|cell| is_member(head(cell, 60))));
        }
        if !part.kind.is_ranked() {
            return;
        }
        self.accepted |= part.accepted;
        self.member_items += usize::from(part.kind == BlockKind::ListItem && is_member(head(text, 60)));
        self.prices += usize::from(has_price(text));
        self.fields += usize::from(is_field(text));
        self.measures += usize::from(is_measured(text));
        self.amounts += amounts(head(&block.text, 3 * CHARS_MAX));
        self.rated |= part.words <= OFFER_WORDS_MAX && is_rating(text);
        self.sells |= part.words < OFFER_WORDS_MAX && finds(&text.to_lowercase(), OFFERS);
        self.stamps += usize::from(is_stamp(&block.text));
        self.quotes_posts |= quotes_post(&block.text);
        self.spoken += usize::from(text.starts_with(SPEECH));
    }

    /// Reads the first blocks.
    pub(super) fn read_front(&mut self, page: &Page) {
        self.priced_first =
            page.blocks.iter().take(PRICED_FIRST).any(|block| has_price(head(&block.text, 120)));
        for block in page.blocks.iter().take(FRONT_BLOCKS) {
            self.has.r#abstract |= runs_in(&block.text);
            self.lifespan |= has_lifespan(&block.text);
            self.front.push_str(&head(&block.text, 240).to_lowercase());
            self.front.push('\n');
        }
    }
}

/// "Abstract. We show ...": a name that stands in front of its text.
fn runs_in(text: &str) -> bool {
    let start = head(text, 40);
    let Some((name, rest)) = start.split_once(['.', ':', '：', '—', '－']) else { return false };
    !rest.trim().is_empty() && names::is_called(name, ABSTRACT) && count_words(name) <= 2
}

/// What one may do with a thing that is sold.
const OFFERS: &str = "free trial; download now; add to cart; buy now; try it free; no credit card; kostenlos testen; jetzt kaufen; in den warenkorb; essai gratuit; télécharger; prueba gratis; \
    comprar; prova gratuita; acquista; teste grátis; gratis proberen; wypróbuj; скачать; 免费试用; 无料で試す; 무료 체험";
