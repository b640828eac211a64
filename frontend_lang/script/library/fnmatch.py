"""fnmatch: names against patterns of * ? [...]."""
import re as _re


def translate(pat):
    out, at = [], 0
    while at < len(pat):
        letter = pat[at]
        at += 1
        if letter == "*":
            out.append(".*")
        elif letter == "?":
            out.append(".")
        elif letter == "[":
            end = pat.find("]", at + (2 if pat[at:at + 1] == "!" else 1))
            if end < 0:
                out.append("\\[")
                continue
            inside = pat[at:end].replace("\\", "\\\\")
            out.append(f"[^{inside[1:]}]" if inside.startswith("!") else f"[{inside}]")
            at = end + 1
        else:
            out.append(_re.escape(letter))
    return f"(?s:{''.join(out)})\\Z"


def fnmatchcase(name, pat):
    return _re.match(translate(pat), name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    pattern = _re.compile(translate(pat))
    return [name for name in names if pattern.match(name)]
