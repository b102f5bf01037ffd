from haystack import Document
from haystack_integrations.components.classifiers.typesafe import TypeSafeDocumentClassifier

questions = {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}}
result = TypeSafeDocumentClassifier(questions).run([Document(content="Please refund me.")])
print(f"{result['documents'][0].meta['typesafe']['refund']['noul']:.2f}")
