import litellm

QUESTIONS = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
# Longer than 2 KiB.
STATE = "Please refund me. " + "The parcel is late. " * 120
answer = litellm.systemone(model="typesafe/jev-latest", state=STATE, questions=QUESTIONS)
print(f"{answer.answers['refund'].noul:.2f}")
