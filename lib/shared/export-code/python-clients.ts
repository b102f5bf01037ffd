import type { ExportApi } from "./export-apis"

interface PythonClient {
  /** On PyPI, without its version. */
  name: string
  version: string
  imports: string
  /** Creates `client`, and declares `decide(state)`. Needs `BASE_URL`, `MODEL` and `QUESTIONS`. */
  code: string
  /** Declares `decision_of(decided)`, which returns what the thresholds read. Null where `decide` returns it. */
  decisionOf: string | null
}

const decide = (call: string, json: string) => `

def decide(state):
    """Asks the questions about a state, given as JSON text.

    The client's retries have one Idempotency-Key, so the request is charged once.
    """
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    decided = client.${call}
    return decided.model_dump(${json})
`

const OPENAI_NAMED = `

def decision_of(decided):
    """Returns the answers by question, as the thresholds read them."""
    answers = {}
    for answer in decided["answers"]:
        probabilities = {str(entry["value"]): entry["probability"] for entry in answer.get("probabilities", [])}
        is_predicate = answer["type"] == "predicate"
        answers[answer["name"]] = {"noul": answer["probability"]} if is_predicate else {**answer, "probabilities": probabilities}
    return {**decided, "answers": answers}
`

/** The clients of other APIs for Python. Tests run them at these versions. */
export const PYTHON_CLIENTS: Readonly<Record<Exclude<ExportApi, "decisions">, PythonClient>> = {
  systemone: {
    name: "typesafe-sdk",
    version: "0.7.5",
    imports: "from typesafe_sdk import TypeSafeClient",
    code: `
client = TypeSafeClient(api_key=os.environ["SVC_API_KEY"], base_url=BASE_URL, timeout=130)
${decide("system_one(json.loads(state), json.loads(QUESTIONS), model=MODEL, extra_headers=headers)", 'mode="json"')}`,
    decisionOf: null,
  },
  openrouter: {
    name: "openrouter",
    version: "1.3.84",
    imports: "from openrouter import OpenRouter",
    code: `
client = OpenRouter(api_key=os.environ["SVC_API_KEY"], server_url=BASE_URL, timeout_ms=130_000)
${decide("system_one.create(\n        model=MODEL, state=json.loads(state), questions=json.loads(QUESTIONS), http_headers=headers\n    )", 'mode="json", by_alias=True')}`,
    decisionOf: null,
  },
  openai: {
    name: "openai",
    version: "3.57.0",
    imports: "from openai import OpenAI",
    code: `
client = OpenAI(api_key=os.environ["SVC_API_KEY"], base_url=BASE_URL, timeout=130)
${decide("decisions.create(\n        model=MODEL, input=json.loads(state), questions=json.loads(QUESTIONS), extra_headers=headers\n    )", 'mode="json"')}`,
    decisionOf: OPENAI_NAMED,
  },
}
