#!/usr/bin/env python3
"""Writes jinja_cases.json: small templates with what Jinja2 makes of them, as `transformers` configures it.

    pip install jinja2==3.1.6 && python jinja_cases.py

Every choice is drawn from a fixed seed, so that the file is the same each time. A case is a template and its text, or null
where Jinja2 raises. Left out is what has no fixed text (addresses of objects), and what is very long.
"""

import json
import random
from pathlib import Path

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

CASES = 2600
TEXT_LEN_MAX = 160

CONTEXT = {
    "messages": [
        {"role": "system", "content": " Be brief. \n"},
        {"role": "user", "content": "What's 1 < 2?", "n": 2},
        {"role": "assistant", "content": None, "tool_calls": [{"name": "f", "arguments": {"a": 1, "b": [True, None]}}]},
        {"role": "tool", "content": "é \"q\"\t<b>", "n": 1},
    ],
    "tools": [{"name": "g", "parameters": {"type": "object", "required": []}}, {"name": "Abc", "strict": False}],
    "text": "  The quick-brown FOX\njumps over\r\n it's  lazy ",
    "word": "hello",
    "empty": "",
    "words": ["b", "A", "c", "a", "B"],
    "numbers": [3, -1, 2.5, 0, 10, True],
    "mixed": [1, "a", None, 2.0],
    "nothing": None,
    "no": False,
    "yes": True,
    "zero": 0,
    "seven": 7,
    "half": 0.5,
    "d": {"b": 2, "a": 1, "C": [1, 2]},
    "nested": [[1, 2], [3], []],
    "pairs": [["x", 1], ["y", 2]],
}


class Refused(Exception):
    pass


def raise_exception(message):
    raise Refused(message)


def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


ENVIRONMENT = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
ENVIRONMENT.filters["tojson"] = tojson
ENVIRONMENT.globals["raise_exception"] = raise_exception

STRINGS = ["text", "word", "empty", "'a,b,,c'", "'Hello World'", "messages[1].content", "messages[3]['content']", "'ünï Straße'", "'x' * 3", "'42'", "' -1.5 '", "\"it's\"", "'a\\nb\\n\\n c'"]
LISTS = ["words", "numbers", "mixed", "nested", "pairs", "messages", "tools", "[]", "(1, 2)", "range(5) | list", "[1, 'b', 1.0]", "d.values() | list", "messages[1:]", "word | list"]
DICTS = ["d", "messages[0]", "tools[0]", "{}", "{'k': 'v', 1: none}", "messages[2].tool_calls[0].arguments"]
NUMBERS = ["zero", "seven", "half", "-3", "2.5", "10", "true", "1e3", "100000000000000000000.0", "0.1 + 0.2", "7 // 2", "-7 % 3"]
OTHERS = ["nothing", "no", "yes", "missing", "messages[0].missing", "none"]

