from typesafe_sdk import Noul, TypeSafeClient

# Longer than 2 KiB.
STATE = "Please refund me. " + "The parcel is late. " * 120
with TypeSafeClient(compression=False) as client:
    answer = client.system_one(state=STATE, questions={"refund": Noul(instructions="Does the customer ask for a refund?")})
    print(f"{answer.answers['refund'].noul:.2f}")
