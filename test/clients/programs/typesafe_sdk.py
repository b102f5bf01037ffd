from typesafe_sdk import Noul, TypeSafeClient

# Longer than 2 KiB, so the client compresses it if it has zstd.
STATE = "Please refund me. " + "The parcel is late. " * 120
with TypeSafeClient() as client:
    answer = client.system_one(state=STATE, questions={"refund": Noul(instructions="Does the customer ask for a refund?")})
    print(f"{answer.nouls['refund'].noul:.2f}")
