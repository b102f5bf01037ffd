from system_one import SystemOne, TypesafeConfig

questions = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
print(f"{SystemOne(TypesafeConfig()).ask('Please refund me.', questions).nouls['refund'].noul:.2f}")
