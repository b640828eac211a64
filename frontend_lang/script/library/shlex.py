"""shlex: words as a shell cuts and quotes them."""
import re as _re


def quote(s):
    if not s:
        return "''"
    if _re.search(r"[^\w@%+=:,./-]", s, _re.ASCII) is None:
        return s
    return "'" + s.replace("'", "'\"'\"'") + "'"


def join(split_command):
    return " ".join(quote(word) for word in split_command)


def split(s, comments=False, posix=True):
    words, word, quoted, at = [], None, None, 0
    while at < len(s):
        letter = s[at]
        at += 1
        if quoted == "'" or quoted == '"':
            if letter == quoted:
                quoted = None
            elif letter == "\\" and quoted == '"' and at < len(s) and s[at] in '"\\':
                word += s[at]
                at += 1
            else:
                word += letter
        elif letter in " \t\r\n":
            if word is not None:
                words.append(word)
                word = None
        elif letter == "#" and comments:
            while at < len(s) and s[at] != "\n":
                at += 1
        elif letter in "'\"":
            word, quoted = word or "", letter
        elif letter == "\\":
            if at == len(s):
                raise ValueError("No escaped character")
            word = (word or "") + s[at]
            at += 1
        else:
            word = (word or "") + letter
    if quoted is not None:
        raise ValueError("No closing quotation")
    return words if word is None else words + [word]
