import { ServiceError } from "@/lib/shared/errors"
import { jsonString } from "@/lib/shared/json/text"
import { BadResponse, type Members } from "@/questions/engine-wire"
import type { CheckedQuestion } from "@/questions/question-types"
import { shownText } from "../engine-refusal"
import { suggestLabels } from "../labels/find-dialect"
import { after, Unusable, WrongAnswer } from "../unusable"
import { saidBy } from "./failures"
import { type Profile, refuseStatus, rulesOf } from "./family"
import { requestBody } from "./request-body"
import { type Reply, type ReplyRules, readReply } from "./response"
import type { Transport, WireResponse } from "./transport"

/** The label mass below which a model is not used. */
const LEAST_LABEL_MASS = 0.5
const NO_ROUTE =
  "The engine has no /v1/systemone (HTTP 404). Check that its address does not end in /v1 and that its build is recent."

const STATE = jsonString("ping")
/** The question of every probe. */
export const TEST: CheckedQuestion = {
  type: "noul",
  name: "test",
  instructions: jsonString("Is this a test?"),
  criteria: null,
}

export interface FoundModel {
  served: string
  names: string[]
  /** The model's entry in the list of models. */
  listed: Members
}

/** Returns whether an engine has no place now, which does not make it unavailable. */
export const isAtCapacity = ({ status, text }: WireResponse): boolean =>
  status === 429 || status === 529 || (status === 503 && text.includes("QUEUE_FULL"))

interface Asker {
  transport: Transport
  signal: AbortSignal
  /** Called for a probability that was clamped to 0 or 1. */
  clamped(): void
}

/** Asks one question about a short text. Throws `Unusable` when the engine refuses it or its answer cannot be used. Returns null when the engine is at capacity. */
export async function askTest(
  { transport, signal, clamped }: Asker,
  { served, listed }: FoundModel,
  profile: Profile,
  question: CheckedQuestion,
): Promise<Reply | null> {
  const response = await ask(transport, served, [question], profile, signal)
  const { status, text } = response
  if (isAtCapacity(response)) return null
  refuseStatus(status)
  const said = status === 200 ? "" : after(shownText(saidBy(text)))
  if (status === 501)
    throw new Unusable(`${served} is not a decision model (HTTP 501)${said}.${suggestLabels(served, listed)}`)
  if (status === 404) throw new Unusable(NO_ROUTE + suggestLabels(served, listed))
  if (status !== 200) throw new Unusable(`The engine refused a small question (HTTP ${status})${said}.`)
  const reply = readTest(question, text, rulesOf(profile, clamped))
  checkLabels(question, reply)
  return reply
}

function readTest(question: CheckedQuestion, text: string, rules: ReplyRules): Reply {
  try {
    return readReply([question], text, rules)
  } catch (thrown) {
    const cause = thrown instanceof ServiceError ? thrown.cause : null
    const why = cause instanceof BadResponse ? cause.message : ""
    throw new WrongAnswer(`The engine's answer to a small ${question.type} question cannot be used${after(why)}.`)
  }
}

/** Throws `Unusable` when the model would rather write something else than an answer. */
function checkLabels({ type }: CheckedQuestion, { labels: [report] }: Reply): void {
  const { mass = null, isLikeliest = null } = report ?? {}
  if (mass !== null && mass < LEAST_LABEL_MASS)
    throw new WrongAnswer(
      `The model answers a small ${type} question with a label only ${Math.round(mass * 100)} % of the time: use a decision model, or one that is tuned to follow instructions.`,
    )
  if (isLikeliest === false)
    throw new WrongAnswer(
      `The model would rather write something else than a label in answer to a small ${type} question: use a decision model, or one that is tuned to follow instructions.`,
    )
}

/** Sends questions, about a short text unless a state is given. */
export const ask = (
  transport: Transport,
  served: string,
  questions: CheckedQuestion[],
  profile: Profile,
  signal: AbortSignal,
  state = STATE,
): Promise<WireResponse> => {
  const { isStrict, family } = profile
  const writing = { isStrict, isObject: state.kind === "object", needsDistinctLevels: family.needsDistinctLevels }
  return transport.call("POST", "/v1/systemone", requestBody(served, { state, questions }, writing), signal)
}
