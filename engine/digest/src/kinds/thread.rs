//! What questions with answers and other threads share.

use super::shape::Shape;
use crate::compose::Composer;

/// Headings over answers.
pub(super) const ANSWERS: &str = "answers; answer; antworten; antwort; réponses; respuestas; risposte; respostas; antwoorden; odpowiedzi; ответы; ответов; الإجابات; 回答; 个回答; 답변; उत्तर";
/// Words of answers that helped.
pub(super) const HELPED: &str = "fixed; solved; worked; works now; that was it; turned out; the cause; because; replace; replaced; instead; update; upgrade; check; try; set; the problem is; \
    the problem was; it was; sorted; thanks; confirmed; gelöst; geholfen; funktioniert; lag an; weil; ersetzt; danke; ursache; résolu; marche; parce que; remplacé; merci; \
    solucionado; funciona; porque; gracias; risolto; funziona; grazie; resolvido; obrigado; opgelost; werkt; rozwiązane; działa; решено; помогло; заработало; спасибо; \
    解决; 原因; 谢谢; 解決; 原因は; 해결";

/// Whether a heading counts answers: "3 Answers".
pub(super) fn has_answers(shape: &Shape) -> bool {
    let counts =
        |line: &str| line.split_whitespace().count() <= 3 && super::forms::has_any_word(line, ANSWERS);
    shape.headings < 24 && shape.headings_text.lines().any(counts)
}

/// Where somebody else than the first one begins to speak.
pub(super) fn second_speaker(composer: &Composer<'_>) -> Option<usize> {
    let speaker = |block: usize| composer.digest.speakers.of(block);
    let first = composer.all().find_map(speaker)?;
    composer.all().find(|&block| speaker(block).is_some_and(|one| one != first))
}
