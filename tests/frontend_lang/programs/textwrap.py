import textwrap

text = "The quick brown fox jumped over the lazy dog, and a well-known state-of-the-art   extraordinarily-long-hyphenated word -- or two--appeared."
for width in (10, 17, 30, 70):
    print(textwrap.wrap(text, width))
print(textwrap.fill(text, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(text, 30), "|", textwrap.shorten("short", 20), "|", textwrap.shorten(text, width=40, placeholder="..."))
print(textwrap.wrap("aaaaaaaaaaaaaaaaaaaa bb", 6), textwrap.wrap("aaaaaaaaaaaa bb", 6, break_long_words=False), textwrap.wrap(""), textwrap.wrap("a\tb\nc  d", 3))
print(textwrap.wrap(text, 20, max_lines=2), textwrap.wrap("é" * 9, 4), textwrap.wrap("a-b-c-d ab-cd-ef --x y--z", 5))
#---
import textwrap

print(repr(textwrap.dedent("""
    first
      second

    third
""")), repr(textwrap.dedent("  a\n\tb")), repr(textwrap.dedent("   \n  x\n ")), repr(textwrap.dedent("a\n b")))
print(repr(textwrap.indent("a\n\n b\n", "> ")), repr(textwrap.indent("a\n\nb", "--", lambda line: True)))
for call in [lambda: textwrap.wrap("a", 0), lambda: textwrap.shorten("hello world", 3), lambda: textwrap.fill("a", nothing=1)]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
#---
from pprint import pformat, pp, pprint

pprint({"b": 1, "a": [1, 2, 3]})
pprint({"name": "x" * 30, "values": list(range(40)), "nested": {"k" * 20: {"inner": ["a" * 20] * 5}}})
pprint([{"role": "user", "content": "hello " * 20}, {"role": "assistant", "content": "short"}])
pprint(list(range(60)), compact=True, width=40)
pp({"b": 1, "a": 2})
print(pformat({"a": (1,), "b": set(), "c": ()}), pformat([1, [2, [3, [4]]]], depth=2), pformat({2: 1, "a": 2, None: 3}))
pprint(("word " * 30).strip())
pprint({"long": "line one of the text\nline two of the text that is rather long indeed, is it not\nend"}, width=40)
pprint([[i] * 5 for i in range(8)], indent=4, width=30)
pprint((("a" * 50,), ("b" * 50,)))
#---
import io
import json

f = io.StringIO()
print("a", 1, file=f)
f.write("line two\n")
json.dump({"x": [1]}, f)
print(repr(f.getvalue()))
with io.StringIO("one\ntwo\nthree") as g:
    print(g.readline(), [line.strip() for line in g])
g = io.StringIO('{"a": 1}')
print(json.load(g), g.read() == "", g.seek(0), g.read(), io.StringIO("a\nb\n").readlines())
