//! Passives as active sentences.

use super::reading::{Content, Reading, Run};

/// "The arch was carried away by the flood" as "the flood carried away the arch", and without anybody who does it as "carried away the
/// arch". `None` for what is no such sentence, and for one of the present, whose verb has another form.
pub(super) fn active(line: &Reading) -> Option<Reading> {
    let contents = &line.contents;
    let is_passive = |run: &Run| {
        let past = run.past && run.be && !run.any_time;
        let planned = run.any_time && !run.hedges.is_empty() && !run.past;
        (past || planned) && !run.present && !run.opens()
    };
    let verb = contents.iter().position(|word| is_passive(&word.run)).filter(|verb| *verb > 0)?;
    let opens = |word: &Content| word.run.opens() && word.run.starters != ["of"];
    if line.questions.len() > 1 || contents[..verb].iter().any(opens) {
        return None;
    }
    let is_agent = |word: &Content| word.run.starters == ["by"] && !word.run.mark && word.number.is_none();
    let agent = contents[verb + 1..].iter().position(is_agent).map_or(contents.len(), |at| verb + 1 + at);
    let goes_on = |word: &&Content| !word.run.opens() || word.run.starters == ["of"] && !word.run.mark;
    let agents =
        contents[agent..].iter().enumerate().take_while(|(at, word)| *at == 0 || goes_on(word)).count();
    let particles = contents[verb + 1..agent].iter().take_while(|word| word.run.is_empty()).count();
    let rest = verb + 1 + particles;
    let mut turned = contents[agent..agent + agents].to_vec();
    if let Some(first) = turned.first_mut() {
        first.run = Run { starters: Vec::new(), sentence: true, ..first.run.clone() };
    }
    turned.extend_from_slice(&contents[verb..rest]);
    let hedges = contents[verb].run.hedges.clone();
    turned[agents].run = Run { plain: contents[verb].run.plain, hedges, ..Run::default() };
    let patient = turned.len();
    turned.extend_from_slice(&contents[..verb]);
    turned[patient].run.sentence = false;
    turned[patient].run.plain = true;
    turned.iter_mut().for_each(|word| word.segment = contents[verb].segment);
    turned.extend_from_slice(&contents[rest..agent]);
    turned.extend_from_slice(&contents[agent + agents..]);
    let (tail, questions) = (line.tail.clone(), line.questions.clone());
    Some(Reading { contents: turned, tail, questions, leaves_subject: agents == 0 })
}
