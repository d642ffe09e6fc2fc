//! Answers that call tools, as a grammar: in the form that a model's chat template has, with arguments that meet the tools' schemas.

mod arguments;
mod form;
mod lark;

use serde_json::{Map, Value};

use crate::fault::Fault;
use form::{Form, Shape};
use lark::{Lark, Part};

pub(crate) use lark::Kind;

/// Most calls of an answer.
const CALLS_MAX: usize = 16;

/// A tool that may be called.
struct Tool {
    name: String,
    schema: Map<String, Value>,
    /// Its arguments meet the schema; otherwise they are any object.
    strict: bool,
}

/// What is asked for.
struct Order {
    form: Form,
    /// Special tokens that the form may have, with their ids.
    tokens: Vec<(String, u32)>,
    tools: Vec<Tool>,
    /// The answer is a call; otherwise it may be text.
    must: bool,
    /// One call at most.
    single: bool,
    /// The prompt ends inside of reasoning.
    begun: bool,
    /// The model may reason first.
    thinks: bool,
}

impl Order {
    /// From a list of texts; `OutputFormat::constraint` of `pith-chat` writes it.
    fn read(text: &str) -> Option<Order> {
        let list: Vec<String> = match serde_json::from_str(text).ok()? {
            Value::Array(list) => list.into_iter().filter_map(|one| Some(one.as_str()?.to_owned())).collect(),
            _ => return None,
        };
        let (flags, rest) = list.split_first()?;
        let (form, rest) = counted(rest)?;
        let (specials, rest) = counted(rest)?;
        let special = |pair: &[String]| Some((pair.first()?.clone(), pair.get(1)?.parse().ok()?));
        let tokens = specials.chunks(2).filter_map(special).collect();
        let tool = |texts: &[String]| {
            let [name, schema, strict] = texts else { return None };
            let schema = serde_json::from_str::<Value>(schema).ok()?.as_object()?.clone();
            Some(Tool { name: name.clone(), schema, strict: strict == "strict" })
        };
        let tools: Vec<Tool> = rest.chunks(3).map(tool).collect::<Option<_>>()?;
        let is = |flag: &str| flags.split(' ').any(|one| one == flag);
        let (must, single, begun, thinks) = (is("must"), is("single"), is("begun"), is("thinks"));
        let form = Form::read(form)?;
        (!tools.is_empty()).then_some(Order { form, tokens, tools, must, single, begun, thinks })
    }
}

/// The texts behind their number, and what follows them.
fn counted(list: &[String]) -> Option<(&[String], &[String])> {
    let (count, rest) = list.split_first()?;
    rest.split_at_checked(count.parse().ok()?)
}

/// The grammar of the answers that `order` allows.
///
/// # Errors
/// `Invalid` for a schema that this form of call cannot be held to.
pub(crate) fn grammar(order: &str, kind_of: &dyn Fn(u32) -> Kind) -> Result<String, Fault> {
    let order = Order::read(order).ok_or_else(|| Fault::Invalid("no tool can be called".into()))?;
    let tokens = order.tokens.iter().map(|(name, id)| (name.clone(), *id, kind_of(*id)));
    let mut lark = Lark::new(tokens.collect());
    match order.form.shape {
        Shape::Harmony => harmony(&order, &mut lark)?,
        _ => marked(&order, &mut lark)?,
    }
    Ok(lark.finish())
}

/// The schemas that an order has, with the names of their tools.
pub(crate) fn schemas(order: &str) -> Vec<(String, Value)> {
    let tools = Order::read(order).map(|order| order.tools).unwrap_or_default();
    tools.into_iter().map(|tool| (tool.name, Value::Object(arguments::object(&tool.schema)))).collect()
}

/// Calls between markers, or bare objects.
fn marked(order: &Order, lark: &mut Lark) -> Result<(), Fault> {
    let Form { reasoning, content, section, call, shape } = &order.form;
    let one = calls(order, lark)?;
    let open = lark.parts(if section[0].trim().is_empty() { &call[0] } else { &section[0] });
    let (inner, is_ended) = lark.closed(&one, &call[1]);
    let more = if order.single || is_ended { 0 } else { CALLS_MAX - 1 };
    let is_list = matches!(shape, Shape::Object { .. } | Shape::Literal { bracket: '(' });
    let repeated = |first: &str, sep: &str, next: &str| match more {
        0 => first.to_owned(),
        _ => format!("{first} ({sep} {next}){{0,{more}}}"),
    };
    let list = || format!("\"[\" WS? {} WS? \"]\"", repeated("inner", "WS? \",\" WS?", "inner"));
    lark.rule("inner", &inner);
    let tail = match (section[0].trim().is_empty(), call[0].trim().is_empty()) {
        (false, true) if is_list => match shape {
            Shape::Object { .. } => format!("({} | {})", list(), repeated("inner", "WS?", "inner")),
            _ => list(),
        },
        (false, _) => {
            let own = lark.sequence(&lark.parts(&call[0]));
            let one = format!("{own} WS? inner");
            lark.rule("one", &one);
            repeated("one", "WS?", "one")
        }
        (true, false) => {
            let again = format!("{} WS? inner", lark.sequence(&open));
            repeated("inner", "WS?", &again)
        }
        (true, true) if is_list => format!("inner | {}", list()),
        (true, true) => return Err(Fault::Invalid("calls of this form have no beginning".into())),
    };
    let (tail, _) = lark.closed(&tail, if is_ended { "" } else { &section[1] });
    let triggers = triggers(order);
    lark.said(&triggers);
    let Some((first, rest)) = open.split_first() else {
        lark.rule("calls", &tail);
        return bare(order, lark);
    };
    let rest = lark.sequence(rest);
    lark.rule("tail", &format!("{rest} WS? ({tail})"));
    if order.must {
        let thought = thought(order, lark);
        lark.rule("start", &format!("WS? {thought} {} tail", lark.part(first)));
        return Ok(());
    }
    // Reasoning and content may stand between control tokens. What else is said may have all but the beginning of a call.
    let marks = reasoning.iter().chain(content).flat_map(|mark| lark.parts(mark));
    let marks: Vec<String> = marks.filter(Part::is_token).map(|part| lark.part(&part)).collect();
    let before = match marks.is_empty() {
        true => String::new(),
        false => format!("(SAID? ({}))*", marks.join(" | ")),
    };
    match first {
        Part::Token(_) => lark.rule("start", &format!("{before} SAID? ({} tail)?", lark.part(first))),
        Part::Text(text) => {
            lark.until("begin", text, &triggers);
            lark.rule("start", &format!("{before} (SAID? | begin tail)"));
        }
        Part::Blank => lark.rule("start", "SAID?"),
    }
    Ok(())
}

