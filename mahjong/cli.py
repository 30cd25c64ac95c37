"""The command line of the rules package. Bad input: one line on stderr, exit status 2."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NoReturn

from mahjong.moves import IllegalRecord
from mahjong.records import LONGEST, Record, play, read_json


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise IllegalRecord(f"{message} (python -m mahjong --help)")


def main(arguments: Sequence[str]) -> int:
    """Run a command. Returns the exit status: 0, or 2 for bad input."""
    parser = _Parser(prog="python -m mahjong", description="Fujian mahjong: records, hands, simulations.")
    commands = parser.add_subparsers(dest="command", required=True, parser_class=_Parser)
    command = commands.add_parser("play", help="results of records, one or as JSON lines")
    command.add_argument("file", metavar="FILE|-", help="a file, or - for standard input")
    try:
        options = parser.parse_args(arguments)
        _lines(options.file, lambda data: play(Record.from_json(data)))
    except IllegalRecord as error:
        print(f"mahjong: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output has gone; keep the interpreter from complaining while it closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0


def _lines(name: str, answer: Callable[[Any], dict[str, Any]]) -> None:
    """Print an answer for each JSON value of a file. Raises ``IllegalRecord`` that names the line."""
    try:
        if name == "-":
            _answer_all(sys.stdin.buffer, answer)
        else:
            with open(name, "rb") as file:
                _answer_all(file, answer)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise IllegalRecord(f"{name}: {error.strerror}") from None


def _answer_all(file: BinaryIO, answer: Callable[[Any], dict[str, Any]]) -> None:
    for number, data in _values(file):
        try:
            result = answer(data)
        except IllegalRecord as error:
            raise IllegalRecord(f"line {number}: {error}") from None
        print(json.dumps(result), flush=True)


def _values(file: BinaryIO) -> Iterator[tuple[int, Any]]:
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
    if first and number == 0:
        raise IllegalRecord("nothing to read: a record is a JSON object")


def _decode(raw: bytes, number: int) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise IllegalRecord(f"line {number}: not UTF-8 at byte {error.start + 1}") from None


def _whole(text: str, file: BinaryIO, number: int) -> Any:
    """A value that begins with ``text`` and takes all the rest of the file; None if there is none."""
    rest = file.read(LONGEST + 1)
    if not rest.strip() or len(rest) > LONGEST:
        return None
    try:
        return read_json(text + rest.decode())
    except (UnicodeDecodeError, IllegalRecord):
        return None
