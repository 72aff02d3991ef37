"""Which claims every cell judges: they cover the ledger's kinds, papers and algorithms, and are cheap.

    tightrope check --quick --jobs 1 --json quick.json
    python -m tests.portability.choice quick.json > tests/portability/claims.txt

The rule, over the claims that the run has judged (none that is untestable or was skipped):

1. Every pair of a paper and a kind is covered, and every public module of `algos` that a claim of at most 1.5 seconds
   reaches (`reach.py`): again and again by the claim that takes the least time for each that it adds. (Modules that
   dear claims alone reach have their tests in every cell.)
2. The rest, up to 80, are those with the smallest SHA-256 of their keys among claims of at most half a second, without
   reproductions: most of these compare printed numbers with printed numbers, and take longer to draw than to judge.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from harness.language.registry import Claim, key_of
from harness.run.loading import ledger
from tests.portability.reach import algorithms

FILE = Path(__file__).with_name("claims.txt")
COUNT = 80
CHEAP, AFFORDABLE = 0.5, 1.5  # seconds
LEAST = 0.1  # seconds below this are noise


def chosen() -> list[str]:
    """The keys in `claims.txt`: first those that cover, then those that fill."""
    return FILE.read_text(encoding="utf-8").split()


def stands_for(claim: Claim) -> frozenset[str]:
    """What has to be covered whatever it takes: a paper with a kind."""
    return frozenset({f"{claim.id.partition('/')[0]}: {claim.kind.name}"})


def choose(claims: Iterable[Claim], seconds: Mapping[str, float]) -> list[str]:
    """The rule, for the seconds that each claim takes; claims without any are no candidates."""
    judged = [claim for claim in claims if claim.key in seconds]
    candidates = {claim.key: stands_for(claim) | algorithms(claim.body) for claim in judged}
    affordable = [algorithms(claim.body) for claim in judged if seconds[claim.key] <= AFFORDABLE]
    missing = frozenset[str]().union(*map(stands_for, judged), *affordable)
    found: list[str] = []
    while missing:
        useful = [key for key in candidates if candidates[key] & missing]
        price = {key: max(seconds[key], LEAST) / len(candidates[key] & missing) for key in useful}
        found.append(min(useful, key=lambda key: (price[key], _hash(key))))
        missing -= candidates[found[-1]]
    statements = [claim.key for claim in judged if claim.kind.name != "reproduction" and claim.key not in found]
    cheap = [key for key in statements if seconds[key] <= CHEAP]
    return [*found, *sorted(cheap, key=_hash)[: max(COUNT - len(found), 0)]]


def _hash(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


if __name__ == "__main__":
    judged = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["claims"]
    took = {key_of(c["id"], c["reading"]): c["seconds"] for c in judged if c["status"] not in ("SKIPPED", "ERROR")}
    print(*choose(ledger(), took), sep="\n")
