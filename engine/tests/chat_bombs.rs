//! Templates of unknown origin that would take for ever, or all memory, or the stack: each ends within a second and 64 MiB
//! of growth, with a result or a typed error, on half the stack that wasm has by default.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use pith_engine::chat::{ChatTemplate, Message, Moment, RenderOptions};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Memory is counted for the whole process: one test at a time, from its first allocation.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const TIME_MAX: Duration = Duration::from_secs(1);
/// What runs so long would never end.
const PATIENCE: Duration = Duration::from_secs(20);
const GROWTH_MAX_BYTES: usize = 64 << 20;
const STACK_BYTES: usize = 1 << 19;

/// What a template made: the length of its text, or the code of the error.
type Outcome = Result<usize, &'static str>;

/// Processor time of this thread, where the system tells: the machine may have other work. Else the time since `start`.
fn time_taken(start: Instant) -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = status.split(' ').next().and_then(|nanos| nanos.parse().ok());
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// Renders on a small stack. What hangs fails; what overflows the stack ends the process.
fn set_off(template: String, messages: Vec<Message>) -> Outcome {
    let (sender, receiver) = channel();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let start = Instant::now();
    let work = move || {
        let now = Some(Moment { year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6 });
        let options = RenderOptions { now, ..RenderOptions::default() };
        let outcome = ChatTemplate::new(&template, "<s>", "</s>")
            .and_then(|template| template.render(&messages, &options))
            .map(|rendered| rendered.parts.iter().map(|piece| piece.text.len()).sum())
            .map_err(|error| {
                assert!(error.to_string().len() < 1 << 14, "the message is too long");
                error.code()
            });
        // What was held has been given back by now, too.
        sender.send((outcome, time_taken(start))).unwrap();
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).unwrap();
    let (outcome, time) = match receiver.recv_timeout(PATIENCE) {
        Ok(ended) => ended,
        Err(RecvTimeoutError::Timeout) => {
            let growth = ALLOCATOR.peak_usage().saturating_sub(before);
            println!("still running, {} MiB", growth >> 20);
            // The thread goes on: nothing else in this process could be measured.
            std::process::exit(1);
        }
        Err(RecvTimeoutError::Disconnected) => panic!("it panicked"),
    };
    thread.join().unwrap();
    let growth = ALLOCATOR.peak_usage().saturating_sub(before);
    println!("{outcome:?} in {time:?}, {:.1} MiB", growth as f64 / f64::from(1 << 20));
    assert!(time < TIME_MAX, "{time:?}");
    assert!(growth < GROWTH_MAX_BYTES, "{} MiB", growth >> 20);
    outcome
}

/// Two lists of 2^40 elements each, as far as comparing or printing goes.
const DOUBLED: &str = "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(40) %}\
    {% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}";

/// A megabyte of text.
const TEXT: &str = "{% set s = 'x' * 1000000 %}";

/// A list of 2^16 elements.
const LIST: &str =
    "{% set ns = namespace(l=['x'], d={}) %}{% for i in range(16) %}{% set ns.l = ns.l + ns.l %}{% endfor %}";

fn looped(count: u32, body: &str) -> String {
    format!("{{% for i in range({count}) %}}{body}{{% endfor %}}")
}

/// Names tests after bombs: the template, and what must come of it (`""`: any result or typed error).
macro_rules! bombs {
    ($($name:ident: $template:expr => $expected:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let _alone = alone();
                let outcome = set_off($template.to_string(), vec![Message::new("user", "a page")]);
                match $expected {
                    "" => {}
                    "ok" => assert!(outcome.is_ok(), "{outcome:?}"),
                    code => assert_eq!(outcome, Err(code)),
                }
            }
        )*
    };
}

