from semantic_operators import Boolean
from semantic_operators.providers.typesafe import TypeSafe
from typesafe_sdk import TypeSafeClient

with TypeSafeClient() as client:
    answers = TypeSafe(client).ask("Please refund me.", {"refund": Boolean("Does the customer ask for a refund?")})
    print(f"{answers['refund'].confidence:.2f}")
