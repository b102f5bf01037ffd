import asyncio

from agent_framework import Agent
from agent_framework_typesafe import TypeSafeChatClient
from typesafe_sdk import Noul


async def main():
    client = TypeSafeChatClient()
    agent = Agent(client=client, name="triage", instructions="Evaluate the message.")
    questions = {"refund": Noul(instructions="Does the customer ask for a refund?")}
    response = await agent.run("Please refund me.", options={"response_format": questions})
    print(f"{response.value.answers['refund'].noul:.2f}")
    await client.close()


asyncio.run(main())
