"""Write into pages what appears: `python -m tests.documents docs/tutorial.md`. What agrees is left as it is."""

import os
import sys
import tempfile
from pathlib import Path

from tests.documents.running import run
from tests.documents.shown import agrees


def rewritten(text: str) -> str:
    """The page with the outputs that appear; run in the working directory."""
    lines = text.splitlines()
    for output in reversed(list(run(text))):
        if not agrees(output.shown, output.found):
            found = "\n".join(line.rstrip() for line in output.found).strip("\n").splitlines()
            lines[output.first : output.first + len(output.shown)] = found
    return "".join(f"{line}\n" for line in lines)


def main(names: list[str]) -> None:
    """Rewrite the pages of these names."""
    for path in [Path(name).resolve() for name in names]:
        before = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            sys.path.insert(0, folder)
            after = rewritten(before)
            sys.path.remove(folder)
            os.chdir("/")
        path.write_text(after, encoding="utf-8")
        print(f"{path.name}: {'rewritten' if after != before else 'unchanged'}")


if __name__ == "__main__":
    main(sys.argv[1:])
