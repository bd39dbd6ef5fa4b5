#!/usr/bin/python3
"""Builds and runs the program of an article in a package of its own, which gets Entrance by its version, and
signs it in at the emulator.

usage: check-example.py DIRECTORY
"""

import json
import os
import re
import ssl
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

root = Path(__file__).resolve().parent.parent
directory = Path(sys.argv[1]).resolve()
articles = root / "Sources" / "AuthCore" / "Documentation.docc" / "Articles"
# More would be fetched for a program without windows than it uses.
MOST_REPOSITORIES = 8
PERSON = "adele@contoso.example"


def run(*command, **options) -> str:
    print("+", *command, flush=True)
    return subprocess.run(
        [str(part) for part in command], check=True, stdout=subprocess.PIPE, text=True, timeout=1500,
        **options).stdout


def blocks(article: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```", (articles / f"{article}.md").read_text(), re.M | re.S)


def make_package(manifest: str, program: str):
    """A repository of the sources as they are, with the version as a tag, and the package that uses it."""
    version = re.search(r'from: "([^"]+)"', manifest).group(1)
    repository = directory / "entrance.git"
    run("git", "clone", "--quiet", "--bare", root, repository)
    commit = run("git", "stash", "create", cwd=root).strip() or "HEAD"
    commit = run("git", "rev-parse", commit, cwd=root).strip()
    run("git", "push", "--quiet", "--force", repository, f"{commit}:refs/tags/{version}", cwd=root)
    name = re.search(r'name: "(\w+)"', manifest).group(1)
    (directory / "package" / "Sources" / name).mkdir(parents=True)
    (directory / "package" / "Package.swift").write_text(
        re.sub(r'url: "[^"]+/entrance.git"', f'url: "file://{repository}"', manifest))
    (directory / "package" / "Sources" / name / "main.swift").write_text(program)
    return name


def sign_in(text: str, announcement: dict):
    """Enters the code of a message, as a person on another device does."""
    url, code = re.search(r"open (\S+) in a browser and enter the code (\S+)\.", text).groups()
    context = ssl.create_default_context(cafile=announcement["caFile"])
    base = url.rsplit("/", 1)[0]
    form = urllib.parse.urlencode({"code": code, "username": PERSON}).encode()
    urllib.request.urlopen(f"{base}/control/enter-device-code", form, context=context, timeout=30).read()


def main():
    found = blocks("UsingGraphFromACommandLine")
    name = make_package(*found[:2])
    package = directory / "package"
    environment = os.environ | {"ENTRANCE_HEADLESS": "1", "HOME": str(directory)}
    for product in (name, "identity-emulator"):
        run("swift", "build", "--product", product, cwd=package, env=environment)
    fetched = sorted(path.name for path in (package / ".build" / "checkouts").iterdir())
    print(len(fetched), "repositories:", *fetched)
    assert len(fetched) <= MOST_REPOSITORIES + 1, "Entrance and what it needs"
    programs = package / ".build" / "debug"
    with subprocess.Popen(
            [programs / "identity-emulator", "--control", "--until-stdin-closes"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as emulator:
        try:
            announcement = json.loads(emulator.stdout.readline())
            environment |= {
                "AUTHORITY": announcement["authority"], "CA_FILE": announcement["caFile"],
                "GRAPH_HOST": announcement["graph"].split("/")[2], "CLIENT_ID": announcement["clientID"]}
            command = [programs / name, "Read me.txt"]
            with subprocess.Popen(
                    command, env=environment, cwd=directory, stdout=subprocess.PIPE, text=True) as program:
                try:
                    sign_in(program.stdout.readline(), announcement)
                    first = program.stdout.read()
                except BaseException:
                    program.kill()
                    raise
            print(first)
            assert program.returncode == 0
            assert f"Sent a mail to {PERSON}." in first and "] 100 %" in first
            assert (directory / "Read me.txt").stat().st_size == 1 << 10
            # The number of what is in a new drive, as the article shows it.
            assert first.splitlines()[-1] == found[-1].splitlines()[-1]
            second = run(*command, env=environment, cwd=directory)
            print(second)
            assert second.startswith("Sent a mail") and "\n0 items have changed." in second
        finally:
            emulator.stdin.close()


main()
