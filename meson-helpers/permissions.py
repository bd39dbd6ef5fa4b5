#!/usr/bin/python3
"""Write the table of Microsoft Graph's permissions, which the library asks offline.

The source is permissions/new/permissions.json of the repository
microsoftgraph/microsoft-graph-devx-content (MIT License, Copyright (c) 2020 Microsoft Graph).
The table has facts of it only: paths, methods, kinds of account and names of permissions.

    permissions.py SOURCE COMMIT DATE TABLE    write the table, with the commit and date of SOURCE
    permissions.py --check SOURCE TABLE        is the table what is made from this source?

The table is a text, compressed with gzip. Its lines:

    1  the version of this format, the date and the commit of the source
    2  the names of the permissions, which are numbered from 0
    3  the number of rules
    …  the rules, which are numbered from 0
    …  the paths, sorted, each with the numbers of its rules

Numbers are in base 36. A rule is `METHODS KINDS LEAST HIGHER`: initials of the methods (Y of PATCH
and U of PUT), of the kinds of account (Work, Personal, Application), and numbers of permissions
with commas; `1+2|3` is permission 1, which also requires 2 or 3.

A path is in lower case. `{}` is any value, a function has the names of its parameters,
`microsoft.graph.` is omitted, and what is between colons (`root:/{path}:`) is the segment `:`.
"""

import collections
import gzip
import json
import re
import sys

METHODS = {"GET": "G", "POST": "P", "PATCH": "Y", "PUT": "U", "DELETE": "D"}
KINDS = {"DelegatedWork": "W", "DelegatedPersonal": "P", "Application": "A"}
# The requests that read or change a calendar, also the one that is there from the beginning.
CALENDARS = [f"/{owner}/{calendar}" for owner in ("me", "users/{id}") for calendar in (
    "calendar", "calendars/{id}", "calendargroups/{id}/calendars/{id}")]
# What Microsoft's pages of these methods say, and the source does not have: the least privileged
# permission, and higher ones.
PAGES = {
    **{(path, "GET"): ("Calendars.Read Calendars.ReadWrite", "WPA") for path in CALENDARS},
    **{(path, "PATCH"): ("Calendars.ReadWrite", "WPA") for path in CALENDARS},
    ("/groups/{id}/calendar", "GET"): ("Group.Read.All Group.ReadWrite.All", "W"),
    ("/groups/{id}/calendar", "PATCH"): ("Group.ReadWrite.All", "W"),
    ("/groups/{id}/members/$ref", "POST"): ("GroupMember.ReadWrite.All", "WA"),
    ("/me/drive/items/{id}/workbook/functions/{name}", "POST"): ("Files.ReadWrite", "W"),
    ("/me/extensions", "POST"): ("User.ReadWrite", "WP"),
    ("/me/extensions/{id}", "PATCH"): ("User.ReadWrite", "WP"),
    ("/sites/{id}/pages/{id}/canvaslayout/horizontalsections", "POST"): (
        "Sites.ReadWrite.All", "WA"),
    ("/sites/{id}/pages/{id}/canvaslayout/horizontalsections/{id}", "DELETE"): (
        "Sites.ReadWrite.All", "WA"),
    ("/sites/{id}/pages/{id}/canvaslayout/horizontalsections/{id}/columns/{id}/webparts", "POST"): (
        "Sites.ReadWrite.All", "WA"),
    ("/sites/{id}/pages/{id}/webparts/{id}", "DELETE"): ("Sites.ReadWrite.All", "WA"),
}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number):
    text = DIGITS[number % 36]
    while number := number // 36:
        text = DIGITS[number % 36] + text
    return text


def segments(segment):
    """The segments that a segment between slashes is, as the library reads one of a request."""
    if segment.startswith(("{", "(")):
        return ["{}"]
    name, parenthesis, rest = segment.partition("(")
    name = name.removeprefix("microsoft.graph.")
    if not parenthesis:
        return [name]
    parameters = [part.partition("=")[0].strip() for part in rest.rstrip(")").split(",")]
    if "=" not in rest:
        return [name, "{}"] if parameters != [""] else [name]
    return [f"{name}({','.join(sorted(parameters))})"]


