"""Data of Graph: reads by ID and by path, writes, changes, files and batches."""

import base64

import pytest

from conftest import Emulator
from graph import Graph


@pytest.fixture
def graph():
    running = Emulator("--colleagues", "20")
    yield Graph(running)
    running.stop()


# Reading


@pytest.mark.parametrize("key", [
    "/bram@contoso.example", "/b81e5f07-2c6d-4a93-8f4e-61d0a7c9e258", "('bram@contoso.example')"])
def test_a_user_by_id_and_by_name(graph, key):
    assert graph.get("/users" + key)["displayName"] == "Bram Okafor"


def test_what_is_listed_can_be_read(graph):
    for path in [
        "/users", "/groups", "/me/messages", "/me/mailFolders", "/me/events", "/me/calendars",
        "/me/contacts", "/me/drive/root/children", "/sites",
    ]:
        items = graph.values(path)
        assert items, path
        place = "/me/drive/items" if "root" in path else path
        for item in items[:3]:
            assert graph.get(f"{place}/{item['id']}")["id"] == item["id"]


def test_a_message_with_its_attachments(graph):
    message = graph.values("/me/messages?$filter=hasAttachments eq true&$top=1")[0]
    path = f"/me/messages/{message['id']}/attachments"
    attachment = graph.values(path)[0]
    content = base64.b64decode(attachment["contentBytes"])
    assert len(content) == attachment["size"] == 1024
    assert graph("GET", f"{path}/{attachment['id']}/$value", 200).content == content
    assert "Subject: " + message["subject"] in graph(
        "GET", f"/me/messages/{message['id']}/$value", 200).text


def test_a_view_of_the_calendar(graph):
    view = graph.values(
        "/me/calendarView?startDateTime=2026-01-05T00:00:00Z&endDateTime=2026-01-08T00:00:00Z")
    assert [event["start"]["dateTime"][:10] for event in view] == [
        "2026-01-05", "2026-01-06", "2026-01-07"]
    assert graph.error("GET", "/me/calendarView", 400)[0] == "ErrorInvalidParameter"


def test_what_is_not_emulated_is_reported(graph):
    for path in ["/chats", "/me/onenote/pages", "/me/drive/root/createLink"]:
        code, sentence = graph.error("GET", path, 501)
        assert code == "notImplemented" and "does not play" in sentence
    assert graph.error("GET", "/users/nobody", 404)[0] == "Request_ResourceNotFound"
    assert graph.error("GET", "/me/drive/root:/nothing", 404)[0] == "itemNotFound"
    assert graph.error("POST", "/me", 405)[1]


# Permissions


@pytest.mark.parametrize("scope, path, method, code", [
    ("User.Read", "/users", "GET", "Authorization_RequestDenied"),
    ("User.Read", "/groups", "GET", "Authorization_RequestDenied"),
    ("User.Read", "/me", "PATCH", "Authorization_RequestDenied"),
    ("User.Read", "/me/messages", "GET", "ErrorAccessDenied"),
    ("Mail.Read", "/me/sendMail", "POST", "ErrorAccessDenied"),
    ("Mail.Read", "/me/events", "GET", "ErrorAccessDenied"),
    ("Files.Read", "/me/drive/root:/x:/content", "PUT", "accessDenied"),
    ("Files.Read", "/sites", "GET", "accessDenied"),
])
def test_a_token_without_the_permission_is_refused(emulator, scope, path, method, code):
    assert Graph(emulator, "bram@contoso.example", [scope]).error(method, path, 403)[0] == code


def test_a_token_for_another_api_is_refused(emulator):
    graph = Graph(emulator, scopes=["https://management.azure.com/user_impersonation"])
    code, sentence = graph.error("GET", "/me", 401)
    assert code == "InvalidAuthenticationToken" and "audience" in sentence


# Writing


def test_a_change_of_another_version_is_refused(graph):
    message = graph.values("/me/messages?$top=1")[0]
    path, changes = f"/me/messages/{message['id']}", {"isRead": True}
    guard = {"If-Match": message["@odata.etag"]}
    changed = graph("PATCH", path, 200, json=changes, headers=guard).json()
    assert changed["@odata.etag"] != message["@odata.etag"]
    graph("PATCH", path, 412, json=changes, headers=guard)
    graph("DELETE", path, 412, headers=guard)
    graph("GET", path, 304, headers={"If-None-Match": changed["@odata.etag"]})
    graph("DELETE", path, 204, headers={"If-Match": changed["@odata.etag"]})
    graph("GET", path, 404)


