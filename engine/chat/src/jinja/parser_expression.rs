//! Tokens to trees: expressions, with Jinja's precedence.

use super::super::ChatError;
use super::ast::{Arguments, Binary, Comparison, Expression, Literal};
use super::lexer::Token;
use super::parser::Parser;

type Parsed = Result<Expression, ChatError>;

impl Parser {
    /// An expression, or a tuple without parentheses.
    pub(crate) fn tuple_expression(&mut self) -> Parsed {
        self.tuple_of(Self::expression)
    }

    /// The same where `if` does not begin a conditional expression: what a loop runs over, or a condition itself.
    pub(crate) fn tuple_expression_without_condition(&mut self) -> Parsed {
        self.tuple_of(|parser| parser.deeper(Self::or))
    }

    fn tuple_of(&mut self, read: impl Fn(&mut Self) -> Parsed) -> Parsed {
        let first = read(self)?;
        if !self.at_sign(",") {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.take_sign(",") {
            if self.tokens.peek().is_none() || self.at_sign(")") {
                break;
            }
            items.push(read(self)?);
        }
        Ok(Expression::Tuple(items))
    }

    /// `a if b else c`.
    pub(crate) fn expression(&mut self) -> Parsed {
        self.deeper(|parser| {
            let mut value = parser.or()?;
            while parser.take_name("if") {
                parser.link()?;
                let condition = parser.or()?;
                let otherwise =
                    if parser.take_name("else") { Some(Box::new(parser.expression()?)) } else { None };
                value = Expression::Conditional(Box::new(condition), Box::new(value), otherwise);
            }
            Ok(value)
        })
    }

    fn or(&mut self) -> Parsed {
        let depth = self.depth;
        let mut left = self.and()?;
        while self.take_name("or") {
            self.link()?;
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        self.depth = depth;
        Ok(left)
    }

    fn and(&mut self) -> Parsed {
        let depth = self.depth;
        let mut left = self.not()?;
        while self.take_name("and") {
            self.link()?;
            left = Expression::And(Box::new(left), Box::new(self.not()?));
        }
        self.depth = depth;
        Ok(left)
    }

    fn not(&mut self) -> Parsed {
        if self.take_name("not") {
            let value = self.deeper(Self::not)?;
            return Ok(Expression::Not(Box::new(value)));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed {
        let first = self.sum()?;
        let mut rest = Vec::new();
        loop {
            let comparison = match self.tokens.peek() {
                Some(Token::Sign("==")) => Comparison::Equal,
                Some(Token::Sign("!=")) => Comparison::NotEqual,
                Some(Token::Sign("<")) => Comparison::Less,
                Some(Token::Sign("<=")) => Comparison::LessOrEqual,
                Some(Token::Sign(">")) => Comparison::Greater,
                Some(Token::Sign(">=")) => Comparison::GreaterOrEqual,
                Some(Token::Name(name)) if name == "in" => Comparison::In,
                Some(Token::Name(name)) if name == "not" => Comparison::NotIn,
                _ => break,
            };
            self.tokens.next();
            if comparison == Comparison::NotIn && !self.take_name("in") {
                return Err(self.unexpected("\"in\""));
            }
            rest.push((comparison, self.sum()?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Compare(Box::new(first), rest) })
    }

    fn binary(&mut self, operators: &[(&str, Binary)], next: impl Fn(&mut Self) -> Parsed) -> Parsed {
        let depth = self.depth;
        let mut left = next(self)?;
        while let Some((_, operator)) = operators.iter().find(|(sign, _)| self.at_sign(sign)) {
            self.tokens.next();
            self.link()?;
            left = Expression::Binary(*operator, Box::new(left), Box::new(next(self)?));
        }
        self.depth = depth;
        Ok(left)
    }

    fn sum(&mut self) -> Parsed {
        self.binary(&[("+", Binary::Add), ("-", Binary::Subtract)], Self::concatenation)
    }

    fn concatenation(&mut self) -> Parsed {
        self.binary(&[("~", Binary::Concatenate)], Self::product)
    }

    fn product(&mut self) -> Parsed {
        let operators = [
            ("*", Binary::Multiply),
            ("//", Binary::FloorDivide),
            ("/", Binary::Divide),
            ("%", Binary::Modulo),
        ];
        self.binary(&operators, Self::power)
    }

    fn power(&mut self) -> Parsed {
        self.binary(&[("**", Binary::Power)], |parser| parser.unary(true))
    }

    fn unary(&mut self, with_filters: bool) -> Parsed {
        let value = if self.take_sign("-") {
            Expression::Negate(Box::new(self.deeper(|parser| parser.unary(false))?))
        } else if self.take_sign("+") {
            Expression::Plus(Box::new(self.deeper(|parser| parser.unary(false))?))
        } else {
            self.primary()?
        };
        let value = self.postfix(value)?;
        if with_filters { self.filters_over(value, false) } else { Ok(value) }
    }

    fn primary(&mut self) -> Parsed {
        let literal = |literal| Ok(Expression::Literal(literal));
        match self.tokens.next() {
            Some(Token::Name(name)) => match name.as_str() {
                "true" | "True" => literal(Literal::Bool(true)),
                "false" | "False" => literal(Literal::Bool(false)),
                "none" | "None" => literal(Literal::None),
                _ => Ok(Expression::Name(name)),
            },
            Some(Token::Str(mut text)) => {
                while let Some(Token::Str(more)) = self.tokens.next_if(|token| matches!(token, Token::Str(_)))
                {
                    text.push_str(&more);
                }
                literal(Literal::Str(text))
            }
            Some(Token::Int(i)) => literal(Literal::Int(i)),
            Some(Token::Float(f)) => literal(Literal::Float(f)),
            Some(Token::Sign("(")) => {
                if self.take_sign(")") {
                    return Ok(Expression::Tuple(Vec::new()));
                }
                let value = self.tuple_expression()?;
                self.expect_sign(")")?;
                Ok(value)
            }
            Some(Token::Sign("[")) => {
                let mut items = Vec::new();
                while !self.take_sign("]") {
                    if !items.is_empty() {
                        self.expect_sign(",")?;
                        if self.take_sign("]") {
                            break;
                        }
                    }
                    items.push(self.expression()?);
                }
                Ok(Expression::List(items))
            }
            Some(Token::Sign("{")) => self.dict(),
            Some(token) => Err(self.error(format!("expected an expression, found {token:?}"))),
            None => Err(self.error("expected an expression, found the end of the tag")),
        }
    }

    fn dict(&mut self) -> Parsed {
        let mut entries = Vec::new();
        while !self.take_sign("}") {
            if !entries.is_empty() {
                self.expect_sign(",")?;
                if self.take_sign("}") {
                    break;
                }
            }
            let key = self.expression()?;
            self.expect_sign(":")?;
            entries.push((key, self.expression()?));
        }
        Ok(Expression::Dict(entries))
    }

    /// Attributes, items and calls.
    fn postfix(&mut self, mut value: Expression) -> Parsed {
        let depth = self.depth;
        loop {
            self.link()?;
            if self.take_sign(".") {
                value = match self.tokens.next() {
                    Some(Token::Name(name)) => Expression::Attribute(Box::new(value), name),
                    Some(Token::Int(i)) => {
                        Expression::Item(Box::new(value), Box::new(Expression::Literal(Literal::Int(i))))
                    }
                    _ => return Err(self.error("expected a name after the dot")),
                };
            } else if self.take_sign("[") {
                value = self.subscript(value)?;
            } else if self.at_sign("(") {
                value = Expression::Call(Box::new(value), self.arguments()?);
            } else {
                self.depth = depth;
                return Ok(value);
            }
        }
    }

    fn subscript(&mut self, value: Expression) -> Parsed {
        let mut items = Vec::new();
        while !self.take_sign("]") {
            if !items.is_empty() {
                self.expect_sign(",")?;
            }
            let start = if self.at_sign(":") { None } else { Some(Box::new(self.expression()?)) };
            if !self.take_sign(":") {
                items.extend(start.map(|start| *start));
                continue;
            }
            let part = |parser: &mut Self| -> Result<Option<Box<Expression>>, ChatError> {
                let absent = parser.at_sign(":") || parser.at_sign("]");
                if absent { Ok(None) } else { Ok(Some(Box::new(parser.expression()?))) }
            };
            let stop = part(self)?;
            let step = if self.take_sign(":") { part(self)? } else { None };
            self.expect_sign("]")?;
            return Ok(Expression::Slice(Box::new(value), [start, stop, step]));
        }
        let item = if items.len() == 1 { items.remove(0) } else { Expression::Tuple(items) };
        Ok(Expression::Item(Box::new(value), Box::new(item)))
    }

    fn arguments(&mut self) -> Result<Arguments, ChatError> {
        self.expect_sign("(")?;
        let mut arguments = Arguments::default();
        let mut first = true;
        while !self.take_sign(")") {
            if !first {
                self.expect_sign(",")?;
                if self.take_sign(")") {
                    break;
                }
            }
            first = false;
            if self.take_sign("**") {
                arguments.spread_named = Some(Box::new(self.expression()?));
            } else if self.take_sign("*") {
                arguments.spread = Some(Box::new(self.expression()?));
            } else {
                match self.expression()? {
                    Expression::Name(name) if self.take_sign("=") => {
                        let value = self.expression()?;
                        arguments.named.push((name.into(), value));
                    }
                    value if arguments.named.is_empty() => arguments.positional.push(value),
                    _ => return Err(self.error("an argument without a name follows one with a name")),
                }
            }
        }
        Ok(arguments)
    }

    /// Filters, tests and calls over a value. With `bare` the first filter stands without its bar.
    pub(crate) fn filters_over(&mut self, mut value: Expression, bare: bool) -> Parsed {
        let (mut bare, depth) = (bare, self.depth);
        loop {
            self.link()?;
            if bare || self.take_sign("|") {
                bare = false;
                let name = self.dotted_name()?;
                let arguments = if self.at_sign("(") { self.arguments()? } else { Arguments::default() };
                value = Expression::Filter(Box::new(value), name, arguments);
            } else if self.take_name("is") {
                value = self.test(value)?;
            } else if self.at_sign("(") {
                value = Expression::Call(Box::new(value), self.arguments()?);
            } else {
                self.depth = depth;
                return Ok(value);
            }
        }
    }

    fn dotted_name(&mut self) -> Result<String, ChatError> {
        let mut name = self.expect_name()?;
        while self.take_sign(".") {
            name.push('.');
            name.push_str(&self.expect_name()?);
        }
        Ok(name)
    }

    fn test(&mut self, value: Expression) -> Parsed {
        let negated = self.take_name("not");
        let name = self.dotted_name()?;
        let mut arguments = Arguments::default();
        let ends = |name: &str| matches!(name, "else" | "or" | "and" | "is" | "if" | "in" | "not");
        let begins_argument = match self.tokens.peek() {
            Some(Token::Name(name)) => !ends(name),
            Some(Token::Str(_) | Token::Int(_) | Token::Float(_)) => true,
            Some(Token::Sign(sign)) => matches!(*sign, "[" | "{"),
            None => false,
        };
        if self.at_sign("(") {
            arguments = self.arguments()?;
        } else if begins_argument {
            let argument = self.primary()?;
            arguments.positional.push(self.postfix(argument)?);
        }
        let test = Expression::Test(Box::new(value), name, arguments);
        Ok(if negated { Expression::Not(Box::new(test)) } else { test })
    }
}
