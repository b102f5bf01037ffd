import asyncio
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

SERVER = StdioTransport(command=sys.executable, args=["-m", "system_one.mcp"], env=dict(os.environ))
QUESTIONS = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}


async def main():
    async with Client(SERVER) as client:
        result = await client.call_tool("ask", {"state": "Please refund me.", "questions": QUESTIONS})
        print(f"{result.structured_content['answers']['refund']['noul']:.2f}")


asyncio.run(main())
