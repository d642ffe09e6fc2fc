//! Products: name and price, what it is, its data.

use super::kind::{Kind, sign};
use super::shape::Shape;
use crate::compose::Composer;
use crate::page::BlockKind;

pub(super) static KIND: Kind = Kind { name: "product", evidence, compose };

const FACTS: &str = "$; €; £; ¥; ₹; eur; usd; gbp; zł; 円; 元; stars; out of 5; / 5; rating; reviews; sterne; von 5; étoiles; estrellas; stelle";
const SHOP: &str = "add to cart; add to basket; in stock; buy now; free shipping; delivery; out of stock; sku; in den warenkorb; lieferbar; auf lager; versand; ajouter au panier; en stock; \
    añadir al carrito; aggiungi al carrello; adicionar ao carrinho; in winkelwagen; do koszyka; в корзину; 加入购物车; カートに入れる; 장바구니; free trial; pricing; plans; per month; download now; get started";

fn evidence(shape: &Shape) -> f32 {
    let data = shape.prices > 0 || shape.pairs > 3;
    let sells = shape.begins(SHOP) || shape.is_typed(&["product", "offer", "softwareapplication"]);
    1.8 * sign(shape.is_typed(&["product", "softwareapplication", "offer"]) && data)
        + 0.4 * sign(shape.is_typed(&["product"]))
        + 0.7 * sign(shape.prices > 0 && (sells || shape.pairs > 3))
        + 0.4 * sign(shape.prices > 2 && sells)
        + 0.7 * sign(shape.pairs > 3)
        + 1.0 * sign(shape.begins(SHOP))
        + 1.0 * shape.second_person.min(0.3)
        - 0.8 * sign(shape.has.references)
        - 0.8 * sign(shape.reporting > 0.1)
        - 0.8 * sign(shape.has.ingredients)
        - 0.6 * sign(shape.codes > 2)
        - 1.0 * sign(shape.has.pros && shape.has.cons)
        - 2.0 * shape.first_person.min(0.25)
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&composer.all(), FACTS, 2);
    composer.title_line(&facts);
    composer.lead();
    let rows = composer.blocks(&composer.all(), BlockKind::Table);
    if rows.len() > 2 {
        let lines = composer.room().saturating_sub(1).clamp(1, 2);
        composer.join(None, &rows[..rows.len().min(lines * 5)], lines, "; ");
    }
    composer.fill(composer.room());
}
