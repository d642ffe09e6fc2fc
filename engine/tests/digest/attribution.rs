//! Lines about pages, labeled by hand, against what [`Digest::attribute`] says of them. With `--nocapture` it prints the wrong ones.

use crate::judged::page;

/// What the lines come to, and may not fall below.
const PRECISION_MIN: f64 = 0.97;
const RECALL_MIN: f64 = 0.8;

#[test]
fn lines_are_judged_as_people_judge_them() {
    let (mut kept, mut right, mut supported, mut lines) = (0, 0, 0, 0);
    let mut digest = None;
    for line in include_str!("../quality/lines/attribution.txt").lines() {
        let (mark, text) = line.split_at(2);
        if mark == "# " {
            digest = Some(page(text));
            continue;
        }
        let found = pollster::block_on(digest.as_ref().unwrap().attribute(text, &async || true)).unwrap();
        let (is, keeps) = (mark == "+ ", found.is_supported());
        if is != keeps {
            println!("{} {:.2} {:?}: {text}", if is { "lost" } else { "WRONG" }, found.score, found.flaw);
        }
        lines += 1;
        kept += usize::from(keeps);
        right += usize::from(keeps && is);
        supported += usize::from(is);
    }
    let (precision, recall) =
        (f64::from(right as u32) / kept as f64, f64::from(right as u32) / supported as f64);
    println!("{lines} lines: precision {precision:.3}, recall {recall:.3}");
    assert!(lines >= 200);
    assert!(
        precision >= PRECISION_MIN && recall >= RECALL_MIN,
        "precision {precision:.3}, recall {recall:.3}"
    );
}
