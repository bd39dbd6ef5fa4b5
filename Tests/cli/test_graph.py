"""Microsoft Graph on the command line: pages, tables, files, batches and changes."""

import base64
import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import unicodedata

import pytest

from api import Reply
from terminal import Terminal, shown
from waiting import wait_for

FILE = "/me/drive/root:/Report.bin"


@pytest.fixture
def graph(cli, keyring, person, emulator):
    """`entrancectl graph` for Adele, who may read users and write files."""
    cli.connect_to(
        emulator.connection("Contoso") | {
            "scopes": ["User.Read", "User.Read.All", "Mail.Read", "Files.ReadWrite"]})
    cli.ok("sign-in")
    return cli


# Pages


def test_a_page_that_has_more_says_so(graph):
    first = graph.ok("graph", "/users?$top=1")
    assert len(json.loads(first.out)["value"]) == 1
    assert first.err == "There are more pages. To get all items, use --all.\n"
    assert graph.ok("graph", "/me").err == ""


def test_all_pages_are_one_document(graph):
    whole = json.loads(graph.ok("graph", "/users").out)["value"]
    assert len(whole) > 2
    result = graph.ok("graph", "--all", "/users?$top=1")
    assert json.loads(result.out) == {"value": whole} and result.err == ""
    assert graph.ok("graph", "--all", "--json", "/users?$top=2").json == {"value": whole}


def test_what_ends_early_leaves_the_error_a_line_of_its_own(signed_in, api, home):
    next_page = api.url + "?page=2"
    first = {"value": [{"id": "1"}], "@odata.nextLink": next_page}
    state = str(home / "state.json")
    for command in (["graph", "--all", "/users"], ["graph", "delta", "/users/delta", "--state", state]):
        api.replies = [Reply(200, body=json.dumps(first).encode()), Reply(400)]
        result = signed_in(*command)
        assert result.status == 1 and "HTTP 400" in result.err, result
        # It is no whole document.
        assert result.out.endswith("}\n") and '"id": "1"' in result.out and "]" not in result.out
        with pytest.raises(ValueError):
            json.loads(result.out)


def test_the_items_so_far_are_counted_on_a_terminal(graph):
    terminal = Terminal(graph, "graph", "--all", "--json", "/users?$top=1")
    terminal.wait_for("1 item")
    result = terminal.finish()
    assert result.status == 0 and len(json.loads(result.out)["value"]) > 2
    # The line is removed at the end.
    assert result.err.endswith("\r\x1b[K")


def test_each_page_can_be_a_document(graph):
    result = graph.ok("graph", "--paginate", "/users?$top=1")
    decoder, text, pages = json.JSONDecoder(), result.out, []
    while text.strip():
        page, end = decoder.raw_decode(text.lstrip())
        pages.append(page)
        text = text.lstrip()[end:]
    assert len(pages) > 2 and all(len(page["value"]) == 1 for page in pages)
    assert "@odata.nextLink" in pages[0] and "@odata.nextLink" not in pages[-1]


def test_only_a_collection_has_pages(graph):
    result = graph("graph", "--all", "/me")
    assert result.status == 1 and result.out == ""
    assert "request it without --all" in result.err


def test_a_reader_that_has_enough_ends_it(graph):
    shell = f'"$@" | head -c 20; exit "${{PIPESTATUS[0]}}"'
    result = subprocess.run(
        ["bash", "-c", shell, "bash", str(graph.program), "graph", "--all", "/users?$top=1"],
        env=graph.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert len(result.stdout) == 20
    assert result.returncode in (0, 128 + signal.SIGPIPE) and result.stderr == b""


# Queries and forms


def test_a_query_option_is_encoded_once(graph, emulator):
    result = graph.ok("graph", "/users", "--query", "$top=1", "--query",
        "$filter=displayName eq 'Adele Vance' or displayName eq 'id & more'")
    assert len(json.loads(result.out)["value"]) == 1
    error = graph("graph", "/users", "--query", "nothing", "--json").error
    assert error["code"] == "usage" and "name=value" in error["message"]


def test_the_status_and_the_header_fields(graph):
    head, _, body = graph.ok("graph", "-i", "/me").out.partition("\n\n")
    lines = head.split("\n")
    assert lines[0] == "HTTP 200"
    assert any(line.lower().startswith("request-id: ") for line in lines[1:])
    assert json.loads(body)["displayName"] == "Adele Vance"
    fields = graph.ok("graph", "-i", "/me", "--json").json["headerFields"]
    assert fields["content-type"].startswith("application/json")
    selected = graph.ok("graph", "-i", "/me", "--json", "--jsonpath", "$.displayName").json
    assert selected["selected"] == ["Adele Vance"] and selected["status"] == 200
    assert selected["headerFields"]["content-type"] == fields["content-type"]


def test_the_response_that_is_an_error(graph, emulator):
    """What is wrong with a request is often only in the body."""
    body = {"error": {"code": "BadRequest", "message": "No.", "details": [{"target": "mail"}]}}

    def refused(*options: str):
        emulator.prepare_graph_reply(400, body, header="X-Reason: mail")
        result = graph("graph", "/me", *options)
        assert result.status == 1
        return result

    plain = refused()
    assert plain.out == "" and "Server: No." in plain.err
    whole = refused("-i")
    head, _, text = whole.out.partition("\n\n")
    assert head.split("\n")[0] == "HTTP 400" and "x-reason: mail" in head.lower().split("\n")
    assert json.loads(text) == body
    assert whole.err.splitlines()[0] == plain.err.splitlines()[0]
    details = refused("--json").error["details"]
    assert details["body"] == body and details["headerFields"]["x-reason"] == "mail"
    # A log of errors is no place for a cookie.
    emulator.prepare_graph_reply(400, body, header="Set-Cookie: session=1")
    assert "set-cookie: session=1" in graph("graph", "/me", "-i").out.lower()
    emulator.prepare_graph_reply(400, body, header="Set-Cookie: session=1")
    assert "set-cookie" not in graph("graph", "/me", "--json").error["details"]["headerFields"]
    # What is no JSON is a text.
    emulator.prepare_graph_reply(422, "no mail", **{"content-type": "text/plain"})
    assert graph("graph", "/me", "--json").error["details"]["body"] == "no mail"
    # During a pause, nothing is sent, so there is no response.
    emulator.prepare_graph_reply(429, {}, **{"retry-after": "600"})
    assert graph("graph", "/me", "-i").out.startswith("HTTP 429\n")
    assert graph("graph", "/me", "-i").out == ""
    assert "body" not in graph("graph", "/me", "--json").error["details"]


def test_a_table_for_people(graph, emulator):
    lines = graph.ok("graph", "--table", "--all", "/users?$top=1").out.splitlines()
    column = lines[0].index("displayName")
    assert lines[0][column - 1] in " "
    names = [line[column:].split("  ")[0] for line in lines[1:]]
    assert "Adele Vance" in names and len(names) > 2
    # One object is one line.
    assert len(graph.ok("graph", "--table", "/me").out.splitlines()) == 2


def columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(letter) else 1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text)


