import { ServiceError } from "@/lib/shared/errors"
import { JsonText } from "@/lib/shared/json/text"
import { CEILINGS } from "@/questions/limits"
import type { CheckedQuestion } from "@/questions/question-types"
import { ConnectionFailure } from "../connection-failure"
import type { ProbeResult } from "../engine"
import { nameOf } from "./counter-for"
import { type Identity, identify, isSameModel, loadedContext } from "./identify"
import type { Profile } from "./profile"
import { requestBody } from "./request-body"
import { type Reply, readReply } from "./response"
import type { TokenCounter } from "./token-counter"
import { findCount } from "./tokenize"
import type { Transport, WireResponse } from "./transport"
import { listOf, type Members, membersOf, refuseStatus, Unusable } from "./unusable"

/** What a probe asks, and what was known before. */
export interface ProbeRequest {
  transport: Transport
  /** The name to ask for; null for the only one that is served. */
  model: string | null
  counter: TokenCounter | null
  profile: Profile
  /** The name that it answered under before; null where that is not known. */
  answersAs: string | null
  /** Whether it is to be found out if the engine counts tokens. */
  asksForCounts: boolean
  signal: AbortSignal
}

/** A probe's result, with how the engine takes questions and the name that it answers under. */
export interface SystemOneProbe extends ProbeResult {
  /** These two are missing when the engine was at capacity, and what was known of it still holds. */
  profile?: Profile
  answersAs?: string | null
}

const MOST_NAMES = 5
/** Two answers to the same question that differ by more were not given to that question alone. */
const SAME = 1e-6

const quoted = (text: string) => new JsonText("string", Buffer.from(JSON.stringify(text)))
const STATE = quoted("ping")
const noul = (name: string, instructions: string): CheckedQuestion => ({
  type: "noul",
  name,
  instructions: quoted(instructions),
  criteria: null,
})
const TEST = noul("test", "Is this a test?")
const OTHER = noul("other", "Does the state ask for a refund of a payment?")

/** The name to ask for, checked against `GET /v1/models` where the engine has one, and all names of that model. */
async function findModel({ transport, model, signal }: ProbeRequest): Promise<{ served: string; names: string[] }> {
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
    ({ aliases }, i) => isSameModel(names[i] ?? "", served) || (Array.isArray(aliases) && aliases.includes(served)),
  )
  if (names.length && !entry) throw new Unusable(`The engine does not serve ${served}, but ${list}.`)
  const { output_modalities: modalities } = (entry?.architecture ?? {}) as Members
  if (Array.isArray(modalities) && !modalities.includes("decisions"))
    throw new Unusable(`${served} is not a decision model.`)
  const aliases = Array.isArray(entry?.aliases) ? entry.aliases.map(String) : []
  return { served, names: [served, String(entry?.id ?? entry?.name ?? served), ...aliases] }
}

/** Refuses an engine that answers under another name than it did before, or than the families do which echo theirs. */
function checkName({ answersAs }: ProbeRequest, names: string[], { family }: Profile, { model }: Reply): void {
  if (model === null) return
  const isEcho = family === "System One" || names.some((name) => isSameModel(name, model))
  if (!isEcho || (answersAs !== null && answersAs !== model))
    throw new Unusable(`The engine answers as ${model} where it is asked for ${answersAs ?? names[0]}.`)
}

/** An answer to a small question; null from an engine at capacity, which is up and must not be called unavailable. */
async function askSmallQuestion(transport: Transport, served: string, profile: Profile, signal: AbortSignal) {
  const response = await ask(transport, served, [TEST], profile, signal)
  const { status } = response
  if (status === 429 || status === 529 || (status === 503 && response.text.includes("QUEUE_FULL"))) return null
  refuseStatus(status)
  if (status === 501) throw new Unusable(`${served} is not a decision model (HTTP 501).`)
  if (status === 404)
    throw new Unusable(
      "The engine has no /v1/systemone (HTTP 404): its address is given without /v1, and its build may be too old.",
    )
  if (status !== 200) throw new Unusable(`The engine refused a small question (HTTP ${status}).`)
  try {
    return readReply([TEST], response.text)
  } catch {
    throw new Unusable("The engine's answer to a small question is not well-formed.")
  }
}

const ask = (
  transport: Transport,
  served: string,
  questions: CheckedQuestion[],
  profile: Profile,
  signal: AbortSignal,
): Promise<WireResponse> =>
  transport.call("POST", "/v1/systemone", requestBody(served, { state: STATE, questions }, profile), signal)

/**
 * Whether the engine answers a question the same when another is asked with it: some models read all questions of a call
 * at once, and what a question is answered must not depend on its neighbours.
 */
async function readsEachAlone({ transport, signal }: ProbeRequest, served: string, profile: Profile, alone: Reply) {
  try {
    const response = await ask(transport, served, [TEST, OTHER], profile, signal)
    if (response.status !== 200) return false
    const [together] = readReply([TEST, OTHER], response.text).answers
    const [before] = alone.answers
    return together?.type === "noul" && before?.type === "noul" && Math.abs(together.yes - before.yes) <= SAME
  } catch {
    return false
  }
}

/** How the engine takes questions: what was learned of it before is kept while it is of the same family. */
async function profileOf(request: ProbeRequest, served: string, found: Profile, reply: Reply): Promise<Profile> {
  const known = request.profile.family === found.family ? request.profile : found
  if (found.family === "Ollama")
    return { ...known, cutsAtTokens: await loadedContext(request.transport, served, request.signal) }
  if (found.family !== "llama.cpp" || known.questionsPerCall > 1) return known
  const isAlone = await readsEachAlone(request, served, known, reply)
  return isAlone ? { ...known, questionsPerCall: CEILINGS.questions } : known
}

async function checkCounter(counter: TokenCounter, signal: AbortSignal): Promise<void> {
  try {
    await counter.check(signal)
  } catch (thrown) {
    if (signal.aborted || (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)) throw thrown
    throw new Unusable("Tokens cannot be counted: the engine's /tokenize or the model's own tokenizer does not work.")
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

/** The pinned settings of an engine that tells no build: the name of the model that answers. */
const buildOf = ({ build, profile }: Identity, { model }: Reply): string | undefined =>
  build ?? (profile.family === "System One" && model !== null ? `model ${model}` : undefined)

/** Asks an engine whether it can be used, and how. Never rejects. */
export async function probeSystemOne(request: ProbeRequest): Promise<SystemOneProbe> {
  const { transport, counter, signal } = request
  try {
    const { served, names } = await findModel(request)
    const identity = await identify(transport, served, signal)
    const { slots } = identity
    const reply = await askSmallQuestion(transport, served, identity.profile, signal)
    if (reply) checkName(request, names, identity.profile, reply)
    if (counter) await checkCounter(counter, signal)
    const tokenizer = request.asksForCounts ? nameOf(await findCount(transport, "ping", signal)) : null
    const found: SystemOneProbe = {
      available: true,
      served,
      ...(slots === undefined ? {} : { slots }),
      ...(tokenizer === null ? {} : { tokenizer }),
    }
    if (!reply) return { ...found, ...(identity.build === undefined ? {} : { build: identity.build }) }
    const build = buildOf(identity, reply)
    return {
      ...found,
      ...(build === undefined ? {} : { build }),
      answersAs: reply.model,
      profile: await profileOf(request, served, identity.profile, reply),
    }
  } catch (thrown) {
    return { available: false, reason: reasonOf(thrown) }
  }
}
