//! How a model writes calls, as `pith-chat` derives it.

/// An opening and a closing marker.
pub(super) type Pair = [String; 2];

/// Markers, and the shape of a call.
pub(super) struct Form {
    pub(super) reasoning: Pair,
    pub(super) content: Pair,
    /// Around all calls.
    pub(super) section: Pair,
    /// Around each call.
    pub(super) call: Pair,
    pub(super) shape: Shape,
}

/// As `Shape` of `pith-chat`.
pub(super) enum Shape {
    Object {
        name: String,
        arguments: String,
        id: String,
    },
    Named {
        id: String,
        name_end: String,
    },
    /// `{}` in the end of a value stands for its key.
    Tagged {
        name_end: String,
        key: Pair,
        value_end: String,
    },
    Literal {
        bracket: char,
    },
    Harmony,
}

impl Form {
    /// From a list of texts: eight markers, the name of the shape, its parts.
    pub(super) fn read(texts: &[String]) -> Option<Form> {
        let text = |at: usize| texts.get(at).cloned();
        let pair = |at: usize| Some([text(at)?, text(at + 1)?]);
        let shape = match &*text(8)? {
            "object" => Shape::Object { name: text(9)?, arguments: text(10)?, id: text(11)? },
            "named" => Shape::Named { id: text(9)?, name_end: text(10)? },
            "tagged" => Shape::Tagged { name_end: text(9)?, key: pair(10)?, value_end: text(12)? },
            "literal" => Shape::Literal { bracket: text(9)?.chars().next()? },
            "harmony" => Shape::Harmony,
            _ => return None,
        };
        Some(Form { reasoning: pair(0)?, content: pair(2)?, section: pair(4)?, call: pair(6)?, shape })
    }
}
