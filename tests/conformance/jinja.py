#!/usr/bin/env python3
"""Makes the cases of tests/frontend_lang/golden/jinja.jsonl with the jinja2 package.

  python3 tests/conformance/jinja.py [SEED [COUNT]] > tests/frontend_lang/golden/jinja.jsonl

A line is {"template", "input", "output"}, or "error": true instead of an output where
jinja2 raises; {"define", "template"} names a template for lines with "use". The set-up is that of Hugging Face's apply_chat_template: trim_blocks,
lstrip_blocks, loop controls, tojson without HTML escapes. The templates are written
here, in the constructs of well-known models; expressions and statements are drawn
from small grammars.
"""
import datetime
import json
import random
import sys
import warnings

import jinja2
from jinja2.ext import loopcontrols

NOW = datetime.datetime(2024, 7, 26, 9, 5, 3)


def make_environment():
    def raise_exception(message):
        raise jinja2.TemplateError(message)

    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    env = jinja2.Environment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    return env


TOOLS = [{"type": "function", "function": {
    "name": "get_weather", "description": "Weather <now> & later, \"é\"",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"},
                                                    "days": {"type": "integer", "default": 1}},
                   "required": ["city"]}}}]
TALK = [{"role": "user", "content": "Hi there "}, {"role": "assistant", "content": " Hello.\n"},
        {"role": "user", "content": "And \u00fc\u4e2d\U0001f600?"}]
SYSTEM = [{"role": "system", "content": "  Be brief.  "}] + TALK
PARTS = [{"role": "user", "content": [{"type": "text", "text": " look "}, {"type": "image"},
                                      {"type": "text", "text": "here"}]}]
CALLS = SYSTEM + [
    {"role": "assistant", "content": "<think>\nhm\n</think>\n\nLet me see.",
     "tool_calls": [{"id": "a1b2c3d4e", "type": "function", "function": {
         "name": "get_weather", "arguments": {"city": "Z\u00fcrich", "days": 2}}}]},
    {"role": "tool", "content": "sunny", "tool_call_id": "a1b2c3d4e"},
    {"role": "tool", "content": "cold", "tool_call_id": "a1b2c3d4e"},
    {"role": "assistant", "content": "It is sunny."}]

LLAMA3 = """{{- bos_token }}
{%- if not date_string is defined %}
    {%- if strftime_now is defined %}
        {%- set date_string = strftime_now("%d %b %Y") %}
    {%- else %}
        {%- set date_string = "26 Jul 2024" %}
    {%- endif %}
{%- endif %}
{#- the system message comes first #}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content'] | trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\\n\\n" }}
{%- if tools is not none %}
    {{- "Environment: ipython\\n" }}
    {%- for t in tools %}
        {{- t | tojson(indent=4) }}
        {{- "\\n\\n" }}
    {%- endfor %}
{%- endif %}
{{- "Today Date: " + date_string + "\\n\\n" }}{{- system_message }}{{- "<|eot_id|>" }}
{%- for message in messages %}
    {%- if not (message.role == 'ipython' or message.role == 'tool' or 'tool_calls' in message) %}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' }}
        {%- if message['content'] is string %}
            {{- message['content'] | trim + '<|eot_id|>' }}
        {%- else %}
            {%- for part in message['content'] %}{%- if part.type == 'text' %}{{- part.text | trim }}{%- else %}<|image|>{%- endif %}{%- endfor %}
            {{- '<|eot_id|>' }}
        {%- endif %}
    {%- elif 'tool_calls' in message %}
        {%- if not message.tool_calls|length == 1 %}
            {{- raise_exception("This model only supports single tool-calls at once!") }}
        {%- endif %}
        {%- set tool_call = message.tool_calls[0].function %}
        {{- '{"name": "' + tool_call.name + '", "parameters": ' }}{{- tool_call.arguments | tojson }}{{- "}<|eot_id|>" }}
    {%- elif message.role == "tool" or message.role == "ipython" %}
        {{- "<|start_header_id|>ipython<|end_header_id|>\\n\\n" }}
        {%- if message.content is mapping or message.content is iterable %}
            {{- message.content | tojson }}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- "<|eot_id|>" }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
{%- endif %}
"""