bombs! {
    // Lists that hold the same list twice, and so on.
    equal: format!("{DOUBLED}{{{{ ns.a == ns.b }}}}") => "chat_template_limit";
    not_equal: format!("{DOUBLED}{{{{ ns.a != ns.b }}}}") => "chat_template_limit";
    less: format!("{DOUBLED}{{{{ ns.a < ns.b }}}}") => "chat_template_limit";
    printed: format!("{DOUBLED}{{{{ ns.a }}}}") => "chat_template_limit";
    joined_by_tilde: format!("{DOUBLED}{{{{ 'x' ~ ns.a }}}}") => "chat_template_limit";
    to_string: format!("{DOUBLED}{{{{ ns.a | string | length }}}}") => "chat_template_limit";
    formatted: format!("{DOUBLED}{{{{ '%s' % ns.a }}}}") => "chat_template_limit";
    formatted_repr: format!("{DOUBLED}{{{{ '%r' % (ns.a,) }}}}") => "chat_template_limit";
    formatted_braces: format!("{DOUBLED}{{{{ '{{}}'.format(ns.a) }}}}") => "chat_template_limit";
    json: format!("{DOUBLED}{{{{ ns.a | tojson }}}}") => "chat_template_limit";
    json_indented: format!("{DOUBLED}{{{{ ns.a | tojson(indent=4) }}}}") => "chat_template_limit";
    contained: format!("{DOUBLED}{{{{ ns.a in [ns.b] }}}}") => "chat_template_limit";
    equal_test: format!("{DOUBLED}{{{{ ns.a is eq(ns.b) }}}}") => "chat_template_limit";
    selected: format!("{DOUBLED}{{{{ [ns.a] | select('equalto', ns.b) | list | length }}}}") => "chat_template_limit";
    counted: format!("{DOUBLED}{{{{ [ns.a].count(ns.b) }}}}") => "chat_template_limit";
    indexed: format!("{DOUBLED}{{{{ [ns.a].index(ns.b) }}}}") => "chat_template_limit";
    removed: format!("{DOUBLED}{{{{ [ns.a].remove(ns.b) }}}}") => "chat_template_limit";
    unique: format!("{DOUBLED}{{{{ [ns.a, ns.b] | unique | list | length }}}}") => "";
    grouped: format!("{DOUBLED}{{{{ [[ns.a], [ns.b]] | groupby(0) | length }}}}") => "chat_template_limit";
    sorted: format!("{DOUBLED}{{{{ [ns.a, ns.b] | sort | length }}}}") => "chat_template_limit";
    largest: format!("{DOUBLED}{{{{ ([ns.a, ns.b] | max)[0][0] | length }}}}") => "chat_template_limit";
    as_key: format!("{DOUBLED}{{{{ {{ns.a: 1}}[ns.b] }}}}") => "";
    changed: format!("{DOUBLED}{{% for i in [ns.a, ns.b] %}}{{{{ loop.changed(i) }}}}{{% endfor %}}") => "chat_template_limit";
    key_error: format!("{DOUBLED}{{{{ {{}}.pop(ns.a) }}}}") => "";
    raised: format!("{DOUBLED}{{{{ raise_exception(ns.a) }}}}") => "";
    undefined_name: format!("{DOUBLED}{{{{ {{}}[ns.a] is defined }}}}") => "";
    as_attribute: format!("{DOUBLED}{{{{ 1 | attr(ns.a) }}}}") => "";
    cased: format!("{DOUBLED}{{{{ ns.a is lower }}}}") => "chat_template_limit";

    // Text and lists that grow.
    join_of_a_range: format!("{TEXT}{{{{ range(100000) | join(s) }}}}") => "chat_template_limit";
    join_method: format!("{TEXT}{LIST}{{{{ s.join(ns.l) }}}}") => "chat_template_limit";
    replace_filter: "{{ ('a' * 100000) | replace('a', 'x' * 100000) }}" => "chat_template_limit";
    replace_method: "{{ ('a' * 100000).replace('a', 'x' * 100000) }}" => "chat_template_limit";
    replace_of_nothing: format!("{TEXT}{{{{ s | replace('', s) }}}}") => "chat_template_limit";
    replace_chain: format!("{{{{ 'aa'{} }}}}", " | replace('a', 'aaaa')".repeat(30)) => "chat_template_limit";
    text_doubled: "{% set ns = namespace(a='ab') %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}" => "chat_template_limit";
    text_doubled_by_tilde: "{% set ns = namespace(a='ab') %}{% for i in range(40) %}{% set ns.a = ns.a ~ ns.a %}{% endfor %}" => "chat_template_limit";
    list_doubled: "{% set ns = namespace(a=[1]) %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}" => "chat_template_limit";
    tuple_doubled: "{% set ns = namespace(a=(1,)) %}{% for i in range(40) %}{% set ns.a = ns.a + ns.a %}{% endfor %}" => "chat_template_limit";
    list_extended: "{% set a = [1] %}{% for i in range(40) %}{% do a.extend(a) %}{% endfor %}" => "chat_template_limit";
    list_appended: format!("{{% set a = [] %}}{}", looped(100_000, &looped(100, "{% do a.append([]) %}"))) => "chat_template_limit";
    list_inserted: format!("{{% set a = [] %}}{}", looped(100_000, &looped(100, "{% do a.insert(0, i) %}"))) => "chat_template_limit";
    list_popped: format!("{LIST}{{% set a = ns.l + ns.l + ns.l + ns.l %}}{}", looped(100_000, "{% do a.pop(0) %}{% do a.append(1) %}{% do a.reverse() %}")) => "chat_template_limit";
    texts_kept: format!("{TEXT}{{% set a = [] %}}{}", looped(1000, "{% do a.append(s ~ i) %}")) => "chat_template_limit";
    lists_kept: format!("{LIST}{{% set a = [] %}}{}", looped(1000, "{% do a.append(ns.l + []) %}")) => "chat_template_limit";
    ranges_kept: format!("{{% set a = [] %}}{}", looped(1000, "{% do a.append(range(100000)) %}")) => "chat_template_limit";
    undefined_kept: format!("{{% set a = [] %}}{}", looped(1000, "{% do a.append(range(100000) | map(attribute='abcdefghijklmnopqrstuvwxyz') | list) %}")) => "chat_template_limit";
    methods_kept: format!("{{% set a = [] %}}{}", looped(1000, "{% do a.append(range(100000) | map('string') | map(attribute='upper') | list) %}")) => "chat_template_limit";
    names_kept: format!("{TEXT}{{% set a = [] %}}{}", looped(1000, "{% do a.append({}[s]) %}")) => "";
    empty_lists_kept: format!("{{% set a = [] %}}{}", looped(100, "{% do a.append(range(100000) | batch(1) | list) %}")) => "chat_template_limit";
    slices_of_letters_kept: format!("{TEXT}{{% set a = [] %}}{}", looped(1000, "{% do a.append(s | list) %}")) => "chat_template_limit";
    dict_grown: format!("{{% set d = {{}} %}}{}", looped(100_000, "{% do d.update({i: i}) %}")) => "chat_template_limit";
    dict_of_pairs: "{% set d = dict(range(100000) | batch(2)) %}{{ d | length }}" => "chat_template_limit";
    namespaces_kept: format!("{{% set a = [] %}}{}", looped(100_000, &looped(10, "{% do a.append(namespace(x=1)) %}"))) => "chat_template_limit";
    repeated_text: "{{ 'a' * 9223372036854775807 }}" => "chat_template_limit";
    repeated_list: "{{ [1] * 9223372036854775807 }}" => "chat_template_limit";
    repeated_tuple: "{{ 9223372036854775807 * (1,) }}" => "chat_template_limit";
    repeated_nothing: "{{ [] * 9223372036854775807 }}{{ () * 9223372036854775807 }}{{ '' * 9223372036854775807 }}" => "ok";
    repeated_lists: "{{ ([[]] * 2000000) | length }}" => "chat_template_limit";
    repeated_seldom: looped(1000, "{% set a = [0] * 1000000 %}") => "chat_template_limit";
    powers: "{{ 2 ** 9223372036854775807 }}" => "chat_template_failed";
    float_powers: "{{ 10.0 ** 400 }}" => "chat_template_failed";
    shortest: "{{ (-9223372036854775807 - 1) // -1 }}" => "chat_template_failed";

    // Text that is read over and over.
    text_compared: format!("{TEXT}{{% set t = 'x' * 1000000 %}}{}", looped(100_000, "{{ s == t }}")) => "chat_template_limit";
    text_ordered: format!("{TEXT}{{% set t = 'x' * 1000000 %}}{}", looped(100_000, "{{ s < t }}")) => "chat_template_limit";
    text_searched: format!("{TEXT}{}", looped(100_000, "{{ 'y' in s }}")) => "chat_template_limit";
    text_measured: format!("{TEXT}{}", looped(100_000, "{{ s | length }}")) => "chat_template_limit";
    text_indexed: format!("{TEXT}{}", looped(100_000, "{{ s[-1] }}")) => "chat_template_limit";
    text_sliced: format!("{TEXT}{}", looped(100_000, "{% set t = s[1:] %}")) => "chat_template_limit";
    text_reversed: format!("{TEXT}{}", looped(100_000, "{% set t = s[::-1] %}")) => "chat_template_limit";
    text_upper: format!("{TEXT}{}", looped(100_000, "{% set t = s | upper %}")) => "chat_template_limit";
    text_title: format!("{TEXT}{}", looped(100_000, "{% set t = s.title() %}")) => "chat_template_limit";
    text_trimmed: format!("{{% set s = ' ' * 1000000 %}}{}", looped(100_000, "{% set t = s | trim %}")) => "chat_template_limit";
    text_stripped_of_much: format!("{TEXT}{{% set t = 'y' * 1000000 ~ 'x' %}}{{{{ s.strip(t) }}}}") => "chat_template_limit";
    text_starts: format!("{TEXT}{}", looped(100_000, "{{ s.startswith((s, s, s, s)) }}")) => "chat_template_limit";
    text_found: format!("{TEXT}{}", looped(100_000, "{{ s.find('xxy') }}{{ s.rfind('y') }}")) => "chat_template_limit";
    text_counted: format!("{TEXT}{}", looped(100_000, "{{ s.count('') }}{{ s.count('x') }}")) => "chat_template_limit";
    text_is_digits: format!("{{% set s = '1' * 1000000 %}}{}", looped(100_000, "{{ s.isdigit() }}")) => "chat_template_limit";
    text_as_number: format!("{{% set s = '1' * 1000000 %}}{}", looped(100_000, "{{ s | int }}{{ s | float }}")) => "";
    text_split: format!("{TEXT}{}", looped(1000, "{% set t = s.split('x') %}")) => "chat_template_limit";
    text_split_at_white_space: format!("{{% set s = 'x ' * 1000000 %}}{}", looped(1000, "{% set t = s.split() %}")) => "chat_template_limit";
    text_split_from_the_end: format!("{TEXT}{}", looped(1000, "{% set t = s.rsplit('x', 99999999) %}")) => "chat_template_limit";
    text_split_whole: "{% set t = ('x' * 30000000).split('x') %}" => "chat_template_limit";
    text_split_into_lines: "{% set t = ('\\n' * 30000000).splitlines() %}" => "chat_template_limit";
    text_partitioned: format!("{TEXT}{}", looped(100_000, "{% set t = s.partition('y') %}")) => "chat_template_limit";
    text_as_list: "{% set t = ('x' * 30000000) | list %}" => "chat_template_limit";
    text_as_items: "{% for c in 'x' * 30000000 %}{% endfor %}" => "chat_template_limit";
    text_backwards: "{{ ('x' * 30000000) | reverse | length }}" => "chat_template_limit";
    text_escaped: "{{ ('<' * 20000000) | e | length }}" => "chat_template_limit";
    text_encoded: "{{ ('é' * 10000000) | urlencode | length }}" => "chat_template_limit";
    text_quoted: "{{ ['\\n' * 20000000] }}" => "chat_template_limit";
    text_json: "{{ ('\\u0001' * 10000000) | tojson }}" => "chat_template_limit";
    text_words: format!("{{% set s = 'x ' * 1000000 %}}{}", looped(100_000, "{{ s | wordcount }}")) => "chat_template_limit";
    text_truncated: format!("{TEXT}{}", looped(100_000, "{% set t = s | truncate(9) %}")) => "chat_template_limit";
    text_padded: "{{ 'a'.center(9223372036854775807) }}" => "chat_template_limit";
    text_justified: "{{ 'a'.ljust(9223372036854775807, 'é') }}" => "chat_template_limit";
    text_zeros: "{{ '-1'.zfill(9223372036854775807) }}" => "chat_template_limit";
    text_centred: "{{ 'a' | center(9223372036854775807) }}" => "chat_template_limit";
    text_indented: format!("{TEXT}{{{{ ('\\n' * 1000) | indent(s, true, true) }}}}") => "chat_template_limit";
    text_indented_far: "{{ ('a\\n' * 1000000) | indent(9223372036854775807) }}" => "chat_template_limit";
    json_indented_far: format!("{TEXT}{{{{ [[[[[[1, 2, 3, 4]]]]]] * 99 | tojson(indent=s) }}}}") => "";
    json_separated: format!("{TEXT}{LIST}{{{{ ns.l | tojson(separators=(s, s)) }}}}") => "chat_template_limit";
    json_sorted: format!("{{% set d = dict(range(3000) | map('string') | map('list') | map('join', 'x' * 1000) | batch(2)) %}}{}", looped(1000, "{{ d | tojson(sort_keys=true) }}")) => "chat_template_limit";
    percent_signs: format!("{LIST}{{{{ ('%s' * 65536) % ns.l }}}}{{% set t = ('%%' * 1000000) %}}{}", looped(1000, "{{ t % () }}")) => "";
    percent_names: "{{ ('%(a)s' * 100000) % {'a': 'x' * 10000} }}" => "chat_template_limit";
    braces: "{{ ('{0}' * 100000).format('x' * 10000) }}" => "chat_template_limit";
    braces_unclosed: "{{ ('{a' * 1000000).format(1) }}" => "";
    date_formats: "{{ strftime_now('%c' * 3000000) }}" => "";
    macro_text: "{% macro m(t) %}{{ t }}{{ t }}{% endmacro %}{% set ns = namespace(a='ab') %}{% for i in range(40) %}{% set ns.a = m(ns.a) %}{% endfor %}" => "chat_template_limit";
    block_text: "{% set a = 'ab' %}{% set ns = namespace(a='ab') %}{% for i in range(40) %}{% set t %}{{ ns.a }}{{ ns.a }}{% endset %}{% set ns.a = t %}{% endfor %}" => "chat_template_limit";
    output: looped(100_000, "{{ 'x' * 1000 }}") => "chat_template_limit";
    output_of_text: looped(100_000, &"x".repeat(1000)) => "chat_template_limit";

    // Lists that are read over and over.
    list_summed: format!("{LIST}{}", looped(100_000, "{{ ns.l | length }}{{ range(100000) | sum }}")) => "chat_template_limit";
    list_first: format!("{LIST}{}", looped(100_000, "{{ ns.l | first }}{{ ns.l | last }}{{ ns.l[0] }}")) => "";
    list_sliced: format!("{LIST}{}", looped(100_000, "{% set t = ns.l[::2] %}")) => "chat_template_limit";
    list_stepped: "{{ range(100000)[::9223372036854775807] }}{{ range(100000)[9223372036854775807::-9223372036854775807] }}" => "ok";
    list_searched: format!("{LIST}{}", looped(100_000, "{{ 'y' in ns.l }}")) => "chat_template_limit";
    list_mapped: format!("{LIST}{}", looped(1000, "{% set t = ns.l | map('upper') | list %}")) => "chat_template_limit";
    list_selected: format!("{LIST}{}", looped(1000, "{% set t = ns.l | select('in', ns.l) | list %}")) => "";
    list_batched: "{% set t = range(100000) | batch(100000000, 1) | list %}" => "chat_template_limit";
    list_batched_finely: "{% set t = [range(100000) | batch(1) | list] * 9 %}{% set t = range(1000) | batch(65536, 0) | list %}{% set t = range(1000) | batch(1, 0) | list %}" => "";
    list_filled: looped(1000, "{% set t = range(1000) | batch(1000000, 0) | list %}") => "chat_template_limit";
    list_in_slices: "{% set t = range(100) | slice(9223372036854775807, 1) | list %}" => "chat_template_limit";
    list_unique: "{{ range(100000) | unique | list | length }}" => "chat_template_limit";
    list_sorted: format!("{{% set l = range(100000) | list %}}{}", looped(1000, "{% set t = l | sort(reverse=true) %}")) => "chat_template_limit";
    list_sorted_by_much: format!("{{% set l = range(1000) | batch(1) | list %}}{{% set t = l | sort(attribute='0{}') %}}", ",0".repeat(100_000)) => "chat_template_limit";
    list_grouped: format!("{{% set l = range(100000) | batch(1) | list %}}{}", looped(1000, "{% set t = l | groupby(0) %}")) => "chat_template_limit";
    list_spread: "{{ range(100000) | map('default', *range(100000)) | list | length }}" => "";
    list_spread_often: looped(100_000, "{{ dict(*[]) }}{{ '{}'.format(*range(100000)) }}") => "chat_template_limit";
    range_often: looped(100_000, "{% set t = range(100000) %}") => "chat_template_limit";
    loops_in_loops: looped(100_000, &looped(100_000, "")) => "chat_template_limit";
    loops_that_filter: "{% for a in range(100000) if a in range(100000) and a < 0 %}{% endfor %}" => "chat_template_limit";
    attribute_paths: format!("{{{{ range(100000) | map(attribute='a{}') | list }}}}", ".a".repeat(100_000)) => "";
    cycles: looped(100_000, "{{ loop.cycle(*range(100000)) }}") => "chat_template_limit";

    // Nesting that no limit of the syntax sees.
    list_deep: "{% set ns = namespace(l=[]) %}{% for i in range(100000) %}{% set ns.l = [ns.l] %}{% endfor %}ok" => "ok";
    tuple_deep: "{% set ns = namespace(l=()) %}{% for i in range(100000) %}{% set ns.l = (ns.l,) %}{% endfor %}ok" => "ok";
    dict_deep: "{% set ns = namespace(l={}) %}{% for i in range(100000) %}{% set ns.l = {'a': ns.l} %}{% endfor %}ok" => "ok";
    namespace_deep: "{% set ns = namespace(l=0) %}{% for i in range(50000) %}{% set ns.l = namespace(l=ns.l) %}{% endfor %}ok" => "ok";
    method_deep: "{% set ns = namespace(l=[]) %}{% for i in range(50000) %}{% set ns.l = [ns.l.append] %}{% endfor %}ok" => "";
    loop_deep: "{% set ns = namespace(l=0) %}{% for i in range(40000) %}{% for x in [ns.l] %}{% set ns.l = loop %}{% endfor %}{% endfor %}ok" => "";
    closure_deep: "{% set l = [0] %}{% for i in range(40000) %}{% set f = l[-1] %}{% macro g() %}{{ f }}{% endmacro %}{% do l.append(g) %}{% do l.pop(0) %}{% endfor %}ok" => "";
    caller_deep: "{% macro m(f) %}{% macro g() %}{{ f }}{% endmacro %}{% do l.append(g) %}{% endmacro %}{% set l = [0] %}{% for i in range(30000) %}{{ m(l.pop()) }}{% endfor %}ok" => "";
    deep_printed: "{% set ns = namespace(l=[]) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l }}" => "";
    deep_compared: "{% set ns = namespace(l=[], m=[]) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% set ns.m = [ns.m] %}{% endfor %}{{ ns.l == ns.m }}" => "chat_template_limit";
    deep_ordered: "{% set ns = namespace(l=[], m=[]) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% set ns.m = [ns.m] %}{% endfor %}{{ ns.l < ns.m }}" => "chat_template_limit";
    deep_json: "{% set ns = namespace(l=[]) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l | tojson }}" => "chat_template_limit";
    deep_filters: "{% set ns = namespace(l=['a']) %}{% for i in range(100000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l | map(*(['map'] * 99999 + ['upper'])) | list }}" => "chat_template_limit";
    deep_filters_few: "{% set ns = namespace(l=['a']) %}{% for i in range(500) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l | map(*(['map'] * 499 + ['upper'])) | list }}" => "chat_template_limit";
    deep_calls: "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}" => "chat_template_limit";
    deep_callers: "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{% call m() %}{% endcall %}" => "chat_template_limit";
    deep_snapshots: format!("{{% macro m() %}}{}{{% endmacro %}}{{{{ m() }}}}", looped(100_000, "{{ m() }}")) => "chat_template_limit";
    deep_text: format!("{{% macro m(n) %}}{}{{{{ m(n + 1) }}}}{{{{ m(n + 1) }}}}{{% endmacro %}}{{{{ m(0) }}}}", "x".repeat(100_000)) => "chat_template_limit";
    wide_calls: "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(30) }}" => "chat_template_limit";
    macros_kept: format!("{{% set a = [] %}}{}", looped(100_000, &looped(10, "{% macro g() %}{% endmacro %}{% do a.append(g) %}"))) => "chat_template_limit";

    deep_syntax: ["a|f(", "f(", "a[", "{1:", "(a,", "a is f(", "a if ", "not (", "-(", "a.b|f(x=", "f(*", "a[1:", "[a ~ ", "a + (", "a and ("]
        .map(|part| format!("{{{{ {} }}}}", part.repeat(5_000))).concat() => "chat_template_syntax";

    // Orders that are none.
    sort_mixed: "{{ (range(100) | list + ['a'] * 50 + range(50) | list) | sort }}" => "chat_template_failed";
    sort_interleaved: "{{ (range(40) | list | map('string') | list + range(40) | list + [none] * 20) | sort }}" => "chat_template_failed";
    sort_lists: "{% set l = [] %}{% for i in range(60) %}{% do l.append([i % 7, 'a' if i % 3 else i]) %}{% endfor %}{{ l | sort | length }}" => "chat_template_failed";
    sort_nan: "{% set l = [] %}{% for i in range(90) %}{% do l.append(('nan' | float) if i % 3 else i * 7 % 11) %}{% endfor %}{{ l | sort | length }}" => "";
    sort_large: "{% set l = [] %}{% for i in range(90) %}{% do l.append(9007199254740992 + i if i % 2 else 9007199254740992.0) %}{% endfor %}{{ l | sort | length }}" => "ok";
    sort_attribute: "{% set l = [] %}{% for i in range(60) %}{% do l.append({'k': 'a' if i % 3 else i}) %}{% endfor %}{{ l | sort(attribute='k') }}" => "chat_template_failed";
    sort_dict: "{% set d = {} %}{% for i in range(60) %}{% do d.update({('a' ~ i) if i % 3 else i: 1}) %}{% endfor %}{{ d | dictsort }}" => "chat_template_failed";
    sort_json: "{% set d = {} %}{% for i in range(60) %}{% do d.update({('a' ~ i) if i % 3 else i: 1}) %}{% endfor %}{{ d | tojson(sort_keys=true) }}" => "";

    // At load.
    tags: "{{a}}".repeat(168_000) => "";
    tags_and_lines: "{{a}}\n".repeat(160_000) => "";
    comments: "{##}".repeat(250_000) => "ok";
    comments_unclosed: "{#".repeat(500_000) => "chat_template_syntax";
    blocks_unclosed: "{%".repeat(500_000) => "chat_template_syntax";
    raw_blocks: "{% raw %}{% {% {% endraw %}".repeat(38_000) => "";
    raw_block_of_tags: format!("{{% raw %}}{}", "{% ".repeat(340_000)) => "chat_template_syntax";
    braces_alone: "{ ".repeat(500_000) => "ok";
    elements: format!("{{{{ [{}] }}}}", "1,".repeat(500_000)) => "";
    elements_of_text: format!("{{{{ [{}] | length }}}}", "'',".repeat(300_000)) => "";
    elements_of_a_dict: format!("{{{{ {{{}}} }}}}", "1:1,".repeat(250_000)) => "";
    elements_of_a_dict_unlike: format!("{{{{ {{{}}} | length }}}}", (0..20_000).map(|i| format!("{i}:1,")).collect::<String>()) => "";
    comparisons: format!("{{{{ 1{} }}}}", "<1".repeat(500_000)) => "";
    dotted_filter: format!("{{{{ a|b{} }}}}", ".b".repeat(500_000)) => "";
    strings_side_by_side: format!("{{{{ {} }}}}", "''".repeat(500_000)) => "";
    string_of_escapes: format!("{{{{ '{}' | length }}}}", "\\u".repeat(500_000)) => "ok";
    numbers: format!("{{{{ {} }}}}", "1".repeat(1_000_000)) => "chat_template_syntax";
    branches: format!("{{% if 0 %}}{}{{% endif %}}", "{% elif 0 %}".repeat(80_000)) => "";
    arguments: format!("{{{{ dict({}) | length }}}}", (0..20_000).map(|i| format!("a{i}=1,")).collect::<String>()) => "";
    parameters: {
        let names = |value: &str| (0..20_000).map(|i| format!("a{i}{value},")).collect::<String>();
        format!("{{% macro m({}b) %}}{{% endmacro %}}{{{{ m({}b=1) }}}}", names(""), names("=1"))
    } => "";
    names: (0..40_000).map(|i| format!("{{% set a{i} = 1 %}}")).collect::<String>() => "";
    names_read: format!("{}{}", (0..20_000).map(|i| format!("{{% set a{i} = 1 %}}")).collect::<String>(), looped(100_000, "{{ a19999 }}")) => "";
    targets: format!("{{% set {}b = [1] %}}", "a,".repeat(400_000)) => "";
    long_names: format!("{{% set {0} = 1 %}}{1}", "a".repeat(400_000), looped(100_000, &format!("{{{{ {} }}}}", "a".repeat(400_000)))) => "chat_template_syntax";
    long_keys: format!("{{% set s = 'x' * 100000 %}}{{% set d = dict(range(100) | map('string') | map('replace', '', s) | batch(1, 1) | map('list') | list | map('batch', 2, 0) | map('first')) %}}{}", looped(100_000, "{{ d | attr(s ~ '1') }}{{ d[s ~ '1'] }}")) => "";
}

