import json
import os

import llm
import llm_openai_decisions

llm_openai_decisions.API_URL = os.environ["API_URL"]
model = llm.get_model("openai-decisions/gpt-6-luna")
answer = model.prompt("Please refund me.", system="Does the customer ask for a refund?")
print(f"{json.loads(answer.text())['probability']:.2f}")
