//! What rendering a template cannot show: families of models by a string in their templates.

use super::format::{Calls, OutputFormat, Pair, Shape};

/// Markers around reasoning, for templates that leave reasoning out of past turns. The closing one is in the template.
const REASONING: [[&str; 2]; 6] = [
    ["<think>", "</think>"],
    ["[THINK]", "[/THINK]"],
    ["<|START_THINKING|>", "<|END_THINKING|>"],
    ["<seed:think>", "</seed:think>"],
    ["<|channel>thought", "<channel|>"],
    ["Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"],
];

/// A form of calls.
#[derive(Clone, Copy)]
enum Form {
    /// Keys of name, arguments and id.
    Object([&'static str; 3]),
    /// Markers before id and arguments.
    Named([&'static str; 2]),
    /// The bracket around arguments.
    Literal(char),
    /// Markers behind the name, around a key, and behind a value.
    Tagged([&'static str; 4]),
    Harmony,
}

/// Calls that differ from what the template writes, or that it does not write whole.
struct Family {
    /// Strings that the template has.
    signs: &'static [&'static str],
    section: [&'static str; 2],
    call: [&'static str; 2],
    form: Form,
}

const FAMILIES: [Family; 13] = [
    // MiniMax M3: keys are tags.
    Family {
        signs: &["]<]minimax[>["],
        section: ["]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>"],
        call: ["]<]minimax[>[<invoke name=\"", "]<]minimax[>[</invoke>"],
        form: Form::Tagged(["\">", "]<]minimax[>[<", ">", "]<]minimax[>[</{}>"]),
    },
    // Kimi K3.
    Family {
        signs: &["<|open|>", "<|close|>", "<|sep|>"],
        section: ["<|open|>tools<|sep|>", "<|close|>tools<|sep|>"],
        call: ["<|open|>call tool=\"", "<|close|>call<|sep|>"],
        form: Form::Tagged([
            "\" index=\"1\"<|sep|>",
            "<|open|>argument key=\"",
            "\" type=\"string\"<|sep|>",
            "<|close|>argument<|sep|>",
        ]),
    },
    // Command R+: the calls are a block of JSON.
    Family {
        signs: &["Action:", "```json", "json-formatted list of actions"],
        section: ["Action: ```json", "```"],
        call: ["", ""],
        form: Form::Object(["tool_name", "parameters", "tool_call_id"]),
    },
    // Firefunction 2.
    Family {
        signs: &["functools["],
        section: ["functools", ""],
        call: ["", ""],
        form: Form::Object(["name", "arguments", "id"]),
    },
    // gpt-oss.
    Family { signs: &["<|channel|>analysis"], section: ["", ""], call: ["", ""], form: Form::Harmony },
    // LFM2: the template leaves calls to the application.
    Family {
        signs: &["List of tools: "],
        section: ["<|tool_call_start|>", "<|tool_call_end|>"],
        call: ["", ""],
        form: Form::Literal('('),
    },
    // Gemma 4: behind calls the template goes on with their results.
    Family {
        signs: &["<|tool_call>call:"],
        section: ["", ""],
        call: ["<|tool_call>call:", "<tool_call|>"],
        form: Form::Literal('{'),
    },
    // Kimi K2: the id has the name.
    Family {
        signs: &["<|tool_calls_section_begin|>", "<|tool_call_argument_begin|>"],
        section: ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
        call: ["<|tool_call_begin|>", "<|tool_call_end|>"],
        form: Form::Named(["", "<|tool_call_argument_begin|>"]),
    },
    // Functionary 3.2: what a message is for is its first line.
    Family { signs: &[">>>all"], section: ["", ""], call: [">>>", ""], form: Form::Named(["", "\n"]) },
    // Functionary 3.1: the template writes the closing marker where a tool's result follows.
    Family {
        signs: &["<function=example_function_name>", "has_code_interpreter"],
        section: ["", ""],
        call: ["<function=", "</function>"],
        form: Form::Named(["", ">"]),
    },
    // Granite 3.3: calls of the model are not those that the template repeats.
    Family {
        signs: &["<|tool_call|>", "<|end_of_role|>", "Write your thoughts"],
        section: ["<|tool_call|>", ""],
        call: ["", ""],
        form: Form::Object(["name", "arguments", "id"]),
    },
    // DeepSeek R1, whose template adds the name of the kind and a code block.
    Family {
        signs: &["<｜tool▁calls▁begin｜>", "```json"],
        section: ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"],
        call: ["<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "``` <｜tool▁call▁end｜>"],
        form: Form::Named(["", "```json"]),
    },
    // Llama 3, also where the template takes one call only.
    Family {
        signs: &["\"parameters\": dictionary of argument name and its value"],
        section: ["", ""],
        call: ["", ""],
        form: Form::Object(["name", "parameters", "id"]),
    },
];

fn pair([open, close]: [&str; 2]) -> Pair {
    [open.to_owned(), close.to_owned()]
}

/// What is known of the calls of a template's family.
pub(super) fn calls(template: &str) -> Option<Calls> {
    let family = FAMILIES.iter().find(|family| family.signs.iter().all(|sign| template.contains(sign)))?;
    let shape = match family.form {
        Form::Object([name, arguments, id]) => {
            Shape::Object { name: name.to_owned(), arguments: arguments.to_owned(), id: id.to_owned() }
        }
        Form::Named([id, name_end]) => Shape::Named { id: id.to_owned(), name_end: name_end.to_owned() },
        Form::Literal(bracket) => Shape::Literal { bracket },
        Form::Tagged(marks) => {
            let [name_end, open, close, value_end] = marks.map(str::to_owned);
            Shape::Tagged { name_end, key: [open, close], value_end }
        }
        Form::Harmony => Shape::Harmony,
    };
    Some(Calls { section: pair(family.section), call: pair(family.call), shape })
}

/// Markers around reasoning, by the closing one.
pub(super) fn reasoning(closing: impl Fn(&str) -> bool) -> Option<Pair> {
    REASONING.into_iter().find(|[_, close]| closing(close)).map(pair)
}

/// What an instruction in the template asks for and no turn shows.
pub(super) fn finish(template: &str, format: &mut OutputFormat) {
    if template.contains(">>>all") {
        format.content = Some(pair([">>>all", ""]));
    }
    if format.calls.as_ref().is_some_and(|calls| calls.section[0] == "<|open|>tools<|sep|>") {
        format.reasoning = Some(pair(["<|open|>think<|sep|>", "<|close|>think<|sep|>"]));
        format.content = Some(pair(["<|open|>response<|sep|>", "<|close|>response<|sep|>"]));
        format.end = "<|close|>message<|sep|>".to_owned();
    }
    if template.contains("Write your thoughts") && template.contains("<response>") {
        format.reasoning = Some(pair(["<think>", "</think>"]));
        format.content = Some(pair(["<response>", "</response>"]));
    }
}