def test_the_columns_of_a_table_are_below_each_other_in_any_script(graph, emulator):
    names = ["Adele", "山田太郎", "Ade\u0301le", "🎉 Party", "Адель", "山" * 100]
    emulator.prepare_graph_reply(200, {"value": [{"name": name, "end": "|"} for name in names]})
    lines = graph.ok("graph", "--table", "/x").out.splitlines()
    assert [line.split("  ")[0].rstrip() for line in lines[1:-1]] == names[:-1]
    # A long text is cut at 60 columns.
    assert lines[-1].startswith("山" * 29 + "…")
    assert {columns(line.partition("|")[0]) for line in lines[1:]} == {columns("山" * 29 + "…") + 2}


def test_csv_for_spreadsheets(graph):
    whole = json.loads(graph.ok("graph", "/users").out)["value"]
    text = graph.ok("graph", "--csv", "--all", "/users?$top=1").out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["displayName"] for row in rows] == [user["displayName"] for user in whole]
    assert rows[0].keys() == {
        name for user in whole for name in user if not name.startswith("@odata.")}


def test_csv_keeps_every_text(graph, emulator):
    name = 'A "quoted", long\nname'
    emulator.prepare_graph_reply(200, {"value": [{"name": name, "n": 1e3}]})
    assert list(csv.DictReader(io.StringIO(graph.ok("graph", "--csv", "/x").out))) == [
        {"name": name, "n": "1000.0"}]


def test_nested_objects_have_columns(graph, emulator):
    sender = {"emailAddress": {"name": "Adele", "address": "a@b.example"}}
    reply = {"value": [{"id": "1", "from": sender, "tags": ["a", 2]}, {"id": "2", "from": None}]}
    emulator.prepare_graph_reply(200, reply)
    rows = list(csv.DictReader(io.StringIO(graph.ok("graph", "--csv", "/x").out)))
    assert rows == [
        {"id": "1", "from.emailAddress.name": "Adele", "from.emailAddress.address": "a@b.example",
         "tags": '["a",2]', "from": ""},
        {"id": "2", "from.emailAddress.name": "", "from.emailAddress.address": "", "tags": "", "from": ""}]
    emulator.prepare_graph_reply(200, reply)
    lines = graph.ok("graph", "--table", "/x").out.splitlines()
    assert lines[0].split() == ["id", "from.emailAddress.name", "from.emailAddress.address", "tags", "from"]


def test_a_text_cannot_leave_its_cell(graph, emulator):
    emulator.prepare_graph_reply(200, {"value": [{"name": "a\x1b[31m\nb"}]})
    lines = graph.ok("graph", "--table", "/x").out.splitlines()
    assert lines == ["name", "a\\u{1b}[31m\\u{a}b"]


@pytest.mark.parametrize("options", [
    ["--table", "--csv"], ["-i", "--all"], ["-o", "x", "--all"], ["-i", "-o", "x"],
    ["--all", "--paginate"], ["--json", "--table"], ["--json", "--paginate"], ["--wait", "--all"],
    ["-X", "POST", "--all"], ["-X", "DELETE", "-o", "x"], ["--force"], ["--force", "-o", "-"]], ids=" ".join)
def test_options_that_contradict_each_other(cli, options):
    error = cli("graph", *options, "/users", "--json").error
    assert error["code"] == "usage" and "--" in error["message"]


def test_the_session_is_renewed_by_itself(graph, emulator):
    emulator.expire()
    assert json.loads(graph.ok("graph", "/me").out)["displayName"] == "Adele Vance"


def test_a_short_pause_is_waited_for(graph, emulator):
    emulator.prepare_graph_reply(429, {}, **{"retry-after": "1"})
    result = graph.ok("graph", "/me")
    assert result.err == "entrancectl: The service asked for a pause. The request is sent in 1 second.\n"
    # Whoever has to wait for longer is told.
    emulator.prepare_graph_reply(429, {}, **{"retry-after": "60"})
    result = graph("graph", "/me")
    assert result.status == 75 and "Wait 60 seconds" in result.err