def test_unknown_and_missing_properties_are_refused(graph):
    assert "'shoeSize'" in graph.error("PATCH", "/me", 400, json={"shoeSize": 44})[1]
    assert "'start'" in graph.error("POST", "/me/events", 400, json={"subject": "x"})[1]
    assert graph.error("POST", "/me/events", 400, data="{")[0] == "BadRequest"


def test_mail_reaches_a_recipient_with_its_attachment(graph):
    content = bytes(range(256))
    graph("POST", "/me/sendMail", 202, json={"message": {
        "subject": "For Bram", "body": {"contentType": "text", "content": "Hello"},
        "toRecipients": [{"emailAddress": {"address": "bram@contoso.example"}}],
        "attachments": [{
            "@odata.type": "#microsoft.graph.fileAttachment", "name": "a.bin",
            "contentBytes": base64.b64encode(content).decode()}]}})
    sent = graph.values("/me/mailFolders/sentitems/messages?$top=1")[0]
    assert sent["subject"] == "For Bram"
    bram = Graph(graph.emulator, "bram@contoso.example", ["Mail.Read"])
    message = bram.values("/me/mailFolders/inbox/messages?$top=1&$expand=attachments")[0]
    assert message["subject"] == "For Bram" and not message["isRead"]
    assert base64.b64decode(message["attachments"][0]["contentBytes"]) == content


def test_a_draft_is_made_moved_and_sent(graph):
    draft = graph("POST", "/me/messages", 201, json={
        "subject": "Draft",
        "toRecipients": [{"emailAddress": {"address": "x@elsewhere.example"}}]}).json()
    assert draft["isDraft"]
    moved = graph(
        "POST", f"/me/messages/{draft['id']}/move", 201, json={"destinationId": "archive"}).json()
    graph("GET", f"/me/messages/{draft['id']}", 404)
    graph("POST", f"/me/messages/{moved['id']}/send", 202)
    assert graph.values("/me/mailFolders/sentitems/messages?$top=1")[0]["subject"] == "Draft"


def test_a_new_user_can_sign_in(graph):
    graph("POST", "/users", 201, json={
        "accountEnabled": True, "displayName": "Nils Holm", "mailNickname": "nils",
        "passwordProfile": {"password": "Entrance-Demo-1"},
        "userPrincipalName": "nils@contoso.example"})
    nils = Graph(graph.emulator, "nils@contoso.example", ["User.Read"])
    assert nils.get("/me")["displayName"] == "Nils Holm"


def test_the_members_of_a_group(graph):
    group = graph.values("/groups?$filter=displayName eq 'Book Club'")[0]["id"]
    members = graph.values(f"/groups/{group}/members?$select=id")
    bram = graph.get("/users/bram@contoso.example")["id"]
    link = {"@odata.id": f"{graph.emulator.origin}/v1.0/directoryObjects/{bram}"}
    assert bram not in [member["id"] for member in members]
    graph("POST", f"/groups/{group}/members/$ref", 204, json=link)
    graph("POST", f"/groups/{group}/members/$ref", 400, json=link)
    assert len(graph.values(f"/groups/{group}/members")) == len(members) + 1
    graph("DELETE", f"/groups/{group}/members/{bram}/$ref", 204)
    graph("DELETE", f"/groups/{group}/members/{bram}/$ref", 404)


# Changes


def test_changes_since_a_link(graph):
    page = graph.get("/users/delta?$select=displayName&$top=20")
    assert len(page["value"]) == 20
    link = graph.get(page["@odata.nextLink"])["@odata.deltaLink"]
    assert graph.values(link) == []
    bram = graph.get("/users/bram@contoso.example")["id"]
    graph("PATCH", f"/users/{bram}", 204, json={"displayName": "B. Okafor"})
    dara = graph.get("/users/dara@contoso.example")["id"]
    graph("DELETE", f"/users/{dara}", 204)
    page = graph.get(link)
    assert page["value"] == [
        {"displayName": "B. Okafor", "id": bram},
        {"id": dara, "@removed": {"reason": "deleted"}}]
    graph.emulator.control("forget-delta")
    assert graph.error("GET", page["@odata.deltaLink"], 410)[0] == "resyncRequired"


