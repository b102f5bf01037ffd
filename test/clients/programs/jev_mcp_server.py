import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVER = StdioServerParameters(
    command=sys.executable, args=["-m", "jev_mcp_server.server"], env=dict(os.environ)
)
QUESTION = {"question": "Does the customer ask for a refund?", "context": "Please refund me."}


async def main():
    async with stdio_client(SERVER) as streams, ClientSession(*streams) as session:
        await session.initialize()
        result = await session.call_tool("noul", QUESTION)
        print(f"{json.loads(result.content[0].text)['noul']:.2f}")


asyncio.run(main())
