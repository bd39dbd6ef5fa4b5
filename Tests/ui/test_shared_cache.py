"""A connection whose token cache is shared with other programs."""

import json


def test_account_is_in_the_shared_file_and_not_in_the_keyring(app, emulator, keyring, sign_in, home):
    (home / "shared").mkdir(mode=0o700)
    cache = home / "shared" / "cache.json"
    app.connect_to(emulator, cache={"path": str(cache)})
    app.start()
    sign_in.open()
    sign_in.complete(emulator.adele)
    app.wait_for_log("Result from Graph: {")
    content = json.loads(cache.read_text())
    assert [entry["username"] for entry in content["Account"].values()] == [emulator.adele.username]
    assert len(content["RefreshToken"]) == 1
    assert keyring.items() == []

    # Another program removes the account, and the app notices it.
    app.restart()
    app.wait_for_account(emulator.adele.username)
    cache.write_text("{}")
    app.restart()
    app.wait_for_account("Signed out")


def test_name_is_shown_as_text(app, emulator, keyring, sign_in, home):
    (home / "shared").mkdir(mode=0o700)
    cache = home / "shared" / "cache.json"
    app.connect_to(emulator, cache={"path": str(cache)})
    sign_in.without_window(emulator.adele)

    # Markup, a line break, and a control that reverses the order of what follows.
    content = json.loads(cache.read_text())
    for account in content["Account"].values():
        account["username"] = "<b>adele</b>&amp;\n\u202eelpmaxe.osotnoc"
    cache.write_text(json.dumps(content))
    app.start()
    app.wait_for_account("<b>adele</b>&amp;\\u{a}\\u{202e}elpmaxe.osotnoc")
