// A template and answers of a model that writes a thought and a call, and answers when it has the result.

/** Calls as Hermes and Qwen write them. Behind a tool's result a prompt ends with a tabulator, else with a line break. */
export const TEMPLATE = `{% if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
{% if m.reasoning_content %}<think>
{{ m.reasoning_content }}
</think>

{% endif %}{{ m.content or '' }}{% for call in m.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% if messages[-1].role == 'tool' %}\t{% endif %}{% endif %}`;

export const ANSWERS = {
  "\n": [
    "<think>\nThe weather",
    " must be looked up.",
    "\n</think>\n\n",
    "One moment.",
    "\n<tool_",
    'call>\n{"name": "wea',
    'ther", "arguments": {"ci',
    'ty": "Oslo", "days": [1, ',
    "2]}}\n</tool_call",
    ">",
  ],
  "\t": ["It is ", "warm in Oslo."],
};