def test_a_pause_that_nobody_asked_for_has_its_reason(signed_in, api):
    api.replies = [Reply(503)]
    result = signed_in.ok("graph", "/me")
    reason = "The request failed (HTTP 503). The request is sent again in"
    assert re.fullmatch(rf"entrancectl: {re.escape(reason)} [12] seconds?\.\n", result.err), result
    api.close()
    result = signed_in("graph", "/me")
    assert result.status == 75
    assert result.err.startswith("entrancectl: Could not connect to localhost"), result
    assert "The request is sent again in " in result.err.splitlines()[0]


@pytest.mark.parametrize("status", [429, 503])
def test_the_next_command_keeps_the_pause(graph, emulator, status):
    emulator.prepare_graph_reply(status, {}, **{"retry-after": "600"})
    assert graph("graph", "/me").status == 75
    requests = emulator.counts().get("GET /v1.0/me")
    error = graph("graph", "/me", "--json").error
    assert error["exitStatus"] == 75 and error["details"]["httpStatus"] == status
    assert 500 < error["details"]["retryAfter"] <= 600
    result = graph("graph", "/me")
    assert "asked for a pause" in result.err and "seconds, then try again." in result.err, result
    assert emulator.counts().get("GET /v1.0/me") == requests
    # What has nothing to do with it goes on.
    graph.ok("graph", "/users")


def test_the_next_command_waits_for_the_rest_of_a_short_pause(graph, emulator):
    """One command is ended while it waits, and the next one does not ask earlier for that."""
    emulator.prepare_graph_reply(429, {}, **{"retry-after": "8"})
    process = graph.start("graph", "/me")
    assert "asked for a pause. The request is sent in 8 seconds." in process.stderr.readline()
    assert graph.interrupt(process).status == -signal.SIGINT
    result = graph.ok("graph", "/me")
    assert result.err.startswith("entrancectl: The service asked for a pause. The request is sent in "), result


# Files


@pytest.fixture
def report(home) -> bytes:
    """A file that is larger than a fragment of an upload."""
    content = bytes(index % 251 for index in range(6_000_000))
    (home / "Report.bin").write_bytes(content)
    return content


def test_a_file_up_and_down(graph, report, home):
    item = json.loads(graph.ok("graph", "upload", str(home / "Report.bin"), f"{FILE}:").out)
    assert item["name"] == "Report.bin" and item["size"] == len(report)
    copy = home / "copy.bin"
    result = graph.ok("graph", f"{FILE}:/content", "-o", str(copy))
    assert (result.out, result.err) == ("", "") and copy.read_bytes() == report
    assert [path.name for path in home.glob("copy*")] == ["copy.bin"]
    # It is not overwritten by mistake.
    again = graph("graph", f"{FILE}:/content", "-o", str(copy))
    assert again.status == 1 and "it already exists" in again.err and "--force" in again.err
    graph.ok("graph", f"{FILE}:/content", "-o", str(copy), "--force")


def test_a_large_file_as_the_body_of_a_request(graph, report, home):
    item = json.loads(graph.ok(
        "graph", "-X", "PUT", f"{FILE}:/content", "-H", "Content-Type: application/octet-stream",
        "--body", f"@{home / 'Report.bin'}").out)
    assert item["size"] == len(report)
    copy = home / "copy.bin"
    graph.ok("graph", f"{FILE}:/content", "-o", str(copy))
    assert copy.read_bytes() == report


@pytest.mark.parametrize(
    "encoding, mark", [("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-8", b"\xef\xbb\xbf")])
def test_json_from_a_file_is_sent_in_utf_8(signed_in, api, home, encoding, mark):
    """RFC 8259, section 8.1."""
    text = '{"name": "Büro"}'
    file = home / "body.json"
    file.write_bytes(mark + text.encode(encoding))
    post = ["graph", "-X", "POST", "/me/contacts", "--body", f"@{file}"]
    signed_in.ok(*post)
    assert api.bodies[-1] == text.encode()
    # The bytes of other content, and of a file that is stored, stay.
    for command in [*post, "-H", "Content-Type: text/plain"], ["graph", "-X", "PUT", "/f:/content", *post[4:]]:
        signed_in.ok(*command)
        assert api.bodies[-1] == file.read_bytes()


@pytest.mark.parametrize("arguments, reason", [
    (["graph", ""], "The path is empty."),
    (["graph", "delta", "", "--state", "state"], "The path is empty."),
    (["graph", "upload", "FILE", ""], "The path is empty."),
    (["graph", "upload", "FILE", "/me/drive/root:"], "has no name for the file"),
    (["graph", "upload", "FILE", "/me/drive/root"], "has no name for the file"),
    (["graph", "upload", "FILE", "https://graph.microsoft.com/v1.0/me/drive/root"], "has no name for the file"),
    (["graph", "upload", "FILE", "/me/drive/"], "has no name for the file"),
    (["graph", "upload", "FILE", "/me/drive/root:/:"], "has no name for the file"),
], ids=repr)
def test_a_path_that_cannot_work_is_not_requested(cli, emulator, report, home, arguments, reason):
    result = cli(*[str(home / "Report.bin") if argument == "FILE" else argument for argument in arguments])
    assert result.status == 64 and reason in result.err, result
    assert not emulator.program_counts()


def test_into_a_folder_under_its_own_name(graph, report, home):
    path = home / "Report #1.bin"
    (home / "Report.bin").rename(path)
    item = graph.ok("graph", "upload", "--json", str(path), "/me/drive/root:/").json["body"]
    assert item["name"] == path.name


