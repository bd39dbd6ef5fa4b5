"""A .NET runtime and MSAL.NET, both out of a package of PyPI: there is no .NET in Debian.

`artifacts-keyring` carries a program for .NET with its own copy of the runtime. What belongs to the runtime, as the
program's list of dependencies says, is laid out as the host of .NET expects it.
"""

import json
import shutil
from pathlib import Path

import artifacts_keyring


def lay_out(root: Path) -> Path:
    """Makes a runtime in `root`; returns the directory of the libraries that are not part of it."""
    (program,) = Path(artifacts_keyring.__file__).parent.glob("**/netcore/CredentialProvider.Microsoft")
    dependencies = json.loads((program / "CredentialProvider.Microsoft.deps.json").read_text())
    name, parts = next(
        (name, parts) for name, parts in dependencies["targets"].items()
        if any(part.startswith("runtimepack.") for part in parts))
    pack = next(part for part in parts if part.startswith("runtimepack."))
    version = pack.partition("/")[2]
    host = root / "host/fxr" / version
    shared = root / "shared/Microsoft.NETCore.App" / version
    app = root / "app"
    for directory in (host, shared, app):
        directory.mkdir(parents=True)
    shutil.copy(program / "libhostfxr.so", host)
    files = parts[pack].get("runtime", {}) | parts[pack].get("native", {})
    for file in program.iterdir():
        if file.name in files:
            shutil.copy(file, shared)
        elif file.suffix == ".dll":
            shutil.copy(file, app)
    library = f"Microsoft.NETCore.App.Runtime.linux-x64/{version}"
    (shared / "Microsoft.NETCore.App.deps.json").write_text(json.dumps({
        "runtimeTarget": {"name": name, "signature": ""}, "compilationOptions": {},
        "targets": {name: {library: parts[pack]}},
        "libraries": {library: {"type": "package", "serviceable": True, "sha512": ""}}}))
    (root / "runtimeconfig.json").write_text(json.dumps({"runtimeOptions": {
        "tfm": "net8.0", "framework": {"name": "Microsoft.NETCore.App", "version": version}}}))
    return app
