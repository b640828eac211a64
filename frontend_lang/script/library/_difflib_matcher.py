"""Of difflib: SequenceMatcher."""
from collections import namedtuple as _namedtuple

Match = _namedtuple("Match", "a b size")


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk, self.a, self.b = isjunk, autojunk, None, None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        if a is not self.a:
            self.a, self.matching_blocks, self.opcodes = a, None, None

    def set_seq2(self, b):
        if b is self.b:
            return
        self.b, self.matching_blocks, self.opcodes, self._counts = b, None, None, None
        places = {}
        for at, item in enumerate(b):
            places.setdefault(item, []).append(at)
        self.bjunk = {item for item in places if self.isjunk is not None and self.isjunk(item)}
        for item in self.bjunk:
            del places[item]
        self.bpopular = set()
        if self.autojunk and len(b) >= 200:
            most = len(b) // 100 + 1
            self.bpopular = {item for item, found in places.items() if len(found) > most}
            for item in self.bpopular:
                del places[item]
        self.b2j = places

    def _longest(self, alo, ahi, blo, bhi):
        """(i, j, size) of the longest run of items that are no junk; the first of such."""
        best_i, best_j, best, ends = alo, blo, 0, {}
        a, places, none = self.a, self.b2j, ()
        for i in range(alo, ahi):
            lengths = {}
            for j in places.get(a[i], none):
                if j < blo:
                    continue
                if j >= bhi:
                    break
                length = lengths[j] = ends.get(j - 1, 0) + 1
                if length > best:
                    best_i, best_j, best = i - length + 1, j - length + 1, length
            ends = lengths
        return best_i, best_j, best

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b, junk = self.a, self.b, self.bjunk
        ahi, bhi = len(a) if ahi is None else ahi, len(b) if bhi is None else bhi
        i, j, size = self._longest(alo, ahi, blo, bhi)
        for wants_junk in (False, True):  # what is around it: the popular first, then junk
            while i > alo and j > blo and (b[j - 1] in junk) == wants_junk and a[i - 1] == b[j - 1]:
                i, j, size = i - 1, j - 1, size + 1
            while (i + size < ahi and j + size < bhi and (b[j + size] in junk) == wants_junk
                   and a[i + size] == b[j + size]):
                size += 1
        return Match(i, j, size)

    def get_matching_blocks(self):
        if self.matching_blocks is not None:
            return self.matching_blocks
        queue, found = [(0, len(self.a), 0, len(self.b))], []
        while queue:
            alo, ahi, blo, bhi = queue.pop()
            match = i, j, size = self.find_longest_match(alo, ahi, blo, bhi)
            if size:
                found.append(match)
                if alo < i and blo < j:
                    queue.append((alo, i, blo, j))
                if i + size < ahi and j + size < bhi:
                    queue.append((i + size, ahi, j + size, bhi))
        blocks = []
        for i, j, size in sorted(found):
            if blocks and blocks[-1][0] + blocks[-1][2] == i and blocks[-1][1] + blocks[-1][2] == j:
                i, j, size = blocks[-1][0], blocks[-1][1], blocks.pop()[2] + size
            blocks.append(Match(i, j, size))
        blocks.append(Match(len(self.a), len(self.b), 0))
        self.matching_blocks = blocks
        return blocks

    def get_opcodes(self):
        if self.opcodes is not None:
            return self.opcodes
        i = j = 0
        self.opcodes = answer = []
        for ai, bj, size in self.get_matching_blocks():
            if i < ai or j < bj:
                tag = "replace" if i < ai and j < bj else "delete" if i < ai else "insert"
                answer.append((tag, i, ai, j, bj))
            i, j = ai + size, bj + size
            if size:
                answer.append(("equal", ai, i, bj, j))
        return answer

    def get_grouped_opcodes(self, n=3):
        codes = self.get_opcodes()[:] or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group = []
                i1, j1 = max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def _ratio(self, matches):
        length = len(self.a) + len(self.b)
        return 2.0 * matches / length if length else 1.0

    def ratio(self):
        return self._ratio(sum(block[2] for block in self.get_matching_blocks()))

    def quick_ratio(self):
        if self._counts is None:
            self._counts = {}
            for item in self.b:
                self._counts[item] = self._counts.get(item, 0) + 1
        left, matches = {}, 0
        for item in self.a:
            count = left[item] if item in left else self._counts.get(item, 0)
            left[item] = count - 1
            matches += count > 0
        return self._ratio(matches)

    def real_quick_ratio(self):
        return self._ratio(min(len(self.a), len(self.b)))