def test_an_upload_to_a_name_that_is_taken_says_how_to_go_on(graph, report, home):
    upload = ("graph", "upload", str(home / "Report.bin"), FILE)
    graph.ok(*upload)
    result = graph(*upload)
    assert result.status == 1, result
    assert result.err.startswith("entrancectl: There is already an item with this name (HTTP 409).\n")
    first, second = re.findall(r"'(--conflict \w+)'", result.err)
    assert json.loads(graph.ok(*upload, *first.split()).out)["name"] == FILE.split("/")[-1]
    assert json.loads(graph.ok(*upload, *second.split()).out)["name"] != FILE.split("/")[-1]


def test_a_file_that_is_refused_leaves_nothing(graph, home):
    result = graph("graph", "/me/drive/root:/none:/content", "-o", str(home / "out"))
    assert result.status == 1 and "HTTP 404" in result.err
    assert not list(home.glob("out*"))
    device = graph("graph", "/me", "-o", "/dev/null", "--force")
    assert device.status == 1 and "not a regular file" in device.err


@pytest.mark.parametrize("arguments", [
    ["graph", "upload", "NONE", f"{FILE}:"], ["graph", "batch", "NONE"], ["graph", "-d", "@NONE", "/me"],
    ["graph", "/me", "--replay", "NONE"], ["http", "NONE"], ["http", "import", "NONE"], ["app", "add", "NONE"],
], ids=" ".join)
def test_a_file_that_is_missing_is_an_error_of_the_command_line(cli, emulator, home, arguments):
    path = str(home / "none")
    result = cli(*[argument.replace("NONE", path) for argument in arguments])
    assert result.status == 64, result
    assert f"The file “{path}” cannot be read: No such file or directory.\n" in result.err
    assert not emulator.program_counts()


@pytest.mark.parametrize("arguments", [["graph", "/me", "-o"], ["graph", "upload"], ["http"]], ids=" ".join)
def test_a_name_that_is_not_utf_8_is_not_taken_for_another(graph, emulator, home, arguments):
    name = os.fsencode(home) + b"/caf\xe9"
    (counts, before) = (emulator.program_counts(), os.listdir(os.fsencode(home)))
    for option in ([], [b"--json"]):
        result = subprocess.run(
            [os.fsencode(graph.program), *map(os.fsencode, arguments), name, *option], env=graph.environment,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, start_new_session=True)
        words = json.loads(result.stdout)["error"]["message"] if option else result.stderr.decode()
        assert result.returncode == 64 and "/caf\ufffd” is not UTF-8 text." in words, result
    assert os.listdir(os.fsencode(home)) == before and emulator.program_counts() == counts


