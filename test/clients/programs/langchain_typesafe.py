from langchain_typesafe import Noul, TypeSafeClassifier

questions = {"refund": Noul(instructions="Does the customer ask for a refund?")}
result = TypeSafeClassifier().invoke({"state": "Please refund me.", "questions": questions})
print(f"{result.nouls['refund'].noul:.2f}")