TEXT_FILTERS = ["upper", "lower", "capitalize", "title", "trim", "length", "first", "last", "list", "reverse", "int", "float", "string", "wordcount", "urlencode", "tojson", "e", "count", "default('z')", "default('z', true)", "d(5)", "replace('l', 'L')", "replace('a', '<>', 1)", "replace('', '-')", "trim('h o')", "indent", "indent(2, true)", "indent(width=1, blank=true)", "truncate(9)", "truncate(9, true)", "truncate(9, false, '~', 0)", "center(20)", "join('-')", "int(5)", "int(0, 16)", "float(1.5)", "tojson(ensure_ascii=true)", "select('in', 'aeiou') | join", "batch(2) | list", "unique | join", "sort | join", "map('upper') | join"]
LIST_FILTERS = ["length", "count", "first", "last", "list", "reverse | list", "join", "join(', ')", "join(',', attribute='name')", "join('|', attribute=0)", "sort", "sort(reverse=true)", "sort(attribute='role')", "sort(attribute='n')", "sort(case_sensitive=true)", "unique | list", "unique(case_sensitive=true) | list", "min", "max", "sum", "sum(start=5)", "sum(attribute='n')", "map(attribute='role') | list", "map(attribute='role', default='-') | join", "map(attribute='missing', default=0) | list", "map('upper') | list", "map('string') | join('+')", "map('length') | list", "map('first') | list", "map('int') | list", "map('default', 'z') | list", "map(attribute='0') | list", "map(attribute='tool_calls.0.name') | list", "select | list", "reject | list", "select('string') | list", "select('number') | list", "reject('none') | list", "select('defined') | list", "select('gt', 1) | list", "select('equalto', 'a') | list", "reject('in', ['a', 1]) | list", "select('odd') | list", "selectattr('role') | list | length", "selectattr('role', 'equalto', 'user') | list", "selectattr('n', 'defined') | map(attribute='n') | list", "rejectattr('content', 'none') | map(attribute='role') | join(' ')", "rejectattr('role', 'eq', 'user') | list | length", "selectattr('role', 'in', ['user', 'tool']) | map(attribute='role') | list", "groupby('role') | map('first') | list", "groupby('role') | length", "batch(2) | list", "batch(3, 0) | list", "slice(2) | list", "slice(3, 'f') | list", "tojson", "tojson(indent=2)", "tojson(separators=(',', ':'))", "string", "default([])", "d([], true)", "items | list", "dictsort"]
DICT_FILTERS = ["length", "list", "items | list", "dictsort", "dictsort(reverse=true)", "dictsort(by='value')", "dictsort(true)", "tojson", "tojson(sort_keys=true)", "tojson(indent=1)", "tojson(indent=4, separators=('; ', ' = '))", "first", "last", "join(',')", "map('upper') | list", "string", "sort", "max", "select | list", "reverse | list", "attr('items') is callable", "attr('a')", "default(1)"]
NUMBER_FILTERS = ["int", "float", "string", "abs", "round", "round(1)", "round(2, 'floor')", "round(method='ceil')", "tojson", "default(3)", "d(3, true)", "length", "join", "list", "upper", "sum", "select | list", "map('upper') | list", "first"]
OTHER_FILTERS = ["default('x')", "default('x', true)", "d", "string", "length", "list", "join", "int", "float", "upper", "trim", "tojson", "first", "last", "sort", "unique | list", "reverse | list", "select | list", "reject | list", "select('nosuch') | list", "selectattr('role', 'equalto', 'user') | list", "rejectattr('a') | list | length", "selectattr('a') | list | length", "map('upper') | list", "map(attribute='a') | list", "map(attribute='a') | join", "batch(2) | list", "items | list", "dictsort", "sum", "max", "groupby('a') | list", "replace('o', 'x')", "round", "abs", "capitalize", "indent", "wordcount", "center(6)", "e"]

TESTS = ["defined", "undefined", "none", "boolean", "true", "false", "integer", "float", "number", "string", "mapping", "sequence", "iterable", "callable", "odd", "even", "lower", "upper", "divisibleby 3", "divisibleby(2)", "eq 7", "equalto('hello')", "ne(0)", "gt 1", "lt(5)", "ge 7", "le 0.5", "in [7, 'hello', none]", "in 'hello world'", "sameas none", "sameas(true)", "sameas true", "filter", "test", "escaped", "== 7", "!= 7", "nosuch"]

