import { ServiceError } from "@/lib/shared/errors"
import { BadResponse, badResponse, isMembers, type Members } from "@/questions/engine-wire"
import { modelName } from "../model-file"
import type { BilledText } from "../token-count"
import { Unusable } from "../unusable"
import {
  CONSTRAINED,
  contextOf,
  EngineApi,
  logOfLabel,
  massOf,
  numberIn,
  quoted,
  readIds,
  softmax,
  templateVariables,
} from "./engine-api"
import type { ChatMessage, LabelCheck, LabelDialect, LabelFamily, LabelRequest, LabelResult } from "./label-dialect"

/** An equal bias for all labels keeps their odds, and puts them before every other token. */
const BIAS = 100
/** How far a biased probability may be from the raw one. The bias costs single-precision logits some of their digits. */
const BIASED_TOLERANCE = 1e-3
/** How many of the likeliest tokens a check asks for. */
const RAW_PROBS = 64

const NO_BIAS = "The engine does not apply an equal bias to labels: update llama.cpp."
const ONE_TOKEN =
  "The engine reports only the token that it wrote, not how likely the others were: update llama.cpp, or turn off what changes its probabilities."

interface Entry {
  id: number
  value: number
}

function positionOf({ completion_probabilities: positions }: Members): Members {
  const [first] = Array.isArray(positions) ? positions : []
  if (!isMembers(first)) badResponse()
  return first
}

function entriesOf(list: unknown, name: "prob" | "logprob"): Entry[] {
  if (!Array.isArray(list)) badResponse()
  return list.map((entry) => {
    if (!isMembers(entry)) badResponse()
    return { id: numberIn(entry.id), value: numberIn(entry[name]) }
  })
}

/** Returns how many prompt tokens were read; 0 when the prompt was cut. */
const promptTokensOf = ({ truncated, tokens_evaluated: read }: Members): number =>
  truncated === true ? 0 : numberIn(read)

/** llama.cpp: `/apply-template`, `/tokenize`, and `/completion` with biased labels. */
class LlamaCppDialect implements LabelDialect {
  readonly labelsPerCall = 255

  constructor(private readonly api: EngineApi) {}

  templateIds(text: string, signal: AbortSignal): Promise<number[]> {
    return this.#tokenize(text, '"add_special":false,"parse_special":true', signal)
  }

  clientIds(text: BilledText, signal: AbortSignal): Promise<number[]> {
    return this.#tokenize(text, '"add_special":false,"parse_special":false', signal)
  }

  async chatText(messages: ChatMessage[], date: string | null, signal: AbortSignal): Promise<string> {
    const chat = { messages, chat_template_kwargs: templateVariables(date) }
    const { prompt } = await this.api.send("/apply-template", [JSON.stringify(chat)], signal)
    if (typeof prompt !== "string") badResponse()
    const start = await this.#startText(signal)
    return prompt.startsWith(start) ? prompt : start + prompt
  }

  async read({ prompt, labels }: LabelRequest, signal: AbortSignal): Promise<LabelResult> {
    const body = {
      prompt,
      n_predict: 1,
      cache_prompt: true,
      temperature: 1,
      samplers: ["temperature"],
      logit_bias: labels.map((id) => [id, BIAS]),
      post_sampling_probs: true,
      n_probs: labels.length,
    }
    const reply = await this.api.send("/completion", [JSON.stringify(body)], signal)
    const weights = new Map(
      entriesOf(positionOf(reply).top_probs, "prob").map(({ id, value }) => [id, Math.log(value)]),
    )
    return { logWeights: labels.map((id) => logOfLabel(weights, id)), promptTokens: promptTokensOf(reply) }
  }

