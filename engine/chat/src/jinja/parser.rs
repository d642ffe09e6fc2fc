//! Tokens to trees: statements. Expressions are in `parser_expression`.

use super::super::ChatError;
use super::ast::{Expression, For, Macro, Parameters, Statement, Target};
use super::lexer::{Part, Token, lex};
use std::sync::Arc;

/// How deep blocks and expressions may nest.
pub(crate) const DEPTH_MAX: usize = 200;

/// What a level of brackets or blocks counts more than a link of a chain.
const NESTING_COST: usize = 3;

/// The tokens of the tag being read.
pub(crate) struct Parser {
    parts: std::vec::IntoIter<Part>,
    pub(crate) tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    pub(crate) line: u32,
    pub(crate) depth: usize,
}

/// Reads a template.
pub(crate) fn parse(source: &str) -> Result<Vec<Statement>, ChatError> {
    let parts = lex(source)?.into_iter();
    let mut parser = Parser { parts, tokens: Vec::new().into_iter().peekable(), line: 1, depth: 0 };
    let (body, end) = parser.body(&[])?;
    debug_assert!(end.is_empty());
    Ok(body)
}

impl Parser {
    pub(crate) fn error(&self, message: impl Into<String>) -> ChatError {
        ChatError::Syntax { line: self.line, message: message.into() }
    }

    pub(crate) fn at_sign(&mut self, sign: &str) -> bool {
        matches!(self.tokens.peek(), Some(Token::Sign(s)) if *s == sign)
    }

    pub(crate) fn at_name(&mut self, name: &str) -> bool {
        matches!(self.tokens.peek(), Some(Token::Name(n)) if n == name)
    }

