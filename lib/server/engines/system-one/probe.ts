import { ServiceError } from "@/lib/shared/errors"
import { jsonString } from "@/lib/shared/json/text"
import type { Members } from "@/questions/engine-wire"
import { ConnectionFailure } from "../breaker"
import type { ProbeResult } from "../engine"
import { suggestLabels } from "../labels/find-dialect"
import { MASS_REPORTED, weightsOf } from "../pinned-facts"
import type { TokenCounter } from "../tokenizer/token-counter"
import { isWrongAnswer, reasonOf, Unusable } from "../unusable"
import { findMarks } from "./control-marks"
import { tokenizerNameOf } from "./counter-for"
import { identify } from "./families"
import {
  type FoundEngine,
  type Identity,
  isSameModel,
  listOf,
  membersAt,
  membersOf,
  type Profile,
  refuseStatus,
} from "./family"
import { contextOf } from "./findings"
import { ask, askTest, type FoundModel, isAtCapacity, TEST } from "./probe-question"
import { CHOICE, findReading, SCORE } from "./question-reading"
import { ABOUT_LENGTH, findReadLength, lettersWith, type ReadLength } from "./read-length"
import { type Reply, readReply } from "./response"
import { ABOUT_STATE, findStateForm, type StateForm } from "./state-form"
import { findCount } from "./tokenize"
import type { Transport } from "./transport"

/** What a probe needs, including what earlier probes found. */
export interface ProbeRequest {
  transport: Transport
  /** The model name to send to the engine. Null when the engine serves only one model. */
  model: string | null
  counter: TokenCounter | null
  profile: Profile
  /** The model name in earlier responses. Null when unknown. */
  answersAs: string | null
  /** Whether to find out how the engine counts tokens. */
  asksForCounts: boolean
  /** Whether to find out how states are sent. */
  asksForStates: boolean
  /** Whether to find out which marks are control tokens. */
  asksForMarks: boolean
  /** Whether to ask a question of each type, because not all types were answered well since the last failure. */
  asksForTypes: boolean
  /** Whether to find out how much of a long text the engine reads, if it does not report its context. */
  asksForLength: boolean
  /** Called for a probability that was clamped to 0 or 1. */
  clamped(): void
  signal: AbortSignal
}

export interface SystemOneProbe extends ProbeResult {
  /**
   * Absent, like `answersAs`, when the engine was at capacity. The results of earlier probes then stay valid. A failed probe
   * has it only with `isOnlySlow`: what the engine's family and earlier probes say.
   */
  profile?: Profile
  answersAs?: string | null
  /** The context of one slot, in tokens. Absent when the engine does not report it. */
  contextTokens?: number
  /** Absent when it was not asked for. */
  states?: StateForm
  /** The control tokens of its vocabulary. Absent when they were not asked for. */
  marks?: string
  /** How much of a text the engine reads. Absent when it was not asked for or could not be found out now. */
  reads?: ReadLength
}

const MAX_NAMES = 5

/**
 * Returns the model name to send, checked against `GET /v1/models` if the engine has that route, and all names of that
 * model.
 */
async function findModel({ transport, model, signal }: ProbeRequest): Promise<FoundModel> {
  const { status, text } = await transport.call("GET", "/v1/models", null, signal)
  refuseStatus(status)
  const body = status === 200 ? membersOf(text) : {}
  const entries = listOf(body.data).length ? listOf(body.data) : listOf(body.models)
  const names = entries.map(({ id, name }) => String(id ?? name))
  const list = names.slice(0, MAX_NAMES).join(", ")
  const served = model ?? names[0]
  if (served === undefined) throw new Unusable("The engine does not list its models: name the one to use.")
  if (model === null && names.length > 1) throw new Unusable(`The engine serves several models: name one of ${list}.`)

  const entry = entries.find(
    ({ aliases }, i) => isSameModel(names[i] ?? "", served) || (Array.isArray(aliases) && aliases.includes(served)),
  )
  if (names.length && !entry) throw new Unusable(`The engine does not serve ${served}. It serves ${list}.`)
  const { output_modalities: modalities } = (entry?.architecture ?? {}) as Members
  if (Array.isArray(modalities) && !modalities.includes("decisions"))
    throw new Unusable(`${served} is not a decision model.${suggestLabels(served, entry ?? {})}`)
  const aliases = Array.isArray(entry?.aliases) ? entry.aliases.map(String) : []
  return { served, names: [served, String(entry?.id ?? entry?.name ?? served), ...aliases], listed: entry ?? {} }
}

