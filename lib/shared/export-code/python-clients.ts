import type { ClientApi } from "./export-apis"

/** Declares `post(path, body)`, which needs `BASE_URL`. */
export const PYTHON_POST = `
class DecisionError(Exception):
    """An error from the API. Check \`code\`."""

    def __init__(self, status, code, message, request_id):
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code, self.request_id = status, code, request_id


def error_of(response):
    request_id = response.headers.get("x-request-id")
    try:
        error = json.loads(response.read())["error"]
        return DecisionError(response.code, error["code"], error["message"], request_id)
    except (ValueError, KeyError, TypeError):
        code = "upstream_timeout" if response.code == 504 else "unreadable"
        return DecisionError(response.code, code, "The response is not JSON.", request_id)


def wait_seconds(response, attempt):
    """Returns Retry-After, 1 second to an hour, if present, else exponential backoff with jitter."""
    try:
        return min(3600.0, max(1.0, float(response.headers.get("retry-after", ""))))
    except (AttributeError, ValueError):
        return random.random() * 0.5 * 2**attempt


def post(path, body):
    """Sends JSON text, and returns what the response holds and its headers.

    Retries 429, 500, 502, 503, 504, timeouts and lost connections. Any other error, such as 402, is raised at once.
    All attempts have one Idempotency-Key and one body, so a decision is charged once.
    """
    request = urllib.request.Request(
        BASE_URL + path,
        data=body.encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SVC_API_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for attempt in range(5):
        try:
            with urllib.request.urlopen(request, timeout=130) as response:
                return json.loads(response.read()), response.headers
        except urllib.error.HTTPError as response:
            if response.code not in (429, 500, 502, 503, 504) or attempt == 4:
                raise error_of(response) from None
            time.sleep(wait_seconds(response, attempt))
        except (OSError, HTTPException):
            if attempt == 4:
                raise
            time.sleep(wait_seconds(None, attempt))
`

/** Declares `post` and `decide(state)`, which need `BASE_URL`, `MODEL` and `QUESTIONS`. */
export const PYTHON_CLIENT = `${PYTHON_POST}

def decide(state):
    """Asks the questions about a state, given as JSON text."""
    body = '{"model":%s,"state":%s,"questions":%s}' % (json.dumps(MODEL), state, QUESTIONS)
    return post("/v1/decisions", body)[0]
`

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
export const PYTHON_CLIENTS: Readonly<Record<ClientApi, PythonClient>> = {
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
