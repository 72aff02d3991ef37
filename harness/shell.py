"""Commands that people copy: each word as a shell reads it again."""

import shlex


def quoted(word: str) -> str:
    """One word of a command line; where it has characters that no line shows, in the quotes that spell them out."""
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + "".join(_spelt(c) for c in word) + "'"


def operand(path: str) -> str:
    """A path that no command takes for an option."""
    return f"./{path}" if path.startswith("-") else path


def _spelt(character: str) -> str:
    if character in "\\'":
        return f"\\{character}"
    return character if character.isprintable() else "".join(f"\\{byte:03o}" for byte in character.encode())
