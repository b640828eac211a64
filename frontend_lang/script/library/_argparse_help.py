"""Of argparse: the texts of usage and help."""
import re as _re
import textwrap as _textwrap
from _argparse_actions import (ONE_OR_MORE, OPTIONAL, PARSER, REMAINDER, SUPPRESS, ZERO_OR_MORE)

_USAGE_PARTS = r"\(.*?\)+(?=\s|$)|\[.*?\]+(?=\s|$)|\S+"


class _Section:
    def __init__(self, formatter, parent, heading=None):
        self.formatter, self.parent, self.heading = formatter, parent, heading
        self.items = []

    def format_help(self):
        if self.parent is not None:
            self.formatter._indent()
        texts = "".join(text for text in [function(*args) for function, args in self.items] if text)
        if self.parent is not None:
            self.formatter._dedent()
        if not texts:
            return ""
        heading = ""
        if self.heading is not SUPPRESS and self.heading is not None:
            heading = " " * self.formatter._current_indent + self.heading + ":\n"
        return f"\n{heading}{texts}\n"


class HelpFormatter:
    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        if width is None:
            width = 78
        self._prog, self._width, self._indent_increment = prog, width, indent_increment
        self._max_help_position = min(max_help_position, max(width - 20, indent_increment * 2))
        self._current_indent = self._level = self._action_max_length = 0
        self._root_section = self._current_section = _Section(self, None)

    def _indent(self):
        self._current_indent += self._indent_increment
        self._level += 1

    def _dedent(self):
        self._current_indent -= self._indent_increment
        self._level -= 1

    def _add_item(self, function, args):
        self._current_section.items.append((function, args))

    def start_section(self, heading):
        self._indent()
        section = _Section(self, self._current_section, heading)
        self._add_item(section.format_help, [])
        self._current_section = section

    def end_section(self):
        self._current_section = self._current_section.parent
        self._dedent()

    def add_text(self, text):
        if text is not SUPPRESS and text is not None:
            self._add_item(self._format_text, [text])

    def add_usage(self, usage, actions, groups, prefix=None):
        if usage is not SUPPRESS:
            self._add_item(self._format_usage, (usage, actions, groups, prefix))

    def add_argument(self, action):
        if action.help is SUPPRESS:
            return
        shown = [self._format_action_invocation(action)]
        for inner in self._iter_indented_subactions(action):
            shown.append(self._format_action_invocation(inner))
        longest = max(map(len, shown)) + self._current_indent
        self._action_max_length = max(self._action_max_length, longest)
        self._add_item(self._format_action, [action])

    def add_arguments(self, actions):
        for action in actions:
            self.add_argument(action)

    def format_help(self):
        text = self._root_section.format_help()
        if text:
            text = _re.sub(r"\n\n\n+", "\n\n", text).strip("\n") + "\n"
        return text

    # ---- Usage.

    def _format_usage(self, usage, actions, groups, prefix):
        if prefix is None:
            prefix = "usage: "
        if usage is not None:
            return f"{prefix}{usage % dict(prog=self._prog)}\n\n"
        prog = str(self._prog)
        if not actions:
            return f"{prefix}{prog}\n\n"
        options = [action for action in actions if action.option_strings]
        positionals = [action for action in actions if not action.option_strings]
        arguments = self._format_actions_usage(options + positionals, groups)
        usage = " ".join(text for text in (prog, arguments) if text)
        if len(prefix) + len(usage) > self._width - self._current_indent:
            usage = "\n".join(self._wrapped_usage(prog, options, positionals, groups, prefix))
        return f"{prefix}{usage}\n\n"

    def _usage_lines(self, parts, indent, prefix=None):
        width = self._width - self._current_indent
        lines, line = [], []
        length = len(indent if prefix is None else prefix) - 1
        for part in parts:
            if length + 1 + len(part) > width and line:
                lines.append(indent + " ".join(line))
                line, length = [], len(indent) - 1
            line.append(part)
            length += len(part) + 1
        if line:
            lines.append(indent + " ".join(line))
        if prefix is not None:
            lines[0] = lines[0][len(indent):]
        return lines

    def _wrapped_usage(self, prog, options, positionals, groups, prefix):
        option_parts = _re.findall(_USAGE_PARTS, self._format_actions_usage(options, groups))
        other_parts = _re.findall(_USAGE_PARTS, self._format_actions_usage(positionals, groups))
        if len(prefix) + len(prog) <= 0.75 * (self._width - self._current_indent):
            indent = " " * (len(prefix) + len(prog) + 1)
            if option_parts:
                return (self._usage_lines([prog] + option_parts, indent, prefix)
                        + self._usage_lines(other_parts, indent))
            if not other_parts:
                return [prog]
            return self._usage_lines([prog] + other_parts, indent, prefix)
        indent = " " * len(prefix)
        lines = self._usage_lines(option_parts + other_parts, indent)
        if len(lines) > 1:
            lines = (self._usage_lines(option_parts, indent)
                     + self._usage_lines(other_parts, indent))
        return [prog] + lines

    def _usage_of(self, action, in_group):
        if action.help is SUPPRESS:
            return None
        if not action.option_strings:
            text = self._format_args(action, self._get_default_metavar_for_positional(action))
            if in_group and text.startswith("[") and text.endswith("]"):
                return text[1:-1]
            return text
        if action.nargs == 0:
            text = action.format_usage()
        else:
            metavar = self._get_default_metavar_for_optional(action)
            text = f"{action.option_strings[0]} {self._format_args(action, metavar)}"
        return text if action.required or in_group else f"[{text}]"

    def _format_actions_usage(self, actions, groups):
        """The arguments in a line; those of an exclusive group that stand together, with bars."""
        starts = {}
        for group in groups:
            members = group._group_actions
            if not members or members[0] not in actions:
                continue
            at = actions.index(members[0])
            if actions[at:at + len(members)] == members:
                starts[at] = group
        texts, at = [], 0
        while at < len(actions):
            group = starts.get(at)
            if group is None:
                texts.append(self._usage_of(actions[at], False))
                at += 1
                continue
            texts.append(self._usage_of_group(group))
            at += len(group._group_actions)
        return " ".join(text for text in texts if text is not None)

    def _usage_of_group(self, group):
        inner = [self._usage_of(action, True) for action in group._group_actions]
        inner = [text for text in inner if text is not None]
        if not inner:
            return None
        text = " | ".join(inner)
        if not group.required:
            return f"[{text}]"
        return f"({text})" if len(inner) > 1 else text

    # ---- Help of one argument.

    def _format_text(self, text):
        if "%(prog)" in text:
            text = text % dict(prog=self._prog)
        width = max(self._width - self._current_indent, 11)
        return self._fill_text(text, width, " " * self._current_indent) + "\n\n"

    def _format_action(self, action):
        position = min(self._action_max_length + 2, self._max_help_position)
        width = max(self._width - position, 11)
        room = position - self._current_indent - 2
        header = self._format_action_invocation(action)
        indent = " " * self._current_indent
        first = position
        if not action.help:
            parts = [f"{indent}{header}\n"]
        elif len(header) <= room:
            parts, first = [f"{indent}{header.ljust(room)}  "], 0
        else:
            parts = [f"{indent}{header}\n"]
        if action.help and action.help.strip():
            text = self._expand_help(action)
            if text:
                lines = self._split_lines(text, width)
                parts.append(" " * first + lines[0] + "\n")
                parts += [" " * position + line + "\n" for line in lines[1:]]
        elif not parts[0].endswith("\n"):
            parts.append("\n")
        for inner in self._iter_indented_subactions(action):
            parts.append(self._format_action(inner))
        return "".join(parts)

    def _format_action_invocation(self, action):
        if not action.option_strings:
            default = self._get_default_metavar_for_positional(action)
            return self._metavar_formatter(action, default)(1)[0]
        if action.nargs == 0:
            return ", ".join(action.option_strings)
        shown = self._format_args(action, self._get_default_metavar_for_optional(action))
        return ", ".join(f"{name} {shown}" for name in action.option_strings)

    def _metavar_formatter(self, action, default_metavar):
        if action.metavar is not None:
            shown = action.metavar
        elif action.choices is not None:
            shown = "{" + ",".join(str(choice) for choice in action.choices) + "}"
        else:
            shown = default_metavar
        return lambda count: shown if isinstance(shown, tuple) else (shown,) * count

    def _format_args(self, action, default_metavar):
        metavar = self._metavar_formatter(action, default_metavar)
        nargs = action.nargs
        if nargs is None:
            return metavar(1)[0]
        if nargs == OPTIONAL:
            return "[%s]" % metavar(1)
        if nargs == ZERO_OR_MORE:
            shown = metavar(1)
            return "[%s [%s ...]]" % shown if len(shown) == 2 else "[%s ...]" % shown
        if nargs == ONE_OR_MORE:
            return "%s [%s ...]" % metavar(2)
        if nargs == REMAINDER:
            return "..."
        if nargs == PARSER:
            return "%s ..." % metavar(1)
        if nargs == SUPPRESS:
            return ""
        if not isinstance(nargs, int):
            raise ValueError("invalid nargs value")
        return " ".join(["%s"] * nargs) % metavar(nargs)

    def _expand_help(self, action):
        params = {name: value for name, value in vars(action).items() if value is not SUPPRESS}
        params["prog"] = self._prog
        for name, value in params.items():
            if hasattr(value, "__name__"):
                params[name] = value.__name__
        if params.get("choices") is not None:
            params["choices"] = ", ".join(str(choice) for choice in params["choices"])
        return self._get_help_string(action) % params

    def _iter_indented_subactions(self, action):
        if hasattr(action, "_get_subactions"):
            self._indent()
            yield from action._get_subactions()
            self._dedent()

    def _split_lines(self, text, width):
        return _textwrap.wrap(" ".join(text.split()), width)

    def _fill_text(self, text, width, indent):
        return _textwrap.fill(" ".join(text.split()), width, initial_indent=indent,
                              subsequent_indent=indent)

    def _get_help_string(self, action):
        return action.help

    def _get_default_metavar_for_optional(self, action):
        return action.dest.upper()

    def _get_default_metavar_for_positional(self, action):
        return action.dest


class RawDescriptionHelpFormatter(HelpFormatter):
    def _fill_text(self, text, width, indent):
        return "".join(indent + line for line in text.splitlines(keepends=True))


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    def _split_lines(self, text, width):
        return text.splitlines()


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    def _get_help_string(self, action):
        help = "" if action.help is None else action.help
        if "%(default)" not in help and action.default is not SUPPRESS:
            if action.option_strings or action.nargs in (OPTIONAL, ZERO_OR_MORE):
                help += " (default: %(default)s)"
        return help


class MetavarTypeHelpFormatter(HelpFormatter):
    def _get_default_metavar_for_optional(self, action):
        return action.type.__name__

    def _get_default_metavar_for_positional(self, action):
        return action.type.__name__
