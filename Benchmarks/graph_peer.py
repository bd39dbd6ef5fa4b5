"""Reads all users, in their pages, with the HTTP client of Microsoft's msgraph-core. See graph.py.

usage: graph_peer.py API CA_FILE
"""

import asyncio
import ssl
import sys

import httpx
from msgraph_core import GraphClientFactory

api, ca_file = sys.argv[1:]


async def main():
    context = ssl.create_default_context(cafile=ca_file)
    client = GraphClientFactory.create_with_default_middleware(client=httpx.AsyncClient(verify=context))
    users = 0
    url = f"{api}/users"
    while url:
        answer = await client.get(url)
        answer.raise_for_status()
        page = answer.json()
        users += len(page["value"])
        url = page.get("@odata.nextLink")
    assert users == 10_000
    await client.aclose()


asyncio.run(main())
