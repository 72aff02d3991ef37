"""The pieces of a statement: numbers, letters, names of functions, signs, brackets, and the words between formulas."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

Kind = Literal["space", "number", "letter", "name", "sign", "open", "close", "bar", "mark", "word"]

GREEK = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ"},
    **{"kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ"},
    **{"phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ"},
    **{"Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω"},
}
SIGNS = {"<=": "≤", ">=": "≥", "!=": "≠", "+-": "±", "<-": "←", "->": "→", "<<": "≪", ">>": "≫"}

_LETTERS = {**GREEK, "infinity": "∞", "eps": "ε", "lam": "λ"}
_NAMES = (
    *("sqrt", "sum", "int", "sup", "inf", "max", "min", "argmax", "argmin", "lim", "log", "exp", "floor", "ceil"),
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "Re", "Im", "conj", "binom"),
    *("sd", "Var", "Cov", "KL", "kl", "TV", "Tr", "tr", "diag", "det"),
)
_BIG = ("sum", "int")  # a sign before what is summed, a word elsewhere
_MEANS = ("mean", "median")
_SHORT = r"w\.p\.|e\.g\.|i\.e\.|a\.s\.|cf\.|vs\.|resp\.|etc\.|\bp\.(?= 1 -)"
_NAMED = r"\b(?:[Aa]lgorithm|[Ff]igure|[Tt]able|[Tt]heorem|[Ll]emma|[Ss]ection|[Aa]ppendix|[Ee]quation|[Aa]ssumption)s?"

_PIECES: Sequence[tuple[Kind, str]] = (
    ("space", r"\s+"),
    ("word", rf"[0-9]+(?: x |x)[0-9]+|{_SHORT}|{_NAMED} [A-Z]?\(?[0-9]+[a-z]?\)?(?![\w^]|\.[0-9])"),
    ("number", r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?|(?<![A-Za-z])\.[0-9]+"),
    ("word", r"[^\W\d_]+'[a-z]+|'s\b|[^\W\d_]{2,}_[^\W\d_]{2,}\w*"),
    ("letter", r"[^\W\d_]+"),
    ("sign", r"<=|>=|<<|>>|!=|<-|->|\+-|\.\.\.?|[-+=<>/,;:~*.≤≥≠±≈∈∘×·←→]"),
    ("open", r"[(\[{]"),
    ("close", r"[)\]}]"),
    ("bar", r"\|\|?"),
    ("mark", r"[_^']"),
    ("word", r"."),
)
_PIECE = re.compile("|".join(f"({pattern})" for _, pattern in _PIECES), re.DOTALL)
_SUBSCRIPTED = re.compile(rf"(?:{'|'.join([*_NAMES, *GREEK])}|[A-Z]hat)_|[^\W_]+_(?:{'|'.join(GREEK)})(?!\w)")
_MATHS = ("number", "letter", "name", "open", "close", "bar", "mark")


class Token(NamedTuple):
    """A piece, what stands for it, and where its text begins and ends."""

    kind: Kind
    shown: str
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """All pieces of a text, in order, and with nothing left out."""
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _PIECE.match(text, place)
        assert match is not None  # the last piece is any character
        assert match.lastindex is not None
        kind, piece = _PIECES[match.lastindex - 1][0], match.group()
        if kind == "word" and _SUBSCRIPTED.match(piece):  # lambda_max, min_beta
            piece = piece[: piece.index("_")]
            kind = "letter"
        found.append(Token(kind, piece, place, place + len(piece)))
        place += len(piece)
    return [_told(found, at) for at in range(len(found))]


def _told(pieces: Sequence[Token], at: int) -> Token:
    """A piece as what it is in its place."""
    token = pieces[at]
    if token.kind == "sign":
        if token.shown == "<" and _kind(pieces, at - 1) in ("space", "", "open") and _kind(pieces, at + 1) != "space":
            return token._replace(kind="open", shown="⟨")
        if token.shown == ">" and _kind(pieces, at - 1) not in ("space", ""):
            return token._replace(kind="close", shown="⟩")
        attached = _kind(pieces, at - 1) not in ("space", "") and _kind(pieces, at + 1) == "letter"
        if token.shown == "-" and attached and _is_word(pieces, at + 1):
            return token._replace(kind="word")  # sub-Gaussian, k-grams
        if token.shown == "." and (_kind(pieces, at - 1), _kind(pieces, at + 1)) == ("letter", "number"):
            return token._replace(kind="word")  # B.2
        if token.shown == "." and _kind(pieces, at + 1) in ("space", ""):
            return token if _kind(pieces, at - 1) == "space" else token._replace(kind="word")
        return token._replace(shown=SIGNS.get(token.shown, token.shown))
    if token.kind != "letter":
        return token
    if token.shown in _LETTERS:
        return token._replace(shown=_LETTERS[token.shown])
    if token.shown == "o" and _kind(pieces, at - 1) == _kind(pieces, at + 1) == "space":
        return token._replace(kind="sign", shown="∘")
    if _is_word(pieces, at):
        return token._replace(kind="word")
    return token if len(token.shown) == 1 else token._replace(kind="name")


def _is_word(pieces: Sequence[Token], at: int) -> bool:
    """Whether letters belong to the sentence rather than to a formula."""
    said, after = pieces[at].shown, pieces[at + 1].shown if at + 1 < len(pieces) else ""
    if len(said) == 1:
        if said in "aA":
            before = pieces[at - 2] if at >= 2 else Token("space", "", 0, 0)
            sign = before.kind == "sign" and before.shown not in ",;:."
            factor = before.kind == "letter" and len(before.shown) == 1 and before.shown not in "aA"
            return after == " " and not (sign or factor) and _is_noun(pieces, at + 2)
        if said == "s" and _kind(pieces, at - 2) == "number":  # 3.6 s instead of 2.9 s.
            return _kind(pieces, at + 1) in ("", "word", "sign") or (after == " " and _is_noun(pieces, at + 2))
        return not (said.isascii() or "α" <= said <= "ω" or "Α" <= said <= "Ω")
    if said in _LETTERS:
        return False
    if said in _BIG:
        return after not in ("_", "^", "(") and not (after == " " and _starts(pieces, at + 2))
    if said in _NAMES:
        return False
    if said in _MEANS and after == " ":
        indexed = _kind(pieces, at + 2) == "letter" and _kind(pieces, at + 3) in ("mark", "open")
        return not (_kind(pieces, at + 2) == "bar" or (indexed and not _is_word(pieces, at + 2)))
    if said.endswith("hat") and len(said) == 4 and said[0].isupper():
        return said in ("That", "What", "Chat") and not (
            after in ("(", "_", ")", "|") or _near_a_sign(pieces, at) or _kind(pieces, at - 2) == "letter"
        )
    if len(said) == 2 and said[0] == "d" and said[1] in "PQuvwxt" and _kind(pieces, at - 2) in _MATHS:
        return False
    called = after == "(" and [p.shown for p in pieces[at + 2 : at + 4]] not in (["s", ")"], ["es", ")"])
    return not (called or (after == "_" and _kind(pieces, at + 2) in ("letter", "number")))


def _is_noun(pieces: Sequence[Token], at: int) -> bool:
    """Whether what an article would stand before goes on there: a 4/n-sub-Gaussian error, a k-gram, a sum."""
    if _kind(pieces, at) == "letter" and len(pieces[at].shown) == 1:
        return _kind(pieces, at + 1) == "sign" and pieces[at + 1].shown == "-" and _kind(pieces, at + 2) == "letter"
    return _kind(pieces, at) in ("number", "word") or (_kind(pieces, at) == "letter" and _is_word(pieces, at))


def _near_a_sign(pieces: Sequence[Token], at: int) -> bool:
    """Whether a sign is next to a piece, or what is in brackets ends there."""
    before = at - 2 if _kind(pieces, at - 1) == "space" else at - 1
    behind = at + 2 if _kind(pieces, at + 1) == "space" else at + 1
    closed = _kind(pieces, at + 1) in ("close", "sign") and _kind(pieces, at - 1) != ""
    return closed or any(_kind(pieces, i) == "sign" and pieces[i].shown not in ".,;:" for i in (before, behind))


def _starts(pieces: Sequence[Token], at: int) -> bool:
    """Whether a formula goes on there, as far as one can tell without what follows."""
    if _kind(pieces, at) == "letter":
        said = pieces[at].shown
        return (
            (len(said) == 1 and said not in "aA") or said in GREEK or said in _NAMES or _kind(pieces, at + 1) == "mark"
        )
    return _kind(pieces, at) in ("open", "bar", "number")


def _kind(pieces: Sequence[Token], at: int) -> str:
    return pieces[at].kind if 0 <= at < len(pieces) else ""
