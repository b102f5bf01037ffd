import os

from jevzilla import JEVzilla

client = JEVzilla(backend="typesafe", url=os.environ["url"])
print(f"{client.ask_noul('Please refund me.', 'Does the customer ask for a refund?').answers['decision']['noul']:.2f}")
