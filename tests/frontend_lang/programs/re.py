import re

m = re.search(r"(\d+)-(?P<x>\w+)", "ab 12-cd é")
print(m, m.groups(), m.groupdict(), m.lastindex, m.lastgroup, m.span("x"))
print(m[0], m["x"], m.group(1, 2), m.start(), m.end(1), m.string, m.re.pattern, m.pos, m.endpos)
print(bool(re.match("b", "ab")), re.match("a", "ab").group(), re.fullmatch("a|ab", "ab"))
#---
import re

print(re.findall(r"\w+", "hé llo wörld"), re.findall(r"(\w)(\d)?", "a1b"), re.findall(r"(a)|b", "ab"))
print([m.span() for m in re.finditer("a*", "baac")])
print(re.findall("", "ab"), re.findall(r"\b", "ab cd"), re.findall("(?i)STRASSE|x", "Xstrasse"))
#---
import re

print(re.sub(r"x*", "-", "abxd"), re.sub("b", lambda m: m.group().upper(), "abcb", count=1))
print(re.sub(r"(?P<a>\w)(\w)", r"\2\g<a>\g<1>", "abcd"), re.subn("a", "b", "banana"))
print(re.sub(r"(a)|(b)", r"[\1\2]", "abc"), re.sub("a", r"\n\\", "a"), re.sub(r"\s+", " ", " a \t b\n"))
#---
import re

print(re.split(r"(,)\s*", "a, b,c"), re.split("x*", "axbc"), re.split(r"\W+", "a b. c!", maxsplit=1))
print(re.split("(a)|b", "1a2b3"), re.split(",", ""))
#---
import re

for pattern in ["(", ")", "a**", "[a", "a{2,1}", "(?P<1>a)", r"\1", "(?<=a+)b", "x(?i)y", "*a",
                r"\q", "[z-a]", "(?z)", "(?P<a>x)(?P<a>y)", "(?P=n)", "(?P<n", "(?", "(?P", "a\nb(",
                r"[\d-z]", r"\x1", "(?#", "(?<a)", "(?(1)a|b|c)", "(?(x)a)", "(?-:a)", "(?i-i:a)", "\\"]:
    try:
        re.compile(pattern)
        print(pattern, "compiles")
    except re.error as e:
        print(repr(pattern), "->", e, "|", e.msg, e.pos, e.lineno, e.colno)
#---
import re

for template in [r"\2", r"\g<2>", r"\g<x>", r"\g<", r"\g", r"\q", r"\400", r"\g<1", r"\g<-1>"]:
    try:
        print(re.sub("(a)", template, "a"))
    except (re.error, IndexError) as e:
        print(template, type(e).__name__, e)
#---
import re

p = re.compile(r"""
    (?P<key> \w+ ) \s* = \s*   # the name
    (?P<value> [^;]* )         # and what it is
""", re.VERBOSE | re.IGNORECASE)
print({m["key"]: m["value"] for m in p.finditer("a = 1; B=2")}, p.flags, p.groups, p.groupindex)
print(re.compile("a|b", re.I | re.M), re.I | re.A, re.NOFLAG, p == re.compile(p), p.search("x=1", 1))
#---
import re

print(re.search("^b", "a\nb"), re.search("^b", "a\nb", re.M), re.search("a$", "a\n"), re.search(r"a\Z", "a\n"))
print(re.search("a.b", "a\nb"), re.search("a.b", "a\nb", re.S), re.findall("(?m)^.*$", "a\n\nb\n"))
print(re.findall(r"(?<=a)b|(?<!a)c", "abcac"), re.findall(r"a(?!b)", "abac"), re.search(r"(\w)\1", "abccd"))
print(re.search(r"(?P<q>['\"]).*?(?P=q)", "say 'hi'"), re.findall(r"(a)?(?(1)b|c)", "abc"))
#---
import re

print(re.findall(r"\d", "1²٣"), re.findall(r"(?a)\d", "1²٣"), re.findall(r"\s", "a\x1cb\u2003c"), re.findall(r"[\W_]", "a_b-é"))
print(re.findall("(?i)k", "kK\u212a"), re.findall("(?ia)k", "kK\u212a"), re.findall("(?i)[a-c]+", "aBcD"))
print(re.findall(r"[^\W\d_]+", "ab1_é"), re.findall(r"[]a]", "]a"), re.findall(r"[a\-z]", "a-z"), re.findall("a{,2}", "aaa"))
print(re.findall("(?>a+)b|a", "aab"), re.findall("a++b|a", "aab"), re.findall("x{2}y{1,}", "xxyyxy"), re.findall("{", "a{b"))
#---
import re

print(re.escape("a.b*c d-é\n"), re.search(re.escape("[x]+"), "a[x]+b"))
for call in [lambda: re.search("a", None), lambda: re.compile(5), lambda: re.search("a"), lambda: re.match("a", "a").group(3),
             lambda: re.sub("a", 5, "a"), lambda: re.compile(re.compile("a"), re.I)]:
    try:
        call()
    except Exception as e:
        print(type(e).__name__, e)
#---
import re

text = "Answer: (B) because 42 > 17. The answer is 3,141.5 dollars"
print(re.search(r"\(([A-D])\)", text).group(1), re.findall(r"-?\d[\d,]*\.?\d*", text))
print(re.sub(r"```(?:json)?\n(.*?)\n```", r"\1", "```json\n{\"a\": 1}\n```", flags=re.DOTALL))
if (m := re.match(r"(\w+)\s(\w+)", "hello world")) is not None:
    first, second = m.groups()
    print(second, first, m.expand(r"\2 \1"))
