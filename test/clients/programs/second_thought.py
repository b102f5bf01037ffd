from second_thought import Store, capture
from second_thought.protocol import validate_response
from typesafe_sdk import TypeSafeClient

questions = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
with TypeSafeClient() as client:
    answered = client.system_one(state="Please refund me.", questions=questions).model_dump(mode="json")
assert validate_response(answered).ok
capture(Store("decisions.db"), answered, provider="svc", state="Please refund me.", questions=questions)
print(f"{next(iter(Store('decisions.db').query())).predictions['refund'].noul:.2f}")
