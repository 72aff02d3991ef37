"""Claims stated in a test, and attempts to prove them."""

import itertools
from collections.abc import Callable
from typing import Any

from harness import Forall, claim
from harness.certify.proof import Proof, Unproved, prove
from harness.kinds import Kind
from harness.language.anatomy import anatomy
from harness.language.registry import Claim

Body = Callable[[Forall], tuple[Any, Any]]
_COUNTER = itertools.count()


def stated(kind: Kind, body: Body) -> Claim:
    """A claim of this body."""

    def made(forall: Forall) -> tuple[Any, Any]:
        """Stated here."""
        return body(forall)

    return claim(f"proved/here-{next(_COUNTER)}", kind)(made)


def tried(kind: Kind, body: Body, boxes: int = 2_000) -> Proof | Unproved:
    """What becomes of a proof of it."""
    made = stated(kind, body)
    return prove(made, {}, anatomy(made, {}), boxes=boxes)
