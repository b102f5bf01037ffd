"""Prints the status, the field and the message of each refused image and file."""
from openai import BadRequestError, OpenAI

IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AA=="}
FILE = {"type": "input_file", "file_id": "file-1"}
client = OpenAI()


def ask(content, instructions="Does it show a refund?"):
    question = {"type": "predicate", "instructions": instructions}
    try:
        client.decisions.create(model="gpt-6-luna", input=[{"role": "user", "content": content}], questions=[question])
    except BadRequestError as error:
        print(error.status_code, error.param, error.body["message"])


ask([IMAGE])
ask([FILE])
ask("Please refund me.", [IMAGE])