/**
 * Throws `Unusable` when a response has another model name than earlier ones. Unless the family names itself, the response must
 * have one of `names`.
 */
function checkName({ answersAs }: ProbeRequest, names: string[], { family }: Profile, { model }: Reply): void {
  if (model === null) return
  const isExpected = family.namesItself || names.some((name) => isSameModel(name, model))
  if (!isExpected || (answersAs !== null && answersAs !== model))
    throw new Unusable(`The engine answered as ${model} when it was asked for ${answersAs ?? names[0]}.`)
}

const tooBusy = () => new Unusable("The engine is at capacity, so its first probe could not be completed.")

/** Returns how the engine's states are sent. Throws `Unusable` when the engine is at capacity. */
async function findStates({ transport, signal }: ProbeRequest, served: string, profile: Profile): Promise<StateForm> {
  if (!profile.family.isExplored) return "text"
  return findStateForm(async (state) => {
    const response = await ask(transport, served, [ABOUT_STATE], profile, signal, state)
    if (isAtCapacity(response)) throw tooBusy()
    return response.status === 200 ? readReply([ABOUT_STATE], response.text) : null
  })
}

/** Returns how much of a text the engine reads. Null when that could not be found out now: it may have taken too long. */
async function lengthOf({ transport, signal, counter }: ProbeRequest, served: string, profile: Profile) {
  try {
    const length = await findReadLength(async (text) => {
      const response = await ask(transport, served, [ABOUT_LENGTH], profile, signal, jsonString(text))
      if (isAtCapacity(response) || response.status >= 500) throw tooBusy()
      return response.status === 200 ? readReply([ABOUT_LENGTH], response.text, { isNormalised: true }) : null
    })
    if (length === null || length === "all" || !counter) return length
    const [tokens = length] = await counter.countRead([lettersWith(null, length)], signal)
    return tokens
  } catch {
    return null
  }
}

/** Determines how the engine reads several questions of a call. Null when it did not answer all of them now. */
async function readingOf({ transport, signal }: ProbeRequest, served: string, profile: Profile) {
  try {
    return await findReading(async (questions, state) => {
      const response = await ask(transport, served, questions, profile, signal, state)
      return response.status === 200 ? readReply(questions, response.text) : null
    })
  } catch {
    return null
  }
}

/** Returns the profile with what only questions reveal. What was learned before is kept. */
async function completed(request: ProbeRequest, engine: FoundEngine, known: Profile): Promise<Profile> {
  const { family } = known
  if (family.loadedContext) return { ...known, cutsAtTokens: await family.loadedContext(engine) }
  if (!family.isExplored || known.reading) return known
  return { ...known, reading: await readingOf(request, engine.served, known) }
}

/** Throws `Unusable` when tokens cannot be counted. Too many waiting counts do not make an engine unavailable. */
async function checkCounter(counter: TokenCounter, signal: AbortSignal): Promise<void> {
  try {
    await counter.check(signal)
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "capacity_exceeded") return
    if (signal.aborted || (thrown instanceof ServiceError && thrown.cause instanceof ConnectionFailure)) throw thrown
    throw new Unusable("Tokens cannot be counted: the engine's /tokenize or the model's own tokenizer does not work.")
  }
}

