"""Find claims in the ledger and in a user's files."""

import importlib
import importlib.util
import linecache
import os
import pkgutil
import signal
import sys
import tokenize
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.machinery import SOURCE_SUFFIXES, ModuleSpec
from pathlib import Path
from types import ModuleType

import harness.claims
from harness.claims import CLASSICS, PAPERS
from harness.errors import NoClaims, TightropeError, UsageError, describe
from harness.language.registry import Claim, loading, registered
from harness.origins import place_of
from harness.run.homes import PREFIX, Afresh, built
from harness.run.selection import current, is_file, ledger_of, nearest
from harness.run.standby import died_of, importing


@cache
def ledger(name: str = PAPERS) -> tuple[Claim, ...]:
    """Every claim of a ledger that ships with Tightrope: "papers", paper by paper, or "classics"."""
    found: list[Claim] = []
    for module in sorted(pkgutil.walk_packages(harness.claims.__path__, "harness.claims."), key=lambda m: m.name):
        if (module.name.split(".")[2] == CLASSICS) != (name == CLASSICS):
            continue
        importlib.import_module(module.name)
        found += registered(module.name)
    return tuple(found)


def from_file(path: Path) -> tuple[Claim, ...]:
    """The claims of a Python file; a file that cannot be imported gives an error of one sentence."""
    try:
        path.stat()
    except OSError as error:
        why = error.strerror
        raise UsageError(f"there is no file {path} ({why}); give a Python file with @claim functions.") from error
    _refuse_what_killed(path)
    name = PREFIX + "_".join(path.resolve().with_suffix("").parts[1:])
    name = "".join(c if c.isalnum() else "_" for c in name)
    loader, (_, package) = Afresh(name, str(path)), place_of(path)
    spec = _InPackage(name, loader, str(path), package)
    if path.suffix not in SOURCE_SUFFIXES:
        raise UsageError(f"{path} is not a Python file; give a file that ends in .py.")
    from harness.kinds import Broken  # noqa: PLC0415  (as the next, with torch, which a file of claims takes anyway)
    from harness.run.replaced import unpatched  # noqa: PLC0415
    from harness.run.surroundings import same_numbers  # noqa: PLC0415

    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    linecache.cache.pop(str(path), None)  # an older version
    try:
        with (
            importing(path),
            loading(name, Broken),
            _going_on(),
            same_numbers(),
            built(name, path),
            unpatched("importing it"),
        ):
            loader.exec_module(module)
    except TightropeError as error:
        raise UsageError(f"{path}{_line_of(error, module)}: {error}") from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # the other files are still judged
        what, run = f"{describe(error)}{_line_of(error, module)}", _by_hand(path)
        raise UsageError(f"{path} does not import: {what}; {_hint(error)}run {run} to see the traceback.") from error
    claims = registered(name)
    if not claims:
        raise NoClaims(f"{path} has no @claim functions; decorate one with @claim (see `tightrope new`).")
    _remember(path)
    return claims


class _InPackage(ModuleSpec):
    """How a claim file is loaded: under a name of its own, with imports relative to the package that it lies in."""

    def __init__(self, name: str, loader: Afresh, file: str, package: str) -> None:
        super().__init__(name, loader, origin=os.path.abspath(file))
        self.has_location = True
        self.package = package

    @property
    def parent(self) -> str:
        return self.package


def _refuse_what_killed(path: Path) -> None:
    """Refuse a file whose import has killed a process of this command."""
    killer = died_of(path)
    if killer is not None:
        hint = "too little memory is the usual cause; " if killer == signal.SIGKILL else ""
        run = _by_hand(path, "-X faulthandler ")
        raise UsageError(f"{path} does not import: it dies of {killer.name}; {hint}run {run} to see where.")


def _by_hand(path: Path, options: str = "") -> str:
    """The command that imports a file and nothing else."""
    root, package = place_of(path)
    return f"`python {options}-m {package}.{path.stem}` in {root}" if package else f"`python {options}{path}`"


def _line_of(error: BaseException, module: ModuleType) -> str:
    """In which line of a file an error has come up, where it has come so far; Python says it of its syntax."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_globals is vars(module)]
    return f" (line {lines[-1]})" if lines else ""


def _hint(error: BaseException) -> str:
    """What to do where an import has failed for want of a package."""
    if isinstance(error, ImportError) and "no known parent package" in str(error):
        return "give its folder an __init__.py, which makes a package of it, or import without the dots; "
    return ""


@contextmanager
def _going_on() -> Iterator[None]:
    """Let no file end the command, with an exit code of its own, and let what it forks end with it."""
    own, leave = os.getpid(), os._exit

    def refuse(status: int) -> None:
        if os.getpid() != own:
            leave(status)
        raise SystemExit(f"os._exit({status})")

    os._exit = refuse  # type: ignore[assignment]
    try:
        yield
    finally:
        os._exit = leave
        if os.getpid() != own:  # a child: it would judge as well
            leave(0)


def _remember(path: Path) -> None:
    """Keep the text that was compiled under the name that its functions give, beside that of the loader's notes."""
    noted = os.path.abspath(path)
    if noted not in linecache.cache:  # a file of this package
        return
    if not linecache.getlines(noted):
        _require_text(path)
        raise UsageError(f"{path} changed while it was imported; run the command again.")
    linecache.cache[str(path)] = linecache.cache[noted]


def _require_text(path: Path) -> None:
    """Raise UsageError where a file is not in the encoding that it names, which Python lets pass in comments."""
    with suppress(OSError):
        try:
            with tokenize.open(path) as handle:
                handle.read()
        except (UnicodeDecodeError, SyntaxError) as error:
            raise UsageError(f"{path} cannot be decoded ({error}); save it in UTF-8.") from error


def resolve(reference: str) -> tuple[Claim, tuple[Claim, ...]]:
    """One claim named on a command line ("id", "id[reading]" or "file.py::id"), and the family it belongs to."""
    if is_file(reference):
        file, _, key = reference.partition("::")
        family = from_file(Path(file))
        if not key and len(family) == 1:
            return family[0], family
    else:
        family, key = ledger(ledger_of(reference)), current(reference)
    exact = [c for c in family if c.key == key] or [c for c in family if c.id == key]
    if len(exact) == 1:
        return exact[0], family
    if exact:
        keys = ", ".join(c.key for c in exact)
        raise UsageError(f"{reference!r} has several readings; name one of {keys}.")
    raise UsageError(f"no claim is called {reference!r}; {nearest(family, key)}")
