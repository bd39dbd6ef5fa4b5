"""Runs GraphClient and its peers in turn against a Graph that answers at once.

usage: graph.py BENCH_DIRECTORY PEER_PYTHON RUNS
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from figures import in_turn, json_output, line, milliseconds, note

here = Path(__file__).parent
sys.path.append(str(here.parent / "Tests" / "ui"))

from certificates import CertificateAuthority  # noqa: E402

bench, python, runs = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
# Little at a time, and in many turns.
COUNT = 300
# A program in C sends these, too.
FIELDS = [
    "Authorization: a token", "client-request-id: 3f1c4b0a-7f0e-4d8e-9b65-5d2f6a1c0e7b", "Accept: application/json"]
SIZE = 1 << 30
WITH_JQ = """
next=$1
while [ -n "$next" ]; do
  page=$(curl --silent --show-error --fail --cacert "$2" --globoff "$next")
  next=$(printf %s "$page" | jq -r '."@odata.nextLink" // empty')
done
"""


def measure(api: str, ca_file: str, directory: Path):
    def ours(what: str, value="1") -> dict:
        return json_output(bench / "graph-benchmark", api, ca_file, what, value)

    def median(samples: list, member: str) -> float:
        return statistics.median(sample[member] for sample in samples)

    client, floor = in_turn(
        3 * runs, lambda: ours("me", COUNT),
        lambda: json_output(bench / "request-thread", f"{api}/me", ca_file, COUNT, *FIELDS))
    line("graph-me", median(client, "time"), "libcurl in C", median(floor, "request"), "us", 1.25)
    client, core, jq = in_turn(
        runs, lambda: milliseconds(bench / "graph-benchmark", api, ca_file, "users"),
        lambda: milliseconds(python, "-B", here / "graph_peer.py", api, ca_file),
        lambda: milliseconds("bash", "-euc", WITH_JQ, "bash", f"{api}/users", ca_file))
    line("graph-users", statistics.median(client), "msgraph-core", statistics.median(core), "ms", 0.5)
    line("graph-users", statistics.median(client), "curl and jq", statistics.median(jq), "ms", 1.1)
    together, apart = in_turn(runs, lambda: ours("batch", 30), lambda: ours("apart", 30))
    line("graph-batch", median(together, "time"), "20 requests", median(apart, "time"), "us")
    file = directory / "file"
    few = max(3, runs // 3)

    def without_file(download):
        # Ours replaces a file and curl overwrites it, so a second gigabyte of memory would count for ours alone. And
        # a virtual machine may have given free memory back: getting it again would take longer than the download.
        with open(file, "wb") as whole:
            for _ in range(5 * SIZE >> 26):
                whole.write(bytes(1 << 24))
        file.unlink()
        return download()

    client, curl = in_turn(
        few, lambda: without_file(lambda: ours("download", file)),
        lambda: without_file(lambda: milliseconds(
            "curl", "--silent", "--fail", "--cacert", ca_file, "--output", file,
            f"{api}/me/drive/items/1/content")))
    assert file.stat().st_size == SIZE
    line("graph-download", median(client, "time") / 1e3, "curl", statistics.median(curl), "ms", 1.1)
    note("graph-download-memory", median(client, "memory"), "MB", 64)
    client, curl = in_turn(
        few, lambda: ours("upload", file),
        lambda: milliseconds(
            "curl", "--silent", "--fail", "--cacert", ca_file, "--upload-file", file,
            api.replace("/v1.0", "/upload")))
    line("graph-upload", median(client, "time") / 1e3, "curl", statistics.median(curl), "ms", 1.1)
    note("graph-upload-memory", median(client, "memory"), "MB", 64)


# A file of a gigabyte in memory would measure nothing but the disk otherwise.
with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
    directory = Path(name)
    authority = CertificateAuthority(directory / "ca")
    authority.context("localhost")
    with subprocess.Popen(
            [bench / "graph-server", directory / "ca" / "host.pem", directory / "ca" / "host.key"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        port = int(server.stdout.readline())
        try:
            measure(f"https://localhost:{port}/v1.0", str(authority.file), directory)
        finally:
            server.stdin.close()
