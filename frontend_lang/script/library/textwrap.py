"""textwrap."""
from _textwrap import dedent, fill, indent, shorten, wrap


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True,
                 replace_whitespace=True, fix_sentence_endings=False, break_long_words=True,
                 drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None,
                 placeholder=" [...]"):
        if fix_sentence_endings:
            raise NotImplementedError("fix_sentence_endings is not in the language")
        self.width, self.tabsize = width, tabsize
        self.initial_indent, self.subsequent_indent = initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace = expand_tabs, replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words, self.drop_whitespace = break_long_words, drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.max_lines, self.placeholder = max_lines, placeholder

    def wrap(self, text):
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        return wrap(text, self.width, initial_indent=self.initial_indent,
                    subsequent_indent=self.subsequent_indent, expand_tabs=self.expand_tabs,
                    replace_whitespace=self.replace_whitespace,
                    break_long_words=self.break_long_words,
                    drop_whitespace=self.drop_whitespace,
                    break_on_hyphens=self.break_on_hyphens, max_lines=self.max_lines,
                    placeholder=self.placeholder)

    def fill(self, text):
        return "\n".join(self.wrap(text))