/** Returns the build to pin. For an engine that names itself and reports none, this is the model name in its response. */
const buildOf = ({ build }: Identity, { family }: Profile, { model }: Reply): string | undefined =>
  build ?? (family.namesItself && model !== null ? `model ${model}` : undefined)

/** Determines whether and how an engine can be used. Never rejects. */
export async function probeSystemOne(request: ProbeRequest): Promise<SystemOneProbe> {
  const read: Partial<SystemOneProbe> = {}
  try {
    return await probeInto(read, request)
  } catch (thrown) {
    const { profile, isOnlySlow, ...identified } = read
    const slow = isOnlySlow && request.signal.aborted ? { profile, isOnlySlow } : {}
    const wrong = isWrongAnswer(thrown) ? { isWrong: true } : {}
    return { ...identified, ...slow, ...wrong, available: false, reason: reasonOf(thrown) }
  }
}

/** Probes an engine and adds to `read` what identifies it as soon as it is known. */
async function probeInto(read: Partial<SystemOneProbe>, request: ProbeRequest): Promise<SystemOneProbe> {
  const { transport, counter, signal, asksForCounts, asksForStates, asksForMarks, asksForTypes } = request
  const model = await findModel(request)
  const { served, names, listed } = model
  const engine = { transport, served, listed, signal, read: (path: string) => membersAt(transport, path, signal) }
  const { profile: typical, ...identity } = await identify(engine)
  const reportsLabelMass = typical.reportsLabelMass || request.profile.reportsLabelMass
  const profile = { ...typical, reportsLabelMass }
  const { slots, build: ownBuild } = identity
  const facts = { ...weightsOf(listed, identity.props ?? {}), ...identity.facts }
  const contextTokens = contextOf(identity.props ?? {}, listed)
  const identified = {
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    ...(slots === undefined ? {} : { slots }),
    ...(ownBuild === undefined ? {} : { build: ownBuild }),
  }
  const isSameFamily = request.profile.family === profile.family
  const known = { ...(isSameFamily ? request.profile : profile), reportsLabelMass, slots: slots ?? null }
  // A context that is truncated to is known only once the engine has loaded the model.
  const isOnlySlow = !profile.family.loadedContext && !asksForCounts && !asksForStates && !asksForMarks
  Object.assign(read, identified, isOnlySlow ? { isOnlySlow, profile: known } : {})
  const reply = await askTest(request, model, profile, TEST)
  if (reply) checkName(request, names, profile, reply)
  // The first count waits until the model's own tokenizer is loaded.
  if (counter) await checkCounter(counter, signal)
  if (reply && asksForTypes) for (const question of [CHOICE, SCORE]) await askTest(request, model, profile, question)
  delete read.isOnlySlow
  const tokenizer = asksForCounts ? tokenizerNameOf(await findCount(transport, "ping", signal)) : null
  const marks = asksForMarks ? { marks: await findMarks(transport, signal) } : {}
  const found = { available: true, served, ...identified, ...marks, ...(tokenizer === null ? {} : { tokenizer }) }
  if (!reply && asksForStates) throw tooBusy()
  if (!reply) return found
  const states = asksForStates ? await findStates(request, served, profile) : undefined
  const asksForLength = request.asksForLength && contextTokens === undefined && !profile.family.loadedContext
  const reads = asksForLength ? await lengthOf(request, served, profile) : null
  const build = buildOf(identity, profile, reply)
  const hasMass = reply.labels.some(({ mass }) => mass !== null)
  return {
    ...found,
    ...(hasMass && !typical.reportsLabelMass && { facts: { ...facts, mass: MASS_REPORTED } }),
    ...(build === undefined ? {} : { build }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    answersAs: reply.model,
    ...(states === undefined ? {} : { states }),
    ...(reads === null ? {} : { reads }),
    profile: { ...(await completed(request, engine, known)), reportsLabelMass: reportsLabelMass || hasMass },
  }
}
