"""Growth rates n^a (log n)^b (log log n)^c with exact exponents."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

Factor: TypeAlias = Literal["n", "log n", "log log n"]


@dataclass(frozen=True, order=True)
class Growth:
    """``n^power (log n)^log (log log n)^iterated`` up to a constant; ordered as sequences are for large n."""

    power: Fraction = Fraction(0)
    log: Fraction = Fraction(0)
    iterated: Fraction = Fraction(0)

    def __mul__(self, other: "Growth") -> "Growth":
        return Growth(self.power + other.power, self.log + other.log, self.iterated + other.iterated)

    def __pow__(self, exponent: Fraction | int) -> "Growth":
        return Growth(self.power * exponent, self.log * exponent, self.iterated * exponent)

    def logarithm(self) -> "Growth":
        """Growth of the logarithm of C times this, where C makes it larger than 1; a constant has a constant one."""
        if self < ONE:
            raise ValueError(f"{self} tends to zero, but its logarithm must not: take the reciprocal")
        if self.power:
            return Growth(log=Fraction(1))
        if self.log:
            return Growth(iterated=Fraction(1))
        if self.iterated:
            raise ValueError(f"the logarithm of {self} is a third logarithm, which is not represented")
        return ONE

    def exponent(self, of: Factor) -> Fraction:
        """The exponent of one factor."""
        return {"n": self.power, "log n": self.log, "log log n": self.iterated}[of]


ONE = Growth()
N = Growth(power=Fraction(1))
LOG = Growth(log=Fraction(1))
