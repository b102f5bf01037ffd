import type { CheckedRequest } from "../../decisions/check"
import { ServiceError } from "../../errors"
import { JsonText } from "../../json/text"
import { ConnectionFailure } from "../connection-failure"
import type { ProbeResult } from "../engine"
import { requestBody } from "./request-body"
import { readAnswers } from "./response"
import type { TokenCounter } from "./token-counter"
import type { Transport } from "./transport"

/** A probe's result, with the name the model is served under. */
export interface SystemOneProbe extends ProbeResult {
  served?: string
}

/** Why the engine cannot be used, in words for the operator. */
class Unusable extends Error {}

const MOST_NAMES = 5

const quoted = (text: string) => new JsonText("string", Buffer.from(JSON.stringify(text)))
const SMALL_REQUEST: CheckedRequest = {
  model: "",
  state: quoted("ping"),
  questions: [{ type: "noul", name: "test", instructions: quoted("Is this a test?"), criteria: null }],
}

type Members = Record<string, unknown>

/** The members of a JSON object's text; none when it is something else. */
function membersOf(text: string): Members {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? (value as Members) : {}
  } catch {
    return {}
  }
}

const listOf = (value: unknown): Members[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "object" && entry !== null) : []

function refuseStatus(status: number): void {
  if (status === 401 || status === 403) throw new Unusable(`The engine refuses its API key (HTTP ${status}).`)
  if (status === 503) throw new Unusable("The engine is not ready: it is loading its model (HTTP 503).")
}

/** The name to ask for, checked against `GET /v1/models` where the engine has one. */
async function findModel(transport: Transport, model: string | null, signal: AbortSignal): Promise<string> {
  const { status, text } = await transport.call("GET", "/v1/models", null, signal)
  refuseStatus(status)
  const body = status === 200 ? membersOf(text) : {}
  const entries = listOf(body.data).length ? listOf(body.data) : listOf(body.models)
  const names = entries.map(({ id, name }) => String(id ?? name))
  const list = names.slice(0, MOST_NAMES).join(", ")
  const served = model ?? names[0]
  if (served === undefined) throw new Unusable("The engine does not list its models: name the one to use.")
  if (model === null && names.length > 1) throw new Unusable(`The engine serves several models: name one of ${list}.`)

  const entry = entries.find(
    ({ aliases }, i) => names[i] === served || (Array.isArray(aliases) && aliases.includes(served)),
  )
  if (names.length && !entry) throw new Unusable(`The engine does not serve ${served}, but ${list}.`)
  const { output_modalities: modalities } = (entry?.architecture ?? {}) as Members
  if (Array.isArray(modalities) && !modalities.includes("decisions"))
    throw new Unusable(`${served} is not a decision model.`)
  return served
}

/** What `GET /props` says of build and slots; nothing where there is no such route. */
async function readProps(transport: Transport, signal: AbortSignal): Promise<{ build?: string; slots?: number }> {
  const { status, text } = await transport.call("GET", "/props", null, signal)
  const { build_info: build, total_slots: slots } = status === 200 ? membersOf(text) : {}
  return {
    ...(typeof build === "string" && build ? { build } : {}),
    ...(typeof slots === "number" && Number.isInteger(slots) && slots > 0 ? { slots } : {}),
  }
}

async function askSmallQuestion(transport: Transport, served: string, signal: AbortSignal): Promise<void> {
  const response = await transport.call("POST", "/v1/systemone", requestBody(served, SMALL_REQUEST), signal)
  const { status } = response
  // An engine at capacity is up; it must not be called unavailable for being used.
  if (status === 429 || status === 529) return
  refuseStatus(status)
  if (status === 501) throw new Unusable(`${served} is not a decision model (HTTP 501).`)
  if (status === 404)
    throw new Unusable(
      "The engine has no /v1/systemone (HTTP 404): its address is given without /v1, and its build may be too old.",
    )
  if (status !== 200) throw new Unusable(`The engine refused a small question (HTTP ${status}).`)
  try {
    readAnswers(SMALL_REQUEST, response.text)
  } catch {
    throw new Unusable("The engine's answer to a small question is not well-formed.")
  }
}

async function checkCounter(counter: TokenCounter, signal: AbortSignal): Promise<void> {
  try {
    await counter.check(signal)
  } catch (thrown) {
    if (signal.aborted || (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)) throw thrown
    throw new Unusable("The engine's /tokenize does not work: tokens cannot be counted.")
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Unusable) return thrown.message
  if (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)
    return `The engine does not answer: ${thrown.cause.kind}.`
  if (thrown instanceof ServiceError && thrown.code === "upstream_timeout")
    return "The engine did not answer the probe in time."
  return "The engine answered the probe with something that cannot be read."
}

/** Asks an engine whether it can be used for `model` (null: the only one it serves). Never rejects. */
export async function probeSystemOne(
  transport: Transport,
  model: string | null,
  counter: TokenCounter | null,
  signal: AbortSignal,
): Promise<SystemOneProbe> {
  try {
    const served = await findModel(transport, model, signal)
    const props = await readProps(transport, signal)
    await askSmallQuestion(transport, served, signal)
    if (counter) await checkCounter(counter, signal)
    return { available: true, served, ...props }
  } catch (thrown) {
    return { available: false, reason: reasonOf(thrown) }
  }
}
