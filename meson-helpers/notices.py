#!/usr/bin/python3
"""Lists what is linked into the programs of a release build, with versions and licenses.

Writes NOTICES.md, with the texts of the licenses, and entrance.spdx.json, an SPDX 2.3 document. A Swift package that
is not linked is left out. Fails on code whose origin or license it does not know, and on a component that the Debian
packages' copyright file does not name.

usage: notices.py SOURCE DIRECTORY (to write to)

SOURCE has the Swift packages in swift-packages, in the versions of pins.json, as the Debian source package.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

PROGRAMS = ["entrance", "entrancectl", "identity-emulator"]
COPYRIGHT = Path(__file__).parent / "debian" / "copyright"
PINS = Path(__file__).parent / "pins.json"

# Loaded with dlopen, so the programs do not name them.
LOADED = {"entrance": ["libcurl.so.4", "libwebkitgtk-6.0.so.4"], "entrancectl": ["libcurl.so.4"]}


@dataclass
class Component:
    name: str
    version: str
    license: str
    source: str
    purl: str = ""
    texts: list[tuple[str, str]] = field(default_factory=list)  # Their titles, and the texts.
    programs: set[str] = field(default_factory=set)

    @property
    def id(self) -> str:
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", self.name)


def license_of(text: str, path: Path) -> str:
    """The SPDX expression for the text of a license."""
    if "Apache License" in text[:200]:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if text.startswith("MIT License"):
        return "MIT"
    sys.exit(f"{path}: an unknown license")


def vendored(checkout: Path, target: str) -> list[Component]:
    """The code of others in a target of a package."""
    directory = checkout / "Sources" / target
    if target == "CCryptoBoringSSL":
        revision = re.search(r"\b[0-9a-f]{40}\b", (directory / "hash.txt").read_text())[0]
        source = "https://boringssl.googlesource.com/boringssl"
        return [
            Component("BoringSSL", revision, "Apache-2.0", source, texts=[(
                "BoringSSL",
                "Copyright The OpenSSL Project Authors. All Rights Reserved.\n"
                "Copyright The BoringSSL Authors\n\n"
                "Licensed under the Apache License, Version 2.0, which is below.")]),
            Component(
                "fiat-crypto", f"in BoringSSL {revision}", "MIT OR Apache-2.0 OR BSD-1-Clause",
                "https://github.com/mit-plv/fiat-crypto"),
        ]
    if target == "CXKCP":
        revision = re.search(r"XKCP#\S+ \(\S+-g([0-9a-f]+)\)", (directory / "vendored-sources.txt").read_text())[1]
        header = (directory / "FIPS202-opt64" / "brg_endian.h").read_text()
        text = re.search(r"Copyright.*?(?= -{20})", header, re.DOTALL)[0]
        return [Component(
            "XKCP", revision, "CC0-1.0 AND Brian-Gladman-3-Clause", "https://github.com/XKCP/XKCP",
            texts=[("brg_endian.h of XKCP", text)])]
    return []


def swift_runtime() -> Component:
    swift = Path(shutil.which("swift")).resolve()
    version = re.search(
        r"Swift version (\S+)", subprocess.run(
            [swift.parent / "swiftc", "--version"], capture_output=True, text=True, check=True).stdout)[1]
    path = swift.parent.parent / "share" / "swift" / "LICENSE.txt"
    text = path.read_text()
    # The lines of a license begin with a space, and an empty one has a period.
    bsd = re.search(r"^License: BSD-3-Clause\n((?: .*\n)+)", COPYRIGHT.read_text(), re.MULTILINE)[1]
    notice = re.sub(r"^ (\.$)?", "", bsd, flags=re.MULTILINE)
    return Component(
        "Swift runtime", version, f"{license_of(text, path)} AND BSD-3-Clause", "https://github.com/swiftlang/swift",
        texts=[
            (license_of(text, path), text),
            ("uuid.c of FoundationEssentials",
             f"Copyright (c) 2004 Apple Computer, Inc. All rights reserved.\n\n{notice}"),
        ])


def package(checkout: Path, pin: dict) -> Component:
    name, version, location = pin["identity"], pin["state"]["version"], pin["location"].removesuffix(".git")
    paths = [path for path in sorted(checkout.iterdir()) if re.match(r"(LICENSE|NOTICES?)(\.|$)", path.name)]
    texts = {path: path.read_text() for path in paths}
    license = next(license_of(texts[path], path) for path in paths if path.name.startswith("LICENSE"))
    titled = [
        (license if path.name.startswith("LICENSE") and license != "MIT" else f"{path.name} of {name}", text)
        for path, text in texts.items()]
    return Component(
        name, version, license, location, f"pkg:swift/{location.removeprefix('https://')}@{version}", titled)


def linked(source: Path) -> list[Component]:
    """Everything that is linked statically, with the programs that it is in."""
    build = source / ".build"
    own = {path.name.replace("-", "_") for path in (source / "Sources").iterdir()}
    components: dict[str, Component] = {}
    targets: dict[str, list[Component]] = {}
    for pin in json.loads(PINS.read_text())["pins"]:
        checkout = source / "swift-packages" / pin["identity"]
        component = package(checkout, pin)
        for target in (path.name for path in (checkout / "Sources").iterdir() if path.is_dir()):
            targets[target] = [component, *vendored(checkout, target)]
    runtime = swift_runtime()
    for program in PROGRAMS:
        objects = (build / "release" / f"{program}.product" / "Objects.LinkFileList").read_text()
        for target in sorted(set(re.findall(r"/([^/]+)\.build/", objects)) - own):
            if target not in targets:
                sys.exit(f"{program}: {target} is linked, and of no known package")
            for component in targets[target]:
                component.programs.add(program)
                components[component.name] = component
        runtime.programs.add(program)
    return [*sorted(components.values(), key=lambda one: one.name.lower()), runtime]


def libraries(source: Path, program: str) -> list[str]:
    """The libraries of the system that the program needs."""
    dynamic = subprocess.run(
        ["readelf", "--dynamic", source / ".build" / "release" / program], capture_output=True, text=True,
        check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic) + LOADED.get(program, []))


def notices(components: list[Component]) -> str:
    lines = [
        "# Notices", "",
        "The programs contain the following, which is linked statically. All else that they need is in libraries of",
        "the system.", "",
        "| component | version | license | in |", "|---|---|---|---|",
        *(f"| [{one.name}]({one.source}) | {one.version} | {one.license} | {', '.join(sorted(one.programs))} |"
          for one in components),
    ]
    # The same license of several packages is printed once.
    seen = {}
    for component in components:
        for title, text in component.texts:
            key = " ".join(text.split())
            if key not in seen and title not in seen.values():
                seen[key] = title
                lines += ["", f"## {title}", "", *(f"    {line}".rstrip() for line in text.strip().splitlines())]
    return "\n".join(lines) + "\n"


def spdx(source: Path, version: str, components: list[Component]) -> dict:
    # The date of the package, so that the same is built at another time.
    date = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), timezone.utc)
    packages, relationships, system = [], [], set()

    def add(id: str, name: str, license: str, **other):
        packages.append({
            "SPDXID": id, "name": name, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": license, "copyrightText": "NOASSERTION", **other})

    def relate(one: str, kind: str, other: str):
        relationships.append({"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other})

    for program in PROGRAMS:
        id = f"SPDXRef-program-{program}"
        add(id, program, "MIT", versionInfo=version, primaryPackagePurpose="APPLICATION")
        relate("SPDXRef-DOCUMENT", "DESCRIBES", id)
        for component in components:
            if program in component.programs:
                relate(id, "STATIC_LINK", component.id)
        for library in libraries(source, program):
            system.add(library)
            relate(id, "DYNAMIC_LINK", f"SPDXRef-library-{library}".replace("+", "p").replace("_", "-"))
    for component in components:
        reference = {"externalRefs": [{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": component.purl,
        }]} if component.purl else {}
        add(component.id, component.name, component.license, versionInfo=component.version,
            downloadLocation=f"git+{component.source}", primaryPackagePurpose="LIBRARY", **reference)
    for library in sorted(system):
        add(f"SPDXRef-library-{library}".replace("+", "p").replace("_", "-"), library, "NOASSERTION",
            primaryPackagePurpose="LIBRARY")

    content = json.dumps([packages, relationships], sort_keys=True)
    # The same content has the same name wherever it is built.
    name = uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(content.encode()).hexdigest())
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"entrance-{version}", "documentNamespace": f"https://spdx.org/spdxdocs/entrance-{version}-{name}",
        "creationInfo": {"created": date.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: notices.py"]},
        "packages": packages, "relationships": relationships,
    }


def main() -> int:
    source, directory = Path(sys.argv[1]).absolute(), Path(sys.argv[2])
    components = linked(source)
    unnamed = [one.name for one in components if one.name not in COPYRIGHT.read_text()]
    if unnamed:
        sys.exit(f"{COPYRIGHT} does not name {', '.join(unnamed)}")
    version = re.search(r"^  version: '(.*)',", (source / "meson.build").read_text(), re.MULTILINE)[1]
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "NOTICES.md").write_text(notices(components))
    (directory / "entrance.spdx.json").write_text(json.dumps(spdx(source, version, components), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
