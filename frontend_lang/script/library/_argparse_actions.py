"""Of argparse: what an argument is, and what its values do to the namespace."""
import sys as _sys

SUPPRESS = "==SUPPRESS=="
OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE = "?", "*", "+"
PARSER, REMAINDER = "A...", "..."
UNRECOGNIZED = "_unrecognized_args"


def name_of(argument):
    if argument is None:
        return None
    if argument.option_strings:
        return "/".join(argument.option_strings)
    if argument.metavar not in (None, SUPPRESS):
        return argument.metavar
    if argument.dest not in (None, SUPPRESS):
        return argument.dest
    if argument.choices:
        return "{" + ",".join(argument.choices) + "}"
    return None


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name = name_of(argument)
        self.message = message

    def __str__(self):
        if self.argument_name is None:
            return str(self.message)
        return f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    pass


class _Shown:
    def _get_kwargs(self):
        return list(vars(self).items())

    def _get_args(self):
        return []

    def __repr__(self):
        parts = [repr(arg) for arg in self._get_args()]
        odd = {}
        for name, value in self._get_kwargs():
            if name.isidentifier():
                parts.append(f"{name}={value!r}")
            else:
                odd[name] = value
        if odd:
            parts.append(f"**{odd!r}")
        return f"{type(self).__name__}({', '.join(parts)})"


class Namespace(_Shown):
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        return vars(self) == vars(other) if isinstance(other, Namespace) else NotImplemented

    def __contains__(self, key):
        return key in vars(self)


class Action(_Shown):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None,
                 choices=None, required=False, help=None, metavar=None):
        self.option_strings, self.dest, self.nargs = option_strings, dest, nargs
        self.const, self.default, self.type, self.choices = const, default, type, choices
        self.required, self.help, self.metavar = required, help, metavar

    def _get_kwargs(self):
        names = ("option_strings", "dest", "nargs", "const", "default", "type", "choices",
                 "required", "help", "metavar")
        return [(name, getattr(self, name)) for name in names]

    def format_usage(self):
        return self.option_strings[0]

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **rest):
        if nargs == 0:
            raise ValueError("nargs for store actions must be != 0; if you have nothing to store, "
                             "actions such as store true or store const may be more appropriate")
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs, const, **rest)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _StoreConstAction(Action):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None,
                 metavar=None):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default,
                         required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None):
        super().__init__(option_strings, dest, True, default, required, help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None):
        super().__init__(option_strings, dest, False, default, required, help)


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False,
                 help=None, metavar=None):
        names = []
        for name in option_strings:
            names.append(name)
            if name.startswith("--"):
                names.append("--no-" + name[2:])
        if help is not None and default is not None and default is not SUPPRESS:
            help += " (default: %(default)s)"
        super().__init__(names, dest, nargs=0, default=default, type=type, choices=choices,
                         required=required, help=help, metavar=metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))

    def format_usage(self):
        return " | ".join(self.option_strings)


def _items_so_far(namespace, dest):
    items = getattr(namespace, dest, None)
    return [] if items is None else items[:] if isinstance(items, list) else list(items)


class _AppendAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, **rest):
        if nargs == 0:
            raise ValueError("nargs for append actions must be != 0; if arg strings are not "
                             "supplying the value to append, the append const action may be more "
                             "appropriate")
        if const is not None and nargs != OPTIONAL:
            raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")
        super().__init__(option_strings, dest, nargs, const, **rest)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _items_so_far(namespace, self.dest) + [values])


class _ExtendAction(_AppendAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _items_so_far(namespace, self.dest) + list(values))


class _AppendConstAction(_StoreConstAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, _items_so_far(namespace, self.dest) + [self.const])


class _CountAction(Action):
    def __init__(self, option_strings, dest, default=None, required=False, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, required=required,
                         help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (getattr(namespace, self.dest, None) or 0) + 1)


class _HelpAction(Action):
    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        parser.print_help()
        parser.exit()


class _VersionAction(Action):
    def __init__(self, option_strings, version=None, dest=SUPPRESS, default=SUPPRESS,
                 help="show program's version number and exit"):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)
        self.version = version

    def __call__(self, parser, namespace, values, option_string=None):
        version = parser.version if self.version is None else self.version
        formatter = parser._get_formatter()
        formatter.add_text(version)
        parser._print_message(formatter.format_help(), _sys.stdout)
        parser.exit()


class _ChoicesPseudoAction(Action):
    def __init__(self, name, aliases, help):
        shown = f"{name} ({', '.join(aliases)})" if aliases else name
        super().__init__([], name, help=help, metavar=shown)


class _SubParsersAction(Action):
    def __init__(self, option_strings, prog, parser_class, dest=SUPPRESS, required=False, help=None,
                 metavar=None):
        self._prog_prefix, self._parser_class = prog, parser_class
        self._name_parser_map, self._choices_actions = {}, []
        super().__init__(option_strings, dest, nargs=PARSER, choices=self._name_parser_map,
                         required=required, help=help, metavar=metavar)

    def add_parser(self, name, **kwargs):
        if kwargs.get("prog") is None:
            kwargs["prog"] = f"{self._prog_prefix} {name}"
        aliases = kwargs.pop("aliases", ())
        if name in self._name_parser_map:
            raise ArgumentError(self, f"conflicting subparser: {name}")
        for alias in aliases:
            if alias in self._name_parser_map:
                raise ArgumentError(self, f"conflicting subparser alias: {alias}")
        if "help" in kwargs:
            self._choices_actions.append(_ChoicesPseudoAction(name, aliases, kwargs.pop("help")))
        parser = self._parser_class(**kwargs)
        for known in (name, *aliases):
            self._name_parser_map[known] = parser
        return parser

    def _get_subactions(self):
        return self._choices_actions

    def __call__(self, parser, namespace, values, option_string=None):
        name, arguments = values[0], values[1:]
        if self.dest is not SUPPRESS:
            setattr(namespace, self.dest, name)
        if name not in self._name_parser_map:
            known = ", ".join(self._name_parser_map)
            raise ArgumentError(self, f"unknown parser {name!r} (choices: {known})")
        inner, unknown = self._name_parser_map[name].parse_known_args(arguments, None)
        for key, value in vars(inner).items():
            setattr(namespace, key, value)
        if unknown:
            if UNRECOGNIZED not in vars(namespace):
                setattr(namespace, UNRECOGNIZED, [])
            getattr(namespace, UNRECOGNIZED).extend(unknown)


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        self._mode, self._encoding = mode, encoding

    def __call__(self, string):
        if string == "-":
            return _sys.stdin if "r" in self._mode else _sys.stdout
        try:
            return open(string, self._mode, encoding=self._encoding)
        except OSError as error:
            raise ArgumentTypeError(f"can't open '{string}': {error}")

    def __repr__(self):
        return f"FileType({self._mode!r})"


ACTIONS = {None: _StoreAction, "store": _StoreAction, "store_const": _StoreConstAction,
           "store_true": _StoreTrueAction, "store_false": _StoreFalseAction,
           "append": _AppendAction, "append_const": _AppendConstAction, "count": _CountAction,
           "help": _HelpAction, "version": _VersionAction, "parsers": _SubParsersAction,
           "extend": _ExtendAction}
