import json
import os

import llm
import llm_openrouter_decisions

llm_openrouter_decisions.API_URL = os.environ["API_URL"]
llm_openrouter_decisions.MODELS_URL = os.environ["MODELS_URL"]
model = llm.get_model("openrouter-decisions/typesafe/jev-latest")
answer = model.prompt("Please refund me.", system="Does the customer ask for a refund?")
print(f"{json.loads(answer.text())['noul']:.2f}")
