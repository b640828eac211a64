import argparse

parser = argparse.ArgumentParser(description="a tool")
parser.add_argument("--num-questions", type=int, default=200)
parser.add_argument("--data-path", "-d", type=str, default="test.jsonl", help="the file")
parser.add_argument("--verbose", action="store_true")
parser.add_argument("--choice", choices=["a", "b"], default="a")
args = parser.parse_args([])
print(args, args.num_questions, args.data_path, args.verbose)
args = parser.parse_args(["--num-questions", "5", "-d", "x", "--verbose", "--choice=b"])
print(args.num_questions + 1, args.data_path, args.verbose, args.choice, "verbose" in args)
args.extra = 1
print(args.extra, argparse.Namespace(a=1) == argparse.Namespace(a=1))
try:
    parser.parse_args(["--num-questions", "x"])
except SystemExit as e:
    print("exit", e)
