from enum import Flag, IntFlag, auto


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


class Bits(IntFlag):
    A = 1
    B = 2
    C = 4


print(list(Perm), len(Perm), Perm.R | Perm.X, repr(Perm.R | Perm.X), Perm.RW, ~Perm.R, Perm(0))
print(Perm.R & Perm.W, bool(Perm.R & Perm.W), Perm.R in Perm.RW, list(Perm.RW), Perm(3) is Perm.RW)
print((Perm.R | Perm.X).name, (Perm.R | Perm.X).value, Perm(0).name, Perm.R ^ Perm.RW, Perm["RW"])
print(repr(Bits.A | Bits.B), str(Bits.A | Bits.B), f"{Bits.A | 16}", Bits.A + 1, repr(Bits(0)))
print(list(Bits.A | Bits.C), Bits.A == 1, repr(~Bits.A), repr(2 | Bits.A), int(Bits.B), Bits(7) - 1)
for wrong in (lambda: Perm(8), lambda: Perm.R | 1, lambda: 1 in Perm.R, lambda: Perm("x")):
    try:
        print(wrong())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