METHODS = ["upper()", "lower()", "title()", "capitalize()", "swapcase()", "casefold()", "strip()", "lstrip()", "rstrip()", "strip('h o')", "lstrip(' T')", "rstrip('dl ')", "split()", "split(',')", "split(' ')", "split(None, 1)", "split('l', 1)", "split('l', maxsplit=1)", "rsplit(None, 1)", "rsplit('l', 1)", "rsplit(' ', 2)", "split('o')[-1]", "split('</think>')[0]", "splitlines()", "splitlines(true)", "startswith('h')", "startswith(('x', 'h'))", "endswith('o')", "endswith(('o', ' '))", "replace('l', 'LL')", "replace('l', '', 1)", "replace('', '.')", "replace(' ', '').replace('\\n', '|')", "find('l')", "find('zz')", "rfind('l')", "index('e')", "rindex('l')", "count('l')", "count('')", "join(['a', 'b'])", "join(words)", "join('xyz')", "format(1, a=2)", "isdigit()", "isalpha()", "isalnum()", "isspace()", "isupper()", "islower()", "isascii()", "isnumeric()", "isdecimal()", "removeprefix('he')", "removesuffix('lo')", "partition(' ')", "rpartition('l')", "partition('zz')", "zfill(8)", "ljust(8) + '|'", "rjust(8, '*')", "center(8, '-')", "center(9)", "split(',') | length", "strip().split('\\n')", "nosuch()", "split('')", "index('zz')", "startswith(1)", "join([1])"]
FORMATS = ["'{} {}'.format(1, 'a')", "'{1}{0}'.format('a', none)", "'{a}'.format(a=d)", "'{:.2f}'.format(half)", "'{{}}'.format()", "'{0.a}'.format(1)", "'{0[1]}'.format(words)", "'{x[a]}'.format(x=d)", "'%s-%d' % ('a', 7)", "'%.1f%%' % half", "'%r' % word", "'%s' % none", "'%(a)s' % d", "'%s' % (1, 2)", "'%x' % 255", "'%s %s' % words", "'{}'.format()", "'%s|%s' | format(1, 'b')", "'%(k)s' | format(k=3)"]

INDICES = ["[0]", "[-1]", "[99]", "[-99]", "['a']", "['role']", "[1:]", "[:-1]", "[::2]", "[::-1]", "[1:3]", "[-2:]", "[:0]", "[5:1]", "[3:0:-1]", "[:99]", "[-99:2]", "[none:2]", "[::0]", "[0].role", "[0]['role']", "[true]", "[1.5]", "[none]", ".a", ".role", ".0", ".length", "[word]", "[1:][0]", "[-1:][0]", "[2:-1]"]
BINARY = ["+", "-", "*", "/", "//", "%", "**", "~", "and", "or", "==", "!=", "<", "<=", ">", ">=", "in", "not in"]


def any_value(r):
    return r.choice(r.choice([STRINGS, LISTS, DICTS, NUMBERS, OTHERS]))


def item(r):
    index = r.choice(INDICES)
    # Constants that have no slices have some while Jinja compiles.
    return f"({r.choice(STRINGS + LISTS + OTHERS[:-1]) if ':' in index else any_value(r)}){index}"


def filtered(r):
    values, filters = r.choice([(STRINGS, TEXT_FILTERS), (LISTS, LIST_FILTERS), (LISTS, LIST_FILTERS), (DICTS, DICT_FILTERS), (NUMBERS, NUMBER_FILTERS), (OTHERS, OTHER_FILTERS)])
    value = r.choice(values)
    if " " in value and not value[0] in "'\"[({":
        value = f"({value})"
    return f"{value} | {r.choice(filters)}"


def value(r):
    kind = r.random()
    if kind < 0.45:
        return any_value(r)
    if kind < 0.65:
        return f"({filtered(r)})"
    if kind < 0.8:
        return f"({r.choice(STRINGS)}).{r.choice(METHODS)}"
    return item(r)


