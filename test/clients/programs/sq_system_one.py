from systemone_sq import Client, Noul

with Client() as client:
    answers = client.evaluate("Please refund me.", {"refund": Noul("Does the customer ask for a refund?")}).answers
    print(f"{answers['refund'].noul:.2f}")
