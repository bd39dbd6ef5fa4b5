"""The supported part of Microsoft Graph."""

import re
import struct
import zlib

import pytest


@pytest.fixture(scope="module")
def token(emulator):
    scopes = ["User.Read", "User.ReadBasic.All", "Mail.Read"]
    return emulator.sign_in("adele@contoso.example", scopes)[1]["access_token"]


def assert_envelope(reply, status, code):
    assert reply.status_code == status
    error = reply.json()["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["innerError"]["request-id"] == reply.headers["request-id"]
    assert error["innerError"]["client-request-id"] == reply.headers["client-request-id"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", error["innerError"]["date"])


@pytest.mark.parametrize("version", ["v1.0", "beta"])
def test_me(emulator, token, version):
    reply = emulator.get(f"/{version}/me", token, **{"client-request-id": "abc"})
    assert reply.headers["client-request-id"] == "abc"
    me = reply.json()
    assert me["@odata.context"] == f"{emulator.origin}/{version}/$metadata#users/$entity"
    assert me["displayName"] == "Adele Vance"
    assert me["mail"] == me["userPrincipalName"] == "adele@contoso.example"
    assert me["businessPhones"] == []


def test_photo_is_an_image(emulator, token):
    reply = emulator.get("/v1.0/me/photo/$value", token)
    assert reply.headers["Content-Type"] == "image/png"
    image, chunks = reply.content, {}
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    position = 8
    while position < len(image):
        length, name = struct.unpack_from(">I4s", image, position)
        data = image[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack_from(">I", image, position + 8 + length)
        assert checksum == zlib.crc32(name + data)
        chunks[name] = data
        position += 12 + length
    width, height = struct.unpack_from(">II", chunks[b"IHDR"])
    assert len(zlib.decompress(chunks[b"IDAT"])) == height * (width + 1)


def test_user_without_photo(emulator):
    _, result = emulator.sign_in("bram@contoso.example")
    reply = emulator.get("/v1.0/me/photo/$value", result["access_token"])
    assert_envelope(reply, 404, "ErrorItemNotFound")


def test_users_of_the_tenant(emulator, token):
    names = [user["displayName"] for user in emulator.get("/v1.0/users", token).json()["value"]]
    assert names[:3] == ["Adele Vance", "Bram Okafor", "Dara Lindqvist"]
    assert len(names) == 100


def test_messages_are_paged(emulator, token):
    url, sizes, subjects = "/v1.0/me/messages?$top=10", [], []
    while url:
        page = emulator.get(url.removeprefix(emulator.origin), token).json()
        sizes.append(len(page["value"]))
        subjects += [(message["id"], message["subject"]) for message in page["value"]]
        url = page.get("@odata.nextLink")
        assert url is None or url.startswith(emulator.origin + "/v1.0/")
    assert sizes == [10, 10, 3]
    assert len(set(subjects)) == 23


def test_bad_option(emulator, token):
    assert_envelope(emulator.get("/v1.0/me/messages?$top=many", token), 400, "BadRequest")


def test_unknown_segment(emulator, token):
    reply = emulator.get("/v1.0/me/unicorns", token)
    assert_envelope(reply, 501, "notImplemented")
    assert "'unicorns'" in reply.json()["error"]["message"]


@pytest.mark.parametrize("token", [None, "garbage", "eyJhbGciOiJub25lIn0.e30."])
def test_unknown_token(emulator, token):
    reply = emulator.get("/v1.0/me", token)
    assert_envelope(reply, 401, "InvalidAuthenticationToken")
    challenge = reply.headers["WWW-Authenticate"]
    assert challenge.startswith('Bearer realm="", authorization_uri="')


def test_without_the_scope(emulator):
    _, result = emulator.sign_in("chiara@outlook.example")
    token = result["access_token"]
    assert_envelope(emulator.get("/v1.0/users", token), 403, "Authorization_RequestDenied")
    assert_envelope(emulator.get("/v1.0/me/messages", token), 403, "ErrorAccessDenied")


def test_expired_token(emulator):
    _, result = emulator.sign_in("adele@contoso.example")
    assert emulator.get("/v1.0/me", result["access_token"]).status_code == 200
    emulator.control("expire")
    reply = emulator.get("/v1.0/me", result["access_token"])
    assert_envelope(reply, 401, "InvalidAuthenticationToken")
    assert "expired" in reply.json()["error"]["message"]
