a = 5; x = {"k": 1}
print(f"{x['k']!r:>5}|{3.14159:.2f}|{a=}|{'q'}|{a:05d}|{a:>{a}}|{{}}")
#---
print("a,b".split(","), " x ".strip(), "abc".upper(), "Ab".lower(), "-".join(["a", "b"]), "abc".replace("b", "x"))
#---
print("%d-%s %5.2f %x %%" % (1, "x", 3.14159, 255), "%s" % "a", "{} {x} {0!r}".format(1, x=2) if False else "")
#---
print("{} {x}".format(1, x=2), "{0}{1}{0}".format("a", "b"), "{:>5}|{:<5}|{:^5}".format(1, 2, 3), "{:,}".format(1234567))
#---
s = "hello world"
print(s.find("o"), s.rfind("o"), s.count("l"), s.startswith("he"), s.endswith(("x", "ld")), s.title(), s.capitalize(), s.index("w"))
#---
print("a\tb\\n", r"a\nb", 'it''s', "tri" "ple", """x
y""", "\x41\u00e9")
#---
print("abc" * 2, "abc"[1], "abc"[-1], "abc"[5:], "a" < "b", "abc" == "abc", len("héé"), "é" in "héé")
#---
s = ""
for i in range(5): s += str(i)
print(s, s[::-1], s.isdigit(), "ab".isalpha(), " ".isspace(), "A".isupper(), "a1".isalnum())
#---
print("a\nb\n".splitlines(), "a  b c".split(), "a-b-c".split("-", 1), "a-b-c".rsplit("-", 1), "x=1".partition("="))
#---
print("5".zfill(3), "a".ljust(3) + "|", "a".rjust(3), "a".center(5, "*"), "xxaxx".strip("x"), "xxa".lstrip("x"))
#---
print(ord("a"), chr(8364), hex(255), oct(8), bin(5), int("12"), int("ff", 16), float("1.5"), str(1.0), bool(""), int(-3.9))
#---
for bad in (lambda: int("x"), lambda: float("y"), lambda: int("1.5"), lambda: ord("ab"), lambda: chr(-1), lambda: int([])):
    try: bad()
    except (ValueError, TypeError) as e: print(type(e).__name__, e)
#---
print(1, 2, sep="-", end="!\n"); print(); print("a", None, [1], sep="")
#---
name = "x"
print(f"{name!s} {name!r} {f'{name}y'} {name.upper()} {len(name)} {1 + 1} {[i for i in range(2)]} {'a' if name else 'b'}")
#---
w = 8
print(f"|{'ab':<{w}}|{'ab':>{w}}|{'ab':^{w}}|{3.14159:{w}.3f}|{1e10:.2e}|{0.5:.0%}|{255:#x}|{-5:+d}|{7:b}")
#---
print(f"{1.0} {1e100} {0.1 + 0.2} {1/3} {100000000000000000.0} {float('inf')} {-0.0} {1e-7}")
#---
print("abc".encode if False else "skip", "a" in "abc", "".join(reversed("abc")), "".join(sorted("bca")))
#---
text = """\
line one
  line two"""
print(text)
#---
print("é".upper(), "ß".upper(), "ǆ".title(), "İ".lower() == "i̇", "Σ".lower())
#---
print("a" "b" f"{1}" "c", ("x"
      "y"))
#---
print("{:d} {:.3f} {:>10} {:*^9} {!r}".format(5, 2.5, "r", "mid", "q"))
#---
print(f'{"nested"!r} {{literal}} {1:{"0"}>{3}}')
#---
import json
print(json.dumps("\x7f\x1f~"), len(json.dumps("\x7f", ensure_ascii=False)))
