from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.postprocessor.jev import JevRerank

texts = ["The Eiffel Tower is in Paris.", "Python is a programming language.", "The Louvre is a museum in Paris."]
nodes = [NodeWithScore(node=TextNode(text=text), score=0.5) for text in texts]
query = QueryBundle("Where is the Eiffel Tower in Paris?")
print(JevRerank(top_n=1, mode="score").postprocess_nodes(nodes, query)[0].node.text)