def test_a_download_to_a_pipe(graph, report, home):
    graph.ok("graph", "upload", str(home / "Report.bin"), FILE)
    content = subprocess.run(
        [graph.program, "graph", f"{FILE}:/content", "-o", "-"], env=graph.environment,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    assert (content.returncode, content.stderr) == (0, b"")
    assert content.stdout == report


def test_progress_is_for_a_terminal(graph, report, home):
    terminal = Terminal(graph, "graph", "upload", str(home / "Report.bin"), FILE)
    terminal.wait_for("of 6.0 MB")
    result = terminal.finish()
    assert result.status == 0
    # The line is removed at the end.
    assert result.err.endswith("\r\x1b[K")


def test_a_download_that_was_interrupted_is_continued(graph, report, home, emulator):
    graph.ok("graph", "upload", str(home / "Report.bin"), FILE)
    copy = home / "copy.bin"
    graph.ok("graph", f"{FILE}:/content", "-o", str(copy))
    emulator_tag = json.loads(graph.ok("graph", FILE + ":").out).get("eTag")
    assert emulator_tag
    name = base64.urlsafe_b64encode(emulator_tag.encode()).decode().rstrip("=")
    copy.unlink()
    # What an earlier run left: the start, with one byte that shows that it was not sent again.
    start = bytearray(report[:1_000_000])
    start[5] ^= 1
    partial = home / f"copy.bin.{name}.part"
    partial.write_bytes(start)
    graph.ok("graph", f"{FILE}:/content", "-o", str(copy))
    assert copy.read_bytes() == bytes(start) + report[1_000_000:]
    assert not partial.exists()
    # Another version is not mixed with it.
    copy.unlink()
    partial.with_name("copy.bin.Im90aGVyIg.part").write_bytes(start)
    graph.ok("graph", f"{FILE}:/content", "-o", str(copy))
    assert copy.read_bytes() == report
    assert [path.name for path in home.glob("copy*")] == ["copy.bin"]


def test_an_upload_that_is_canceled(graph, report, home, emulator):
    emulator.delay("/drive/upload/{id}", 3_000)
    process = graph.start("graph", "upload", str(home / "Report.bin"), FILE)
    wait_for(lambda: "PUT /drive/upload/{id}" in emulator.counts(),
             "the upload to begin")
    result = graph.interrupt(process)
    assert result.status == -signal.SIGINT and "canceled" in result.err
    # The service need not keep what nobody continues.
    assert emulator.counts()["DELETE /drive/upload/{id}"] == 1


# Batches


def test_a_batch(graph, home):
    path = home / "batch.json"
    path.write_text(json.dumps({"requests": [
        {"id": "me", "method": None, "url": "/me", "headers": None, "body": None, "dependsOn": None},
        {"id": "none", "method": "GET", "url": "/nothing"},
        {"id": "users", "method": "GET", "url": "/users?$top=1",
         "headers": {"ConsistencyLevel": "eventual"}, "dependsOn": ["me"]},
    ]}))
    result = graph("graph", "batch", str(path))
    responses = json.loads(result.out)["responses"]
    assert [part["id"] for part in responses] == ["me", "none", "users"]
    assert [part["status"] for part in responses] == [200, 501, 200]
    assert responses[0]["body"]["displayName"] == "Adele Vance"
    assert responses[1]["body"]["error"]["code"]
    assert result.status == 1 and "1 request of the batch failed." in result.err


def test_a_batch_of_more_than_twenty(graph, emulator):
    requests = [{"id": str(index), "method": "GET", "url": "/me"} for index in range(45)]
    result = graph.ok("graph", "batch", "-", input=json.dumps(requests))
    responses = json.loads(result.out)["responses"]
    assert [part["id"] for part in responses] == [str(index) for index in range(45)]
    assert all(part["status"] == 200 for part in responses)
    assert emulator.counts()["POST /v1.0/$batch"] == 3


@pytest.mark.parametrize("text, reason", [
    ("[", "error in standard input: "), ("{}", "no requests"), ('[{"id": "1"}]', "“1” has no URL"),
    ('[{"id": "1", "url": ""}]', "“1” has no URL"),
    ('[{"url": "/me"}, {"id": "1", "url": "/me"}]', "Two requests"),
    ('[{"url": "/me", "dependsOn": ["2"]}]', "depends on"),
    ('[{"url": "/me", "headers": {"Authorization": "Bearer x"}}]', "Authorization"),
    ('[{"url": "/me", "body": "?", "headers": {"Content-Type": "image/png"}}]', "base64"),
    # A request without these would be another one.
    ('[{"id": 1, "url": "/me"}]', "“id” of request “1”"),
    ('[{"method": 1, "url": "/me"}]', "“method” of request “1”"),
    ('[{"url": "/a"}, {"url": "/me", "dependsOn": "1"}]', "“dependsOn” of request “2”"),
    ('[{"url": "/me", "headers": [{"If-Match": "x"}]}]', "“headers” of request “1”"),
    ('[{"url": "/me", "headers": {"If-Match": 5}}]', "“If-Match” of request “1”"),
    ('[{"url": "/me", "headers": {"If-Match": null}}]', "“If-Match” of request “1”"),
])
def test_a_batch_that_cannot_be_sent(graph, text, reason, emulator):
    result = graph("graph", "batch", "-", input=text)
    assert result.status == 64 and reason in result.err, result
    assert not [route for route in emulator.counts() if "batch" in route]


def test_a_request_of_a_batch_with_too_many_header_fields(graph, emulator):
    batch = json.dumps([{"url": "/me", "headers": {f"a{index}": "b" for index in range(80000)}}])
    result = graph("graph", "batch", "-", input=batch)
    assert result.status == 64 and "too many header fields" in result.err, result
    assert not [route for route in emulator.counts() if "batch" in route]


@pytest.mark.parametrize("later, status, words", [
    (Reply(429, {"Retry-After": "600"}), 75, "600 seconds"),
    (Reply(200, body=b"<html>"), 1, "invalid response"),
])
def test_a_batch_reports_what_was_done_before_it_failed(signed_in, api, later, status, words):
    done = [{"id": str(index), "status": 201} for index in range(20)]
    api.replies = [Reply(200, body=json.dumps({"responses": done}).encode()), later]
    requests = [{"method": "POST", "url": "/me/events", "body": {}} for _ in range(21)]
    result = signed_in("graph", "batch", "-", input=json.dumps(requests))
    assert result.status == status and words in result.err, result
    responses = json.loads(result.out)["responses"]
    assert [part["status"] for part in responses] == [201] * 20 + [0]
    assert responses[20]["error"] and "body" not in responses[20]


def test_a_request_of_a_batch_whose_content_is_elsewhere_has_not_failed(signed_in, api):
    """It is all that a batch can say about content, as about what has not changed."""
    answers = [
        {"id": "0", "status": 302, "headers": {"location": "https://files.contoso.example/1"}},
        {"id": "1", "status": 304}]
    api.replies = [Reply(200, body=json.dumps({"responses": answers}).encode())]
    requests = [{"url": "/drive/items/1/content"}, {"url": "/drive"}]
    result = signed_in.ok("graph", "batch", "-", input=json.dumps(requests))
    assert json.loads(result.out)["responses"] == [
        {"id": "1", "status": 302, "headers": answers[0]["headers"]}, {"id": "2", "status": 304}]


@pytest.mark.parametrize("body", ["_9j_4A", "_9j_4A==", "/9j/4A=="])
def test_a_body_of_a_batch_is_base64url_or_base64(signed_in, api, body):
    """Graph's documentation has the first, and its answers have the last (RFC 4648, sections 4 and 5)."""
    image = {"headers": {"Content-Type": "image/jpeg"}, "body": body}
    api.replies = [Reply(200, body=json.dumps({"responses": [
        {"id": "0", "status": 200} | image,
        # A plain text is not one of them.
        {"id": "1", "status": 200, "body": "denied"},
    ]}).encode())]
    requests = [{"method": "PUT", "url": "/photo/$value"} | image, {"url": "/photo"}]
    result = signed_in.ok("graph", "batch", "-", input=json.dumps(requests))
    content = bytes.fromhex("ffd8ffe0")
    assert base64.b64decode(json.loads(api.bodies[-1])["requests"][0]["body"]) == content
    bodies = [response["body"] for response in json.loads(result.out)["responses"]]
    assert [base64.b64decode(body) for body in bodies] == [content, b"denied"]


# Changes


def test_changes_since_the_last_time(graph, home, emulator):
    state = home / "users.json"
    delta = ["graph", "delta", "/users/delta", "--state", str(state)]
    first = json.loads(graph.ok(*delta).out)["value"]
    assert len(first) > 2 and state.stat().st_mode & 0o777 == 0o600
    assert json.loads(graph.ok(*delta).out) == {"value": []}
    assert graph.ok(*delta, "--json").json == {"startsOver": False, "value": []}


def test_a_state_of_something_else(graph, home):
    state = home / "state.json"
    state.write_text("{}")
    result = graph("graph", "delta", "/users/delta", "--state", str(state))
    assert result.status == 64 and "contains no delta link" in result.err
    state.unlink()
    graph.ok("graph", "delta", "/users/delta", "--state", str(state))
    result = graph("graph", "delta", "/beta/users/delta", "--state", str(state))
    assert result.status == 64 and "another path" in result.err
    assert "users" in state.read_text()


def test_a_state_that_was_forgotten(graph, home):
    state = home / "state.json"
    delta = ["graph", "delta", "/users/delta", "--state", str(state)]
    whole = json.loads(graph.ok(*delta).out)["value"]
    kept = json.loads(state.read_text())
    kept["deltaLink"] = kept["deltaLink"].replace("deltatoken=", "deltatoken=999")
    state.write_text(json.dumps(kept))
    result = graph.ok(*delta)
    assert json.loads(result.out)["value"] == whole
    assert "sends everything again" in result.err
    # A link to another host does not get the token.
    kept["deltaLink"] = "https://evil.example/v1.0/users/delta?$deltatoken=1"
    state.write_text(json.dumps(kept))
    assert graph(*delta).status == 64


def test_a_state_that_cannot_be_kept(graph):
    result = graph("graph", "delta", "/users/delta", "--state", "/nonexistent/state")
    assert result.status == 1 and "was not written" in result.err


# An API that says what a test wants


def test_what_is_accepted_is_waited_for(signed_in, api):
    api.replies = [
        Reply(202, {"Location": "/v1.0/operations/1", "Retry-After": "1"}),
        Reply(200, body=b'{"status": "running", "percentageComplete": 50}'),
        Reply(200, body=b'{"status": "succeeded"}'),
    ]
    assert json.loads(signed_in.ok("graph", "--wait", "/copy").out) == {"status": "succeeded"}
    assert api.paths == ["/v1.0/copy", "/v1.0/operations/1", "/v1.0/operations/1"]
    # Without the option, it is printed as it came.
    api.replies = [Reply(202, {"Location": "/v1.0/operations/1"})]
    assert "HTTP 202\n" in signed_in.ok("graph", "-i", "/copy").out


def test_waiting_can_be_canceled(signed_in, api):
    api.status, api.fields = 202, {"Location": "/v1.0/operations/1", "Retry-After": "3600"}
    process = signed_in.start("graph", "--wait", "/copy")
    wait_for(lambda: api.requests, "the request")
    result = signed_in.interrupt(process)
    assert result.status == -signal.SIGINT and result.out == ""


def test_a_deprecated_api_is_reported(signed_in, api):
    api.fields = {
        "Deprecation": "true", "Sunset": "Mon, 31 Dec 2018 23:59:59 GMT",
        "Link": '<https://developer.contoso.example/changes>; rel="deprecation"'}
    result = signed_in.ok("graph", "/old")
    assert json.loads(result.out) == {}
    assert result.err == (
        "entrancectl: This API is deprecated, and works until 2018-12-31.\n"
        "See https://developer.contoso.example/changes.\n")


def test_a_canceled_download_is_resumed_later(signed_in, api, home):
    content = bytes(range(250)) * 4000
    tag = {"ETag": '"1"', "Content-Type": "application/octet-stream"}
    moved = Reply(302, {"Location": api.url + "/content"})
    api.replies = [moved, Reply(200, tag, content, sent=600_000)]
    process = signed_in.start("graph", "/file", "-o", str(home / "file"))
    wait_for(lambda: sum(path.stat().st_size for path in home.glob("file.*.part")) >= 500_000,
             "a part of the file")
    result = signed_in.interrupt(process)
    [partial] = home.glob("file*")
    assert result.status == -signal.SIGINT
    assert f"What was received is in “{partial}”. To continue, run the command again." in result.err, result
    size = partial.stat().st_size
    # The next time, only the rest is asked for.
    api.replies = [moved, Reply(
        206, tag | {"Content-Range": f"bytes {size}-999999/1000000"}, content[size:])]
    signed_in.ok("graph", "/file", "-o", str(home / "file"))
    assert api.requests[-1]["Range"] == f"bytes={size}-" and api.requests[-1]["If-Range"] == '"1"'
    assert (home / "file").read_bytes() == content
    assert [path.name for path in home.glob("file*")] == ["file"]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_content_at_another_address_is_to_be_downloaded(signed_in, api, status):
    moved = Reply(status, {"Location": api.url + "/content"})
    api.replies = [moved, moved]
    result = signed_in("graph", "/file")
    assert result.status == 1 and result.out == ""
    assert f"HTTP {status}" in result.err and "add '--output FILE'" in result.err
    assert "--output" not in signed_in("graph", "-X", "POST", "/file").err


# Hints


def test_a_query_that_needs_more_says_what(graph, emulator):
    emulator.prepare_graph_reply(
        400, {"error": {"code": "Request_UnsupportedQuery", "message": "Unsupported Query."}})
    result = graph("graph", "/users", "--query", "$filter=endsWith(mail,'x')")
    assert result.status == 1
    assert "“ConsistencyLevel: eventual”" in result.err and "“$count=true”" in result.err


def test_missing_members_and_counts_are_reported(graph, emulator):
    emulator.prepare_graph_reply(200, {"id": "1"})
    result = graph.ok("graph", "/me?$select=id,nickname")
    assert json.loads(result.out) == {"id": "1"} and "$select names: nickname" in result.err
    emulator.prepare_graph_reply(200, {"value": [{"id": "1"}]})
    assert "no total count" in graph.ok("graph", "--all", "/x?$count=true").err


# Selection


def test_what_is_selected_is_printed(graph):
    whole = json.loads(graph.ok("graph", "/users").out)["value"]
    names = [user["displayName"] for user in whole]
    assert graph.ok("graph", "/users", "--jsonpath", "$.value[*].displayName").out.splitlines() == names
    # Of all pages together, and of each.
    for option in ("--all", "--paginate"):
        result = graph.ok("graph", option, "/users?$top=1", "--jsonpath", "$..displayName")
        assert result.out.splitlines() == names and result.err == ""
    mail = whole[1]["mail"]
    query = f"$.value[?@.mail == '{mail}']"
    result = graph.ok("graph", "/users", "--jsonpath", query, "--json").json
    assert result == {"status": 200, "selected": [whole[1]]}
    rows = csv.DictReader(io.StringIO(graph.ok("graph", "/users", "--jsonpath", query, "--csv").out))
    assert [row["mail"] for row in rows] == [mail]
    assert graph.ok("graph", "/me", "--jsonpath", "$['businessPhones', 'none']").out == "[]\n"
    assert graph.ok("graph", "/me", "--jsonpath", "$.none").out == ""


def test_a_text_of_several_lines_is_selected_whole(graph, emulator):
    """Programs that take several values apart take them from the JSON."""
    texts = ["one\ntwo", "three"]
    select = ["graph", "/x", "--jsonpath", "$.value[*].text"]
    emulator.prepare_graph_reply(200, {"value": [{"text": text} for text in texts]})
    assert graph.ok(*select).out == "one\ntwo\nthree\n"
    emulator.prepare_graph_reply(200, {"value": [{"text": text} for text in texts]})
    assert graph.ok(*select, "--json").json["selected"] == texts


@pytest.mark.parametrize("query, reason", [
    ("value", "character 1"), ("$[?length(@) > 1]", "Functions"), ("$.value[", "too early")])
def test_what_selects_nothing_that_is_understood(cli, query, reason):
    result = cli("graph", "/me", "--jsonpath", query)
    assert result.status == 64 and reason in result.err


def test_only_json_can_be_selected_from(graph, emulator):
    emulator.prepare_graph_reply(200, {}, **{"content-type": "text/plain"})
    result = graph("graph", "/me", "--jsonpath", "$")
    assert result.status == 1 and "not JSON" in result.err
    assert graph("graph", "/me", "--jsonpath", "$", "-o", "x").status == 64


@pytest.mark.parametrize("arguments", [
    ["graph", "delta", "/users/delta", "--state"], ["graph", "/me", "--record"]])
def test_a_result_with_an_error_behind_it_stays_one_document(graph, home, arguments):
    # An unfinished file has a longer name, for which there is no room.
    place = str(home / ("n" * 250))
    result = graph(*arguments, place, "--json")
    assert result.status == 1 and "error" not in result.json
    assert place in result.err


@pytest.mark.parametrize("arguments", [
    ["graph", "delta", "/users/delta", "--state"], ["graph", "/me", "--record"], ["graph", "/me", "-o"],
    ["cache", "export", "-o"], ["http", "import", "-", "-o"]], ids=" ".join)
def test_a_folder_that_is_missing_is_noticed_before_anything_is_done(graph, emulator, home, arguments):
    """Also by root, who can write everywhere else."""
    before = sum(emulator.counts().values())
    place = home / "none" / "file"
    result = graph(*arguments, str(place), input="curl https://graph.microsoft.com/v1.0/me")
    assert result.status == 1 and result.out == ""
    assert str(place) in result.err and "No such file or directory" in result.err
    assert sum(emulator.counts().values()) == before + 1, "only the request for the counts"


@pytest.mark.parametrize("arguments", [
    ["graph", "delta", "/users/delta", "--state"], ["graph", "/me", "--force", "-o"],
    ["cache", "export", "--force", "-o"], ["http", "import", "-", "--force", "-o"]], ids=" ".join)
def test_a_file_at_the_end_of_a_link_is_written(graph, home, arguments):
    target, link = home / "files" / "target", home / "link"
    target.parent.mkdir()
    link.symlink_to("files/target")
    # At first, nothing is there.
    for _ in range(2):
        graph.ok(*arguments, str(link), input="curl https://graph.microsoft.com/v1.0/me")
        assert link.is_symlink() and target.stat().st_size > 0
        assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_bytes_are_not_part_of_a_document(graph):
    result = graph("graph", "/me", "--output", "-", "--json")
    assert result.status == 64 and "--output -" in result.error["message"]


@pytest.mark.parametrize("form", ["--csv", "--table"])
def test_a_table_cannot_be_made_of_plain_text(graph, form):
    result = graph("graph", "/users/$count", "-H", "ConsistencyLevel: eventual", form)
    assert result.status == 1 and not result.out and "is not JSON" in result.err


def test_a_terminal_gets_no_control_characters_of_a_service(graph, emulator):
    name = "\x1b]52;c;QQ==\x07\x9b31mAdele"
    for form in ([], ["--csv"], ["--table"], ["--jsonpath", "$.displayName"]):
        emulator.prepare_graph_reply(200, {"displayName": name})
        assert "Adele" in shown(graph, "graph", "/me?$select=displayName", *form)
    # Also not of what is no JSON.
    for form in ([], ["-o", "-"]):
        emulator.prepare_graph_reply(200, f"{name}\n\nVance", **{"content-type": "text/plain"})
        assert "Adele\r\n\r\nVance\r\n" in shown(graph, "graph", "/me?$select=displayName", *form)


def test_a_terminal_gets_text_whose_pieces_end_within_a_character(signed_in, api):
    text = "aäöü€𝄞" * 50_000
    api.replies = [Reply(200, {"Content-Type": "text/plain"}, text.encode())]
    assert text in shown(signed_in, "graph", "/file", "-o", "-")


@pytest.mark.parametrize("start, reason", [
    (b"text \xff\xfe", "is not text"), (b"text " * (7 << 20), "is too large to be shown")], ids=["bytes", "long"])
def test_a_download_that_a_terminal_cannot_show_ends_at_once(signed_in, api, start, reason):
    # The service falls silent after it.
    api.replies = [Reply(200, {"Content-Type": "text/plain"}, start + bytes(100), sent=len(start))]
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [signed_in.program, "graph", "/file", "-o", "-"], env=signed_in.environment, stdin=subprocess.DEVNULL,
        stdout=end, stderr=subprocess.PIPE, text=True, start_new_session=True)
    os.close(end)
    error = process.communicate(timeout=120)[1]
    os.close(terminal)
    assert process.returncode == 1 and reason in error and "> FILE" in error