/// Objects without a marker: a text that begins as one is a call.
fn bare(order: &Order, lark: &mut Lark) -> Result<(), Fault> {
    let thought = thought(order, lark);
    if order.must {
        lark.rule("start", &format!("WS? {thought} calls"));
        return Ok(());
    }
    let open = order.form.reasoning[0].trim();
    let other = "/[^ \\t\\r\\n{\\[](?s:.*)/";
    match open {
        "" => lark.rule("OTHER", other),
        open => lark.rule("OTHER", &format!("{other} & ~({} /(?s:.*)/)", lark::literal(open))),
    }
    lark.rule("start", &format!("WS? {thought} (OTHER | calls)?"));
    Ok(())
}

/// Reasoning before a call, and the blanks behind it; empty where there can be none.
fn thought(order: &Order, lark: &mut Lark) -> String {
    let [open, close] = &order.form.reasoning;
    let may = order.begun || (order.thinks && !open.trim().is_empty());
    if !may || close.trim().is_empty() {
        return String::new();
    }
    let parts = lark.parts(close);
    let Some((first, rest)) = parts.split_first() else { return String::new() };
    let rest = lark.sequence(rest);
    match first {
        Part::Text(text) => {
            lark.until("thought", text, &triggers(order));
            lark.rule("reasoning", &format!("thought {rest} WS?"));
        }
        first => lark.rule("reasoning", &format!("SAID? {} {rest} WS?", lark.part(first))),
    }
    if order.begun {
        return "reasoning".into();
    }
    format!("({} reasoning)?", lark.sequence(&lark.parts(open)))
}

/// What the parser of answers takes for the beginning of a call.
fn triggers(order: &Order) -> Vec<&str> {
    let Form { section, call, .. } = &order.form;
    let mark = if section[0].trim().is_empty() { &call[0] } else { &section[0] };
    let mut words = mark.split_whitespace();
    let first = words.next();
    first.into_iter().chain(words.next_back()).collect()
}

/// One call of any tool, without the markers around it.
fn calls(order: &Order, lark: &mut Lark) -> Result<String, Fault> {
    let mut rules = Vec::with_capacity(order.tools.len());
    for (at, tool) in order.tools.iter().enumerate() {
        let body = arguments::call(&order.form, tool, at, lark)?;
        let rule = format!("call{at}");
        lark.rule(&rule, &body);
        rules.push(rule);
    }
    Ok(format!("({})", rules.join(" | ")))
}

/// Messages with channels, as gpt-oss writes them. The call's last token ends the answer.
fn harmony(order: &Order, lark: &mut Lark) -> Result<(), Fault> {
    let marks = ["<|channel|>", "<|message|>", "<|end|>", "<|start|>"];
    if marks.iter().any(|mark| !lark.parts(mark).first().is_some_and(Part::is_token)) {
        return Err(Fault::Invalid("the model has no control tokens for channels".into()));
    }
    let mark = |lark: &Lark, text: &str| lark.sequence(&lark.parts(text));
    let [channel, message, end, start, constrain] =
        ["<|channel|>", "<|message|>", "<|end|>", "<|start|>", "<|constrain|>"].map(|text| mark(lark, text));
    lark.said(&["<|channel|>", "<|message|>", "<|start|>"]);
    let mut rules = Vec::new();
    for (at, tool) in order.tools.iter().enumerate() {
        let rule = format!("call{at}");
        let json = lark.json(arguments::schema(tool));
        let name = lark::literal(&tool.name);
        lark.rule(&rule, &format!("{name} \" \"? ({constrain} \"json\")? {message} {json}"));
        rules.push(rule);
    }
    lark.rule("calls", &format!("{channel} \"commentary to=functions.\" ({})", rules.join(" | ")));
    let again = format!("{end} {start} \"assistant\"");
    // What is commented is shown: it is text.
    let kinds = if order.must { "\"analysis\"" } else { "(\"analysis\" | \"commentary\")" };
    lark.rule("before", &format!("{channel} {kinds} {message} SAID? {again}"));
    let before = if order.thinks { "before{0,2}" } else { "" };
    match order.must {
        true => lark.rule("start", &format!("{before} calls")),
        false => {
            lark.rule("start", &format!("{before} (calls | {channel} \"final\" {message} SAID?)"));
        }
    }
    Ok(())
}
