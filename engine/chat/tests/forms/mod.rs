//! Templates of models that write tool calls, one for each form.
#![allow(dead_code)] // Two crates of tests use them.

/// A template whose turns of the assistant are `body`, which sees `message`.
pub fn template(body: &str) -> String {
    format!(
        "{{% for message in messages %}}{{% if message.role == 'assistant' %}}<|im_start|>assistant\n{body}<|im_end|>\n\
         {{% else %}}<|im_start|>{{{{ message.role }}}}\n{{{{ message.content }}}}<|im_end|>\n{{% endif %}}{{% endfor %}}\
         {{% if add_generation_prompt %}}<|im_start|>assistant\n{{% endif %}}"
    )
}

pub const HERMES: &str = "{{ message.content }}{% for c in message.tool_calls %}<tool_call>\n{\"name\": \"{{ c.function.name }}\", \
    \"arguments\": {{ c.function.arguments | tojson }}}\n</tool_call>{% if not loop.last %}\n{% endif %}{% endfor %}";
pub const CODER: &str = "{{ message.content }}{% for c in message.tool_calls %}<tool_call>\n<function={{ c.function.name }}>\n\
    {% for k, v in c.function.arguments.items() %}<parameter={{ k }}>\n{{ v }}\n</parameter>\n{% endfor %}</function>\n\
    </tool_call>{% if not loop.last %}\n{% endif %}{% endfor %}";
pub const NEMO: &str = "{% if message.tool_calls %}[TOOL_CALLS][{% for c in message.tool_calls %}{\"name\": \"{{ c.function.name }}\", \
    \"arguments\": {{ c.function.arguments | tojson }}, \"id\": \"{{ c.id }}\"}{% if not loop.last %}, {% endif %}{% endfor %}]\
    {% else %}{{ message.content }}{% endif %}";
pub const MINISTRAL: &str = "{% if message.reasoning_content %}[THINK]{{ message.reasoning_content }}[/THINK]{% endif %}\
    {{ message.content }}{% for c in message.tool_calls %}[TOOL_CALLS]{{ c.function.name }}[ARGS]\
    {{ c.function.arguments | tojson }}{% endfor %}";
pub const LFM: &str = "{{ message.content }}{% if message.tool_calls %}<|tool_call_start|>[{% for c in message.tool_calls %}\
    {{ c.function.name }}({% for k, v in c.function.arguments.items() %}{{ k }}=\"{{ v }}\"{% if not loop.last %}, {% endif %}\
    {% endfor %}){% if not loop.last %}, {% endif %}{% endfor %}]<|tool_call_end|>{% endif %}";
pub const GEMMA: &str = "{{ message.content }}{% for c in message.tool_calls %}<|tool_call>call:{{ c.function.name }}{ \
    {% for k, v in c.function.arguments.items() %}{{ k }}:<|\"|>{{ v }}<|\"|>{% endfor %}}<tool_call|>{% endfor %}";
pub const COMMAND: &str = "{% if message.reasoning_content %}<|START_THINKING|>{{ message.reasoning_content }}<|END_THINKING|>{% endif %}\
    {% if message.tool_calls %}<|START_ACTION|>[{% for c in message.tool_calls %}\n{\"tool_call_id\": \"{{ loop.index0 }}\", \
    \"tool_name\": \"{{ c.function.name }}\", \"parameters\": {{ c.function.arguments | tojson }}}{% if not loop.last %},{% endif %}\
    {% endfor %}\n]<|END_ACTION|>{% else %}<|START_RESPONSE|>{{ message.content }}<|END_RESPONSE|>{% endif %}";
pub const GLM: &str = "{% if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>\n{% endif %}{{ message.content }}\
    {% for c in message.tool_calls %}<tool_call>{{ c.function.name }}\n{% for k, v in c.function.arguments.items() %}\
    <arg_key>{{ k }}</arg_key>\n<arg_value>{{ v }}</arg_value>\n{% endfor %}</tool_call>{% endfor %}";
pub const DEEPSEEK: &str = "{{ message.content }}{% if message.tool_calls %}<｜tool▁calls▁begin｜>{% for c in message.tool_calls %}\
    <｜tool▁call▁begin｜>{{ c.function.name }}<｜tool▁sep｜>{{ c.function.arguments }}<｜tool▁call▁end｜>{% endfor %}\
    <｜tool▁calls▁end｜>{% endif %}";
pub const LLAMA: &str = "{% if message.tool_calls %}{\"name\": \"{{ message.tool_calls[0].function.name }}\", \
    \"parameters\": {{ message.tool_calls[0].function.arguments | tojson }}}{% else %}{{ message.content }}{% endif %}";
pub const HARMONY: &str =
    "{% if false %}<|channel|>analysis{% endif %}<|channel|>final<|message|>{{ message.content }}";
pub const MINIMAX: &str = "{% if message.reasoning_content %}<mm:think>{{ message.reasoning_content }}</mm:think>{% endif %}\
    {{ message.content }}{% if message.tool_calls %}]<]minimax[>[<tool_call>\n{% for c in message.tool_calls %}\
    ]<]minimax[>[<invoke name=\"{{ c.function.name }}\">{% for k, v in c.function.arguments.items() %}]<]minimax[>[<{{ k }}>{{ v }}\
    ]<]minimax[>[</{{ k }}>{% endfor %}]<]minimax[>[</invoke>\n{% endfor %}]<]minimax[>[</tool_call>{% endif %}";
pub const KIMI: &str = "{% if message.reasoning_content %}<|open|>think<|sep|>{{ message.reasoning_content }}<|close|>think<|sep|>{% endif %}\
    <|open|>response<|sep|>{{ message.content }}<|close|>response<|sep|>{% if message.tool_calls %}<|open|>tools<|sep|>\
    {% for c in message.tool_calls %}<|open|>call tool=\"{{ c.function.name }}\" index=\"{{ loop.index }}\"<|sep|>\
    {% for k, v in c.function.arguments.items() %}<|open|>argument key=\"{{ k }}\" type=\"string\"<|sep|>{{ v }}<|close|>argument<|sep|>\
    {% endfor %}<|close|>call<|sep|>{% endfor %}<|close|>tools<|sep|>{% endif %}<|close|>message<|sep|>";
