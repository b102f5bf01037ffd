import pandas
from jevpandas import JevClient, JevFrame

rows = pandas.DataFrame({"message": ["Please refund me.", "Thank you."]})
with JevClient() as client:
    judged = JevFrame(rows, client).evaluate("Does the customer ask for a refund?", columns=["message"])
    print(" ".join(f"{p:.2f}" for p in judged.iloc[:, 1]))