def test_nobody_is_asked_with_no_input(signed_in, keyring, home):
    (home / "batch.json").write_text('[{"url": "/me"}]')
    keyring.lock()
    for arguments in (["/me"], ["batch", str(home / "batch.json")]):
        error = signed_in("graph", *arguments, "--no-input", "--json").error
        assert (error["code"], error["exitStatus"]) == ("inputRequired", os.EX_NOINPUT)


# Recordings


def test_a_session_is_recorded_and_replayed(graph, emulator, home):
    file = home / "session.har"
    emulator.expire()
    users = ["graph", "--all", "/users?$top=1"]
    whole = json.loads(graph.ok(*users, "--record", str(file)).out)["value"]
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    urls = [entry["request"]["url"] for entry in json.loads(text)["log"]["entries"]]
    assert any("/oauth2/v2.0/token" in url for url in urls) and any("/users" in url for url in urls)
    for user in whole:
        for name in ("id", "displayName", "userPrincipalName", "givenName"):
            assert user[name] not in text
    assert "eyJ0eXAi" not in text and graph.ok("token").out.strip() not in text
    emulator.stop()
    again = json.loads(graph.ok(*users, "--replay", str(file)).out)["value"]
    assert [user.keys() for user in again] == [user.keys() for user in whole]
    other = graph("graph", "/me", "--replay", str(file))
    assert other.status != 0 and "has no response to this request: GET" in other.err