def expression(r):
    kind = r.random()
    if kind < 0.3:
        return f"{value(r)} {r.choice(BINARY)} {value(r)}"
    if kind < 0.5:
        return f"{any_value(r)} {r.choice(BINARY)} {any_value(r)}"
    if kind < 0.6:
        return f"{r.choice(NUMBERS)} {r.choice(BINARY[:7])} {r.choice(NUMBERS)} {r.choice(BINARY)} {r.choice(NUMBERS)}"
    if kind < 0.7:
        signs = r.choices(BINARY[10:], k=2)
        return f"{any_value(r)} {signs[0]} {any_value(r)} {signs[1]} {any_value(r)}"
    if kind < 0.8:
        return f"{value(r)} if {value(r)} {r.choice(['', 'is defined', 'is not none', 'is string'])} else {value(r)}".replace("  ", " ")
    if kind < 0.85:
        return f"not {any_value(r)} {r.choice(BINARY[8:])} {any_value(r)}"
    if kind < 0.9:
        return f"[{any_value(r)}, {value(r)}]"
    if kind < 0.95:
        return f"{{'a': {any_value(r)}, {r.choice(['1', 'word', 'none', repr('a'), 'true'])}: {any_value(r)}}}"
    return f"({any_value(r)}, {any_value(r)}) | {r.choice(LIST_FILTERS)}"


def piece(r):
    return r.choice(["a", " ", "\n", "  \n", "\n  ", "b\n", " c ", "\t", "\n\n", "<|x|>", "{ ", "}", "%}", "# "])


def tag(r, body):
    opening, closing = r.choice(["", "", "-", "+"]), r.choice(["", "", "-", "+"])
    return f"{{%{opening} {body} {closing}%}}"


def spaces(r, depth=0):
    """Text and tags with white space around them."""
    out = ""
    for _ in range(r.randint(1, 4 - depth)):
        kind = r.random()
        if kind < 0.35:
            out += piece(r) + piece(r)
        elif kind < 0.5:
            out += r.choice(["{{ word }}", "{{- word }}", "{{ word -}}", "{{- word -}}", "{{+ word }}", "{{ '\\n' }}"])
        elif kind < 0.6:
            out += r.choice(["{# c #}", "{#- c #}", "{# c -#}", "{#- c -#}", "{#+ c #}", "{# c +#}"])
        elif kind < 0.7:
            out += tag(r, "set q = 1")
        elif kind < 0.75:
            out += r.choice(["{% raw %} {{ x }}\n {% endraw %}", "{%- raw -%} {% {%- endraw -%}\n", "{% raw +%}\n{{ {% endraw %}\n"])
        elif depth < 2:
            out += piece(r)
            inner = spaces(r, depth + 1)
            if r.random() < 0.5:
                out += tag(r, f"if {r.choice(['yes', 'no'])}") + piece(r) + inner
                if r.random() < 0.5:
                    out += tag(r, "else") + spaces(r, depth + 1)
                out += tag(r, "endif")
            else:
                out += tag(r, "for i in [1, 2]") + piece(r) + inner + tag(r, "endfor")
            out += piece(r)
    return out


LOOP = ["loop.index", "loop.index0", "loop.first", "loop.last", "loop.length", "loop.revindex", "loop.revindex0", "loop.previtem", "loop.nextitem", "loop.depth", "loop.depth0", "loop.cycle('a', 'b')", "loop.changed(m)", "loop.nosuch", "m", "m | string | length", "m.role", "m[0]", "not loop.last", "loop.index is odd"]


