"""Of argparse: how a list of texts is shared out among arguments."""
import re as _re
from _argparse_actions import (ONE_OR_MORE, OPTIONAL, PARSER, REMAINDER, SUPPRESS, ZERO_OR_MORE,
                               ArgumentError, name_of)

# What an argument takes, in the letters of _Parse.kinds: A is a value, O an option, - a "--".
_PATTERNS = {None: "(-*A-*)", OPTIONAL: "(-*A?-*)", ZERO_OR_MORE: "(-*[A-]*)",
             ONE_OR_MORE: "(-*A[A-]*)", REMAINDER: "([-AO]*)", PARSER: "(-*A[-AO]*)",
             SUPPRESS: "(-*-*)"}
_EXPECTED = {None: "expected one argument", OPTIONAL: "expected at most one argument",
             ONE_OR_MORE: "expected at least one argument"}


def pattern_of(action):
    pattern = _PATTERNS.get(action.nargs)
    if pattern is None:
        pattern = f"(-*{'-*'.join('A' * action.nargs)}-*)"
    return pattern.replace("-*", "").replace("-", "") if action.option_strings else pattern


class Parse:
    """One parse_known_args."""

    def __init__(self, parser, texts, namespace):
        self.parser, self.texts, self.namespace = parser, texts, namespace
        self.options = {}  # by place: what _parse_optional says
        self.extras = []
        self.seen, self.seen_not_default = [], []
        self.positionals = parser._get_positional_actions()
        self.kinds = "".join(self._kinds())

    def _kinds(self):
        rest = iter(self.texts)
        for at, text in enumerate(rest):
            if text == "--":
                yield "-"
                for _ in rest:
                    yield "A"
                return
            option = self.parser._parse_optional(text)
            if option is not None:
                self.options[at] = option
            yield "A" if option is None else "O"

    def _take(self, action, values, option_string=None):
        self.seen.append(action)
        found = self.parser._get_values(action, values)
        if found is not action.default:
            self.seen_not_default.append(action)
            for group in self.parser._mutually_exclusive_groups:
                if action not in group._group_actions:
                    continue
                for other in group._group_actions:
                    if other is not action and other in self.seen_not_default:
                        raise ArgumentError(action,
                                            f"not allowed with argument {name_of(other)}")
        if found is not SUPPRESS:
            action(self.parser, self.namespace, found, option_string)

    def _count(self, action, kinds):
        match = _re.match(pattern_of(action), kinds)
        if match is None:
            message = _EXPECTED.get(action.nargs)
            if message is None:
                message = f"expected {action.nargs} argument{'' if action.nargs == 1 else 's'}"
            raise ArgumentError(action, message)
        return len(match.group(1))

    def _option(self, start):
        """Takes the option at `start` and its values, and says where it ended."""
        action, name, value = self.options[start]
        taken = []
        while True:
            if action is None:
                self.extras.append(self.texts[start])
                return start + 1
            if value is None:
                count = self._count(action, self.kinds[start + 1:])
                taken.append((action, self.texts[start + 1:start + 1 + count], name))
                end = start + 1 + count
                break
            count = self._count(action, "A")
            if count == 1:
                taken.append((action, [value], name))
                end = start + 1
                break
            flags = self.parser.prefix_chars
            if name[1] in flags or value == "" or name[0] + value[0] not in (
                    self.parser._option_string_actions):
                raise ArgumentError(action, f"ignored explicit argument {value!r}")
            taken.append((action, [], name))  # -xyz: -x, and then -yz
            name = name[0] + value[0]
            action = self.parser._option_string_actions[name]
            value = value[1:] or None
            if value is not None and value[0] == "=":
                value = value[1:]
        for action, values, name in taken:
            self._take(action, values, name)
        return end

    def _counts_of_positionals(self, start):
        kinds = self.kinds[start:]
        for count in range(len(self.positionals), 0, -1):
            match = _re.match("".join(map(pattern_of, self.positionals[:count])), kinds)
            if match is not None:
                return [len(text) for text in match.groups()]
        return []

    def _some_positionals(self, start):
        counts = self._counts_of_positionals(start)
        for action, count in zip(self.positionals, counts):
            values = self.texts[start:start + count]
            start += count
            self._take(action, values)
        self.positionals = self.positionals[len(counts):]
        return start

    def run(self):
        last = max(self.options, default=-1)
        start = 0
        while start <= last:
            following = min(at for at in self.options if at >= start)
            if start != following:
                end = self._some_positionals(start)
                if end > start:
                    start = end
                    continue
            if start not in self.options:
                self.extras += self.texts[start:following]
                start = following
            start = self._option(start)
        end = self._some_positionals(start)
        self.extras += self.texts[end:]
        self._complain_of_absent()
        return self.namespace, self.extras

    def _complain_of_absent(self):
        absent = []
        for action in self.parser._actions:
            if action in self.seen:
                continue
            if action.required:
                absent.append(name_of(action))
            elif (isinstance(action.default, str)
                  and getattr(self.namespace, action.dest, None) is action.default):
                setattr(self.namespace, action.dest,
                        self.parser._get_value(action, action.default))
        if absent:
            names = ", ".join(absent)
            self.parser.error(f"the following arguments are required: {names}")
        for group in self.parser._mutually_exclusive_groups:
            if not group.required:
                continue
            if any(action in self.seen_not_default for action in group._group_actions):
                continue
            names = [name_of(action) for action in group._group_actions
                     if action.help is not SUPPRESS]
            self.parser.error(f"one of the arguments {' '.join(names)} is required")
