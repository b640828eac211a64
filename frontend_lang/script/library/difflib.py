"""difflib."""
from _difflib_matcher import Match, SequenceMatcher


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found = []
    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    for possible in possibilities:
        matcher.set_seq1(possible)
        if (matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff
                and matcher.ratio() >= cutoff):
            found.append((matcher.ratio(), possible))
    return [possible for _, possible in sorted(found, reverse=True)[:n]]


def _range_of_unified(start, stop):
    beginning, length = start + 1, stop - start
    if length == 1:
        return str(beginning)
    return f"{beginning if length else beginning - 1},{length}"


def _check_types(a, b, *args):
    for lines, name in ((a, "a"), (b, "b")):
        if lines and not isinstance(lines[0], str):
            raise TypeError(f"lines to compare must be str, not {type(lines[0]).__name__} "
                            f"({lines[0]!r})")
    for arg in args:
        if not isinstance(arg, str):
            raise TypeError(f"all arguments must be str, not: {arg!r}")


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    _check_types(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield f"--- {fromfile}{fromfiledate and chr(9) + fromfiledate}{lineterm}"
            yield f"+++ {tofile}{tofiledate and chr(9) + tofiledate}{lineterm}"
        first, last = group[0], group[-1]
        yield (f"@@ -{_range_of_unified(first[1], last[2])} "
               f"+{_range_of_unified(first[3], last[4])} @@{lineterm}")
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
            if tag in ("replace", "delete"):
                for line in a[i1:i2]:
                    yield "-" + line
            if tag in ("replace", "insert"):
                for line in b[j1:j2]:
                    yield "+" + line


def _range_of_context(start, stop):
    beginning, length = start + 1, stop - start
    if not length:
        beginning -= 1
    return str(beginning) if length <= 1 else f"{beginning},{beginning + length - 1}"


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    _check_types(a, b, fromfile, tofile, fromfiledate, tofiledate, lineterm)
    marks = dict(insert="+ ", delete="- ", replace="! ", equal="  ")
    started = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not started:
            started = True
            yield f"*** {fromfile}{fromfiledate and chr(9) + fromfiledate}{lineterm}"
            yield f"--- {tofile}{tofiledate and chr(9) + tofiledate}{lineterm}"
        first, last = group[0], group[-1]
        yield "***************" + lineterm
        yield f"*** {_range_of_context(first[1], last[2])} ****{lineterm}"
        if any(tag in ("replace", "delete") for tag, *_ in group):
            for tag, i1, i2, _, _ in group:
                if tag != "insert":
                    for line in a[i1:i2]:
                        yield marks[tag] + line
        yield f"--- {_range_of_context(first[3], last[4])} ----{lineterm}"
        if any(tag in ("replace", "insert") for tag, *_ in group):
            for tag, _, _, j1, j2 in group:
                if tag != "delete":
                    for line in b[j1:j2]:
                        yield marks[tag] + line


def IS_LINE_JUNK(line, pat=None):
    return line.strip() in ("", "#")


def IS_CHARACTER_JUNK(ch, ws=" \t"):
    return ch in ws


class Differ:
    def __init__(self, linejunk=None, charjunk=None):
        self.linejunk, self.charjunk = linejunk, charjunk

    def compare(self, a, b):
        for tag, alo, ahi, blo, bhi in SequenceMatcher(self.linejunk, a, b).get_opcodes():
            if tag == "replace":
                yield from self._fancy_replace(a, alo, ahi, b, blo, bhi)
            elif tag == "delete":
                yield from self._dump("-", a, alo, ahi)
            elif tag == "insert":
                yield from self._dump("+", b, blo, bhi)
            else:
                yield from self._dump(" ", a, alo, ahi)

    def _dump(self, tag, lines, low, high):
        for at in range(low, high):
            yield f"{tag} {lines[at]}"

    def _plain_replace(self, a, alo, ahi, b, blo, bhi):
        if bhi - blo < ahi - alo:
            yield from self._dump("+", b, blo, bhi)
            yield from self._dump("-", a, alo, ahi)
        else:
            yield from self._dump("-", a, alo, ahi)
            yield from self._dump("+", b, blo, bhi)

    def _best_pair(self, a, alo, ahi, b, blo, bhi):
        """(ratio, i, j) of the lines that are most alike, and (i, j) of the first equal ones."""
        best, best_i, best_j, equal = 0.74, None, None, None
        matcher = SequenceMatcher(self.charjunk)
        for j in range(blo, bhi):
            matcher.set_seq2(b[j])
            for i in range(alo, ahi):
                if a[i] == b[j]:
                    if equal is None:
                        equal = i, j
                    continue
                matcher.set_seq1(a[i])
                if (matcher.real_quick_ratio() > best and matcher.quick_ratio() > best
                        and matcher.ratio() > best):
                    best, best_i, best_j = matcher.ratio(), i, j
        return best, best_i, best_j, equal

    def _fancy_replace(self, a, alo, ahi, b, blo, bhi):
        best, best_i, best_j, equal = self._best_pair(a, alo, ahi, b, blo, bhi)
        alike = best >= 0.75
        if not alike:
            if equal is None:
                yield from self._plain_replace(a, alo, ahi, b, blo, bhi)
                return
            best_i, best_j = equal
        yield from self._fancy_helper(a, alo, best_i, b, blo, best_j)
        if alike:
            yield from self._marked(a[best_i], b[best_j])
        else:
            yield "  " + a[best_i]
        yield from self._fancy_helper(a, best_i + 1, ahi, b, best_j + 1, bhi)

    def _fancy_helper(self, a, alo, ahi, b, blo, bhi):
        if alo < ahi and blo < bhi:
            yield from self._fancy_replace(a, alo, ahi, b, blo, bhi)
        elif alo < ahi:
            yield from self._dump("-", a, alo, ahi)
        else:
            yield from self._dump("+", b, blo, bhi)

    def _marked(self, before, after):
        """Two lines that are alike, with marks below where they differ."""
        marks = dict(replace=("^", "^"), delete=("-", ""), insert=("", "+"), equal=(" ", " "))
        below_before = below_after = ""
        for tag, i1, i2, j1, j2 in SequenceMatcher(self.charjunk, before, after).get_opcodes():
            of_before, of_after = marks[tag]
            below_before += of_before * (i2 - i1)
            below_after += of_after * (j2 - j1)
        yield "- " + before
        yield from self._below(before, below_before)
        yield "+ " + after
        yield from self._below(after, below_after)

    def _below(self, line, marks):
        kept = "".join(c if mark == " " and c.isspace() else mark
                       for c, mark in zip(line, marks)).rstrip()
        if kept:
            yield f"? {kept}\n"


def ndiff(a, b, linejunk=None, charjunk=IS_CHARACTER_JUNK):
    return Differ(linejunk, charjunk).compare(a, b)


def restore(delta, which):
    marks = {1: "- ", 2: "+ "}
    if int(which) not in marks:
        raise ValueError(f"unknown delta choice (must be 1 or 2): {which!r}")
    for line in delta:
        if line[:2] in ("  ", marks[int(which)]):
            yield line[2:]


class HtmlDiff:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("difflib.HtmlDiff is not in the language")
