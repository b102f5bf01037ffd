import type { Members } from "@/questions/engine-wire"
import { listOf, membersAt } from "../system-one/family"
import type { Transport } from "../system-one/transport"
import { Unusable } from "../unusable"
import type { FoundDialect, LabelFamily, ServedModel } from "./label-dialect"
import { llamaCpp } from "./llama-cpp"
import { sglang } from "./sglang"
import { vllm } from "./vllm"

/** The engines whose labels can be read, in the order in which they are recognised. */
export const FAMILIES: readonly LabelFamily[] = [llamaCpp, sglang, vllm]

interface Engine {
  transport: Transport
  /** The name under which the engine serves the model. Null when it serves only one. */
  model: string | null
  signal: AbortSignal
}

const MAX_NAMES = 5

async function findServed(engine: Engine): Promise<ServedModel> {
  const read = (path: string) => membersAt(engine.transport, path, engine.signal)
  const entries = listOf((await read("/v1/models")).data)
  const names = entries.map(({ id }) => String(id))
  const list = names.slice(0, MAX_NAMES).join(", ")
  if (engine.model === null && names.length > 1)
    throw new Unusable(`The engine serves several models: name one of ${list}.`)
  const name = engine.model ?? names[0]
  const entry = entries[names.indexOf(name ?? "")]
  if (name === undefined || !entry)
    throw new Unusable(
      name && list ? `The engine does not serve ${name}. It serves ${list}.` : "The engine lists no model.",
    )
  return { name, entry, transport: engine.transport, read }
}

const NAMES = new Intl.ListFormat("en-GB").format(FAMILIES.map(({ name }) => name))

/** Recognises the engine. Throws `Unusable` when it is none whose labels can be read. */
export async function findDialect(engine: Engine): Promise<FoundDialect> {
  const model = await findServed(engine)
  for (const family of FAMILIES) {
    const found = await family.find(model)
    if (found) return { ...found, family, served: model.name }
  }
  throw new Unusable(`Labels can be read from ${NAMES}, but the engine is none of them.`)
}

/**
 * Returns the sentence that suggests `--labels` for an entry of the engine's models, with a space before it. Empty when the engine
 * is not known to support that. It asks for a new id, because an id keeps its kind of engine.
 */
export const suggestLabels = (served: string, { owned_by: owner }: Members): string =>
  FAMILIES.some((family) => family.owner === owner)
    ? ` If ${served} is an ordinary chat model, add a new id with \`model add … --labels\`.`
    : ""
