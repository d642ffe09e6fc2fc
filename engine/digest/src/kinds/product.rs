//! Products: name and price, what it is, its data.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind {
    name: "product",
    wants: "what it is and for whom, its price and rating, its most important data, and what buyers praise and complain about",
    evidence,
    compose,
};

const FACTS: &str = "$; €; £; ¥; ₹; eur; usd; gbp; zł; 円; 元; stars; out of 5; / 5; rating; reviews; sterne; von 5; étoiles; estrellas; stelle";
const SHOP: &str = "add to cart; add to basket; in stock; buy now; free shipping; out of stock; sku; in den warenkorb; lieferbar; auf lager; versand; ajouter au panier; en stock; \
    añadir al carrito; aggiungi al carrello; adicionar ao carrinho; in winkelwagen; do koszyka; в корзину; 加入购物车; カートに入れる; 장바구니; free trial; download now";

const TITLES: &str = "buy; shop; kaufen; günstig; onlineshop; acheter; boutique; comprar; tienda; acquista; negozio; loja; kopen; sklep; купить; магазин; 购买; 通販; 구매";

fn evidence(shape: &Shape, signs: &mut Signs) {
    let typed = shape.is_typed(&["product", "softwareapplication", "offer"]);
    let priced = shape.prices + shape.priced_rows > 0;
    let sells = shape.begins(SHOP) || typed;
    let told = shape.singular > 0.25;
    signs.add(0.22, "at first", true);
    signs.add(1.8, "type of schema.org", typed && (priced || shape.pairs > 3) && !told);
    signs.add(0.66, "price", priced && (sells || shape.pairs > 3));
    signs.add(0.46, "price at the beginning", shape.priced_first);
    signs.add(0.40, "prices", shape.prices + shape.priced_rows > 2 && sells);
    signs.add(0.60, "pairs of data", shape.pairs > 3);
    signs.add(1.6, "data", shape.has.specs);
    signs.add(1.00, "shop", shape.begins(SHOP));
    signs.add(1.3, "title", shape.is_titled(TITLES));
    signs.add(0.83, "trial or download", shape.sells);
    signs.add(1.5, "addresses the reader", shape.second_person.min(0.3));
    signs.add(-0.81, "references", shape.has.references || shape.has.see_also);
    signs.add(-0.81, "reports", shape.reporting > 0.1);
    signs.add(-0.80, "ingredients", shape.has.ingredients);
    signs.add(-0.61, "code", shape.codes > 2);
    signs.add(-1.00, "pros and cons", shape.has.pros && shape.has.cons);
    signs.add(-1.8, "speaks as I", shape.singular.min(0.3));
    signs.add(-0.81, "questions", Shape::share(shape.questions, shape.headings) > 0.4);
    signs.add(-0.83, "several people", shape.people > 1);
    signs.add(-1.5, "binding words", shape.binding.min(0.3));
    signs.add(-0.71, "what one needs", shape.has.materials || shape.has.method);
}

fn compose(composer: &mut Composer<'_>) {
    let facts = composer.facts(&composer.all(), FACTS, 2);
    composer.title_line(&facts);
    composer.lead();
    let rows = composer.rows(&composer.all());
    if rows.len() > 2 {
        let lines = composer.room().saturating_sub(1).clamp(1, 2);
        composer.join(None, &rows[..rows.len().min(lines * 5)], lines, "; ");
    }
    composer.fill(composer.room());
}
