import os

from decide import Client, Noul
from decide.backends.openai_decisions import OpenAIDecisionsBackend

backend = OpenAIDecisionsBackend(os.environ["OPENAI_API_KEY"], base_url=os.environ["base_url"])
response = Client(backends=[backend]).decide(
    state={"message": "Please refund me."}, questions={"refund": Noul("Does the customer ask for a refund?")}
)
print(f"{response.nouls['refund'].noul:.2f}")
