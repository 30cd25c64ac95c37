"""The command line of the rules package. Bad input: one line on stderr, exit status 2."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Final, NoReturn

from mahjong.analyse import analyse
from mahjong.batch import run
from mahjong.moves import IllegalRecord
from mahjong.players import PLAYERS
from mahjong.proof import verify
from mahjong.records import LONGEST, Record, play, read_json
from mahjong.rulesets import RULESETS

MOST_JOBS: Final = 256


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise IllegalRecord(f"{message} (python -m mahjong --help)")


def main(arguments: Sequence[str]) -> int:
    """Run a command.

    Returns the exit status: 0, 2 for bad input, 1 where ``verify`` finds a difference, 130 if interrupted.
    """
    parser = _Parser(prog="python -m mahjong", description="Fujian mahjong: records, hands, simulations.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    command = commands.add_parser("play", help="results of records, one or as JSON lines")
    command.add_argument("file", metavar="FILE|-", help="a file, or - for standard input")
    command = commands.add_parser("analyse", help="JSON lines of hands: win, waits, shanten, you")
    command.add_argument("file", metavar="FILE|-", nargs="?", default="-", help="a file, or - for standard input")
    command = commands.add_parser("verify", help="whether walls and results are what seed, dice and moves make")
    command.add_argument("file", metavar="FILE|-", help="a file, or - for standard input")
    command = commands.add_parser("simulate", help="computer players against each other")
    command.add_argument("--rules", required=True, help=", ".join(RULESETS))
    command.add_argument("--hands", type=_positive, default=100, metavar="N")
    command.add_argument("--seed", type=int, default=1, metavar="S")
    command.add_argument(
        "--players", default="easy", metavar="P,P,P,P", help=f"{', '.join(PLAYERS)}; fewer than four take turns"
    )
    command.add_argument(
        "--records",
        metavar="FILE",
        help="write a record of every hand, with its result; one that is there is gone on with",
    )
    command.add_argument(
        "--duplicate", action="store_true", help="every wall four times, the players moved on by a seat"
    )
    command.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="processes that play; the hands are the same"
    )
    try:
        if sys.stdout is None:
            raise IllegalRecord("standard output is closed")
        options = parser.parse_args(arguments)
        match options.command:
            case "play":
                _lines(options.file, lambda data: play(Record.from_json(data)))
            case "verify":
                return _verify(options.file)
            case "analyse":
                _lines(options.file, analyse)
            case _:
                status = run(options)
                sys.stdout.flush()
                return status
        sys.stdout.flush()
    except IllegalRecord as error:
        # One line, whatever the arguments hold.
        print("mahjong: " + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(error)), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output has gone; keep the interpreter from complaining while it closes it.
        _let_go_of_output()
        return 0
    except OSError as error:
        print(f"mahjong: standard output: {error.strerror}", file=sys.stderr)
        _let_go_of_output()
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _let_go_of_output() -> None:
    """Keep the interpreter from complaining once more while it closes an output that cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _verify(name: str) -> int:
    """Prints an answer for each record. Returns 1 if one of them is not what it says, else 0."""
    wrong = False

    def answer(data: Any) -> dict[str, Any]:
        nonlocal wrong
        found = verify(Record.from_json(data))
        wrong |= bool(found["differs"])
        return found

    _lines(name, answer)
    return 1 if wrong else 0


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {ascii(text)[:40]}")
    return int(text)


def _jobs(text: str) -> int:
    if _positive(text) > MOST_JOBS:
        raise argparse.ArgumentTypeError(f"at most {MOST_JOBS}, not {text}")
    return int(text)


def _lines(name: str, answer: Callable[[Any], dict[str, Any]]) -> None:
    """Print an answer for each JSON value of a file. Raises ``IllegalRecord`` that names the line."""
    try:
        if name != "-":
            file: BinaryIO = open(name, "rb")  # noqa: SIM115
        elif sys.stdin is None:
            raise IllegalRecord("standard input is closed")
        else:
            file = sys.stdin.buffer
    except OSError as error:
        raise IllegalRecord(f"{name}: {error.strerror}") from None
    with file:
        _answer_all(_Reader(name, file), answer)


class _Reader:
    """Reads a file's lines; what goes wrong is the file's fault, not that of the output."""

    def __init__(self, name: str, file: BinaryIO) -> None:
        self.name = name
        self.file = file

    def readline(self, longest: int) -> bytes:
        try:
            return self.file.readline(longest)
        except (OSError, ValueError) as error:
            raise IllegalRecord(f"{self.name}: {getattr(error, 'strerror', None) or error}") from None

    def read(self, longest: int) -> bytes:
        try:
            return self.file.read(longest)
        except (OSError, ValueError) as error:
            raise IllegalRecord(f"{self.name}: {getattr(error, 'strerror', None) or error}") from None


def _answer_all(file: _Reader, answer: Callable[[Any], dict[str, Any]]) -> None:
    for number, data in _values(file):
        try:
            result = answer(data)
        except IllegalRecord as error:
            raise IllegalRecord(f"line {number}: {error}") from None
        print(json.dumps(result), flush=True)


def _values(file: _Reader) -> Iterator[tuple[int, Any]]:
    """JSON values of a file with the numbers of their lines: one a line, or a single one over several lines."""
    first = True
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise IllegalRecord(f"line {number}: longer than {LONGEST} bytes")
        text = _decode(raw, number)
        if not text.strip():
            continue
        try:
            data = read_json(text)
        except IllegalRecord as error:
            whole = _whole(text, file, number) if first else None
            if whole is None:
                raise IllegalRecord(f"line {number}: {error}") from None
            yield number, whole
            return
        first = False
        yield number, data
    if first:
        raise IllegalRecord("nothing to read: expected JSON, one object a line")


def _decode(raw: bytes, number: int) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise IllegalRecord(f"line {number}: not UTF-8 at byte {error.start + 1}") from None


def _whole(text: str, file: _Reader, number: int) -> Any:
    """A value that begins with ``text`` and takes all the rest of the file; None if there is none."""
    rest = file.read(LONGEST + 1)
    if not rest.strip() or len(rest) > LONGEST:
        return None
    try:
        return read_json(text + rest.decode())
    except (UnicodeDecodeError, IllegalRecord):
        return None