def statements(r):
    kind = r.randrange(17)
    e = lambda: "{{ " + r.choice([value, filtered, expression])(r) + " }}"
    loop = lambda: "{{ " + r.choice(LOOP) + " }}"
    sequence = r.choice(LISTS + ["d", "word", "missing", "nothing", "d.items()", "d | items", "d | dictsort", "messages | map(attribute='role')", "range(3)", "range(4, 0, -2)", "words | reverse"])
    if kind < 3:
        return f"{{% for m in {sequence} %}}{loop()};{loop()} {{% else %}}none{{% endfor %}}"
    if kind == 3:
        condition = r.choice(["m", "m is string", "m is not none", "m != 'a'", "loop.first", "m.role is defined", "m > 1"])
        return f"{{% for m in {sequence} if {condition} %}}{loop()},{loop()} {{% else %}}none{{% endfor %}}"
    if kind == 4:
        return f"{{% for k, v in {r.choice(['d.items()', 'pairs', 'd | items', 'd | dictsort', 'nested', 'words', '[(1, 2)]', 'd'])} %}}{{{{ k }}}}={{{{ v }}}};{{% endfor %}}{{{{ k }}}}"
    if kind == 5:
        jump = r.choice(["break", "continue"])
        return f"{{% for m in {sequence} %}}{{% if {r.choice(['loop.index == 2', 'm is string', 'm', 'loop.last'])} %}}{{% {jump} %}}{{% endif %}}{loop()} {{% endfor %}}"
    if kind == 6:
        return f"{{% set ns = namespace(a={any_value(r)}, b=[]) %}}{{% for m in {sequence} %}}{{% set ns.a = {r.choice(['loop.index', 'm', 'ns.a ~ loop.index0', '[ns.a]', 'ns.a + 1', 'ns.missing'])} %}}{{% set ns.b = ns.b + [loop.index] %}}{{% set x = 5 %}}{{% endfor %}}{{{{ ns.a }}}} {{{{ ns.b }}}}{{{{ x }}}}"
    if kind == 7:
        default = r.choice(["", "='z'", "=a", "=none", "=[]"])
        call = r.choice(["m(1)", "m(1, 2)", "m()", "m(b=1)", "m(1, b=word)", "m(1, 2, 3)", "m(1, c=2)", "m(a=1, b=2)", "m(1, a=2)", "m(*[1, 2])", "m(**{'a': 4})", "m(1) | upper", "m(1) | length", "m is callable", "m.name", "[m(1)]"])
        return f"{{% macro m(a, b{default}) %}}<{{{{ a }}}}|{{{{ b }}}}>{r.choice(['', e()])}{{% endmacro %}}{{{{ {call} }}}}"
    if kind == 8:
        return f"{{% macro m(a) %}}[{{{{ caller({r.choice(['', 'a', '1, 2'])}) }}}}]{{% endmacro %}}{{% call{r.choice(['', '(x)', '(x, y=3)'])} m({any_value(r)}) %}}{{{{ x }}}}{{{{ y }}}}{{% endcall %}}"
    if kind == 9:
        return f"{{% macro m(n) %}}{{% if n > 0 %}}{{{{ n }}}}{{{{ m(n - 1) }}}}{{% endif %}}{{% endmacro %}}{{{{ m({r.randint(0, 6)}) }}}}"
    if kind == 10:
        return f"{{% set x %}}{r.choice(['a', ' ', ''])}{e()}{{% endset %}}{{{{ x | length }}}}{{{{ x }}}}"
    if kind == 11:
        return f"{{% filter {r.choice(['upper', 'trim', 'indent(2)', 'replace(' + repr('e') + ', ' + repr('3') + ')', 'length'])} %}} {e()}\n {{% endfilter %}}|"
    if kind == 12:
        return f"{{% with a = {any_value(r)}, b = {r.choice(['a', '2'])} %}}{{{{ a }}}}{{{{ b }}}}{{% endwith %}}{{{{ a }}}}"
    if kind == 13:
        return f"{{% if {expression(r)} %}}1{{% elif {expression(r)} %}}2{{% else %}}3{{% endif %}}"
    if kind == 14:
        return f"{{% set {r.choice(['x, y', '(x, y)', 'x, (y, z)'])} = {r.choice(['1, 2', 'pairs', 'word', '[1, [2, 3]]', '(1, 2, 3)', 'nothing', 'd'])} %}}{{{{ x }}}}{{{{ y }}}}{{{{ z }}}}"
    if kind == 15:
        inner = r.choice(["messages | selectattr('role', 'equalto', 'tool')", "words | map('upper')", "d | items", "words | reverse", "words | unique", "nested | batch(2)", "nothing | select", "messages | rejectattr('role')"])
        use = r.choice(["{{ g | list }}{{ g | list }}", "{% if g %}1{% else %}0{% endif %}", "{{ g | length }}", "{{ g[0] }}", "{{ g | first }}", "{{ g | first }}{{ g | list | length }}", "{% for m in g %}{{ loop.index }}{{ loop.length }}{% endfor %}", "{{ g is sequence }}{{ g is iterable }}", "{{ g | tojson }}", "{{ g | join(',') }}", "{{ 'A' in g }}{{ g | list }}", "{{ g == g }}{{ not g }}", "{{ g + [] }}", "{{ g | last }}", "{{ g | sort | length }}"])
        return f"{{% set g = {inner} %}}{use}"
    nested = "{% for n in m %}{{ loop.index }}{{ n }}{% if loop.last %}{{ loop.depth }}{% endif %}{% endfor %}"
    return f"{{% for m in {sequence} %}}{nested}{loop()}|{{% endfor %}}"


