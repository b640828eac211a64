class P:
    pass


def attempt(run):
    try:
        print(run())
    except Exception as error:
        print(type(error).__name__, error)


for run in (lambda: [*5], lambda: [*P()], lambda: (*None,), lambda: print(*P()), lambda: print(*5),
            lambda: reversed(P()), lambda: getattr(P(), 5), lambda: isinstance(1),
            lambda: issubclass(int), lambda: hasattr(1), lambda: hasattr(1, 2),
            lambda: setattr(1, 2), lambda: delattr(1), lambda: divmod(1), lambda: {**5},
            lambda: getattr(1), lambda: next(), lambda: iter(), lambda: len(), lambda: abs(1, 2),
            lambda: setattr(P(), 1, 2), lambda: delattr(P(), None)):
    attempt(run)
