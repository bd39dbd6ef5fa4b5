"""Query options of Graph: what they select, and what is refused."""

import pytest

from conftest import Emulator
from graph import EVENTUAL, Graph


@pytest.fixture(scope="module")
def graph():
    running = Emulator("--colleagues", "0")
    yield Graph(running)
    running.stop()


@pytest.mark.parametrize("text, names", [
    ("displayName eq 'adele vance'", ["Adele"]),
    ("startswith(displayName,'b') or startsWith(surname,'L')", ["Bram", "Dara"]),
    ("givenName in ('Adele', 'Dara') and jobTitle eq 'Designer'", ["Dara"]),
    ("(surname eq 'Vance' or surname eq 'Okafor') and givenName eq 'Bram'", ["Bram"]),
    # `and` is stronger than `or`.
    ("givenName eq 'Adele' or givenName eq 'Bram' and surname eq 'X'", ["Adele"]),
    ("mobilePhone eq null", ["Bram", "Dara"]),
    ("accountEnabled eq true", ["Adele", "Bram", "Dara"]),
    ("id eq 3d7a1c58-94b2-4e0f-a6d1-82c5f09e7b34", ["Adele"]),
    ("proxyAddresses/any(p:p eq 'smtp:bram@contoso.example')", ["Bram"]),
    ("createdDateTime ge 2020-01-01T00:00:00Z", ["Adele", "Bram", "Dara"]),
    ("createdDateTime lt 2020-01-01", []),
    ("displayName eq 'O''Brien'", []),
])
def test_filter(graph, text, names):
    found = graph.values("/users", params={"$filter": text})
    assert [user["givenName"] for user in found] == names


@pytest.mark.parametrize("text, names", [
    ("displayName ne 'Bram Okafor'", ["Adele", "Dara"]),
    ("not(startswith(displayName,'A'))", ["Bram", "Dara"]),
    ("endswith(mail,'dele@contoso.example')", ["Adele"]),
    ("otherMails/$count eq 0 and contains(jobTitle,'manager')", ["Adele"]),
])
def test_advanced_filter_needs_its_header_and_count(graph, text, names):
    code, sentence = graph.error("GET", "/users", 400, params={"$filter": text})
    assert code == "Request_UnsupportedQuery" and "ConsistencyLevel" in sentence
    graph("GET", "/users", 400, params={"$filter": text}, headers=EVENTUAL)
    page = graph.get("/users", params={"$filter": text, "$count": "true"}, headers=EVENTUAL)
    assert [user["givenName"] for user in page["value"]] == names
    assert page["@odata.count"] == len(names)


@pytest.mark.parametrize("options, status, words", [
    ({"$filter": "shoeSize eq 44"}, 400, "'shoeSize' on type 'microsoft.graph.user'"),
    ({"$filter": "displayName eq 'x"}, 400, "unterminated"),
    ({"$filter": "displayName eq"}, 400, "at the end"),
    ({"$filter": "(displayName eq 'x'"}, 400, "syntax error"),
    ({"$filter": "not " * 1000 + "accountEnabled"}, 400, "too deeply"),
    ({"$filter": "geo.distance(displayName,'x') lt 1"}, 501, "geo.distance"),
    ({"$select": "shoeSize"}, 400, "'shoeSize'"),
    ({"$orderby": "shoeSize"}, 400, "'shoeSize'"),
    ({"$orderby": "displayName up"}, 400, "orderby"),
    ({"$expand": "shoes"}, 400, "'shoes'"),
    ({"$top": "-1"}, 400, "$top"),
    ({"$top": "1000"}, 400, "page size"),
    ({"$skip": "1"}, 400, "$skip"),
    ({"$count": "yes"}, 400, "$count"),
    ({"$search": '"displayName:adele"'}, 400, "ConsistencyLevel"),
    ({"$apply": "groupby((jobTitle))"}, 501, "$apply"),
    ({"$sellect": "id"}, 501, "$sellect"),
    ({"page": "2"}, 501, "'page'"),
])
def test_what_is_wrong_or_unknown_is_refused_with_a_sentence(graph, options, status, words):
    assert words in graph.error("GET", "/users", status, params=options)[1]


def test_order_select_and_expand(graph):
    page = graph.get("/users?$orderby=displayName desc&$select=displayName,jobTitle")
    assert [user["displayName"] for user in page["value"]] == [
        "Dara Lindqvist", "Bram Okafor", "Adele Vance"]
    assert all(user.keys() == {"displayName", "jobTitle"} for user in page["value"])
    group = graph.values("/groups?$filter=displayName eq 'Finance'")[0]
    group = graph.get(
        f"/groups/{group['id']}?$select=displayName&$expand=members($select=givenName;$top=2)")
    assert [member["givenName"] for member in group["members"]] == ["Adele", "Bram"]


def test_search(graph):
    def names(text):
        return [
            user["givenName"] for user in graph.values(
                "/users", params={"$search": text}, headers=EVENTUAL)]

    assert names('"displayName:oka"') == ["Bram"]
    assert names('"displayName:vance" OR "displayName:dara"') == ["Adele", "Dara"]
    assert names('"displayName:vance" AND "displayName:dara"') == []
    assert len(graph.values("/me/messages", params={"$search": '"subject:ghent"'})) == 3


def test_pages_bring_each_item_once(graph):
    link, seen, sizes = "/me/messages?$top=10&$select=subject&$orderby=receivedDateTime", [], []
    while link:
        page = graph.get(link)
        sizes.append(len(page["value"]))
        seen += [message["id"] for message in page["value"]]
        link = page.get("@odata.nextLink")
    assert sizes == [10, 10, 3] and len(set(seen)) == 23
    assert graph.error("GET", "/users?$skiptoken=x", 400)[0] == "BadRequest"
    page = graph.get("/users", headers={"Prefer": "odata.maxpagesize=2"})
    assert len(page["value"]) == 2 and "@odata.nextLink" in page


def test_count(graph):
    assert graph("GET", "/users/$count", 200, headers=EVENTUAL).text == "3"
    assert graph.error("GET", "/users/$count", 400)[0] == "Request_BadRequest"
    assert graph.get("/me/messages?$count=true&$filter=isRead eq false")["@odata.count"] == 3
