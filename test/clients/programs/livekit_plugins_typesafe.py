import asyncio
import os

from livekit.agents import llm, utils
from livekit.plugins import typesafe


async def main():
    async with utils.http_context.open():
        model = typesafe.DecisionModel(endpoint=os.environ["endpoint"])
        decisions = {"refund": llm.Probability("Does the customer ask for a refund?")}
        response = await model.evaluate(input="Please refund me.", decisions=decisions)
        print(f"{response.results['refund'].value:.2f}")


asyncio.run(main())
