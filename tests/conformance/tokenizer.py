#!/usr/bin/env python3
"""Compares our tokenizers with the `tokenizers` package on random strings.

    tests/conformance/tokenizer.py --model SmolLM2.gguf --json qwen3/tokenizer.json

Each case is a tokenizer built twice from the same vocabulary and merges: by the
`tokenizers` package, and by ours from a file written here. Both get the same
strings, over the code points assigned in Unicode 14 (the version that this Python,
the package and utf8proc have in common), and must give the same ids. Byte-level
cases must also give the text back wherever the vocabulary has all its bytes.

Needs the packages tokenizers and gguf. Exit 1 at the first case that differs.
"""

import argparse
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata

import gguf
import tokenizers
from tokenizers import Regex, models, normalizers, pre_tokenizers

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
          r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
SPM_CORPUS_SEED = 7


def split_on(pattern):
    return pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(pattern), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


PRETOKENIZERS = {
    "gpt-2": pre_tokenizers.ByteLevel(add_prefix_space=False),
    "smollm": pre_tokenizers.Sequence([
        pre_tokenizers.Digits(individual_digits=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)]),
    "llama-bpe": split_on(LLAMA3),
    "qwen2": split_on(QWEN2),
}


class Strings:
    """Random texts that put the patterns' alternatives next to each other."""

    def __init__(self, seed, added):
        self.random = random.Random(seed)
        self.assigned = [chr(c) for c in range(0x110000)
                         if unicodedata.category(chr(c)) not in ("Cn", "Cs")]
        self.by_category = {}
        for c in self.assigned:
            self.by_category.setdefault(unicodedata.category(c), []).append(c)
        self.marks = [c for c in self.assigned if unicodedata.combining(c)]
        self.spaces = [c for c in self.assigned if c.isspace()] + list("  \n\n\r\t")
        self.words = ["'s", "'S", "'ll", "'Re", "'VE", "'\u017f", "'m", "'d", "'T", " the", "hello",
                      "don't", "1234", " 7", "...", " --", "\r\n", "\n\n", "   ", "e\u0301",
                      "\uac00\u11a8", "\U0001f468\u200d\U0001f469", "\u4f60\u597d"] + added

    def piece(self):
        pick = self.random.random()
        if pick < 0.25:
            return self.random.choice(self.assigned)
        if pick < 0.45:
            return self.random.choice(self.by_category[self.random.choice(
                list(self.by_category))])
        if pick < 0.6:
            return chr(self.random.randrange(128))
        if pick < 0.75:
            return self.random.choice(self.spaces)
        if pick < 0.8:
            return self.random.choice(self.marks)
        return self.random.choice(self.words)

    def text(self):
        return "".join(self.piece() for _ in range(self.random.randrange(1, 24)))