/// Whatever can be read does not overflow the stack, nor does running it: depth by depth, one template each.
#[test]
fn nesting_of_every_kind() {
    let _alone = alone();
    let nested = [
        ("a|default(", ")"),
        ("f(", ")"),
        ("[1][", "]"),
        ("{1:", "}"),
        ("(a,", ")"),
        ("[", "]"),
        ("a is eq(", ")"),
        ("not (", ")"),
        ("-(", ")"),
        ("dict(x=", ")"),
        ("'a'[1:", "]"),
        ("['a' ~ ", "]"),
        ("1 and (", ")"),
        ("1 if (", ") else 2"),
        ("[1]|map('default', ", ")|list"),
        ("dict(**{'a':", "})"),
        ("dict(*[", "])"),
    ];
    let blocks = [
        ("{% if 1 %}", "{% endif %}"),
        ("{% for a in [1] %}", "{% endfor %}"),
        ("{% with a = 1 %}", "{% endwith %}"),
        ("{% set a %}", "{% endset %}"),
        ("{% filter upper %}", "{% endfilter %}"),
        ("{% macro m() %}", "{% endmacro %}{{ m() }}"),
        ("{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}", "{% endcall %}"),
    ];
    let expressions =
        nested.map(|(open, close)| (format!("{{{{ {}", open), open, close, format!("{close} }}}}")));
    let blocks = blocks.map(|(open, close)| (open.to_owned(), open, close, close.to_owned()));
    let mut read = 0;
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            for (first, open, close, last) in expressions.into_iter().chain(blocks) {
                for n in 0..70 {
                    let template = format!("{first}{}1{}{last}", open.repeat(n), close.repeat(n));
                    if let Ok(template) = ChatTemplate::new(&template, "", "") {
                        read += 1;
                        let _ = template.render(&[], &RenderOptions::default());
                    }
                }
            }
            // Chains of operators, each over the one before.
            for n in 1..200 {
                let mut chain = format!("a{}", ".a".repeat(n));
                for more in [" | e", " ** a", " * a", " ~ a", " + a", " and a", " or a", " if a else a"] {
                    chain += &more.repeat(n);
                    if let Ok(template) = ChatTemplate::new(&format!("{{{{ {chain} }}}}"), "", "") {
                        read += 1;
                        let _ = template.render(&[], &RenderOptions::default());
                    }
                }
            }
            assert!(read > 1500, "{read}");
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_page_of_many_origins() {
    let _alone = alone();
    // Every other character is the template's.
    let page = vec![Message::new("user", &"é".repeat(1_000_000))];
    for template in [
        "{{ messages[0].content | list | join('x') }}",
        "{{ messages[0].content | replace('', 'x') }}",
        "{% for c in messages[0].content %}{{ c }}x{% endfor %}",
        "{% set t = messages[0].content | replace('', 'x') %}{% for i in range(100000) %}{% set u = t | upper %}{% endfor %}",
    ] {
        let _ = set_off(template.to_owned(), page.clone());
    }
}

#[test]
fn a_system_message_costs_no_more() {
    let _alone = alone();
    let page = vec![Message::new("system", "Be brief."), Message::new("user", "Hi")];
    let outcome = set_off(looped(100_000, &looped(100_000, "")), page);
    assert_eq!(outcome, Err("chat_template_limit"));
}

#[test]
fn ordinary_work_is_not_refused() {
    let _alone = alone();
    let page = "A sentence of a page, with <b>tags</b> and \"quotes\".\n".repeat(20_000);
    let page =
        [Message::new("system", "Be brief."), Message::new("user", &page), Message::new("assistant", &page)];
    for body in [
        "{{ m.content | trim }}",
        "{{ m.content.split('</think>')[-1].lstrip('\\n') }}",
        "{{ m.content | tojson }}",
        "{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>' + '\\n' }}",
        "{{ m.content | replace('\\n', ' ') | upper }}",
        "{% if '</think>' in m.content or m.content.startswith('a') %}x{% endif %}{{ m.content }}",
        "{% set ns.t = ns.t + m.content %}",
    ] {
        let template = format!(
            "{{% set ns = namespace(t='') %}}{{% for m in messages %}}{body}{{% endfor %}}{{{{ ns.t }}}}"
        );
        assert!(set_off(template, page.to_vec()).unwrap() > 100_000, "{body}");
    }
    let many: Vec<_> =
        (0..2_000).map(|i| Message::new(["user", "assistant"][i % 2], "Well, yes.\n")).collect();
    let template = "{% set ns = namespace(last=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}{% endif %}{% endfor %}\
        {% for m in messages %}{% if loop.index0 > ns.last and m.role != 'tool' %}{{ m.content | trim }}{% else %}{{ m.content }}{% endif %}{% endfor %}";
    assert!(set_off(template.to_owned(), many).is_ok());
}

#[test]
fn nothing_is_left_behind() {
    let _alone = alone();
    let templates = [
        "{% set l = ['x' * 100000] %}{% do l.append(l) %}",
        "{% set d = {'a': 'x' * 100000} %}{% do d.update({'d': d}) %}",
        "{% set d = {'a': 'x' * 100000} %}{% set _ = d.setdefault('d', [d]) %}",
        "{% set ns = namespace(t='x' * 100000) %}{% set ns.me = ns %}",
        "{% for i in [1] %}{% set t = 'x' * 100000 %}{% macro m() %}{{ t }}{% endmacro %}{% endfor %}",
        "{% set l = [] %}{% macro m(t) %}{% macro n() %}{{ t }}{% endmacro %}{% do l.append(n) %}{% do l.append(l) %}{% endmacro %}{{ m('x' * 100000) }}",
        "{% set l = [] %}{% for i in ['x' * 100000] %}{{ loop.changed(loop) }}{% do l.append(loop) %}{% endfor %}{{ l[0].changed(l[0]) }}",
        "{% set l = ['x' * 100000] %}{% do l.append(l.append) %}{{ 1 / 0 }}",
        "{% set l = ['x' * 100000] %}{% do l.append(l | map('list')) %}{% do l.insert(0, (l,)) %}{% do l.extend([l]) %}",
    ];
    for template in templates {
        let read = ChatTemplate::new(template, "", "").unwrap();
        let render = || drop(read.render(&[], &RenderOptions::default()));
        render();
        let before = ALLOCATOR.current_usage();
        (0..20).for_each(|_| render());
        let growth = ALLOCATOR.current_usage().saturating_sub(before);
        assert!(growth < 100_000, "{template}: {growth} bytes");
    }
}
