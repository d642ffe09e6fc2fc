//! Threads: the problem, its cause, what helped, and who confirmed it.

use super::kind::{Kind, sign};
use super::qa;
use super::shape::Shape;
use crate::compose::Composer;

pub(super) static KIND: Kind = Kind { name: "forum", evidence, compose };

pub(super) const HELPED: &str = "fixed; solved; worked; works now; that was it; turned out; the cause; because; replace; replaced; instead; update; upgrade; check; try; set; the problem is; \
    the problem was; it was; sorted; thanks; confirmed; gelöst; geholfen; funktioniert; lag an; weil; ersetzt; danke; ursache; résolu; marche; parce que; remplacé; merci; \
    solucionado; funciona; porque; gracias; risolto; funziona; grazie; resolvido; obrigado; opgelost; werkt; rozwiązane; działa; решено; помогло; заработало; спасибо; \
    解决; 原因; 谢谢; 解決; 原因は; 해결";

fn evidence(shape: &Shape) -> f32 {
    1.6 * sign(shape.is_typed(&["discussionforum"]))
        + 1.2 * sign(shape.people > 2)
        + 0.5 * sign(shape.said > 5)
        + 0.9 * sign(shape.begins("forum; thread; reply; replies; posts; joined; board; antworten; beiträge; foro; topic; 论坛; 掲示板"))
        + 1.5 * shape.first_person.min(0.4)
        - 1.5 * sign(qa::has_answers(shape))
        - 0.8 * sign(shape.people == 0)
        - 0.6 * sign(shape.reporting > 0.15)
        - 0.6 * sign(shape.has.ingredients)
        - 0.4 * sign(shape.headings > 10)
}

fn compose(composer: &mut Composer<'_>) {
    let all = composer.all();
    let split = qa::second_speaker(composer).unwrap_or(all.end.min(3));
    if let Some(lead) = composer.find_lead(&(0..split)) {
        composer.say(lead);
    }
    let later = split..all.end;
    let helped = composer.cued(&later, HELPED);
    let last = helped.iter().copied().max();
    for at in helped.into_iter().take(2) {
        composer.say(at);
    }
    if let Some(last) = last {
        composer.say(last);
    }
    composer.fill(composer.room());
    composer.in_page_order(1);
}
