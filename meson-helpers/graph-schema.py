#!/usr/bin/python3
"""Write the table of Microsoft Graph's resources, from which the Explorer completes addresses.

The source is schemas/v1.0-Prod.csdl of the repository microsoftgraph/msgraph-metadata (MIT License,
Copyright (c) Microsoft Corporation). The table has facts of it only: the names of types, of their
properties and relationships, and of what can be called.

    graph-schema.py SOURCE COMMIT DATE TABLE    write the table, with the commit and date of SOURCE
    graph-schema.py --check SOURCE TABLE        is the table what is made from this source?

The table is a text, compressed with gzip. Its lines:

    1  the version of this format, the date and the commit of the source
    2  what a path begins with, as relationships
    …  the types, sorted

A type is `NAME BASE PROPERTIES RELATIONSHIPS METHODS LIST-METHODS`: the type that it extends, the
methods of one of its kind and those of a list of them; `-` is none. A relationship is `NAME:TYPE`,
with `*` for a list; a method is `NAME`, with `!` if it is an action, which is called with `POST`, and
with its first parameter, `(PARAMETER=)`; then `:TYPE` when what it returns has a type of the table.
`$value` is a method of what has content. Types of nothing that is in the table are left out.
"""

import gzip
import sys
import xml.etree.ElementTree as xml

EDM = "{http://docs.oasis-open.org/odata/ns/edm}"


def plain(name):
    """A type's name without the namespace of Microsoft Graph, and whether it is a list."""
    many = name.startswith("Collection(")
    name = name.removeprefix("Collection(").removesuffix(")")
    for namespace in ("graph.", "microsoft.graph."):
        if name.startswith(namespace):
            return name.removeprefix(namespace), many
    return name, many


def read(source):
    """The types by name, and the roots."""
    types, roots = {}, {}
    for schema in xml.parse(source).iter(EDM + "Schema"):
        namespace = schema.get("Namespace")
        prefix = "" if namespace == "microsoft.graph" else namespace.removeprefix("microsoft.graph.") + "."
        for kind in schema.iter(EDM + "EntityType"):
            types[prefix + kind.get("Name")] = {
                "base": plain(kind.get("BaseType", "-"))[0],
                "properties": [node.get("Name") for node in kind.iter(EDM + "Property")],
                "relationships": {
                    node.get("Name"): plain(node.get("Type")) for node in kind.iter(EDM + "NavigationProperty")},
                "methods": {"$value": None} if kind.get("HasStream") == "true" else {},
                "list methods": {},
            }
    for schema in xml.parse(source).iter(EDM + "Schema"):
        for node in [*schema.iter(EDM + "Function"), *schema.iter(EDM + "Action")]:
            first, *parameters = node.iter(EDM + "Parameter")
            owner, many = plain(first.get("Type"))
            # The names of those in other namespaces are longer.
            if node.get("IsBound") != "true" or owner not in types or schema.get("Namespace") != "microsoft.graph":
                continue
            name = node.get("Name")
            if node.tag == EDM + "Action":
                name += "!"
            elif parameters:
                name += "(" + parameters[0].get("Name") + "=)"
            result = next(node.iter(EDM + "ReturnType"), None)
            types[owner]["list methods" if many else "methods"].setdefault(
                name, None if result is None else plain(result.get("Type")))
        for node in schema.iter(EDM + "EntitySet"):
            roots[node.get("Name")] = plain(node.get("EntityType"))[0], True
        for node in schema.iter(EDM + "Singleton"):
            roots[node.get("Name")] = plain(node.get("Type"))
    return types, roots


def reachable(types, roots):
    """The types of which a path or an answer can be, with those that they extend."""
    found, waiting = set(), [name for name, _ in roots.values()]
    while waiting:
        name = waiting.pop()
        if name in found or name not in types:
            continue
        found.add(name)
        this = types[name]
        waiting.append(this["base"])
        waiting += [name for name, _ in this["relationships"].values()]
        waiting += [result[0] for key in ("methods", "list methods") for result in this[key].values() if result]
    return found


def text(source, commit, date):
    types, roots = read(source)
    names = reachable(types, roots)

    def written(members):
        parts = []
        for name, result in sorted(members.items()):
            known = result and result[0] in names
            parts.append(f"{name}:{result[0]}{'*' if result[1] else ''}" if known else name)
        return ",".join(parts) or "-"

    lines = [
        " ".join([
            name, this["base"] if this["base"] in names else "-", ",".join(sorted(this["properties"])) or "-",
            written(this["relationships"]), written(this["methods"]), written(this["list methods"])])
        for name, this in sorted(types.items()) if name in names]
    return "\n".join([f"1 {date} {commit}", written(roots), *lines, ""])


def main(arguments):
    if arguments[0] == "--check":
        source, table = arguments[1:]
        with gzip.open(table, "rt", encoding="ascii") as file:
            present = file.read()
        _, date, commit = present.split("\n", 1)[0].split(" ")
        if present != text(source, commit, date):
            sys.exit(f"graph-schema.py: {table} is not what {source} gives.")
        return
    source, commit, date, table = arguments
    with open(table, "wb") as file:
        file.write(gzip.compress(text(source, commit, date).encode("ascii"), 9, mtime=0))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(sys.argv[1:])
