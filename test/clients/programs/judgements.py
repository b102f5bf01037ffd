from judgements import TypeSafe, question

with_refund = question("Does the customer ask for a refund?", bool)
print(f"{TypeSafe().ask('Please refund me.', with_refund).probability:.2f}")
