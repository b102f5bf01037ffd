import litellm

QUESTIONS = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
answer = litellm.systemone(model="openrouter/typesafe/jev-latest", state="Please refund me.", questions=QUESTIONS)
print(f"{answer.answers['refund'].noul:.2f}")
