//! `"{} {name}".format(...)` and `"%s" % ...`.

use super::access::{attribute, item};
use super::error::{Fault, excerpt};
use super::text::{Builder, Text};
use super::value::{Named, Value};
use super::value_text::float_text;

/// `str.format`: automatic and numbered places, names, attributes and items; format specifications are those of
/// precision only (`{:.2f}`).
pub(crate) fn braces(text: &Text, positional: &[Value], named: &Named) -> Result<Text, Fault> {
    let (source, fuel) = (text.read()?, text.fuel());
    let mut out = Builder::new(fuel);
    let (mut at, mut automatic) = (0, 0);
    while let Some(brace) = source[at..].find(['{', '}']).map(|found| at + found) {
        out.push_text(&text.slice(at..brace))?;
        if source[brace..].starts_with("{{") || source[brace..].starts_with("}}") {
            out.push_text(&text.slice(brace..brace + 1))?;
            at = brace + 2;
            continue;
        }
        let end = source[brace..].find('}').map(|found| brace + found).filter(|&end| end > brace);
        let end = end.ok_or_else(|| Fault::new("Single '}' or '{' encountered in format string"))?;
        let (field, specification) =
            source[brace + 1..end].split_once(':').unwrap_or((&source[brace + 1..end], ""));
        let name_len = field.find(['.', '[']).unwrap_or(field.len());
        let (name, path) = field.split_at(name_len);
        let value = match name {
            "" => {
                automatic += 1;
                positional.get(automatic - 1)
            }
            name => match name.parse::<usize>() {
                Ok(index) => positional.get(index),
                Err(_) => {
                    fuel.elements(named.len())?;
                    named.iter().find(|(n, _)| **n == *name).map(|(_, value)| value)
                }
            },
        };
        let missing = || Fault::new(format!("format has no argument for '{}'", excerpt(name)));
        let mut value = value.cloned().ok_or_else(missing)?;
        for step in path.split(['.', '[']).skip(1) {
            value = match step.strip_suffix(']') {
                Some(key) => {
                    let key = key.parse().map_or_else(|_| Value::str(fuel, key), |i| Ok(Value::Int(i)))?;
                    item(fuel, &value, &key)?
                }
                None => attribute(fuel, &value, step)?,
            };
        }
        write_specified(&value, specification, &mut out)?;
        at = end + 1;
    }
    out.push_text(&text.slice(at..source.len()))?;
    Ok(out.finish())
}

fn write_specified(value: &Value, specification: &str, out: &mut Builder) -> Result<(), Fault> {
    if specification.is_empty() {
        return value.write_str(out);
    }
    let precision =
        specification.strip_prefix('.').and_then(|rest| rest.strip_suffix('f')?.parse::<usize>().ok());
    match (precision.filter(|&precision| precision <= 32), value.as_float()) {
        (Some(precision), Some(number)) => out.push(&format!("{number:.precision$}"), true),
        _ => {
            let specification = excerpt(specification);
            Err(Fault::new(format!("format specification '{specification}' is not supported")))
        }
    }
}

/// Python's `%` on strings: `%s %r %d %i %f %.Nf %x %%` and `%(name)s`.
pub(crate) fn percent(text: &Text, right: &Value) -> Result<Text, Fault> {
    let (source, fuel) = (text.read()?, text.fuel());
    let mut values = match right {
        Value::Tuple(items) => items.iter(),
        single => std::slice::from_ref(single).iter(),
    };
    let mut out = Builder::new(fuel);
    let mut at = 0;
    while let Some(mark) = source[at..].find('%').map(|found| at + found) {
        out.push_text(&text.slice(at..mark))?;
        let mut rest = &source[mark + 1..];
        let mut named = None;
        if let Some((name, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            named = Some(item(fuel, right, &Value::str(fuel, name)?)?);
            rest = after;
        }
        let mut precision = None;
        if let Some(after) = rest.strip_prefix('.') {
            let len = after.bytes().take_while(u8::is_ascii_digit).count();
            precision = after[..len].parse::<usize>().ok().filter(|&precision| precision <= 32);
            rest = &after[len..];
        }
        let kind = rest.chars().next().ok_or_else(|| Fault::new("incomplete format"))?;
        at = source.len() - rest.len() + kind.len_utf8();
        if kind == '%' {
            out.push("%", true)?;
            continue;
        }
        let value = named
            .or_else(|| values.next().cloned())
            .ok_or_else(|| Fault::new("not enough arguments for format string"))?;
        let number =
            || value.as_float().ok_or_else(|| Fault::new(format!("%{kind} format: a number is required")));
        match kind {
            's' => value.write_str(&mut out)?,
            'r' => value.write_repr(&mut out, &mut Vec::new())?,
            'd' | 'i' => out.push(&(number()?.trunc() as i64).to_string(), true)?,
            'x' => out.push(&format!("{:x}", number()?.trunc() as i64), true)?,
            'f' => {
                let precision = precision.unwrap_or(6);
                out.push(&format!("{:.precision$}", number()?), true)?;
            }
            'g' => out.push(&float_text(number()?), true)?,
            other => return Err(Fault::new(format!("unsupported format character '{other}'"))),
        }
    }
    if values.next().is_some() && !matches!(right, Value::Dict(_) | Value::List(_) | Value::Undefined(_)) {
        return Err(Fault::new("not all arguments converted during string formatting"));
    }
    out.push_text(&text.slice(at..source.len()))?;
    Ok(out.finish())
}
