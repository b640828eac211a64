import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="bench", description="A benchmark of things that are long enough to be wrapped by the formatter, surely.", epilog="See the docs.")
p.add_argument("file", help="the file")
p.add_argument("rest", nargs="*", help="others")
p.add_argument("--num-questions", "-n", type=int, default=200, help="how many (default: %(default)s)")
p.add_argument("--backend", choices=["srt", "vllm", "openai"], default="srt")
p.add_argument("-v", "--verbose", action="count", default=0)
p.add_argument("--flag", action="store_true")
p.add_argument("--no-flag", dest="flag", action="store_false", help=argparse.SUPPRESS)
p.add_argument("--temperature", type=float, default=0.0, metavar="T")
p.add_argument("--stop", nargs="+", default=["\n"])
p.add_argument("--pair", nargs=2, metavar=("A", "B"))
p.add_argument("--opt", nargs="?", const="c", default="d")
p.add_argument("--tag", action="append")
p.add_argument("--version", action="version", version="%(prog)s 1.0")
p.print_help()
print(p.format_usage())
run(p, "f", "f a b -n3 -vv", "f --num 4 --back vllm", "f --backend x", "", "f -n x", "f --pair 1", "f --pair 1 2 --opt", "f --opt=z --tag a --tag=b",
    "f --zz", "f --no", "f --n 3", "f --stop", "--version", "f -vn5", "f --flag=3", ["f", "--temperature", "-1.5"], "-h", "f -- --x y", "f --temp 1 --t 2")
print(p.parse_known_args("f --zz 1 -q".split()))
print(p.get_default("backend"), p.get_default("nope"))
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="q", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
g = p.add_mutually_exclusive_group(required=True)
g.add_argument("--a", action="store_true", help="an a"); g.add_argument("--b", type=int, help="a b")
p.add_argument("--c", default=3, help="see"); p.add_argument("pos", nargs="?", default="x", help="p")
gg = p.add_argument_group("special", "things that are special"); gg.add_argument("--spec", required=True)
p.add_argument("--yes", action=argparse.BooleanOptionalAction, default=True)
p.print_help()
run(p, "--a --spec 1", "--b 2 --spec 1", "--a --b 2 --spec 1", "--spec 1", "--a", "--a --spec 1 --no-yes")
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="git")
p.add_argument("--verbose", action="store_true")
sub = p.add_subparsers(dest="cmd", help="sub-command help")
a = sub.add_parser("add", help="add files", aliases=["a"]); a.add_argument("files", nargs="+"); a.set_defaults(func="fa")
c = sub.add_parser("commit", description="commits"); c.add_argument("-m", "--message", required=True)
p.print_help(); a.print_help(); c.print_help()
run(p, "add x y", "--verbose commit -m hi", "commit", "push", "", "a 1 2", "add", "commit -m x --zz")
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="r", formatter_class=argparse.RawTextHelpFormatter, description="one\n  two")
p.add_argument("--x", help="line\n  line2"); p.add_argument("x_very_long_positional_argument_name", help="h")
p.print_help()
p = argparse.ArgumentParser(prog="e", exit_on_error=False, add_help=False)
p.add_argument("--i", type=int)
run(p, "--i x")
def pos(s):
    v = int(s)
    if v < 0: raise argparse.ArgumentTypeError(f"{s} is negative")
    return v
p = argparse.ArgumentParser(prog="e", argument_default=argparse.SUPPRESS)
p.add_argument("-i", type=pos); p.add_argument("--j", type=lambda s: s.split(","))
run(p, "-i 3", "-i -3", "-i x", "--j a,b", "")
par = argparse.ArgumentParser(add_help=False); par.add_argument("--par", type=int, default=5)
p = argparse.ArgumentParser(prog="e", parents=[par]); p.add_argument("--own")
p.print_help(); run(p, "", "--par 6 --own 1")
class Up(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values.upper()); print(option_string)
p = argparse.ArgumentParser(prog="e"); p.add_argument("--up", action=Up); run(p, "--up abc")
try: p.add_argument("--up")
except argparse.ArgumentError as e: print(e)
ns = argparse.Namespace(a=1, b="x"); print(ns, ns.a, vars(ns), "a" in ns, ns == argparse.Namespace(a=1, b="x"))
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="prog with a long name", usage="%(prog)s [options]"); p.add_argument("--q"); print(p.format_usage()); p.print_usage()
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="wrapme")
for i in range(12): p.add_argument(f"--option-{i}", type=int, required=i % 3 == 0)
p.add_argument("one"); p.add_argument("two", nargs="*"); p.add_argument("--bool", action="store_true")
p.print_help()
#---
import argparse
import sys
sys.stderr = sys.stdout
def run(p, *lists):
    for a in lists:
        try:
            print(p.parse_args(a.split() if isinstance(a, str) else a))
        except SystemExit as e:
            print("exit", e.code)
        except Exception as e:
            print(type(e).__name__, e)
p = argparse.ArgumentParser(prog="z"); p.add_argument("p", nargs="?", default="x"); p.add_argument("--k", nargs="*"); run(p, "--zz", "--k 1 2", "a --k", "--k=1")
p = argparse.ArgumentParser(prog="z"); p.add_argument("--lr", type=float, default="0.1"); p.add_argument("--e", type=eval if 0 else int, choices=range(3)); run(p, "", "--e 1", "--e 5")
p.set_defaults(lr=4, other=5); run(p, "")