QWEN25 = """{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0]['role'] == 'system' %}
        {{- messages[0]['content'] }}
    {%- else %}
        {{- 'You are a helper.' }}
    {%- endif %}
    {{- "\\n\\n# Tools\\n<tools>" }}
    {%- for tool in tools %}
        {{- "\\n" }}
        {{- tool | tojson }}
    {%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0]['content'] + '<|im_end|>\\n' }}
{%- else %}
    {{- '<|im_start|>system\\nYou are a helper.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {{- '<|im_start|>' + message.role }}
        {%- for tool_call in message.tool_calls %}
            {%- if tool_call.function is defined %}
                {%- set tool_call = tool_call.function %}
            {%- endif %}
            {{- '\\n<tool_call>\\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}{{- tool_call.arguments | tojson }}{{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if (loop.index0 == 0) or (messages[loop.index0 - 1].role != "tool") %}
            {{- '<|im_start|>user' }}
        {%- endif %}
        {{- '\\n<tool_response>\\n' }}{{- message.content }}{{- '\\n</tool_response>' }}
        {%- if loop.last or (messages[loop.index0 + 1].role != "tool") %}
            {{- '<|im_end|>\\n' }}
        {%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

QWEN3 = """{%- set ns = namespace(multi_step_tool=true, last_query_index=messages|length - 1) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.multi_step_tool and message.role == "user" and message.content is string and not(message.content.startswith('<tool_response>') and message.content.endswith('</tool_response>')) %}
        {%- set ns.multi_step_tool = false %}
        {%- set ns.last_query_index = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.content is string %}
        {%- set content = message.content %}
    {%- else %}
        {%- set content = '' %}
    {%- endif %}
    {%- if message.role == "assistant" %}
        {%- set reasoning_content = '' %}
        {%- if message.reasoning_content is string %}
            {%- set reasoning_content = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set reasoning_content = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {%- if loop.index0 > ns.last_query_index and (loop.last or (not loop.last and reasoning_content)) %}
            {{- '<|im_start|>' + message.role + '\\n<think>\\n' + reasoning_content.strip('\\n') + '\\n</think>\\n\\n' + content.lstrip('\\n') }}
        {%- else %}
            {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- endif %}
        {%- for tool_call in message.tool_calls %}
            {%- if (loop.first and content) or (not loop.first) %}{{- '\\n' }}{%- endif %}
            {{- '<tool_call>' }}{{- tool_call.function.name }}
            {%- if tool_call.function.arguments is string %}{{- tool_call.function.arguments }}{%- else %}{{- tool_call.function.arguments | tojson }}{%- endif %}
            {{- '</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\\n' + content + '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}"""

GEMMA3 = """{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- if messages[0]['content'] is string -%}
        {%- set first_user_prefix = messages[0]['content'] + '\\n\\n' -%}
    {%- else -%}
        {%- set first_user_prefix = messages[0]['content'][0]['text'] + '\\n\\n' -%}
    {%- endif -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'user') != (loop.index0 % 2 == 0) -%}
        {{ raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") }}
    {%- endif -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '\\n' + (first_user_prefix if loop.first else "") }}
    {%- if message['content'] is string -%}
        {{ message['content'] | trim }}
    {%- elif message['content'] is iterable -%}
        {%- for item in message['content'] -%}
            {%- if item['type'] == 'image' -%}
                {{ '<start_of_image>' }}
            {%- elif item['type'] == 'text' -%}
                {{ item['text'] | trim }}
            {%- endif -%}
        {%- endfor -%}
    {%- else -%}
        {{ raise_exception("Invalid content type") }}
    {%- endif -%}
    {{ '<end_of_turn>\\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model\\n'}}
{%- endif -%}
"""

MISTRAL = """{%- if messages[0]["role"] == "system" %}
    {%- set system_message = messages[0]["content"] %}
    {%- set loop_messages = messages[1:] %}
{%- else %}
    {%- set loop_messages = messages %}
{%- endif %}
{%- if not tools is defined %}{%- set tools = none %}{%- endif %}
{%- set user_messages = loop_messages | selectattr("role", "equalto", "user") | list %}
{%- set ns = namespace() %}
{%- set ns.index = 0 %}
{%- for message in loop_messages %}
    {%- if not (message.role == "tool" or (message.tool_calls is defined and message.tool_calls is not none)) %}
        {%- set ns.index = ns.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in loop_messages %}
    {%- if message["role"] == "user" %}
        {%- if tools is not none and (message == user_messages[-1]) %}
            {{- "[AVAILABLE_TOOLS][" }}
            {%- for tool in tools %}
                {%- set tool = tool.function %}
                {{- '{"type": "function", "function": {' }}
                {%- for key, val in tool.items() if key != "return" %}
                    {%- if val is string %}
                        {{- '"' + key + '": "' + val + '"' }}
                    {%- else %}
                        {{- '"' + key + '": ' + val|tojson }}
                    {%- endif %}
                    {%- if not loop.last %}{{- ", " }}{%- endif %}
                {%- endfor %}
                {{- "}}" }}{%- if not loop.last %}{{- ", " }}{%- else %}{{- "]" }}{%- endif %}
            {%- endfor %}
            {{- "[/AVAILABLE_TOOLS]" }}
        {%- endif %}
        {%- if loop.last and system_message is defined %}
            {{- "[INST]" + system_message + "\\n\\n" + message["content"] + "[/INST]" }}
        {%- else %}
            {{- "[INST]" + message["content"] + "[/INST]" }}
        {%- endif %}
    {%- elif message.tool_calls is defined and message.tool_calls is not none %}
        {{- "[TOOL_CALLS][" }}
        {%- for tool_call in message.tool_calls %}
            {%- set out = tool_call.function|tojson %}
            {{- out[:-1] }}
            {%- if not tool_call.id is defined or tool_call.id|length != 9 %}
                {{- raise_exception("Tool call IDs should be alphanumeric strings with length 9!") }}
            {%- endif %}
            {{- ', "id": "' + tool_call.id + '"}' }}
            {%- if not loop.last %}{{- ", " }}{%- else %}{{- "]" + eos_token }}{%- endif %}
        {%- endfor %}
    {%- elif message["role"] == "assistant" %}
        {{- message["content"] + eos_token}}
    {%- elif message["role"] == "tool" %}
        {{- '[TOOL_RESULTS]{"content": ' + message.content|string + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
    {%- else %}
        {{- raise_exception("Only user and assistant roles are supported") }}
    {%- endif %}
{%- endfor %}
"""

DEEPSEEK = """{% if not add_generation_prompt is defined %}{% set add_generation_prompt = false %}{% endif %}{% set ns = namespace(is_first=false, is_tool=false, is_output_first=true, system_prompt='', is_first_sp=true) %}{%- for message in messages %}{%- if message['role'] == 'system' %}{%- if ns.is_first_sp %}{% set ns.system_prompt = ns.system_prompt + message['content'] %}{% set ns.is_first_sp = false %}{%- else %}{% set ns.system_prompt = ns.system_prompt + '\\n\\n' + message['content'] %}{%- endif %}{%- endif %}{%- endfor %}{{ bos_token }}{{ ns.system_prompt }}{%- for message in messages %}{%- if message['role'] == 'user' %}{%- set ns.is_tool = false -%}{{'<User>' + message['content']}}{%- endif %}{%- if message['role'] == 'assistant' and 'tool_calls' in message %}{%- set ns.is_tool = false -%}{%- for tool in message['tool_calls'] %}{%- if not ns.is_first %}{{'<calls><call>' + tool['type'] + '<sep>' + tool['function']['name'] + '\\n' + tool['function']['arguments']|tojson + '</call>'}}{%- set ns.is_first = true -%}{%- else %}{{'\\n' + '<call>' + tool['type']}}{%- endif %}{%- endfor %}{{'</calls>'}}{%- endif %}{%- if message['role'] == 'assistant' and 'tool_calls' not in message %}{%- if ns.is_tool %}{{'<outputs_end>' + message['content'] + '<end>'}}{%- set ns.is_tool = false -%}{%- else %}{% set content = message['content'] %}{% if '</think>' in content %}{% set content = content.split('</think>')[-1] %}{% endif %}{{'<Assistant>' + content + '<end>'}}{%- endif %}{%- endif %}{%- if message['role'] == 'tool' %}{%- set ns.is_tool = true -%}{%- if ns.is_output_first %}{{'<outputs><output>' + message['content'] + '</output>'}}{%- set ns.is_output_first = false %}{%- else %}{{'\\n<output>' + message['content'] + '</output>'}}{%- endif %}{%- endif %}{%- endfor -%}{% if ns.is_tool %}{{'<outputs_end>'}}{% endif %}{% if add_generation_prompt and not ns.is_tool %}{{'<Assistant>'}}{% endif %}"""

SMALL = [
    "{% macro field(name, value='x', sep=': ') %}{{ name }}{{ sep }}{{ value }};{% endmacro %}{{ field('a') }}{{ field('b', 2) }}{{ field('c', sep='=') }}",
    "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}in{% endcall %}",
    "{% macro each(xs) %}{% for x in xs %}<{{ caller(x, loop.index) }}>{% endfor %}{% endmacro %}{% call(v, i) each([5, 6]) %}{{ i }}={{ v }}{% endcall %}",
    "{% for n in [1, [2, [3]], 4] recursive %}{% if n is iterable %}({{ loop(n) }}){% else %}{{ n }}:{{ loop.depth }}{% endif %}{% endfor %}",
    "{% for x in [3, 1, 2] %}{{ loop.index }}{{ loop.revindex }}{{ loop.first }}{{ loop.last }}{{ loop.length }}{{ loop.previtem }}{{ loop.nextitem }}|{% else %}none{% endfor %}",
    "{% for x in [] %}{{ x }}{% else %}empty{% endfor %}",
    "{% for x in range(10) if x % 2 %}{% if x == 7 %}{% break %}{% elif x == 3 %}{% continue %}{% endif %}{{ x }}{{ loop.length }} {% endfor %}",
    "{% set a, b = 1, 'two' %}{{ a }}{{ b }}{% set c %}  body {{ a }} {% endset %}[{{ c }}]{% set d | trim | upper %}  x {% endset %}{{ d }}",
    "{% filter upper %}abc {{ 'd' }}{% endfilter %}{% filter replace('a', 'b') | trim %} aa {% endfilter %}",
    "{% set ns = namespace(n=0, text='') %}{% for i in range(4) %}{% set ns.n = ns.n + i %}{% set ns.text = ns.text ~ i %}{% endfor %}{{ ns.n }}{{ ns.text }}{{ ns.nope }}",
    "{% set x = 1 %}{% for i in [1, 2] %}{{ x }}{% set x = i + 10 %}{{ x }}{% endfor %}{{ x }}",
    "{% if false %}{% elif nothing %}{% else %}e{% endif %}{{ nothing }}{{ nothing is defined }}{{ nothing | default('d') }}{{ none | default('d') }}{{ none | default('d', true) }}",
    "   {% if true %}   \n  kept\n   {% endif %}   \nend",
    "a\n  {# comment #}\nb {# inline #} c\n\n{#- strip -#}  \n d",
    "{%+ if true %} x {%+ endif %}\n\n{{ 1 }}\n{{- 2 -}}\n 3",
    "{% for k, v in {'b': 1, 'a': [2]}.items() %}{{ k }}={{ v }};{% endfor %}{% for k, v in {'b': 1, 'a': 2} | dictsort %}{{ k }}{{ v }}{% endfor %}{{ {'b': 1, 'A': 2} | dictsort(by='value', reverse=true) }}",
    "{{ [1, 2, 3][1:] }}{{ 'hello'[::-1] }}{{ [1, 2, 3][-1] }}{{ (1, 2) }}{{ {'a': none} }}{{ [true, 1.5, 'x'] }}",
    "{{ {'a': {'b': [1, 'é<&>']}} | tojson }}{{ {'a': [1, {}], 'b': []} | tojson(indent=2) }}{{ [1, 'é'] | tojson(ensure_ascii=true, separators=(',', ':')) }}",
    "{{ ['a', 'B', 'c'] | map('upper') | join('-') }}{{ [{'n': 1}, {'n': 2}] | map(attribute='n') | list }}{{ [{'n': 1}, {}] | map(attribute='n', default=0) | list }}",
    "{{ [1, 2, 3, 4] | select('odd') | list }}{{ [1, 2, 0] | select | list }}{{ [1, 2, 3] | reject('eq', 2) | list }}{{ [{'a': 1}, {'a': 2}] | selectattr('a', 'gt', 1) | list }}{{ [{'a': 1}, {}] | rejectattr('a') | list }}",
    "{{ ['b', 'a', 'B', 'b'] | unique | list }}{{ ['b', 'a', 'C'] | sort }}{{ ['b', 'a', 'C'] | sort(reverse=true, case_sensitive=true) }}{{ [{'x': 2}, {'x': 1}] | sort(attribute='x') }}",
    "{{ 'line1\nline2\n\nline3' | indent }}|{{ 'a\nb' | indent(2, true) }}|{{ 'a\n\nb' | indent(2, blank=true) }}",
    "{{ '<a href=\"x\">\\'&' | e }}{{ 'hello world' | title }}{{ 'hELLO' | capitalize }}{{ '12' | int + 1 }}{{ 'x' | int(7) }}{{ '3.9' | int }}{{ '1.5' | float }}{{ -3 | abs }}{{ 2.567 | round(1) }}{{ [1, 2] | sum }}{{ [3, 1] | min }}{{ [3, 1] | max }}",
    "{{ 'abc' | first }}{{ [1, 2] | last }}{{ [] | first }}{{ 'abc' | length }}{{ 'abc' | list }}{{ [1, 2] | reverse | list }}{{ 'abc' | reverse }}",
    "{% set j = joiner('; ') %}{% for i in [1, 2, 3] %}{{ j() }}{{ i }}{% endfor %}{% set c = cycler('odd', 'even') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}",
    "{{ dict(a=1, b='c') }}{{ dict([('x', 1)]) }}{{ range(3) | list }}{{ range(5, 1, -2) | list }}",
    "{{ 1 if 0 }}|{{ 'a' if 1 else 'b' }}|{{ 1 + 2 * 3 ** 2 }}|{{ -2 ** 2 }}|{{ 7 // 2 }}{{ -7 // 2 }}{{ 7 % -3 }}{{ 7 / 2 }}|{{ 1 ~ 'a' ~ none }}|{{ 'a' * 3 }}",
    "{{ 1 < 2 < 3 }}{{ 1 == 1.0 }}{{ 'a' in 'abc' }}{{ 'a' not in ['b'] }}{{ not true or true }}{{ 1 and 0 }}{{ '' or 'x' }}{{ (1, 2) == [1, 2] }}",
    "{{ 3 is odd }}{{ 3 is divisibleby 3 }}{{ 3 is eq(3) }}{{ 3 is in [1, 3] }}{{ 'a' is string }}{{ {} is mapping }}{{ [] is sequence }}{{ 1 is number }}{{ true is number }}{{ true is boolean }}{{ none is none }}{{ x is undefined }}{{ 1 is not none and 2 is defined }}{{ 'A' is upper }}{{ 2 is integer }}{{ 2.0 is float }}",
    "{{ 'a,b,,c'.split(',') }}{{ ' a  b '.split() }}{{ 'x'.join(['1', '2']) }}{{ ' x '.strip() }}{{ 'abc'.startswith('a') }}{{ 'abc'.replace('b', '') }}{{ 'abc'.title() }}{{ 'a-b'.partition('-') }}{{ '%s %d' % ('a', 3) }}{{ '{} {x:>4}'.format(1, x=2) }}",
    "{{ {'a': 1}.get('a') }}{{ {'a': 1}.get('b', 2) }}{{ {'a': 1, 'b': 2}.keys() | list }}{{ {'a': 1}.items() | list }}{{ {'items': 5}['items'] }}",
    "{{ messages[5] }}{{ messages[0].nope }}{{ messages[0]['nope'] }}",
    "{{ messages[0].nope.deeper }}", "{{ nope.x }}", "{{ nope() }}", "{{ 1 + 'a' }}", "{{ nope + 1 }}",
    "{{ [1, 2].nope() }}", "{{ 'a' < 1 }}", "{{ 1 / 0 }}", "{{ raise_exception('stop here') }}",
    "{{ 'unclosed }}", "{% if %}x{% endif %}", "{% for x %}{% endfor %}", "{{ 1 + }}", "{% endif %}", "{{ (1, 2 }}",
    "{{ messages | length }}{{ add_generation_prompt }}{{ tools }}{{ bos_token }}",
    "{{ 'tab\\t nl\\n q\\' u\\u00e9 x\\x41 back\\\\ slash\\d' }}{{ \"dq\\\"\" }}{{ 'a' 'b' }}",
    "{{ 10000000000000000.0 }}{{ 1e22 }}{{ 0.1 + 0.2 }}{{ 1e-5 }}{{ 100.0 }}{{ 1_000 }}",
    "{% set x = [] %}{% for i in [1, 2] %}{% set _ = x.append(i) %}{% endfor %}{{ x }}{{ x.pop() }}{{ x }}",
    "{{ (messages | first).role }}{{ messages | map(attribute='role') | unique | join(',') }}{{ (messages | map(attribute='content') | list)[0][:3] }}",
    "{% for m in messages %}{% set outer = loop %}{% for c in m.content[:2] %}{{ outer.index }}{{ loop.index }}{{ c }}{% endfor %}{% endfor %}",
    "{% for x in [1,1,2,2] %}{{ loop.changed(x) }}{{ loop.cycle('a', 'b') }}{% endfor %}",
]

# Each of what the random ones below do not draw.
SMALL += [
    "{{ '%.2f of %s' | format(2.567, 'x') }}{{ '%(a)s-%(b)03d' | format(a='q', b=7) }}{{ '%s' | format(*['z']) }}{{ '%%' | format }}",
    "{{ '%s %s' | format(1) }}", "{{ '%s' | format(1, a=2) }}",
    "{{ range(7) | batch(3) | list }}{{ range(7) | batch(3, '-') | list }}{{ [] | batch(2) | list }}{{ 'abc' | batch(0) | list }}",
    "{% for row in ['a', 'b', 'c'] | batch(2, fill_with='') %}{{ row | join('|') }};{% endfor %}",
    "{{ range(7) | slice(3) | list }}{{ range(7) | slice(3, 'x') | list }}{{ [1] | slice(3) | list }}{{ [1, 2] | slice(0) | list }}",
    "{% for role, group in messages | groupby('role') %}{{ role }}={{ group | length }}{{ group[0].content }};{% endfor %}",
    "{% for g in [{'a': 'x'}, {'a': 'X'}, {'b': 1}] | groupby('a', default='q') %}{{ g.grouper }}{{ g.list | length }}{{ g[0] }}{{ g | length }};{% endfor %}",
    "{{ [{'a': 'x', 'n': 1}, {'a': 'X', 'n': 2}] | groupby('a') }}{{ [{'a': 'x'}, {'a': 'X'}] | groupby('a', case_sensitive=true) | tojson }}",
    "{{ [{'a': {'b': 2}}, {'a': {'b': 1}}] | groupby('a.b') }}{{ [[1, 2], [1, 3]] | groupby(0) }}",
    "{{ {'a': 1} | attr('a') is defined }}{{ ('x' | attr('upper'))() }}{{ 'x' | attr('nope') is undefined }}", "{{ nope | attr('x') }}",
    "{{ 'One two, three_4 - five' | wordcount }}{{ '' | wordcount }}{{ 'été 中文 a' | wordcount }}{{ 12 | wordcount }}",
    "{% set t = 'The quick brown fox jumps' %}{{ t | truncate(9) }}|{{ t | truncate(9, true) }}|{{ t | truncate(9, leeway=0, end='~') }}|{{ t | truncate(22) }}|{{ t | truncate }}|{{ t | truncate(3) }}",
    "{{ 'abcdef' | truncate(2) }}", "{{ 5 | truncate }}",
    "{{ '<a>' | forceescape | length }}[{{ 'mid' | center(9) }}][{{ 'mid' | center(2) }}]{{ 'x' | center | length }}",
    "{{ 'upper' is filter }}{{ 'nope' is filter }}{{ 'odd' is test }}{{ 3 is test }}",
    "{% for a, (b, c) in [[1, [2, 3]], (4, 'xy')] %}{{ a }}{{ b }}{{ c }};{% endfor %}{% for (a, b), c in [[[1, 2], 3]] %}{{ a }}{{ b }}{{ c }}{% endfor %}",
    "{% for k, (a, b) in {'x': [1, 2]}.items() if a %}{{ k }}{{ a }}{{ b }}{{ loop.last }}{% endfor %}{% set x, (y, z) = 1, [2, 3] %}{{ x }}{{ y }}{{ z }}",
    "{% for a, (b, c) in [[1, [2]]] %}{{ a }}{% endfor %}", "{% for a, in [[1], [2]] %}{{ a }}{% endfor %}", "{% set a, = [1] %}{{ a }}",
    "{% for loop in [1] %}{% endfor %}", "{% for x in [1] %}{% set loop = 2 %}{% endfor %}", "{% set true = 1 %}", "{% set (a.b) = 1 %}",
    "{% set ns = namespace(a=1) %}{% set ns.a, b = 5, 6 %}{{ ns.a }}{{ b }}",
    "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1) }}{{ m(1, 3, 4, 5) }}{{ m(1, c=6) }}{{ m(*[1, 2, 3], **{'z': 0}) }}",
    "{% macro m(a) %}{{ kwargs.x }}{% endmacro %}{{ m(1, x=2) }}{{ m.arguments }}{{ m.catch_kwargs }}{{ m.catch_varargs }}{{ m.caller }}{{ m.name }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(b=2) }}", "{% macro m(a, a) %}{% endmacro %}",
    "{% macro m(a) %}{{ varargs }}{% endmacro %}{{ m(1, 2, a=3) }}", "{% macro m() %}no{% endmacro %}{% call m() %}x{% endcall %}",
    "{% macro m(varargs=1) %}{{ varargs }}{% endmacro %}{{ m() }}{{ m(2) }}", "{% macro m(caller) %}{{ caller() }}{% endmacro %}{% call m() %}x{% endcall %}",
    "{% macro m(caller=none) %}{{ caller() if caller }}{% endmacro %}{{ m() }}{% call m() %}x{% endcall %}",
    "{% macro m() %}<{{ caller(1, 2, k=3) }}>{% endmacro %}{% call(a) m() %}{{ a }}{{ varargs }}{{ kwargs }}{% endcall %}",
    "{{ dict({'a': 1}, **{'b': 2}) }}{{ dict(c=3, **{}) }}{{ range(*[1, 4]) | list }}{{ 'a-b'.split(*['-']) }}{{ '{x}{0}'.format(*[1], **{'x': 2}) }}",
    "{{ dict(a=1, **{'a': 2}) }}", "{{ dict(**[1]) }}", "{{ dict(**{1: 2}) }}", "{{ dict(*[[['k', 1]]], b=2) }}", "{{ range(**{'x': 1}, *[1]) }}", "{{ range(*[1], 2) }}",
    "{{ 'abc' | replace(*['b', 'X']) }}{{ [2, 1] | sort(**{'reverse': true}) }}{{ 4 is divisibleby(*[2]) }}{{ [1, 2] | join(*[', ']) }}",
    "{% raw %}{{ x }} {% if %}{# c #}{% endraw %}|{% raw -%}  \n a  {%- endraw %}|{%- raw %} b {% endraw -%}  \n c",
    "a\n  {% raw %}\n {{ b }}\n  {% endraw %}\nc{%+ raw %}d{%+ endraw +%}\ne", "{% raw %}never closed", "{% raw +%}x{% endraw %}",
    "{% set a = 1 %}{% with a = 2, b = a %}{{ a }}{{ b }}{% set c = 3 %}{% endwith %}{{ a }}{{ b }}{{ c }}{% with %}{% set a = 9 %}{{ a }}{% endwith %}{{ a }}",
    "{% with (x, y) = (1, [2]), z = 3 %}{{ x }}{{ y }}{{ z }}{% endwith %}{% for i in [1, 2] %}{% with j = i %}{% if j == 2 %}{% break %}{% endif %}{{ j }}{% endwith %}{% endfor %}",
    "{{ 123456789012345678901234567890 }}{{ 123456789012345678901234567890 + 1 }}{{ [18446744073709551616] | tojson }}{{ -9223372036854775809 }}{{ 2 ** 100 }}",
    "{{ 0x1F }}{{ 0b101 }}{{ 0o17 }}{{ 0XfF_f }}{{ 1_000 }}{{ 00 }}{{ 0.5 }}{{ 007.5 }}", "{{ 007 }}", "{{ 1__0 }}", "{{ 0x }}",
    "{{ (10 ** 30) // 7 }}{{ (10 ** 30) % 7 }}{{ '9' * 30 | int }}{{ ('9' * 30) | int + 1 }}{{ (2 ** 70) | float }}{{ -(2 ** 65) | abs }}",
    # A filter or test that there is not is an error of who takes the branch.
    "{% if false %}{{ 1|nosuch }}{% endif %}ok",
    "{% if true %}{{ 1|nosuch }}{% endif %}ok",
    "{% if false %}{{ 1 is nosuch }}{% elif 1|nosuch(2, a=3)|upper %}x{% endif %}ok",
    "{% if 1 %}a{% elif 2|nosuch %}b{% else %}{{ 3|nosuch }}{% endif %}",
    "{{ (1|nosuch) if false else 'ok' }}",
    "{{ 1|nosuch if false else 2|nosuch if false else 'ok' }}",
    "{{ 'ok' if true else 1 is nosuch }}",
    "{% if false %}{% set x %}{{ 1|nosuch }}{% endset %}{% endif %}ok",
    "{% if false %}{% for x in y|nosuch %}{% endfor %}{% endif %}ok",
    "{% if false %}{% for x in y %}{{ x|nosuch }}{% endfor %}{% endif %}ok",
    "{% if false %}{% macro m() %}{{ 1|nosuch }}{% endmacro %}{% endif %}ok",
    "{% macro m() %}{% if false %}{{ 1|nosuch }}{% endif %}ok{% endmacro %}{{ m() }}",
    "{% for x in [1] %}{% if false %}{{ 1|nosuch }}{% endif %}ok{% endfor %}",
    "{% if false %}{% with a = 1|nosuch %}{% endwith %}{% endif %}ok",
    "{% if false %}{% with a = 1 %}{{ a|nosuch }}{% endwith %}{% endif %}ok",
    "{% if false %}{% filter nosuch %}x{% endfilter %}{% endif %}ok",
    "{{ [1|nosuch] and false }}",
    "{% if false %}{{ 1|nosuch }}{% endif %}{{ 2|nosuch }}",
    "{{ missing|int }}", "{{ missing|float }}", "{{ missing|int(3) }}", "{{ none|int }}",
    "{{ [{'a': 2, 'n': 'B'}, {'a': 1, 'n': 'c'}, {'a': 2, 'n': 'a'}]|sort(attribute='a,n') }}",
    "{{ [{'a': 2, 'n': 'B'}, {'a': 2, 'n': 'a'}]|sort(attribute='a,n', case_sensitive=true) }}",
    "{{ [{'a': [2, 1]}, {'a': [1, 2]}]|sort(attribute='a.1,a.0') }}",
]


def inputs():
    common = {"bos_token": "<s>", "eos_token": "</s>"}
    for messages in (TALK, SYSTEM, PARTS, CALLS):
        for tools in (None, TOOLS):
            for extra in ({}, {"enable_thinking": False}):
                for prompt in (False, True):
                    yield {"messages": messages, "tools": tools, "documents": None,
                           "add_generation_prompt": prompt, **common, **extra}


# ---- Random expressions and statements.

ATOMS = ["1", "0", "7", "-3", "2.5", "0.1", "true", "false", "none", "'abc'", "''", "'a b c'", "'Ünï'",
         "[1, 2, 3]", "[]", "{'k': 1}", "('x', 2)", "n", "s", "xs", "d", "nope", "d.k", "xs[1]"]
BINARY = ["+", "-", "*", "/", "//", "%", "~", "==", "!=", "<", ">=", "and", "or", "in", "not in"]
FILTERS = ["length", "upper", "lower", "string", "list", "first", "last", "trim", "int", "join('-')",
           "default('z')", "tojson", "title", "capitalize", "reverse | list", "sort", "unique | list",
           "abs", "sum", "replace('a', 'b')", "map('string') | list", "select | list", "min", "max", "float",
           "count", "e", "round(1)", "items | list", "dictsort", "indent(1)"]
TESTS = ["defined", "none", "string", "mapping", "iterable", "sequence", "number", "boolean", "true",
         "false", "odd", "even", "eq 1", "in [1, 'abc']", "not none", "not string", "undefined", "integer",
         "float", "ne(2)", "lower", "upper", "divisibleby 2", "gt 1"]
METHODS = [".upper()", ".strip()", ".split('b')", ".replace('a', 'X')", ".items() | list", ".get('k')",
           ".startswith('a')", ".title()", ".keys() | list", ".find('b')", ".count('a')", ".zfill(6)",
           ".center(9, '*')", ".rsplit(' ', 1)", ".splitlines()", ".swapcase()", ".isalpha()", ".index(1)"]


def expression(rng, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(ATOMS)
    sub = lambda: expression(rng, depth - 1)
    kind = rng.randrange(9)
    if kind <= 2:
        return f"({sub()} {rng.choice(BINARY)} {sub()})"
    if kind == 3:
        return f"({sub()} | {rng.choice(FILTERS)})"
    if kind == 4:
        return f"({sub()} is {rng.choice(TESTS)})"
    if kind == 5:
        return f"({sub()} if {sub()} else {sub()})"
    if kind == 6:
        return f"({sub()}){rng.choice(METHODS)}"
    if kind == 7:
        bounds = [rng.choice(["", str(rng.randint(-4, 4))]) for _ in range(2)]
        step = rng.choice(["", ":2", ":-1", ":-2"])
        # Not of a number: jinja2 forgives that for constants, which it folds, and only there.
        what = rng.choice(["s", "xs", "n", "nope", "'abc'", "[1, 2, 3]", "(s | upper)", "xs[2]"])
        return f"({what})[{bounds[0]}:{bounds[1]}{step}]"
    return f"(not {sub()})"


def fresh(rng):
    """A name that is set nowhere else: jinja2 resolves names per block when it compiles, so
    a name that is read in a block before that block sets it is undefined there."""
    return f"v{rng.randrange(10**6)}"


def statement(rng, depth):
    if depth == 0:
        return rng.choice(["text ", "\n", "  ", "{{ n }}", "{{- s }}", "{{ x -}}\n", "{# c #}\n",
                           "{{ " + expression(rng, 1) + " }}"])
    sub = lambda: "".join(statement(rng, depth - 1) for _ in range(rng.randint(1, 3)))
    dash = lambda: rng.choice(["", "", "-"])
    kind = rng.randrange(7)
    if kind == 0:
        return f"{{%{dash()} if {expression(rng, 1)} %}}\n{sub()}{{%{dash()} else {dash()}%}}{sub()}{{% endif {dash()}%}}\n"
    if kind in (1, 2):
        cond = rng.choice(["", " if x", " if x is string"])
        return (f"{{%{dash()} for x in {rng.choice(['xs', 's', 'd', '[3, 4]', 'range(3)', 'nope'])}{cond} {dash()}%}}"
                f"{rng.choice(['', '{{ loop.index }}', '{{ loop.last }}'])}{sub()}  {{% endfor %}}\n")
    if kind == 3:
        name = fresh(rng)
        return f"  {{% set {name} = {expression(rng, 1)} {dash()}%}}\n{sub()}{{{{ {name} }}}}"
    if kind == 4:
        return f"{{%{dash()} filter {rng.choice(['upper', 'trim', 'length'])} %}}{sub()}{{% endfilter %}}"
    if kind == 5:
        name = fresh(rng)
        return f"{{% set {name} %}}{sub()}{{%{dash()} endset %}}{{{{ {name} | length }}}}"
    name = fresh(rng)
    return f"{{% macro {name}(x, y=n) {dash()}%}}{sub()}{{{{ y }}}}{{% endmacro %}}{{{{ {name}({rng.choice(['1', 's, 2', 'y=3'])}) }}}}"


def random_input():
    return {"messages": [], "tools": None, "documents": None, "add_generation_prompt": False,
            "bos_token": "", "eos_token": "", "n": 4, "s": "aBc dé", "xs": [2, 0, "y", None],
            "d": {"k": "v", "b": 1.5}}


def emit(env, template, data, name=None, keep_errors=1.0, rng=None):
    case = {"use": name, "input": data} if name else {"template": template, "input": data}
    try:
        # Through JSON, so that both sides begin with the same values.
        case["output"] = env.from_string(template).render(**json.loads(json.dumps(data)))
    except Exception as error:  # every exception is an error case
        if rng and rng.random() > keep_errors:
            return
        case["error"] = True
    # Addresses and generator objects are no text to compare.
    if " at 0x" in case.get("output", "") or "<generator" in case.get("output", ""):
        return
    print(json.dumps(case, ensure_ascii=False))


def main():
    warnings.simplefilter("ignore")
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    env = make_environment()
    for name in ("LLAMA3", "QWEN25", "QWEN3", "GEMMA3", "MISTRAL", "DEEPSEEK"):
        template = globals()[name]
        print(json.dumps({"define": name, "template": template}, ensure_ascii=False))
        for data in inputs():
            emit(env, template, data, name)
    for template in SMALL:
        emit(env, template, next(inputs()))
    rng = random.Random(seed)
    for _ in range(count):
        for template in ("{{ " + expression(rng, 3) + " }}", statement(rng, 3)):
            emit(env, template, random_input(), keep_errors=0.2, rng=rng)


if __name__ == "__main__":
    main()