def test_changes_of_a_folder_and_of_a_drive(graph):
    inbox = graph.get("/me/mailFolders/inbox/messages/delta?$select=subject")
    drive = graph.get("/me/drive/root/delta?token=latest")
    assert drive["value"] == []
    first = inbox["value"][0]["id"]
    graph("POST", f"/me/messages/{first}/move", 201, json={"destinationId": "archive"})
    changes = graph.values(inbox["@odata.deltaLink"])
    assert [(change["id"], "@removed" in change) for change in changes if change["id"] == first] == [
        (first, True)]
    graph("PUT", "/me/drive/root:/new.txt:/content", 201, data=b"x")
    assert [item["name"] for item in graph.values(drive["@odata.deltaLink"])] == ["new.txt"]


# Files


def test_a_download_goes_to_an_address_that_refuses_the_token(graph):
    item = graph.get("/me/drive/root:/Videos/Workshop.mp4")
    assert item["size"] == 50_000_000
    link = graph("GET", f"/me/drive/items/{item['id']}/content", 302).headers["Location"]
    assert not link.startswith(graph.emulator.origin)
    graph.emulator.control("faults", fault="transfer-token")
    graph("GET", link, 401)
    whole = graph.bare("GET", link).content
    assert len(whole) == item["size"]
    for given, first, last in [("0-9", 0, 9), ("49999990-", 49999990, 49999999), ("-5", 49999995, 49999999)]:
        part = graph.bare("GET", link, headers={"Range": f"bytes={given}"})
        assert part.status_code == 206 and part.content == whole[first:last + 1]
        assert part.headers["Content-Range"] == f"bytes {first}-{last}/50000000"
    assert graph.bare("GET", link, headers={"Range": "bytes=50000000-"}).status_code == 416
    # Bytes that are made on demand are the same each time, wherever a part begins.
    part = graph.bare("GET", link, headers={"Range": "bytes=1234567-1334567"})
    assert part.content == whole[1234567:1334568]


def test_names_with_signs(graph):
    item = graph.get("/me/drive/root:/Documents/Letter%20%26%20more%20%231.txt")
    assert item["name"] == "Letter & more #1.txt"
    graph("PUT", "/me/drive/root:/a+b%25.txt:/content", 201, data=b"1")
    assert graph.get("/me/drive/root:/a+b%25.txt")["name"] == "a+b%.txt"


def test_the_paths_that_the_sdks_of_graph_send(graph):
    drive = graph.get("/me/drive")["id"]
    for path in ["root:/Documents/Notes.txt:", "root%3A%2FDocuments%2FNotes.txt%3A"]:
        assert graph.get(f"/drives/{drive}/items/{path}")["name"] == "Notes.txt"
    assert "root" in graph.get(f"/drives/{drive}/items/root")


def test_folders(graph):
    new = {"name": "Plans", "folder": {}}
    children = "/me/drive/root:/Documents:/children"
    folder = graph("POST", children, 201, json=new).json()
    assert graph.error("POST", children, 409, json=new)[0] == "nameAlreadyExists"
    renamed = {"@microsoft.graph.conflictBehavior": "rename"}
    assert graph("POST", children, 201, json=new | renamed).json()["name"] == "Plans 1"
    graph("PUT", "/me/drive/root:/Documents/Plans/a.txt:/content", 201, data=b"a")
    graph("DELETE", f"/me/drive/items/{folder['id']}", 204)
    graph("GET", "/me/drive/root:/Documents/Plans/a.txt", 404)


