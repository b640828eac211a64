try:
    raise ExceptionGroup("eg", [ValueError(1), TypeError("t"),
                                ExceptionGroup("in", [ValueError(2)])])
except* ValueError as error:
    print("values", error.exceptions, repr(error))
except* TypeError as error:
    print("types", error.exceptions)
else:
    print("nothing")
finally:
    print("finally")
try:
    pass
except* ValueError:
    print("never")
else:
    print("else")
#---
try:
    try:
        raise ValueError(3)
    except* ValueError as error:
        print(repr(error))
        raise
except ExceptionGroup as error:
    print("outer", repr(error))
try:
    try:
        raise ExceptionGroup("eg", [ValueError(1), OSError(2), KeyError(3)])
    except* ValueError:
        pass
except* (OSError, KeyError) as error:
    print("left", error.exceptions)
try:
    try:
        raise ExceptionGroup("eg", [ValueError(1), TypeError(2)])
    except* ValueError:
        raise RuntimeError("new")
except ExceptionGroup as error:
    print(repr(error), repr(error.exceptions[0].__context__))


def loop():
    for i in range(3):
        try:
            raise ExceptionGroup("eg", [ValueError(i)])
        except* ValueError as error:
            for one in error.exceptions:
                if one.args[0] == 1:
                    break
                print("seen", one.args)


loop()
#---
group = ExceptionGroup("m", [ValueError(1), ExceptionGroup("n", [KeyError(2), ValueError(3)])])
print(group.split(ValueError))
print(group.subgroup(KeyError), group.subgroup(OSError), group.derive([OSError()]))
print(group.message, str(group), group.subgroup(lambda e: isinstance(e, KeyError)))
print(group.split((ValueError, KeyError)), len(group.exceptions), group.args[0])


class Failures(ExceptionGroup):
    def derive(self, errors):
        return Failures(self.message, errors)


print(repr(Failures("z", [ValueError(), KeyError()]).subgroup(ValueError)))
print(repr(BaseExceptionGroup("b", [KeyboardInterrupt()])),
      repr(BaseExceptionGroup("b", [ValueError()])),
      isinstance(ExceptionGroup("a", [ValueError()]), Exception))
for args in (("a", []), ("a", [1]), ("a",), (1, [ValueError()]), ("a", [KeyboardInterrupt()])):
    try:
        ExceptionGroup(*args)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