def test_a_batch_is_recorded_and_replayed(graph, emulator, home):
    file = home / "batch.har"
    requests = json.dumps([
        {"id": "adele", "url": "/me"}, {"id": "all", "url": "/users?$top=1", "dependsOn": ["adele"]}])
    graph.ok("graph", "batch", "-", "--record", str(file), input=requests)
    assert "Adele" not in file.read_text()
    emulator.stop()
    again = graph.ok("graph", "batch", "-", "--replay", str(file), input=requests)
    responses = json.loads(again.out)["responses"]
    assert [(part["id"], part["status"]) for part in responses] == [("adele", 200), ("all", 200)]
    assert responses[0]["body"]["displayName"].startswith("name-")


def test_an_error_is_recorded(graph, home):
    file = home / "session.har"
    first = graph("graph", "/no/such", "--record", str(file))
    again = graph("graph", "/no/such", "--replay", str(file))
    assert first.status == again.status == 1 and first.err.splitlines()[0] == again.err.splitlines()[0]
    # It is not overwritten.
    before = file.read_bytes()
    assert "it already exists.\nChoose another file.\n" in graph("graph", "/me", "--record", str(file)).err
    assert file.read_bytes() == before
    assert graph("graph", "/me", "--record", "x", "--replay", "y").status == 64


