from langgraph_jev import JevClient, choice

CRITERIA = {"refund": "The customer asks for a refund", "delivery": "A parcel is late"}
with JevClient() as client:
    result = client.decide(state={"message": "Please refund me."}, questions={"topic": choice(CRITERIA)})
    print(result.decisions["topic"].value)
