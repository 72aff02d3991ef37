"""The command `tightrope` and its subcommands.

Each command is imported when it is called: `--help`, `list`, `diff` and `new` need no torch.
"""

import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from harness.cli.options import BAD_USAGE, INTERRUPTED
from harness.errors import STRIPPED, TightropeError, UsageError, remedy
from harness.report.terminal import prepare_streams, say, unwritten
from harness.run.memory import lasting, leave, prefer_huge_pages, prefer_one_thread
from harness.run.standby import stand_by

COMMANDS = {
    "bench": ("bench", "Compare our speed with peers and with floors measured in the same run."),
    "check": ("check", "Judge the ledger, the claims that match PATTERNS, or those of a file or a folder."),
    "compare": ("compare", "Rank bounds of the same left side at given numbers: which one should I use?"),
    "data": ("data", "List the public data sets: what is here, what is missing, sources, sizes."),
    "diff": ("diff", "Compare two runs: verdicts, then looseness, then speed."),
    "figures": ("figures", "Draw the figures of the papers from our runs, in the layout of print."),
    "list": ("listing", "List claims: id, reading, kind, statement."),
    "new": ("new", "Create a file with one claim as a starting point, and its test."),
    "record": ("files", "Write the files under version control: ledger.json and the generated pages of docs."),
    "replay": ("look", "Recompute a counterexample; exit code 0 if the violation is reproduced, 1 if not."),
    "report": ("report", "Rewrite the HTML report from the verdicts of the last run, or write them as a table."),
    "schema": ("files", "Print the JSON schema of what `check --json` writes."),
    "sensitivity": ("sensitivity", "Plant errors in claims that hold, and see which claims notice."),
    "show": ("look", "Explain the verdict on one claim: what was tried, what was found, what could still be wrong."),
    "tighten": ("tighten", "Enclose the best constant: the largest ratio found, and the smallest constant proved."),
}
"""The module of each command, and what `--help` says about it."""


class Commands(click.Group):
    """Imports a command when it is called, and reports a user's mistake in one sentence, with exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click passes it)
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        with lasting():
            command: click.Command = import_module(f"harness.cli.{COMMANDS[cmd_name][0]}").COMMANDS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def main(self, *arguments: Any, **options: Any) -> Any:
        prepare_streams()
        prefer_huge_pages()
        prefer_one_thread()
        try:
            return super().main(*arguments, **options)
        finally:
            if sentence := unwritten():
                say(f"error: {sentence}", err=True)
                raise SystemExit(BAD_USAGE)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            if sys.flags.optimize > 1:
                raise UsageError(f"{STRIPPED}; run it without (-O does no harm).")
            return super().invoke(ctx)
        except TightropeError as error:
            say(f"error: {error}", err=True)
            ctx.exit(BAD_USAGE)
        except OSError as error:
            place = error.filename or "a file or folder"
            what = remedy(error, "check that you have access to it")
            say(f"error: cannot use {place} ({error.strerror or error}); {what}.", err=True)
            ctx.exit(BAD_USAGE)
        except KeyboardInterrupt:
            kept = ctx.invoked_subcommand in ("check", "show")
            say(
                "stopped; finished rows are kept, and the same command continues from there" if kept else "stopped",
                err=True,
            )
            ctx.exit(INTERRUPTED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tightrope")
def main() -> None:
    """Write a theorem as code; see whether it holds, how tight it is, and where it breaks."""


def command() -> NoReturn:
    """`main` as the shell calls it; an error that it does not report is Python's to show."""
    stand_by()
    try:
        main()
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            raise
        leave(end.code or 0)
    leave(0)
