from openai import OpenAI

decision = OpenAI().decisions.create(
    model="gpt-6-luna",
    input="Please refund me.",
    questions=[{"type": "predicate", "name": "refund", "instructions": "Does the customer ask for a refund?"}],
)
print(f"{decision.answers[0].probability:.2f}")
