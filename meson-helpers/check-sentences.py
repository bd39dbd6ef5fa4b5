#!/usr/bin/python3
"""Checks the templates of sentences in the sources: every `{name}` must have a value, and no error of
a library and no help of a command may have a text that cannot be translated. A text does not begin with
a word for what the reader does not see, and has curly apostrophes. In a text that a window may show,
only commands are in straight quotation marks.
"""

import re
import sys
from pathlib import Path

CALL = re.compile(r"(?<!func )(\b(?:Sentence|tr)|\.plural)\(\s*")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
ERROR = re.compile(r'\b(?:AuthenticationError|GraphError)\(\s*\.\w+,\s*"|\bHTTPError\([^"()]*message: "')
# Arguments of swift-argument-parser that are plain text.
HELP = re.compile(r'\b(?:abstract|discussion|valueName|help): "|\b(?:ArgumentHelp|ValidationError)\(\s*"')
# "It" without a word before that says what.
BARE = re.compile(r"It(?:s|’s)?\b")
# Microsoft's tutorials have the words with "Couldn't".
STRAIGHT = re.compile(r"\b(?!Couldn't\b)\w+'\w")
# ['name'] is the syntax of a JSONPath.
QUOTED = re.compile(r"(?<![\w\[])'(?!(?:az|chmod|chown|entrancectl|man|mv) )[^']+'")
SHOWN = re.compile(r'translatable="yes"[^>]*>([^<]*)<|<(?:summary|description)>([^<]*)<')
LIBRARIES = ["AuthCore", "CurlHTTP", "IdentityBroker", "MicrosoftGraph", "SecretStore", "WebSignIn"]


def literal(text: str, start: int) -> tuple[str | None, int]:
    """The text of the literals joined with + at `start`, and the position of their end."""
    parts = []
    end = start
    while found := LITERAL.match(text, end):
        parts.append(found[1])
        end = found.end()
        joined = re.compile(r"\s*\+\s*").match(text, end)
        if not joined:
            break
        end = joined.end()
    return ("".join(parts) if parts else None), end


def keys(text: str, start: int) -> set[str]:
    """The keys of the dictionary literal after the templates, if there is one."""
    behind = re.compile(r"\s*,\s*(?:count:[^,)]*,?\s*)?\[").match(text, start)
    if not behind:
        return set()
    depth, end = 1, behind.end()
    top = ""
    while depth:
        if found := LITERAL.match(text, end):
            top += found[0] if depth == 1 else ""
            end = found.end()
            continue
        depth += (text[end] in "[(") - (text[end] in "])")
        top += text[end] if depth == 1 else ""
        end += 1
    return set(re.findall(r'"(\w+)"\s*:', top))


def words(text: str, is_shown: bool = True) -> list[str]:
    """What is wrong with the words of a text, which a window may show."""
    return [
        fault for pattern, fault in (
            (BARE.match, "begins with “It”, but nothing says what that is"),
            (STRAIGHT.search, "has a straight apostrophe"),
            (QUOTED.search if is_shown else lambda _: None, "has straight quotation marks"))
        if pattern(text)]


def main() -> int:
    faults = []
    count = 0
    for path in sorted(Path("Sources").rglob("*.swift")):
        text = re.sub(r"^\s*///?.*$", "", path.read_text(), flags=re.MULTILINE)
        at = lambda place: f"{path}: {text[place:place + 60].split(chr(10))[0]}"  # noqa: E731
        for call in CALL.finditer(text):
            template, end = literal(text, call.end())
            if template is None:
                continue
            count += 1
            needed = set(re.findall(r"\{(\w+)\}", template))
            given = keys(text, end)
            is_shown = path.parts[1] != "entrancectl"
            told = words(template, is_shown)
            if call[1] == ".plural":
                other, end = literal(text, re.compile(r"\s*,\s*").match(text, end).end())
                needed |= set(re.findall(r"\{(\w+)\}", other or ""))
                given = keys(text, end) | {"count"}
                told += words(other or "", is_shown)
            faults += [f"{at(call.start())}: {fault}" for fault in told]
            if needed != given:
                faults.append(f"{at(call.start())}: needs {sorted(needed)}, but gets {sorted(given)}")
        if path.parts[1] in LIBRARIES:
            faults += [f"{at(found.start())}: its message is no Sentence" for found in ERROR.finditer(text)]
        if path.parts[1] == "entrancectl":
            faults += [f"{at(found.start())}: its words are not looked up" for found in HELP.finditer(text)]
    for path in [*sorted(Path("data").rglob("*.ui")), *sorted(Path("data").glob("*.gschema.xml"))]:
        for shown in SHOWN.finditer(path.read_text()):
            text = shown[1] or shown[2] or ""
            faults += [f"{path}: {text}: {fault}" for fault in words(text)]
    print(*faults, f"{count} templates, {len(faults)} faults", sep="\n")
    return 1 if faults else 0


sys.exit(main())
