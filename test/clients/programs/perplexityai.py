from perplexity import Perplexity

answer = Perplexity().decisions.create(
    model="svc-decider-latest",
    state="Please refund me.",
    questions={"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}},
)
print(f"{answer.answers['refund'].noul:.2f}")
