"""The official Python SDK as a client: over stdio, and over HTTP."""

import asyncio
import os
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

PROGRAM, TOOLS, URL, TOKEN = sys.argv[1:5]


async def agree(_context, params):
    content = {name: True for name in params.requested_schema.get("properties", {})}
    return ElicitResult(action="accept", content=content)


async def talk(client):
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert "greet" in listed, listed.keys()
    emptying = next(tool for name, tool in listed.items() if "empty" in name)
    assert emptying.annotations.destructive_hint is True
    assert emptying.annotations.read_only_hint is not True

    answer = await client.call_tool("greet", {"name": "Ada; $(id)"})
    assert not answer.is_error, answer
    assert answer.content[0].text.strip() == "hello Ada; $(id)", answer

    wrong = await client.call_tool("greet", {"nam": "Ada"})
    assert wrong.is_error and "name" in wrong.content[0].text, wrong
    return emptying.name


async def main():
    server = StdioServerParameters(command=PROGRAM, args=["mcp", TOOLS], env=dict(os.environ))
    for mode in ["auto", "legacy"]:
        async with Client(server, mode=mode) as client:
            emptying = await talk(client)
            refused = await client.call_tool(emptying, {"bottle": "red"})
            assert refused.is_error and "approv" in refused.content[0].text, refused
        async with Client(server, mode=mode, elicitation_callback=agree) as client:
            emptying = await talk(client)
            answer = await client.call_tool(emptying, {"bottle": "red"})
            assert not answer.is_error and "emptied red" in answer.content[0].text, answer
            print(f"the Python SDK, {client.protocol_version}: listed, called, refused and asked")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx2.AsyncClient(headers=headers) as http:
        async with Client(streamable_http_client(f"{URL}/mcp", http_client=http)) as client:
            await talk(client)
            print(f"the Python SDK, {client.protocol_version} over HTTP: listed and called")


asyncio.run(main())
