from llama_index.core.tools import ToolMetadata
from llama_index.selectors.jev import JevMultiSelector

names = ["weather", "refund", *(f"tool{i}" for i in range(18))]
tools = [ToolMetadata(name=name, description=f"Answers questions about {name}") for name in names]
print(JevMultiSelector().select(tools, "I want a refund").inds)