def test_an_upload_in_fragments(graph):
    data = bytes(1000) * 1000
    url = graph("POST", "/me/drive/root:/big.bin:/createUploadSession", 200, json={}).json()["uploadUrl"]
    size, part = len(data), 320 << 10

    def send(first, last, **fields):
        return graph.bare("PUT", url, data=data[first:last + 1], headers={
            "Content-Range": f"bytes {first}-{last}/{size}"} | fields)

    graph.emulator.control("faults", fault="transfer-token")
    assert send(0, part - 1, Authorization="Bearer x").status_code == 401
    assert send(0, 99).status_code == 400
    assert send(part, 2 * part - 1).status_code == 416
    reply = send(0, 2 * part - 1)
    assert reply.status_code == 202
    assert reply.json()["nextExpectedRanges"] == [f"{2 * part}-"]
    assert graph.bare("GET", url).json()["nextExpectedRanges"] == [f"{2 * part}-"]
    assert send(2 * part, size - 1).status_code == 201
    assert graph.bare("GET", url).status_code == 404
    link = graph("GET", "/me/drive/root:/big.bin:/content", 302).headers["Location"]
    assert graph.bare("GET", link).content == data


def test_an_upload_that_expired(graph):
    url = graph("POST", "/me/drive/root:/x:/createUploadSession", 200).json()["uploadUrl"]
    graph.emulator.control("expire-uploads")
    assert graph.bare("PUT", url, data=b"x", headers={
        "Content-Range": "bytes 0-0/1"}).status_code == 404


def test_a_copy_reports_its_progress(graph):
    item = graph.get("/me/drive/root:/Read me.txt")
    reply = graph("POST", f"/me/drive/items/{item['id']}/copy", 202, json={"name": "Copy.txt"})
    done = graph.bare("GET", reply.headers["Location"]).json()
    assert done["status"] == "completed"
    assert graph.get(f"/me/drive/items/{done['resourceId']}")["name"] == "Copy.txt"


# Batches


def test_a_batch(graph):
    replies = graph("POST", "/$batch", 200, json={"requests": [
        {"id": "1", "method": "GET", "url": "/me?$select=id"},
        {"id": "2", "method": "PATCH", "url": "/me", "body": {"jobTitle": "Head"},
         "headers": {"Content-Type": "application/json"}, "dependsOn": ["1"]},
        {"id": "3", "method": "GET", "url": "/me?$select=jobTitle", "dependsOn": ["2"]},
        {"id": "4", "method": "GET", "url": "/users/nobody"},
        {"id": "5", "method": "GET", "url": "/me", "dependsOn": ["4"]},
        {"id": "6", "method": "GET", "url": "/me/photo/$value"},
        {"id": "7", "method": "GET", "url": f"{graph.emulator.origin}/v1.0/me"},
        {"id": "8", "method": "GET", "url": "https://elsewhere.example/v1.0/me"},
    ]}).json()["responses"]
    replies = {reply["id"]: reply for reply in replies}
    assert [replies[str(id)]["status"] for id in range(1, 9)] == [
        200, 204, 200, 404, 424, 200, 200, 400]
    assert replies["3"]["body"]["jobTitle"] == "Head"
    assert base64.b64decode(replies["6"]["body"]).startswith(b"\x89PNG")


@pytest.mark.parametrize("requests, words", [
    ([{"id": str(id), "method": "GET", "url": "/me"} for id in range(21)], "20"),
    ([{"id": "1", "method": "GET", "url": "/me"}] * 2, "not unique"),
    ([{"id": "1", "method": "GET", "url": "/me", "dependsOn": ["2"]}], "dependsOn"),
    ([{"id": "1", "method": "POST", "url": "/$batch"}], "another"),
    ("all", "format"),
])
def test_a_batch_that_is_refused(graph, requests, words):
    assert words in graph.error("POST", "/$batch", 400, json={"requests": requests})[1]


# Faults


@pytest.mark.parametrize("status, fields", [
    (429, {"Retry-After": "2.5"}), (503, {}), (410, {}), (412, {}),
    (401, {"WWW-Authenticate": 'Bearer error="insufficient_claims", claims="e30="'})])
def test_a_prepared_reply_of_one_path(graph, status, fields):
    graph.emulator.control(
        "next-graph-reply", status=status, path="/me/messages", times=2, body="{}",
        header=[f"{name}: {value}" for name, value in fields.items()])
    graph("GET", "/me", 200)
    for _ in range(2):
        reply = graph("GET", "/me/messages", status)
        assert all(reply.headers[name] == value for name, value in fields.items())
    graph("GET", "/me/messages", 200)
