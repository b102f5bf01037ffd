from composio.types import Tool
from composio_typesafe import TypesafeProvider

# The built-in scorer is less sure than a model.
provider = TypesafeProvider(thresholds={"routing": 0, "gate": 0, "argument": 0})
SCHEMA = {
    "type": "object",
    "properties": {"state": {"type": "string", "enum": ["open", "closed"], "description": "Which orders to list"}},
    "required": ["state"],
}
ITEM = {
    "slug": "ORDERS_REFUND",
    "name": "Refund an order",
    "description": "Refund a customer",
    "input_parameters": SCHEMA,
}
tools = provider.wrap_tools([Tool.model_construct(**ITEM)])
decision = provider.decide(tools, "Please refund me.")
print(decision["kind"], decision["tool"])
