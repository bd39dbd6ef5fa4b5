#!/usr/bin/python3
"""Fails when a script or a test runs a program of a Debian package that no script installs.

What it finds installed here would otherwise lack on a new system. Programs count when they are the first word of a
command of a shell script, or the first of the list of words that a test in Python runs. Their packages must be
essential, in a list of packages of common.sh, test.sh or the script itself, or needed by one that is.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SCRIPTS = [*Path("meson-helpers").glob("*.sh"), *Path("Tests").rglob("*.sh"), Path(".ci/run")]
TESTS = [*Path("meson-helpers").glob("*.py"), *Path("Tests").rglob("*.py"), *Path("Benchmarks").rglob("*.py")]
DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"]
# Packages of others than Debian, whose programs are used where they are installed in place of Debian's.
OTHERS = {"kubectl"}
# What a command begins after: another one, a keyword of the shell, or a function that runs its arguments.
BEGINNING = r"(?:^\s*|[|;&({]\s*|(?:then|do|if|while|until|exec|else|!|sh -c ['\"]|check \S+)\s+)(?:\w+=\S*\s+)*"


def packages() -> dict[str, list[tuple[str, bool, set[str]]]]:
    """Every installed package, by its name and what it provides: whether each system has it, and what it needs."""
    format = "${Package}\t${Provides}\t${Essential}\t${Priority}\t${Pre-Depends}, ${Depends}\n"
    found = {}
    for line in subprocess.run(
            ["dpkg-query", "--show", f"--showformat={format}"], capture_output=True, text=True, check=True,
    ).stdout.splitlines():
        name, provides, essential, priority, depends = line.split("\t")
        needs = set(re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9.+-]*)", depends))
        entry = (name, essential == "yes" or priority == "required", needs)
        for provided in [name, *re.findall(r"(?:^|,)\s*([a-z0-9][a-z0-9.+-]*)", provides)]:
            found.setdefault(provided, []).append(entry)
    return found


def reached(found, names) -> set[str]:
    """The packages with these names, and all that they need."""
    seen, queue = set(), list(names)
    while queue:
        for name, _, needs in found.get(queue.pop(), []):
            if name not in seen:
                seen.add(name)
                queue += needs
    return seen


def listed(scripts) -> set[str]:
    """The packages in the lists of some scripts: NAME_packages=(...), and install_missing NAME..."""
    names = set()
    for script in scripts:
        text = Path(script).read_text()
        for words in re.findall(r"\w*packages\+?=\(([^)]*)\)|install_missing ([a-z][^\n]*)", text):
            names.update(" ".join(words).split())
    return names


def commands():
    """The first words of commands, each with its place."""
    for script in SCRIPTS:
        for number, line in enumerate(script.read_text().splitlines(), 1):
            line = re.sub(r"(^|\s)#.*", "", line)
            for word in re.findall(BEGINNING + r"([a-z][\w.+-]*)(?=\s|$)(?!\s*\))", line):
                yield word, str(script), number
    for test in TESTS:
        text = test.read_text()
        for match in re.finditer(
                r"(?:run|Popen|check_output|check_call|output|which)\(\s*\[?\s*\"([a-z][\w.+-]*)\"", text):
            yield match[1], str(test), text.count("\n", 0, match.start(1)) + 1


def owners(words: set[str]) -> dict[str, str]:
    """The packages of those programs that are Debian's."""
    paths = {}
    for word in words:
        for path in [f"{directory}/{word}" for directory in DIRECTORIES]:
            if os.path.exists(path):
                paths |= {path: word, os.path.realpath(path): word}
    # One search for all, because each reads the lists of all packages. Paths that are no package's are not printed.
    said = subprocess.run(["dpkg", "--search", *paths], capture_output=True, text=True).stdout
    found = re.findall(r"^([^:, \n]+)[^/\n]*: (/.*)$", said, re.M)
    return {paths[path]: package for package, path in found if path in paths}


def main() -> int:
    found = packages()
    base = {name for entries in found.values() for name, is_everywhere, _ in entries if is_everywhere}
    base |= {"apt"} | listed(["meson-helpers/common.sh", "meson-helpers/test.sh"])
    places = list(commands())
    packages_of = owners({word for word, _, _ in places})
    available, faults = {}, 0
    for word, file, number in places:
        package = packages_of.get(word)
        if file not in available:
            own = "meson-helpers/bench.sh" if file.startswith("Benchmarks") else file
            available[file] = reached(found, base | listed([own] if own.endswith(".sh") else []))
        if package and package not in available[file] | OTHERS:
            print(f"{file}:{number}: {word} is in the package {package}, which no script installs")
            faults += 1
    print(f"{len(packages_of)} programs of Debian are run")
    return 1 if faults else 0


sys.exit(main())