def canonical(path):
    path = path.lower().split("?")[0]
    # The colon at the end is not always there.
    path = re.sub(r":/(?:\{[^/]*\}:?|[^:]*:)(?=/|$)", "/:", path)
    return "/".join(part for name in path.strip("/").split("/") for part in segments(name))


def read(source):
    """Read the permissions by path and by method and kind.

    Each has its level of privilege, the number of methods for which it is marked as one of the
    least or none, and what else it requires.
    """
    table = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(source, encoding="utf-8") as file:
        permissions = json.load(file)["permissions"]
    for name, permission in permissions.items():
        for group in permission["pathSets"]:
            for path, text in group["paths"].items():
                options = dict(option.split("=") for option in text.split(";") if option)
                least = options.get("least", "").split(",")
                also = options.get("AlsoRequires", "").split(",")
                for method in group["methods"]:
                    for kind in group["schemeKeys"]:
                        grants = table[canonical(path)][METHODS[method], KINDS[kind]]
                        level = permission["schemes"].get(kind, {}).get("privilegeLevel", 9)
                        _, marked, others = grants.get(name, (level, None, ()))
                        if kind in least:
                            marked = min(len(group["methods"]), marked or len(METHODS))
                        grants[name] = level, marked, others or tuple(filter(None, also))
    for (path, method), (names, kinds) in PAGES.items():
        for kind in kinds:
            grants = table[canonical(path)][METHODS[method], kind]
            if not grants:
                least, *higher = names.split(" ")
                grants[least] = 0, 1, ()
                grants.update({name: (level, None, ()) for level, name in enumerate(higher, 1)})
    return table


def text(table, commit, date):
    names = sorted(
        {name for keys in table.values() for grants in keys.values()
         for permission, (_, _, also) in grants.items() for name in (permission, *also)})
    number = {name: base36(index) for index, name in enumerate(names)}

    def written(permission, also):
        return number[permission] + ("+" if also else "") + "|".join(number[name] for name in also)

    def rule(method, grants):
        # The least privileged first; a shorter name has less.
        ordered = sorted(grants, key=lambda name: (grants[name][0], len(name), name))
        # Where none is marked, each of them is enough.
        least = [name for name in ordered if grants[name][1]] or ordered
        if method == "G":
            # A mark is for all methods of a set: one for reading and writing is for writing when
            # another is for reading only.
            fewest = min(grants[name][1] or 0 for name in least)
            least = [name for name in least if (grants[name][1] or 0) == fewest]
        higher = [name for name in ordered if name not in least]
        return " ".join(
            ",".join(written(name, grants[name][2]) for name in some) for some in (least, higher))

    rules, lines = {}, []
    for path in sorted(table):
        kinds = collections.defaultdict(lambda: collections.defaultdict(str))
        for (method, kind), grants in sorted(table[path].items()):
            kinds[rule(method, grants)][method] += kind
        uses = []
        for grants, methods in sorted(kinds.items()):
            by_kinds = collections.defaultdict(str)
            for method, letters in methods.items():
                by_kinds[letters] += method
            for letters, initials in sorted(by_kinds.items()):
                uses.append(rules.setdefault(f"{initials} {letters} {grants}", len(rules)))
        lines.append(f"{path} {' '.join(map(base36, sorted(uses)))}")
    return "\n".join(
        [f"1 {date} {commit}", " ".join(names), base36(len(rules)), *rules, *lines, ""])


def main(arguments):
    if arguments[:1] == ["--check"]:
        source, table = arguments[1:]
        with gzip.open(table, "rt", encoding="ascii") as file:
            present = file.read()
        _, date, commit = present.split("\n", 1)[0].split(" ")
        if present != text(read(source), commit, date):
            sys.exit(f"permissions.py: {table} is not what {source} gives.")
        return
    source, commit, date, table = arguments
    with open(table, "wb") as file:
        file.write(gzip.compress(text(read(source), commit, date).encode("ascii"), 9, mtime=0))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(sys.argv[1:])