    pub(crate) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.at_sign(sign);
        if found {
            self.tokens.next();
        }
        found
    }

    pub(crate) fn take_name(&mut self, name: &str) -> bool {
        let found = self.at_name(name);
        if found {
            self.tokens.next();
        }
        found
    }

    pub(crate) fn expect_sign(&mut self, sign: &str) -> Result<(), ChatError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("{sign:?}"))) }
    }

    pub(crate) fn expect_name(&mut self) -> Result<String, ChatError> {
        match self.tokens.next_if(|token| matches!(token, Token::Name(_))) {
            Some(Token::Name(name)) => Ok(name),
            _ => Err(self.unexpected("a name")),
        }
    }

    pub(crate) fn unexpected(&mut self, wanted: &str) -> ChatError {
        let found = match self.tokens.peek() {
            None => "the end of the tag".to_owned(),
            Some(Token::Name(text) | Token::Str(text)) => format!("{text:?}"),
            Some(Token::Sign(sign)) => format!("{sign:?}"),
            Some(Token::Int(i)) => i.to_string(),
            Some(Token::Float(f)) => f.to_string(),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    fn end_of_tag(&mut self) -> Result<(), ChatError> {
        if self.tokens.peek().is_none() { Ok(()) } else { Err(self.unexpected("the end of the tag")) }
    }

    /// Reads something nested, which takes as much of the stack as several links.
    pub(crate) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ChatError>,
    ) -> Result<T, ChatError> {
        let depth = self.depth;
        self.depth += NESTING_COST;
        self.link()?;
        let result = read(self);
        self.depth = depth;
        result
    }

    /// Counts one more link of a chain (`a + b + c`, `a.b.c`): the tree is as deep as the chain is long. The caller puts
    /// `depth` back when the chain ends.
    pub(crate) fn link(&mut self) -> Result<(), ChatError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(self.error("nested too deeply")) } else { Ok(()) }
    }

    /// Statements up to a block tag that begins with one of `ends`; its name, whose other tokens are left to read. With
    /// no ends, to the end of the template.
    fn body(&mut self, ends: &[&str]) -> Result<(Vec<Statement>, String), ChatError> {
        self.deeper(|parser| {
            let mut body = Vec::new();
            while let Some(part) = parser.parts.next() {
                let (tokens, line, is_block) = match part {
                    Part::Text(text) => {
                        body.push(Statement::Text(text));
                        continue;
                    }
                    Part::Output(tokens, line) => (tokens, line, false),
                    Part::Block(tokens, line) => (tokens, line, true),
                };
                parser.tokens = tokens.into_iter().peekable();
                parser.line = line;
                if !is_block {
                    let expression = parser.tuple_expression()?;
                    parser.end_of_tag()?;
                    body.push(Statement::Output(expression, line));
                    continue;
                }
                let name = parser.expect_name()?;
                if ends.contains(&name.as_str()) {
                    return Ok((body, name));
                }
                parser.statement(&name, &mut body)?;
            }
            match ends.first() {
                None => Ok((body, String::new())),
                Some(end) => Err(parser.error(format!("the template ends before {end:?}"))),
            }
        })
    }

    fn statement(&mut self, name: &str, body: &mut Vec<Statement>) -> Result<(), ChatError> {
        let line = self.line;
        let statement = match name {
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "set" => self.set_statement()?,
            "macro" => {
                let name = self.expect_name()?;
                let parameters = self.parameters()?;
                let body = self.whole_body("endmacro")?;
                Statement::Macro(Arc::new(Macro { name: name.into(), parameters, body }))
            }
            "call" => {
                let parameters = if self.at_sign("(") { self.parameters()? } else { Vec::new() };
                let call = self.expression()?;
                self.end_of_tag()?;
                let body = self.whole_body("endcall")?;
                let caller = Macro { name: "caller".into(), parameters, body };
                Statement::CallBlock(call, Arc::new(caller), line)
            }
            "filter" => {
                let filter = self.filters_over(Expression::Body, true)?;
                self.end_of_tag()?;
                Statement::Filter(filter, self.whole_body("endfilter")?)
            }
            "with" => {
                let mut assignments = Vec::new();
                while self.tokens.peek().is_some() {
                    if !assignments.is_empty() {
                        self.expect_sign(",")?;
                    }
                    let target = self.target()?;
                    self.expect_sign("=")?;
                    assignments.push((target, self.expression()?));
                }
                Statement::With(assignments, self.whole_body("endwith")?)
            }
            // Marks what the model wrote, for training; its text is as if it were not there.
            "generation" => {
                self.end_of_tag()?;
                body.extend(self.whole_body("endgeneration")?);
                return Ok(());
            }
            "break" => Statement::Break,
            "continue" => Statement::Continue,
            "do" => Statement::Set(Target::Tuple(Vec::new()), self.expression()?, line),
            other => return Err(self.error(format!("unknown tag {other:?}"))),
        };
        self.end_of_tag()?;
        body.push(statement);
        Ok(())
    }

    fn whole_body(&mut self, end: &str) -> Result<Vec<Statement>, ChatError> {
        self.end_of_tag()?;
        let (body, _) = self.body(&[end])?;
        // `{% endmacro name %}` is allowed.
        self.tokens = Vec::new().into_iter().peekable();
        Ok(body)
    }

    fn if_statement(&mut self) -> Result<Statement, ChatError> {
        let line = self.line;
        let mut branches = Vec::new();
        loop {
            let condition = self.tuple_expression_without_condition()?;
            self.end_of_tag()?;
            let (body, end) = self.body(&["elif", "else", "endif"])?;
            branches.push((condition, body));
            match end.as_str() {
                "elif" => {}
                "else" => return Ok(Statement::If(branches, self.whole_body("endif")?, line)),
                _ => return Ok(Statement::If(branches, Vec::new(), line)),
            }
        }
    }

    fn for_statement(&mut self) -> Result<Statement, ChatError> {
        let line = self.line;
        let target = self.target()?;
        if !self.take_name("in") {
            return Err(self.unexpected("\"in\""));
        }
        let items = self.tuple_expression_without_condition()?;
        let condition = if self.take_name("if") { Some(self.expression()?) } else { None };
        if self.at_name("recursive") {
            return Err(self.error("recursive loops are not supported"));
        }
        self.end_of_tag()?;
        let (body, end) = self.body(&["else", "endfor"])?;
        let otherwise = if end == "else" { self.whole_body("endfor")? } else { Vec::new() };
        Ok(Statement::For(Arc::new(For { target, items, condition, body, otherwise }), line))
    }

    fn set_statement(&mut self) -> Result<Statement, ChatError> {
        let line = self.line;
        let target = self.target()?;
        if self.take_sign("=") {
            return Ok(Statement::Set(target, self.tuple_expression()?, line));
        }
        let filter = self.filters_over(Expression::Body, false)?;
        self.end_of_tag()?;
        Ok(Statement::SetBlock(target, self.whole_body("endset")?, filter))
    }

    /// `a`, `a, b`, `(a, (b, c))`, `ns.a`.
    fn target(&mut self) -> Result<Target, ChatError> {
        let first = self.single_target()?;
        if !self.at_sign(",") {
            return Ok(first);
        }
        let mut targets = vec![first];
        while self.take_sign(",") {
            if !matches!(self.tokens.peek(), Some(Token::Name(name)) if name != "in") && !self.at_sign("(") {
                break;
            }
            targets.push(self.single_target()?);
        }
        Ok(Target::Tuple(targets))
    }

    fn single_target(&mut self) -> Result<Target, ChatError> {
        if self.take_sign("(") {
            let target = self.deeper(Self::target)?;
            self.expect_sign(")")?;
            return Ok(target);
        }
        let name = self.expect_name()?;
        if self.take_sign(".") {
            return Ok(Target::Attribute(name, self.expect_name()?));
        }
        Ok(Target::Name(name.into()))
    }

    fn parameters(&mut self) -> Result<Parameters, ChatError> {
        self.expect_sign("(")?;
        let mut parameters = Vec::new();
        while !self.take_sign(")") {
            if !parameters.is_empty() {
                self.expect_sign(",")?;
            }
            let name = self.expect_name()?;
            let default = if self.take_sign("=") { Some(self.expression()?) } else { None };
            parameters.push((name.into(), default));
        }
        Ok(parameters)
    }
}
