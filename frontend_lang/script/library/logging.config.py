"""logging.config: dictConfig."""
import logging as _logging
import sys as _sys

_STREAMS = {"ext://sys.stdout": "stdout", "ext://sys.stderr": "stderr"}


def _handler_of(config, formatters, filters):
    config = dict(config)
    kind = config.pop("class", None) or config.pop("()")
    if isinstance(kind, str):
        kind = getattr(_logging, kind.rpartition(".")[2])
    formatter, level = config.pop("formatter", None), config.pop("level", None)
    wanted = config.pop("filters", ())
    if config.get("stream") in _STREAMS:
        config["stream"] = getattr(_sys, _STREAMS[config["stream"]])
    handler = kind(**config)
    if formatter is not None:
        handler.setFormatter(formatters[formatter])
    if level is not None:
        handler.setLevel(level)
    for name in wanted:
        handler.addFilter(filters[name])
    return handler


def _apply(logger, config, handlers):
    if config.get("level") is not None:
        logger.setLevel(config["level"])
    for handler in logger.handlers[:]:
        logger.removeHandler(handler)
    for name in config.get("handlers", ()):
        logger.addHandler(handlers[name])


def dictConfig(config):
    if config.get("version") != 1:
        raise ValueError("dictionary doesn't specify a version" if "version" not in config
                         else f"Unsupported version: {config['version']}")
    formatters = {name: _logging.Formatter(one.get("format"), one.get("datefmt"),
                                           one.get("style", "%"))
                  for name, one in config.get("formatters", {}).items()}
    filters = {name: _logging.Filter(one.get("name", ""))
               for name, one in config.get("filters", {}).items()}
    handlers = {name: _handler_of(one, formatters, filters)
                for name, one in config.get("handlers", {}).items()}
    for name, one in config.get("loggers", {}).items():
        logger = _logging.getLogger(name)
        _apply(logger, one, handlers)
        logger.propagate = one.get("propagate", logger.propagate)
    if "root" in config:
        _apply(_logging.getLogger(), config["root"], handlers)
