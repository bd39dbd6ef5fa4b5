"""What every library that has a token does with Graph, by its own HTTP client."""

from dataclasses import dataclass
from typing import Callable, Protocol

from conftest import ADELE, LARGE


@dataclass
class Answer:
    status: int
    content: bytes
    # What the JSON in it is, if it is any.
    json: Callable[[], dict]


class Send(Protocol):
    """Sends a request, with a token if it is `signed`."""

    def __call__(
        self, method: str, url: str, body: bytes = b"", headers: dict | None = None, json: dict | None = None,
        signed: bool = True) -> Answer: ...


class Requests:
    """Sends with a session of requests, or something like it that has `request`."""

    def __init__(self, session, plain, **options):
        self.session, self.plain, self.options = session, plain, options

    def __call__(self, method, url, body=b"", headers=None, json=None, signed=True):
        send = self.session.request if signed else self.plain.request
        content = {"json": json} if json is not None else {"data": body} if body else {}
        answer = send(method, url, headers=headers, **content, **self.options)
        return Answer(answer.status_code, answer.content, answer.json)


def check_profile(graph: str, send: Send):
    assert send("GET", graph + "/me").json()["userPrincipalName"] == ADELE


def check_users(graph: str, send: Send):
    names, pages, url = set(), 0, graph + "/users?$top=100"
    while url:
        page = send("GET", url).json()
        names |= {user["userPrincipalName"] for user in page["value"]}
        pages += 1
        url = page.get("@odata.nextLink")
    assert len(names) == 253 and ADELE in names and pages == 3


def check_photo(graph: str, send: Send):
    assert send("GET", graph + "/me/photo/$value").content.startswith(b"\x89PNG")


def check_mail(graph: str, send: Send):
    """A message, and its attachment."""
    message = send("GET", graph + "/me/messages?$filter=hasAttachments eq true&$top=1").json()
    path = f"{graph}/me/messages/{message['value'][0]['id']}/attachments"
    attachment = send("GET", path).json()["value"][0]
    assert len(send("GET", f"{path}/{attachment['id']}/$value").content) == attachment["size"]


def check_files(graph: str, send: Send):
    """A small file, and a large one in pieces."""
    small = graph + "/me/drive/root:/small.bin:/content"
    assert send("PUT", small, b"1", {"Content-Type": "application/octet-stream"}).status == 201
    assert send("GET", small).content == b"1"
    session = send("POST", graph + "/me/drive/root:/large.bin:/createUploadSession", json={"item": {}}).json()
    piece = 320 * 1024 * 10
    for start in range(0, len(LARGE), piece):
        part = LARGE[start:start + piece]
        last = start + len(part) - 1
        # Its URL is the permission.
        answer = send("PUT", session["uploadUrl"], part, {
            "Content-Range": f"bytes {start}-{last}/{len(LARGE)}"}, signed=False)
        assert answer.status == (202 if last + 1 < len(LARGE) else 201), answer.content
    assert send("GET", graph + "/me/drive/root:/large.bin:/content").content == LARGE


def check_batch(graph: str, send: Send):
    batch = send("POST", graph + "/$batch", json={"requests": [
        {"id": "1", "method": "GET", "url": "/me"},
        {"id": "2", "method": "GET", "url": "/users/nobody"}]}).json()
    assert {answer["id"]: answer["status"] for answer in batch["responses"]} == {"1": 200, "2": 404}


CHECKS = [check_profile, check_users, check_photo, check_mail, check_files, check_batch]


def check_all(origin: str, send: Send):
    for check in CHECKS:
        check(origin + "/v1.0", send)