def write_bpe_gguf(path, pre, vocab, merges, specials):
    """vocab: names by id; specials: the names of control tokens."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(vocab)
    writer.add_token_types([3 if name in specials else 1 for name in vocab])
    writer.add_token_merges([" ".join(pair) for pair in merges])
    finish(writer)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def reference_bpe(pre, vocab, merges, specials):
    # byte_fallback, unk_token and dropout stay off, as in these models.
    model = models.BPE(vocab={name: i for i, name in enumerate(vocab)}, merges=merges,
                       ignore_merges=pre == "llama-bpe")
    reference = tokenizers.Tokenizer(model)
    reference.pre_tokenizer = PRETOKENIZERS[pre]
    reference.add_special_tokens(sorted(specials))
    return reference


def run_ours(command, path, texts):
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    words = [word.replace("{file}", str(path)) for word in shlex.split(command)]
    done = subprocess.run(words, input=lines, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        sys.exit(f"{words} failed: {done.stderr}")
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]]


def compare(name, texts, ours, expected, round_trip):
    assert len(ours) == len(texts), f"{name}: {len(ours)} answers for {len(texts)} texts"
    wrong = [i for i, row in enumerate(ours) if row["ids"] != expected[i]]
    lossy = [i for i, row in enumerate(ours) if round_trip and row["decoded"] != round_trip(texts[i])]
    tokens = sum(len(ids) for ids in expected)
    print(f"{name}: {len(texts)} texts, {tokens} tokens, {len(wrong)} differ, "
          f"{len(lossy)} do not come back")
    for i in wrong[:5]:
        print(f"  {texts[i]!r}\n    reference {expected[i]}\n    ours      {ours[i]['ids']}")
    for i in lossy[:5]:
        print(f"  {texts[i]!r} comes back as {ours[i]['decoded']!r}")
    return not wrong and not lossy


def bpe_of_gguf(path):
    fields = gguf.GGUFReader(path).fields
    vocab = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    merges = [tuple(m.split(" ")) for m in fields["tokenizer.ggml.merges"].contents()]
    return vocab, merges, [name for name, kind in zip(vocab, types) if kind == 3]


def bpe_of_json(path):
    model = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["model"]
    vocab = sorted(model["vocab"], key=model["vocab"].get)
    merges = [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in model["merges"]]
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    return vocab + specials, merges, specials


def check_patterns(args, folder):
    small, large = bpe_of_gguf(args.model), bpe_of_json(args.json)
    ok = True
    for pre in PRETOKENIZERS:
        for source, (vocab, merges, specials) in (("small", small), ("large", large)):
            path = pathlib.Path(folder) / f"{pre}-{source}.gguf"
            write_bpe_gguf(path, pre, vocab, merges, specials)
            strings = Strings(args.seed, specials)
            texts = [strings.text() for _ in range(args.strings)]
            expected = [e.ids for e in reference_bpe(pre, vocab, merges, specials)
                        .encode_batch(texts, add_special_tokens=False)]
            ours = run_ours(args.command, path, texts)
            # The small vocabulary lacks some bytes, and both drop them.
            back = str if source == "large" else None
            ok &= compare(f"{pre} ({source} vocabulary)", texts, ours, expected, back)
    return ok


def check_json(args):
    reference = tokenizers.Tokenizer.from_file(args.json)
    added = [t["content"] for t in
             json.loads(pathlib.Path(args.json).read_text(encoding="utf-8"))["added_tokens"]]
    strings = Strings(args.seed + 1, added)
    texts = [strings.text() for _ in range(args.strings)]
    expected = [e.ids for e in reference.encode_batch(texts, add_special_tokens=False)]
    ours = run_ours(args.command, args.json, texts)
    around = re.compile("(" + "|".join(
        re.escape(name) for name in sorted(added, key=len, reverse=True)) + ")")

    def nfc(text):
        """Each run between added tokens apart: they are cut out first."""
        return "".join(part if part in added else unicodedata.normalize("NFC", part)
                       for part in around.split(text))

    # The package's NFC tables are older than Unicode 14 and do not order the newest
    # marks; such texts are judged by what comes back alone.
    outdated = [i for i, text in enumerate(texts)
                if reference.normalizer is not None
                and any(reference.normalizer.normalize_str(part) != nfc(part)
                        for part in around.split(text) if part not in added)]
    print(f"tokenizer.json: {len(outdated)} texts on which the package's own NFC is outdated")
    for i in outdated:
        expected[i] = ours[i]["ids"]
    return compare("tokenizer.json", texts, ours, expected, nfc)


def spm_vocabulary(strings):
    """A BPE with byte fallback, trained by the package on random words."""
    rng = random.Random(SPM_CORPUS_SEED)
    syllables = ["ka", "to", "ni", "\u00e9r", "st", "ing", "\u4f60", "\u597d", "o", "e", "a", "n"]
    corpus = ["\u2581".join([""] + ["".join(rng.choices(syllables, k=rng.randrange(1, 5)))
                                    for _ in range(8)]) for _ in range(4000)]
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=1500, show_progress=False,
        special_tokens=["<unk>", "<s>", "</s>"] + [f"<0x{b:02X}>" for b in range(256)])
    trained = tokenizers.Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    trained.train_from_iterator(corpus, trainer)
    model = json.loads(trained.to_str())["model"]
    return (sorted(model["vocab"], key=model["vocab"].get),
            [tuple(m) if isinstance(m, list) else tuple(m.split(" ")) for m in model["merges"]])


def check_spm(args, folder):
    strings = Strings(args.seed + 2, ["kato", "nist", "\u00e9ring", " kaka", "\u4f60\u597d"] * 8)
    vocab, merges = spm_vocabulary(strings)
    path = pathlib.Path(folder) / "spm.gguf"
    # A piece's score is minus the place of the merge that makes it.
    rank = {"".join(pair): i for i, pair in reversed(list(enumerate(merges)))}
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(vocab)
    writer.add_token_scores([-float(rank.get(name, 0)) for name in vocab])
    writer.add_token_types([2 if i == 0 else 3 if i < 3 else 6 if i < 259 else 1
                            for i in range(len(vocab))])
    finish(writer)
    # The package merges by pair, SentencePiece by the piece that comes out: give it
    # every way to split each piece, ranked by the piece.
    known = set(vocab[259:])
    pairs = [(rank[name], i, (name[:i], name[i:])) for name in known if name in rank
             for i in range(1, len(name)) if name[:i] in known and name[i:] in known]
    reference = tokenizers.Tokenizer(models.BPE(
        vocab={name: i for i, name in enumerate(vocab)}, merges=[p for _, _, p in sorted(pairs)],
        unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    reference.normalizer = normalizers.Sequence([
        normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    reference.add_special_tokens(["<s>", "</s>"])
    texts = [strings.text() for _ in range(args.strings)]
    expected = [e.ids for e in reference.encode_batch(texts, add_special_tokens=False)]
    ours = run_ours(args.command, path, texts)
    return compare("SentencePiece BPE", texts, ours, expected,
                   lambda text: " " + text.replace("\u2581", " "))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", required=True, help="a GGUF with a byte-level BPE")
    parser.add_argument("--json", required=True, help="a tokenizer.json with another")
    parser.add_argument("--command", default="build/espalier inspect tokens --tokenizer {file} --jsonl -")
    parser.add_argument("--strings", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    print(f"Unicode {unicodedata.unidata_version}, tokenizers {tokenizers.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        results = [check_patterns(args, folder), check_json(args), check_spm(args, folder)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
