import { badResponse, isMembers, type Members, type WirePart } from "@/questions/engine-wire"
import { modelName } from "../model-file"
import type { BilledText } from "../token-count"
import { Unusable } from "../unusable"
import { ClientTokens } from "./client-tokens"
import {
  CONSTRAINED,
  contextOf,
  EngineApi,
  logOfLabel,
  massOf,
  membersOfReply,
  numberIn,
  quoted,
  readIds,
  readTexts,
  templateVariables,
} from "./engine-api"
import type { ChatMessage, LabelCheck, LabelDialect, LabelFamily, LabelRequest, LabelResult } from "./label-dialect"

/** Two reads of one prompt differ by less than this. */
const NOISE = 0.25

interface Generated extends LabelResult {
  written: { log: number; text: string }
}

const pairOf = (value: unknown): [log: number, id: number] => {
  if (!Array.isArray(value)) badResponse()
  return [value[0] === null ? Number.NEGATIVE_INFINITY : numberIn(value[0]), numberIn(value[1])]
}

/** Reads the first position of a list of log-probabilities. Each entry is `[logprob, id, text]`. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : undefined
}

function readGenerated({ meta_info: info, text }: Members, labels: readonly number[]): Generated {
  if (!isMembers(info)) badResponse()
  const asked = firstOf(info.output_token_ids_logprobs)
  if (!Array.isArray(asked)) badResponse()
  const logWeights = new Map(asked.map(pairOf).map(([log, id]) => [id, log]))
  const [log] = pairOf(firstOf(info.output_token_logprobs))
  return {
    logWeights: labels.map((id) => logOfLabel(logWeights, id)),
    promptTokens: numberIn(info.prompt_tokens),
    written: { log, text: String(text) },
  }
}

/** SGLang: `/tokenize`, `/detokenize`, and `/generate` with `token_ids_logprob`. */
class SglangDialect implements LabelDialect {
  readonly labelsPerCall = 255
  readonly #client: ClientTokens

  constructor(
    private readonly api: EngineApi,
    private readonly model: string,
  ) {
    this.#client = new ClientTokens({
      idsOf: (text, signal) => this.templateIds(text, signal),
      namesOf: (_text, ids, signal) => this.#names(ids, signal),
    })
  }

  async templateIds(text: BilledText, signal: AbortSignal): Promise<number[]> {
    const parts: WirePart[] = [
      `{"model":${JSON.stringify(this.model)},"prompt":`,
      quoted(text),
      ',"add_special_tokens":false}',
    ]
    return readIds((await this.api.tokenize("/tokenize", parts, signal)).tokens)
  }

  clientIds(text: BilledText, signal: AbortSignal): Promise<number[]> {
    return this.#client.idsOf(text, signal)
  }

  async chatText(messages: ChatMessage[], date: string | null, signal: AbortSignal): Promise<string> {
    const chat = { model: this.model, messages, chat_template_kwargs: templateVariables(date) }
    const response = await this.api.post("/tokenize", [JSON.stringify(chat)], signal)
    if (response.status >= 400 && response.status < 500)
      throw new Unusable("The engine does not tokenize chat messages: update SGLang.")
    const ids = readIds(membersOfReply(response).tokens)
    const body = { model: this.model, tokens: ids, skip_special_tokens: false }
    const { text } = await this.api.send("/detokenize", [JSON.stringify(body)], signal)
    return typeof text === "string" ? text : badResponse()
  }

  read(ask: LabelRequest, signal: AbortSignal): Promise<LabelResult> {
    return this.#generate(ask, signal)
  }

  async check({ prompt, labels, cacheSalt }: LabelRequest, unlikely: number, signal: AbortSignal): Promise<LabelCheck> {
    const asked = { prompt, labels: [...labels.slice(0, 2), unlikely], cacheSalt }
    const { logWeights, written } = await this.#generate(asked, signal)
    if (logWeights.includes(Number.NEGATIVE_INFINITY) || written.log < Math.max(...logWeights) - NOISE)
      throw new Unusable(CONSTRAINED)
    await this.#generate({ prompt, labels, cacheSalt }, signal)
    return { logWeights: logWeights.slice(0, 2), mass: massOf(logWeights.slice(0, 2)), written: written.text }
  }

  async #names(ids: number[], signal: AbortSignal): Promise<string[]> {
    const distinct = [...new Set(ids)]
    const body = { model: this.model, tokens: distinct.map((id) => [id]), skip_special_tokens: false }
    const { text } = await this.api.send("/detokenize", [JSON.stringify(body)], signal)
    const names = new Map(readTexts(text, distinct.length).map((name, i) => [distinct[i], name]))
    return ids.map((id) => names.get(id) ?? "")
  }

  async #generate({ prompt, labels, cacheSalt }: LabelRequest, signal: AbortSignal): Promise<Generated> {
    const body = {
      input_ids: prompt,
      sampling_params: { max_new_tokens: 1, temperature: 0 },
      return_logprob: true,
      logprob_start_len: -1,
      token_ids_logprob: labels,
      ...(cacheSalt === null ? {} : { extra_key: cacheSalt }),
    }
    return readGenerated(await this.api.send("/generate", [JSON.stringify(body)], signal), labels)
  }
}

/** Recognised by the model's path in `/get_model_info`, which newer versions call `/model_info`. */
export const sglang: LabelFamily = {
  name: "SGLang",
  owner: "sglang",
  sharesCache: false,
  async find({ transport, name, entry, read }) {
    const info = await read("/get_model_info")
    const { model_path: path } = typeof info.model_path === "string" ? info : await read("/model_info")
    if (typeof path !== "string") return null
    const { version } = await read("/get_server_info")
    const contextTokens = contextOf(entry.max_model_len)
    return {
      dialect: new SglangDialect(new EngineApi(transport, contextTokens), name),
      build: ["SGLang", ...(typeof version === "string" ? [version] : []), modelName(path)].join(" "),
      contextTokens,
    }
  },
}
