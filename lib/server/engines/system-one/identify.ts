import { LLAMA_CPP, OLLAMA, type Profile, SYSTEM_ONE } from "./profile"
import type { Transport } from "./transport"
import { listOf, type Members, membersOf, refuseStatus, Unusable } from "./unusable"
import { WireBody } from "./wire-body"

/** Which family an engine is of, and what it says that it runs. */
export interface Identity {
  profile: Profile
  build?: string
  slots?: number
}

const DIGEST_LETTERS = 12

/** Ollama adds a tag to a name that has none. */
export const isSameModel = (name: string, other: string): boolean =>
  name === other || name === `${other}:latest` || `${name}:latest` === other

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value > 0

async function membersAt(transport: Transport, path: string, signal: AbortSignal): Promise<Members> {
  const { status, text } = await transport.call("GET", path, null, signal)
  refuseStatus(status)
  return status === 200 ? membersOf(text) : {}
}

/** What `GET /props` says of build and slots; null where there is no such route. */
async function asLlamaCpp(transport: Transport, signal: AbortSignal): Promise<Identity | null> {
  const { build_info: build, total_slots: slots } = await membersAt(transport, "/props", signal)
  if (build === undefined && slots === undefined) return null
  return {
    profile: LLAMA_CPP,
    ...(typeof build === "string" && build ? { build } : {}),
    ...(isCount(slots) ? { slots } : {}),
  }
}

/** Ollama's version and the digest of the model's weights: another download under the same name is another model. */
async function asOllama(transport: Transport, served: string, signal: AbortSignal): Promise<Identity | null> {
  const root = await transport.call("GET", "/", null, signal)
  if (!root.text.includes("Ollama is running")) return null
  const { version } = await membersAt(transport, "/api/version", signal)
  const body = new WireBody([`{"model":${JSON.stringify(served)}}`])
  const shown = await transport.call("POST", "/api/show", body, signal)
  const { capabilities } = shown.status === 200 ? membersOf(shown.text) : {}
  if (Array.isArray(capabilities) && !capabilities.includes("decision"))
    throw new Unusable(`${served} is not a decision model.`)
  const { models } = await membersAt(transport, "/api/tags", signal)
  const digest = listOf(models).find(({ name }) => isSameModel(String(name), served))?.digest
  const weights = typeof digest === "string" ? ` ${digest.replace("sha256:", "").slice(0, DIGEST_LETTERS)}` : ""
  return { profile: OLLAMA, ...(typeof version === "string" ? { build: `ollama ${version}${weights}` } : {}) }
}

/** How many tokens Ollama has loaded the model for: it cuts what is longer for some models, and says nothing. */
export async function loadedContext(transport: Transport, served: string, signal: AbortSignal): Promise<number | null> {
  const { models } = await membersAt(transport, "/api/ps", signal)
  const loaded = listOf(models).find(({ name }) => isSameModel(String(name), served))
  return isCount(loaded?.context_length) ? loaded.context_length : null
}

/** Finds out which family the engine is of. Throws `Unusable`, or what the transport throws. */
export async function identify(transport: Transport, served: string, signal: AbortSignal): Promise<Identity> {
  const llamaCpp = await asLlamaCpp(transport, signal)
  return llamaCpp ?? (await asOllama(transport, served, signal)) ?? { profile: SYSTEM_ONE }
}
