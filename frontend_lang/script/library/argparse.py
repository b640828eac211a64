"""argparse."""
import _machine
import os as _os
import re as _re
import sys as _sys
import _argparse_actions as _actions
from _argparse_actions import (ONE_OR_MORE, OPTIONAL, PARSER, REMAINDER, SUPPRESS, ZERO_OR_MORE,
                               Action, ArgumentError, ArgumentTypeError, BooleanOptionalAction,
                               FileType, Namespace)
from _argparse_groups import ActionsContainer as _ActionsContainer
from _argparse_help import (ArgumentDefaultsHelpFormatter, HelpFormatter, MetavarTypeHelpFormatter,
                            RawDescriptionHelpFormatter, RawTextHelpFormatter)
from _argparse_parse import Parse as _Parse

for _shown in (Action, ArgumentError, ArgumentTypeError, Namespace, HelpFormatter,
               ArgumentDefaultsHelpFormatter, MetavarTypeHelpFormatter,
               RawDescriptionHelpFormatter, RawTextHelpFormatter):
    _machine.show_module(_shown, "argparse")


class ArgumentParser(_actions._Shown, _ActionsContainer):
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=[],
                 formatter_class=HelpFormatter, prefix_chars="-", fromfile_prefix_chars=None,
                 argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
                 exit_on_error=True):
        _ActionsContainer.__init__(self, description, prefix_chars, argument_default,
                                   conflict_handler)
        self.prog = _os.path.basename(_sys.argv[0]) if prog is None else prog
        self.usage, self.epilog, self.formatter_class = usage, epilog, formatter_class
        self.fromfile_prefix_chars, self.add_help = fromfile_prefix_chars, add_help
        self.allow_abbrev, self.exit_on_error = allow_abbrev, exit_on_error
        self._positionals = self.add_argument_group("positional arguments")
        self._optionals = self.add_argument_group("options")
        self._subparsers = None
        char = "-" if "-" in prefix_chars else prefix_chars[0]
        if add_help:
            self.add_argument(char + "h", char * 2 + "help", action="help", default=SUPPRESS,
                              help="show this help message and exit")
        for parent in parents:
            self._add_container_actions(parent)
            self._defaults.update(parent._defaults)

    def _get_kwargs(self):
        names = ("prog", "usage", "description", "formatter_class", "conflict_handler", "add_help")
        return [(name, getattr(self, name)) for name in names]

    def add_subparsers(self, **kwargs):
        if self._subparsers is not None:
            self.error("cannot have multiple subparser arguments")
        kwargs.setdefault("parser_class", type(self))
        if "title" in kwargs or "description" in kwargs:
            self._subparsers = self.add_argument_group(kwargs.pop("title", "subcommands"),
                                                       kwargs.pop("description", None))
        else:
            self._subparsers = self._positionals
        if kwargs.get("prog") is None:
            formatter = self._get_formatter()
            formatter.add_usage(self.usage, self._get_positional_actions(),
                                self._mutually_exclusive_groups, "")
            kwargs["prog"] = formatter.format_help().strip()
        action = self._pop_action_class(kwargs, "parsers")(option_strings=[], **kwargs)
        self._subparsers._add_action(action)
        return action

    def _add_action(self, action):
        (self._optionals if action.option_strings else self._positionals)._add_action(action)
        return action

    def _get_positional_actions(self):
        return [action for action in self._actions if not action.option_strings]

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    parse_intermixed_args = parse_args

    def parse_known_args(self, args=None, namespace=None):
        texts = _sys.argv[1:] if args is None else list(args)
        if namespace is None:
            namespace = Namespace()
        for action in self._actions:
            if action.dest is not SUPPRESS and not hasattr(namespace, action.dest):
                if action.default is not SUPPRESS:
                    setattr(namespace, action.dest, action.default)
        for dest in self._defaults:
            if not hasattr(namespace, dest):
                setattr(namespace, dest, self._defaults[dest])
        try:
            namespace, rest = _Parse(self, self._with_files(texts), namespace).run()
        except ArgumentError as error:
            if not self.exit_on_error:
                raise
            self.error(str(error))
        if hasattr(namespace, _actions.UNRECOGNIZED):
            rest = rest + getattr(namespace, _actions.UNRECOGNIZED)
            delattr(namespace, _actions.UNRECOGNIZED)
        return namespace, rest

    def convert_arg_line_to_args(self, arg_line):
        return [arg_line]

    def _with_files(self, texts):
        if self.fromfile_prefix_chars is None:
            return texts
        read = []
        for text in texts:
            if not text or text[0] not in self.fromfile_prefix_chars:
                read.append(text)
                continue
            try:
                with open(text[1:]) as file:
                    lines = file.read().splitlines()
            except OSError as error:
                self.error(str(error))
            read += self._with_files([arg for line in lines
                                      for arg in self.convert_arg_line_to_args(line)])
        return read

    def _parse_optional(self, text):
        """None for a value; else the action or None, the option's name, the value after "="."""
        if not text or text[0] not in self.prefix_chars:
            return None
        if text in self._option_string_actions:
            return self._option_string_actions[text], text, None
        if len(text) == 1:
            return None
        if "=" in text:
            name, value = text.split("=", 1)
            if name in self._option_string_actions:
                return self._option_string_actions[name], name, value
        found = self._get_option_tuples(text)
        if len(found) > 1:
            names = ", ".join(name for _, name, _ in found)
            self.error(f"ambiguous option: {text} could match {names}")
        if found:
            return found[0]
        if _re.match(r"^-\d+$|^-\d*\.\d+$", text) and not self._has_negative_number_optionals:
            return None
        return None if " " in text else (None, text, None)

    def _get_option_tuples(self, text):
        chars, known = self.prefix_chars, self._option_string_actions
        if text[1] in chars:
            if not self.allow_abbrev:
                return []
            name, equals, value = text.partition("=")
            return [(known[other], other, value if equals else None) for other in known
                    if other.startswith(name)]
        found = []
        for other in known:
            if other == text[:2]:
                found.append((known[other], other, text[2:]))
            elif other.startswith(text):
                found.append((known[other], other, None))
        return found

    # ---- Values.

    def _get_values(self, action, texts):
        nargs = action.nargs
        if nargs not in (PARSER, REMAINDER):
            texts = list(texts)
            if "--" in texts:
                texts.remove("--")
        if not texts and nargs == OPTIONAL:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self._get_value(action, value)
                self._check_value(action, value)
            return value
        if not texts and nargs == ZERO_OR_MORE and not action.option_strings:
            if action.default is None:
                return texts
            self._check_value(action, action.default)
            return action.default
        if nargs == SUPPRESS:
            return SUPPRESS
        values = [self._get_value(action, text) for text in texts]
        for value in values[:1] if nargs == PARSER else [] if nargs == REMAINDER else values:
            self._check_value(action, value)
        return values[0] if nargs is None or nargs == OPTIONAL else values

    def _get_value(self, action, text):
        read = self._registry_get("type", action.type, action.type)
        if not callable(read):
            raise ArgumentError(action, f"{read!r} is not callable")
        try:
            return read(text)
        except ArgumentTypeError as error:
            raise ArgumentError(action, str(error))
        except (TypeError, ValueError):
            name = getattr(action.type, "__name__", repr(action.type))
            raise ArgumentError(action, f"invalid {name} value: {text!r}")

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(repr, action.choices))
            raise ArgumentError(action, f"invalid choice: {value!r} (choose from {known})")

    # ---- Texts.

    def _get_formatter(self):
        return self.formatter_class(prog=self.prog)

    def format_usage(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        return formatter.format_help()

    def format_help(self):
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def print_usage(self, file=None):
        self._print_message(self.format_usage(), _sys.stdout if file is None else file)

    def print_help(self, file=None):
        self._print_message(self.format_help(), _sys.stdout if file is None else file)

    def _print_message(self, message, file=None):
        if message:
            (_sys.stderr if file is None else file).write(message)

    def exit(self, status=0, message=None):
        if message:
            self._print_message(message, _sys.stderr)
        _sys.exit(status)

    def error(self, message):
        self.print_usage(_sys.stderr)
        self.exit(2, f"{self.prog}: error: {message}\n")
