"""Of argparse: what arguments can be added to."""
import re as _re
from _argparse_actions import ACTIONS, OPTIONAL, ZERO_OR_MORE, ArgumentError, FileType


class ActionsContainer:
    """What arguments can be added to: a parser, or a group of one."""

    def __init__(self, description, prefix_chars, argument_default, conflict_handler):
        self.description, self.prefix_chars = description, prefix_chars
        self.argument_default, self.conflict_handler = argument_default, conflict_handler
        self._registries = {"action": dict(ACTIONS), "type": {None: lambda text: text}}
        if conflict_handler not in ("error", "resolve"):
            raise ValueError(f"invalid conflict_resolution value: {conflict_handler!r}")
        self._actions, self._option_string_actions = [], {}
        self._action_groups, self._mutually_exclusive_groups = [], []
        self._defaults = {}
        self._has_negative_number_optionals = []

    def register(self, registry_name, value, object):
        self._registries[registry_name][value] = object

    def _registry_get(self, registry_name, value, default=None):
        return self._registries[registry_name].get(value, default)

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest)

    def add_argument(self, *args, **kwargs):
        chars = self.prefix_chars
        if not args or len(args) == 1 and args[0][0] not in chars:
            if args and "dest" in kwargs:
                raise ValueError("dest supplied twice for positional argument")
            kwargs = self._positional_kwargs(*args, **kwargs)
        else:
            kwargs = self._optional_kwargs(*args, **kwargs)
        if "default" not in kwargs:
            dest = kwargs["dest"]
            if dest in self._defaults:
                kwargs["default"] = self._defaults[dest]
            elif self.argument_default is not None:
                kwargs["default"] = self.argument_default
        action_class = self._pop_action_class(kwargs)
        if not callable(action_class):
            raise ValueError(f'unknown action "{action_class}"')
        action = action_class(**kwargs)
        read = self._registry_get("type", action.type, action.type)
        if not callable(read):
            raise ValueError(f"{read!r} is not callable")
        if read is FileType:
            raise ValueError(f"{read!r} is a FileType class object, instance of it must be passed")
        if hasattr(self, "_get_formatter"):
            try:
                self._get_formatter()._format_args(action, None)
            except TypeError:
                raise ValueError("length of metavar tuple does not match nargs")
        return self._add_action(action)

    def add_argument_group(self, *args, **kwargs):
        group = ArgumentGroup(self, *args, **kwargs)
        self._action_groups.append(group)
        return group

    def add_mutually_exclusive_group(self, **kwargs):
        group = MutuallyExclusiveGroup(self, **kwargs)
        self._mutually_exclusive_groups.append(group)
        return group

    def _add_action(self, action):
        self._check_conflict(action)
        self._actions.append(action)
        action.container = self
        for name in action.option_strings:
            self._option_string_actions[name] = action
            if _re.match(r"^-\d+$|^-\d*\.\d+$", name):
                self._has_negative_number_optionals.append(True)
        return action

    def _remove_action(self, action):
        self._actions.remove(action)

    def _add_container_actions(self, container):
        """The arguments of a parent, in groups of the same titles."""
        titles = {group.title: group for group in self._action_groups}
        groups = {}
        for group in container._action_groups:
            if group.title not in titles:
                titles[group.title] = self.add_argument_group(
                    title=group.title, description=group.description,
                    conflict_handler=group.conflict_handler)
            for action in group._group_actions:
                groups[id(action)] = titles[group.title]
        for group in container._mutually_exclusive_groups:
            made = self.add_mutually_exclusive_group(required=group.required)
            for action in group._group_actions:
                groups[id(action)] = made
        for action in container._actions:
            groups.get(id(action), self)._add_action(action)

    def _positional_kwargs(self, dest, **kwargs):
        if "required" in kwargs:
            raise TypeError("'required' is an invalid argument for positionals")
        nargs = kwargs.get("nargs")
        if nargs not in (OPTIONAL, ZERO_OR_MORE):
            kwargs["required"] = True
        if nargs == ZERO_OR_MORE and "default" not in kwargs:
            kwargs["required"] = True
        return dict(kwargs, dest=dest, option_strings=[])

    def _optional_kwargs(self, *args, **kwargs):
        names, long_names = [], []
        for name in args:
            if name[0] not in self.prefix_chars:
                raise ValueError(f"invalid option string {name!r}: must start with a character "
                                 f"{self.prefix_chars!r}")
            names.append(name)
            if len(name) > 1 and name[1] in self.prefix_chars:
                long_names.append(name)
        dest = kwargs.pop("dest", None)
        if dest is None:
            dest = (long_names or names)[0].lstrip(self.prefix_chars)
            if not dest:
                raise ValueError(f"dest= is required for options like {args[-1]!r}")
            dest = dest.replace("-", "_")
        return dict(kwargs, dest=dest, option_strings=names)

    def _pop_action_class(self, kwargs, default=None):
        action = kwargs.pop("action", default)
        return self._registry_get("action", action, action)

    def _check_conflict(self, action):
        found = [(name, self._option_string_actions[name]) for name in action.option_strings
                 if name in self._option_string_actions]
        if not found:
            return
        if self.conflict_handler == "error":
            names = ", ".join(name for name, _ in found)
            plural = "" if len(found) == 1 else "s"
            raise ArgumentError(action, f"conflicting option string{plural}: {names}")
        for name, other in found:
            other.option_strings.remove(name)
            self._option_string_actions.pop(name, None)
            if not other.option_strings:
                other.container._remove_action(other)


class ArgumentGroup(ActionsContainer):
    def __init__(self, container, title=None, description=None, **kwargs):
        super().__init__(description, kwargs.get("prefix_chars", container.prefix_chars),
                         kwargs.get("argument_default", container.argument_default),
                         kwargs.get("conflict_handler", container.conflict_handler))
        self.title, self._container, self._group_actions = title, container, []
        self._registries, self._actions = container._registries, container._actions
        self._option_string_actions = container._option_string_actions
        self._defaults = container._defaults
        self._has_negative_number_optionals = container._has_negative_number_optionals
        self._mutually_exclusive_groups = container._mutually_exclusive_groups
        if hasattr(container, "_get_formatter"):
            self._get_formatter = container._get_formatter

    def _add_action(self, action):
        action = super()._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        super()._remove_action(action)
        self._group_actions.remove(action)


class MutuallyExclusiveGroup(ArgumentGroup):
    def __init__(self, container, required=False):
        super().__init__(container)
        self.required = required

    def _add_action(self, action):
        if action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        action = self._container._add_action(action)
        self._group_actions.append(action)
        return action

    def _remove_action(self, action):
        self._container._remove_action(action)
        self._group_actions.remove(action)
