from langchain_openai.decisions import OpenAIDecisions, Predicate

response = OpenAIDecisions(model="gpt-6-luna").invoke(
    {
        "input": "Please refund me.",
        "questions": {"refund": Predicate(instructions="Does the customer ask for a refund?")},
    }
)
print(f"{response.predicates['refund'].probability:.2f}")
