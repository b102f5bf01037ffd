import os

from openrouter import OpenRouter

QUESTIONS = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
with OpenRouter(api_key=os.environ["OPENROUTER_API_KEY"], server_url=os.environ["server_url"]) as client:
    answer = client.system_one.create(model="typesafe/jev-latest", state="Please refund me.", questions=QUESTIONS)
print(f"{answer.answers['refund'].noul:.2f}")
