//! Templates as trees.

use std::sync::Arc;

/// A constant.
#[derive(Debug, Clone)]
pub(crate) enum Literal {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(String),
}

/// Arguments of a call, filter or test.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) positional: Vec<Expression>,
    pub(crate) named: Vec<(Arc<str>, Expression)>,
    /// `*list`.
    pub(crate) spread: Option<Box<Expression>>,
    /// `**dict`.
    pub(crate) spread_named: Option<Box<Expression>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
    Concatenate,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
}

#[derive(Debug, Clone)]
pub(crate) enum Expression {
    Literal(Literal),
    Name(String),
    List(Vec<Expression>),
    Tuple(Vec<Expression>),
    Dict(Vec<(Expression, Expression)>),
    Attribute(Box<Expression>, String),
    Item(Box<Expression>, Box<Expression>),
    Slice(Box<Expression>, [Option<Box<Expression>>; 3]),
    Call(Box<Expression>, Arguments),
    Filter(Box<Expression>, String, Arguments),
    Test(Box<Expression>, String, Arguments),
    Negate(Box<Expression>),
    Plus(Box<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Binary(Binary, Box<Expression>, Box<Expression>),
    /// `a < b <= c`: each operand is evaluated once.
    Compare(Box<Expression>, Vec<(Comparison, Expression)>),
    /// Condition, then, else.
    Conditional(Box<Expression>, Box<Expression>, Option<Box<Expression>>),
    /// The text of a block that a filter is applied to.
    Body,
}

/// What can be assigned to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Name(Arc<str>),
    Tuple(Vec<Target>),
    /// An attribute of a namespace.
    Attribute(String, String),
}

/// Names of a macro's parameters, with their defaults.
pub(crate) type Parameters = Vec<(Arc<str>, Option<Expression>)>;

/// A macro, or the body of a call block.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) name: Arc<str>,
    pub(crate) parameters: Parameters,
    pub(crate) body: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(crate) struct For {
    pub(crate) target: Target,
    pub(crate) items: Expression,
    pub(crate) condition: Option<Expression>,
    pub(crate) body: Vec<Statement>,
    pub(crate) otherwise: Vec<Statement>,
}

#[derive(Debug, Clone)]
pub(crate) enum Statement {
    Text(String),
    /// With its line.
    Output(Expression, u32),
    /// Conditions with their bodies, then the body of `else`.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>, u32),
    For(Arc<For>, u32),
    Set(Target, Expression, u32),
    /// `{% set x %}...{% endset %}`, the expression over [`Expression::Body`].
    SetBlock(Target, Vec<Statement>, Expression),
    Filter(Expression, Vec<Statement>),
    With(Vec<(Target, Expression)>, Vec<Statement>),
    Macro(Arc<Macro>),
    /// The call, and the body as a macro of its own.
    CallBlock(Expression, Arc<Macro>, u32),
    Break,
    Continue,
}
