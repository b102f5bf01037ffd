from decide import Client, Noul

response = Client.from_env().decide(
    state={"message": "Please refund me."}, questions={"refund": Noul("Does the customer ask for a refund?")}
)
print(f"{response.nouls['refund'].noul:.2f}")
