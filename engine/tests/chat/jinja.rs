//! Templates that `chat/jinja_cases.py` generated: the text is Jinja2's, and where Jinja2 raises there is a typed error.

use pith_engine::chat::ChatTemplate;
use serde_json::Value;

#[test]
fn every_case_is_jinjas() {
    let file: Value = serde_json::from_str(include_str!("jinja_cases.json")).unwrap();
    let context = file["context"].as_object().unwrap();
    let cases = file["cases"].as_array().unwrap();
    let mut differing = 0;
    for case in cases {
        let (template, wanted) = (case[0].as_str().unwrap(), case[1].as_str());
        let found = ChatTemplate::new(template, "", "")
            .and_then(|template| template.render_json(context, None))
            .map(|rendered| rendered.text());
        if found.as_deref().ok() != wanted {
            differing += 1;
            println!("{template:?}\n    {found:?}\n    {wanted:?}");
        }
    }
    assert_eq!(differing, 0, "of {}", cases.len());
    assert!(cases.len() >= 1_500);
}