CHAT = [
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + (message['content'] or '') | trim + '<|im_end|>' + '\\n' }}{% endfor %}",
    "{%- if messages[0]['role'] == 'system' -%}{%- set s = messages[0]['content'] | trim -%}{%- set rest = messages[1:] -%}{%- else -%}{%- set rest = messages -%}{%- endif -%}{{ s }}{{ rest | length }}",
    "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('alternate') }}{% endif %}{% endfor %}",
    "{%- for t in tools %}\n{{- t | tojson(indent=4) }}\n{%- if not loop.last %},{% endif %}\n{%- endfor %}",
    "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}",
    "{% set ns = namespace(i=-1) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.i = loop.index0 %}{% endif %}{% endfor %}{{ ns.i }}",
    "{% for m in messages[::-1] %}{{ m.role[:1] }}{% endfor %}",
    "{% for m in messages if m.content is string and '<' in m.content %}{{ m.content.split('<')[0].strip() }};{% endfor %}",
    "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.name }}({% for k, v in c.arguments.items() %}{{ k }}={{ v | tojson }}{{ ', ' if not loop.last }}{% endfor %}){% endfor %}{% endfor %}",
]


def generate(r):
    kind = r.random()
    if kind < 0.28:
        return "{{ " + filtered(r) + " }}"
    if kind < 0.36:
        return f"{{{{ {any_value(r)} is {r.choice(['', 'not '])}{r.choice(TESTS)} }}}}"
    if kind < 0.48:
        return f"{{{{ ({r.choice(STRINGS)}).{r.choice(METHODS)} }}}}"
    if kind < 0.56:
        return f"{{{{ {item(r)} }}}}"
    if kind < 0.7:
        return "{{ " + expression(r) + " }}"
    if kind < 0.82:
        return spaces(r)
    return statements(r)


def main():
    r = random.Random(20260214)
    templates = [*CHAT, *("{{ " + f + " }}" for f in FORMATS)]
    seen, cases, errors = set(), [], 0
    while len(cases) < CASES:
        template = templates.pop(0) if templates else generate(r)
        # Integers beyond 64 bits and complex numbers are refused.
        if template in seen or len(template) > 2 * TEXT_LEN_MAX or "0.0 | int" in template or "-3 **" in template:
            continue
        seen.add(template)
        try:
            text = ENVIRONMENT.from_string(template).render(**CONTEXT)
        except (jinja2.TemplateError, TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RecursionError, Refused):
            text = None
            errors += 1
            # Mistakes are mostly alike.
            if errors % 3:
                continue
        if text is not None and (len(text) > TEXT_LEN_MAX or " at 0x" in text):
            continue
        cases.append([template, text])
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
    context = json.dumps(CONTEXT, ensure_ascii=False)
    out = Path(__file__).with_name("jinja_cases.json")
    out.write_text(f'{{"source": "jinja2 {jinja2.__version__}, jinja_cases.py",\n"context": {context},\n"cases": [\n{lines}\n]}}\n')
    print(len(cases), "cases,", sum(text is None for _, text in cases), "errors,", out.stat().st_size, "bytes")


main()
