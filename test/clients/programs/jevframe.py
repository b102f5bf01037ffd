import asyncio

import jevframe.pandas
import pandas


async def main():
    rows = pandas.DataFrame({"message": ["Please refund me.", "Thank you."]})
    probabilities = await rows.jev.noul("Does the customer ask for a refund?", state=["message"])
    print(" ".join(f"{p:.2f}" for p in probabilities))


asyncio.run(main())
