"""Uses the client that openapi-python-client generates: what is right passes mypy, what is wrong does not.

generated_client.py URL KEY: decides once and prints the types of the answers, the charged tokens and an error's code.
"""
import sys

from decision_service_client import AuthenticatedClient
from decision_service_client.api.decisions import create_decision
from decision_service_client.api.models import get_model, list_models
from decision_service_client.models import (
    ChoiceAnswer,
    ChoiceQuestion,
    ChoiceQuestionCriteria,
    DecisionRequest,
    DecisionRequestQuestions,
    DecisionResponse,
    InvalidModel,
    ModelEntry,
    ModelList,
    NoulAnswer,
    NoulQuestion,
    ScoreAnswer,
    ScoreQuestion,
)

ALIAS = "svc-decider-latest"


def questions() -> DecisionRequestQuestions:
    options = ChoiceQuestionCriteria()
    options.additional_properties = {"billing": "About money", "parcel": None}
    named = DecisionRequestQuestions()
    named.additional_properties = {
        "refund": NoulQuestion(type_="noul", instructions="Does the customer want money back?"),
        "topic": ChoiceQuestion(type_="choice", criteria=options),
        "anger": ScoreQuestion(type_="score", criteria=["calm", "angry"]),
    }
    return named


def wrong() -> None:
    NoulQuestion(type_="choice")  # type: ignore[arg-type]
    NoulQuestion(instructions="No type")  # type: ignore[call-arg]
    ChoiceQuestion(type_="choice")  # type: ignore[call-arg]
    ScoreQuestion(type_="score", criteria={"calm": None})  # type: ignore[arg-type]
    DecisionRequest(model=ALIAS, state=None, questions=questions())  # type: ignore[arg-type]
    DecisionRequest(model=ALIAS, state="s", questions={"q": "?"})  # type: ignore[arg-type]


def main(url: str, key: str) -> None:
    client = AuthenticatedClient(base_url=url, token=key)
    body = DecisionRequest(model=ALIAS, state="I want my money back.", questions=questions())
    decided = create_decision.sync(client=client, body=body)
    assert isinstance(decided, DecisionResponse)
    answers = decided.answers.additional_properties
    refund, topic, anger = answers["refund"], answers["topic"], answers["anger"]
    assert isinstance(refund, NoulAnswer) and 0 <= refund.noul <= 1
    assert isinstance(topic, ChoiceAnswer) and topic.choice in topic.probabilities.additional_properties
    assert isinstance(anger, ScoreAnswer) and 0 <= anger.score <= 1
    body.model = "no-such-model"
    refused = create_decision.sync(client=client, body=body)
    assert isinstance(refused, InvalidModel)
    models = list_models.sync(client=client)
    assert isinstance(models, ModelList)
    model = get_model.sync(ALIAS, client=client)
    assert isinstance(model, ModelEntry)
    print(refund.type_, topic.type_, anger.type_, decided.usage.input_tokens > 0, refused.error.code, model.kind)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
