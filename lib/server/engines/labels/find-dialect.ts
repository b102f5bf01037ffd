import type { Members } from "@/questions/engine-wire"
import { modelName } from "../model-file"
import { listOf, membersAt } from "../system-one/family"
import type { Transport } from "../system-one/transport"
import { Unusable } from "../unusable"
import { EngineApi } from "./engine-api"
import type { FoundDialect } from "./label-dialect"
import { LlamaCppDialect } from "./llama-cpp"
import { SglangDialect } from "./sglang"
import { VllmDialect } from "./vllm"

interface Engine {
  transport: Transport
  /** The name under which the engine serves the model. Null when it serves only one. */
  model: string | null
  signal: AbortSignal
}

/** An entry of `GET /v1/models`. */
interface Served {
  name: string
  entry: Members
}

const MAX_NAMES = 5

const read = ({ transport, signal }: Engine, path: string): Promise<Members> => membersAt(transport, path, signal)

async function findServed(engine: Engine): Promise<Served> {
  const entries = listOf((await read(engine, "/v1/models")).data)
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
  return { name, entry }
}

const contextOf = (value: unknown): number => {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
    throw new Unusable("The engine does not report its context length.")
  return value
}

/** vLLM: `/version`, and the context and the model's path in `/v1/models`. */
async function asVllm(engine: Engine, { name, entry }: Served): Promise<FoundDialect | null> {
  const { version } = await read(engine, "/version")
  if (typeof version !== "string") return null
  const contextTokens = contextOf(entry.max_model_len)
  const api = new EngineApi(engine.transport, contextTokens)
  return {
    dialect: new VllmDialect(api, name),
    served: name,
    build: ["vLLM", version, ...(typeof entry.root === "string" ? [modelName(entry.root)] : [])].join(" "),
    contextTokens,
  }
}

/** SGLang: the model's path in `/get_model_info`, which newer versions call `/model_info`. */
async function asSglang(engine: Engine, { name, entry }: Served): Promise<FoundDialect | null> {
  const info = await read(engine, "/get_model_info")
  const { model_path: path } = typeof info.model_path === "string" ? info : await read(engine, "/model_info")
  if (typeof path !== "string") return null
  const { version } = await read(engine, "/get_server_info")
  const contextTokens = contextOf(entry.max_model_len)
  return {
    dialect: new SglangDialect(new EngineApi(engine.transport, contextTokens), name),
    served: name,
    build: ["SGLang", ...(typeof version === "string" ? [version] : []), modelName(path)].join(" "),
    contextTokens,
  }
}

/** llama.cpp: build, slots, context per slot and the model's file in `/props`, its size in `/v1/models`. */
async function asLlamaCpp(engine: Engine, { name, entry }: Served): Promise<FoundDialect | null> {
  const { build_info: build, total_slots: slots, model_path: path, ...props } = await read(engine, "/props")
  if (typeof build !== "string" && typeof slots !== "number") return null
  const defaults = (props.default_generation_settings ?? {}) as Members
  const contextTokens = contextOf(defaults.n_ctx)
  const meta = (entry.meta ?? {}) as Members
  const file = typeof path === "string" ? modelName(path) : undefined
  const facts = [build, file, meta.n_params, meta.size].filter((fact) => ["string", "number"].includes(typeof fact))
  return {
    dialect: new LlamaCppDialect(new EngineApi(engine.transport, contextTokens)),
    served: name,
    build: ["llama.cpp", ...facts].join(" "),
    contextTokens,
    ...(typeof slots === "number" && slots > 0 ? { slots } : {}),
  }
}

/** Recognises the engine. Throws `Unusable` when it is none whose labels can be read. */
export async function findDialect(engine: Engine): Promise<FoundDialect> {
  const served = await findServed(engine)
  const found = (await asLlamaCpp(engine, served)) ?? (await asSglang(engine, served)) ?? (await asVllm(engine, served))
  if (!found) throw new Unusable("Labels can be read from vLLM, SGLang and llama.cpp, but the engine is none of them.")
  return found
}
