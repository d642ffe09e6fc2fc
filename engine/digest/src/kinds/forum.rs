//! Threads: the problem, its cause, what helped, and who confirmed it.

use super::kind::{Kind, Signs};
use super::shape::Shape;
use super::thread::{self, has_answers};

pub(super) static KIND: Kind = Kind {
    name: "forum",
    wants: "the problem, its cause, what solved it, what did not, and who confirmed it",
    evidence,
    compose: thread::compose,
};

fn evidence(shape: &Shape, signs: &mut Signs) {
    let marked = shape.stamps > 2 || shape.quotes_posts;
    signs.add(-1.0, "speaks to nobody", shape.first_person < 0.06 && shape.second_person < 0.06);
    signs.add(0.14, "at first", true);
    signs.add(
        1.6,
        "type of schema.org",
        shape.is_typed(&["discussionforum"]) && (shape.people > 0 || marked),
    );
    signs.add(1.8, "several people", shape.people > 2);
    signs.add(0.73, "two people", shape.people == 2 && shape.first_person > 0.1);
    signs.add(0.56, "posts", shape.said > 5);
    signs.add(1.7, "marks of posts", marked && shape.people == 0 && shape.first_person > 0.1);
    signs.add(0.78, "forum", shape.begins("forum; thread; reply; replies; posts; joined; board; antworten; beiträge; foro; topic; 论坛; 掲示板; issue #; [solved]; re: ; тема"));
    signs.add(2.3, "first person", shape.first_person.min(0.4));
    signs.add(-1.8, "answers", has_answers(shape));
    signs.add(-1.5, "nobody speaks", shape.people == 0 && !marked);
    signs.add(-0.60, "reports", shape.reporting > 0.2);
    signs.add(-0.60, "ingredients", shape.has.ingredients);
    signs.add(-0.41, "headings", shape.headings > 10);
    signs.add(-0.80, "questions as headings", shape.questions > 3);
}