  async check({ prompt, labels, cacheSalt }: LabelRequest, unlikely: number, signal: AbortSignal): Promise<LabelCheck> {
    const body = { prompt, n_predict: 1, cache_prompt: true, temperature: 0, n_probs: RAW_PROBS }
    const position = positionOf(await this.api.send("/completion", [JSON.stringify(body)], signal))
    if (!Array.isArray(position.top_logprobs))
      throw new Unusable("The engine does not report the probabilities of tokens by id: update llama.cpp.")
    const raw = entriesOf(position.top_logprobs, "logprob")
    // At temperature 0 the likeliest token is written, unless the engine restricts or biases it.
    if (numberIn(position.id) !== raw[0]?.id) throw new Unusable(CONSTRAINED)
    const logWeights = labels
      .slice(0, 2)
      .map((id) => raw.find((entry) => entry.id === id)?.value ?? Number.NEGATIVE_INFINITY)
    if (raw.filter(({ value }) => Number.isFinite(value)).length < 2) throw new Unusable(ONE_TOKEN)
    await this.#checkBias({ prompt, labels: [...labels.slice(0, 2), unlikely], cacheSalt }, logWeights, signal)
    return { logWeights, mass: massOf(logWeights), written: String(position.token) }
  }

  /** Compares the odds of biased labels with those that the model reports without a bias. It may not list both. */
  async #checkBias(ask: LabelRequest, raw: number[], signal: AbortSignal): Promise<void> {
    const logWeights = await this.#biasedLogs(ask, signal)
    const biased = softmax(logWeights.slice(0, 2))
    const isKnown = raw.every(Number.isFinite)
    const worst = isKnown ? Math.max(...softmax(raw).map((p, i) => Math.abs(p - (biased[i] ?? 0)))) : 0
    if (worst > BIASED_TOLERANCE || !logWeights.every(Number.isFinite)) throw new Unusable(NO_BIAS)
  }

  /** Reads labels. An unlikely one is listed only when its bias was applied. */
  async #biasedLogs(ask: LabelRequest, signal: AbortSignal): Promise<number[]> {
    try {
      return (await this.read(ask, signal)).logWeights
    } catch (thrown) {
      const isMissing = thrown instanceof ServiceError && thrown.cause instanceof BadResponse
      throw isMissing ? new Unusable(NO_BIAS) : thrown
    }
  }

  /** Returns the text of the token that the tokenizer puts before every prompt, or "". */
  async #startText(signal: AbortSignal): Promise<string> {
    const ids = await this.#tokenize("a", '"add_special":true,"parse_special":false', signal)
    const [first, ...rest] = ids
    if (first === undefined || rest.length === 0) return ""
    const { content } = await this.api.send("/detokenize", [JSON.stringify({ tokens: [first] })], signal)
    const text = typeof content === "string" ? content : badResponse()
    return (await this.templateIds(text, signal)).join() === String(first) ? text : ""
  }

  async #tokenize(text: BilledText, options: string, signal: AbortSignal): Promise<number[]> {
    return readIds((await this.api.tokenize("/tokenize", ['{"content":', quoted(text), `,${options}}`], signal)).tokens)
  }
}

/** Recognised by `/props`: build, slots, context per slot and the model's file. The model's size is in `/v1/models`. */
export const llamaCpp: LabelFamily = {
  name: "llama.cpp",
  owner: "llamacpp",
  sharesCache: true,
  async find({ transport, entry, read }) {
    const { build_info: build, total_slots: slots, model_path: path, ...props } = await read("/props")
    if (typeof build !== "string" && typeof slots !== "number") return null
    const defaults = (props.default_generation_settings ?? {}) as Members
    const contextTokens = contextOf(defaults.n_ctx)
    const meta = (entry.meta ?? {}) as Members
    const file = typeof path === "string" ? modelName(path) : undefined
    const facts = [build, file, meta.n_params, meta.size].filter((fact) => ["string", "number"].includes(typeof fact))
    return {
      dialect: new LlamaCppDialect(new EngineApi(transport, contextTokens)),
      build: ["llama.cpp", ...facts].join(" "),
      contextTokens,
      ...(typeof slots === "number" && slots > 0 ? { slots } : {}),
    }
  },
}
