"""A token cache with times outside of the calendar, from another program or in a corrupted file."""

import json

import pytest

NAMES = ("cached_at", "expires_on", "extended_expires_on", "refresh_on", "signed_in_at",
         "last_modification_time")


@pytest.mark.parametrize("value", ["1e30", "-1e30", "nan", "inf", "9223372036854775807"])
def test_account_with_odd_times(signed_in, emulator, home, value):
    content = json.loads(signed_in.start("cache", "export").communicate()[0])
    for section in content.values():
        for entry in section.values():
            entry |= {name: value for name in NAMES}
    path = home / "odd.json"
    path.write_text(json.dumps(content))
    path.chmod(0o600)

    # Imported.
    signed_in.ok("sign-out")
    [account] = signed_in.ok("cache", "import", str(path), "--json").json["accounts"]
    assert account["result"] == "new"
    assert signed_in.ok("token", "--force-refresh", "--json").json["source"] == "server"
    assert signed_in.ok("token", "--json").json["source"] == "cache"

    # Shared without changes.
    signed_in.connect_to(emulator.connection("Shared") | {"cache": {"path": str(path)}})
    [account] = signed_in.ok("cache", "show", "--json").json["accounts"]
    assert account["username"] in signed_in.ok("cache", "show").out
    assert signed_in.ok("token", "--force-refresh", "--json").json["source"] == "server"
    assert signed_in.ok("token", "--json").json["source"] == "cache"