# What an account may not do


def test_a_refusal_names_the_permission_that_is_missing(signed_in, emulator):
    refused = signed_in("graph", "-X", "PATCH", "-d", "{}", "/me", "--json")
    error = refused.error
    assert refused.status == os.EX_NOPERM and error["details"]["httpStatus"] == 403
    assert error["nextStep"] == (
        "Sign in with the permission it needs: 'entrancectl sign-in --scope User.ReadWrite'.")
    # With the permission, it is the account itself.
    emulator.prepare_graph_reply(403, {"error": {"code": "Authorization_RequestDenied"}})
    refused = signed_in("graph", "/me", "--json")
    step = refused.error["nextStep"]
    assert refused.status == 1 and step.startswith("The permission is granted") and "sign-in" not in step
    # The table has no such request.
    emulator.prepare_graph_reply(403, {"error": {"code": "Authorization_RequestDenied"}})
    unknown = signed_in("graph", "/nothing/of/the/table", "--json")
    assert unknown.status == 1 and unknown.error["nextStep"].startswith("If a permission is missing, ")


@pytest.mark.parametrize("command", [
    ["-X", "POST", "-d", "{}", "/me/sendMail"], ["-X", "DELETE", "/me/messages/1"],
], ids=" ".join)
def test_a_script_learns_that_a_sign_in_brings_the_permission(signed_in, emulator, command):
    emulator.prepare_graph_reply(403, {"error": {"code": "ErrorAccessDenied"}})
    refused = signed_in("graph", *command)
    assert refused.status == os.EX_NOPERM and "Sign in with the permission it needs" in refused.err, refused
