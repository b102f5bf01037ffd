import { ServiceError } from "@/lib/shared/errors"
import { badResponse, isMembers, type Members } from "@/questions/engine-wire"
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

/** At or below this value, vLLM means a probability of zero. */
const IMPOSSIBLE = -9_999
/** Two reads of one prompt differ by less than this, except when the temperature changes what is reported. */
const NOISE = 0.25
const SUM_TOLERANCE = 1e-3

interface Completion extends LabelResult {
  /** The token that the model wrote, and the logarithm of its probability. */
  written: { id: number; log: number; text: string }
}

/** Replaces vLLM's placeholder for a probability of zero by -Infinity. */
const logOf = (value: number): number => (value <= IMPOSSIBLE ? Number.NEGATIVE_INFINITY : value)

/** Returns the log-probabilities by token id. */
function topOf(members: Members): Map<number, number> {
  const [top] = Array.isArray(members.top_logprobs) ? members.top_logprobs : []
  if (!isMembers(top)) badResponse()
  return new Map(Object.entries(top).map(([name, log]) => [Number(name.replace("token_id:", "")), numberIn(log)]))
}

function readCompletion({ choices, usage }: Members, labels: readonly number[]): Completion {
  const [choice] = Array.isArray(choices) ? choices : []
  if (!isMembers(choice) || !isMembers(choice.logprobs) || !isMembers(usage)) badResponse()
  const top = topOf(choice.logprobs)
  const [token] = Array.isArray(choice.logprobs.tokens) ? choice.logprobs.tokens : []
  const [log] = Array.isArray(choice.logprobs.token_logprobs) ? choice.logprobs.token_logprobs : []
  return {
    logWeights: labels.map((id) => logOf(logOfLabel(top, id))),
    promptTokens: numberIn(usage.prompt_tokens),
    written: { id: Number(String(token).replace("token_id:", "")), log: numberIn(log), text: String(choice.text) },
  }
}

/**
 * vLLM: `/tokenize` and `/v1/completions` with `logprob_token_ids`. Versions before July 2026 ignore that field without
 * an error.
 */
export class VllmDialect implements LabelDialect {
  /** More ids are refused with 400. */
  readonly labelsPerCall = 128
  readonly #client: ClientTokens

  constructor(
    private readonly api: EngineApi,
    private readonly model: string,
  ) {
    this.#client = new ClientTokens({
      idsOf: async (text, signal) => readIds((await this.#tokenize(text, false, signal)).tokens),
      namesOf: async (text, ids, signal) =>
        readTexts((await this.#tokenize(text, true, signal)).token_strs, ids.length),
    })
  }

  async templateIds(text: string, signal: AbortSignal): Promise<number[]> {
    return readIds((await this.#tokenize(text, false, signal)).tokens)
  }

  clientIds(text: BilledText, signal: AbortSignal): Promise<number[]> {
    return this.#client.idsOf(text, signal)
  }

  async chatText(messages: ChatMessage[], date: string | null, signal: AbortSignal): Promise<string> {
    const chat = {
      model: this.model,
      messages,
      add_generation_prompt: true,
      chat_template_kwargs: templateVariables(date),
    }
    const { tokens } = await this.api.send("/tokenize", [JSON.stringify(chat)], signal)
    const body = JSON.stringify({ model: this.model, tokens: readIds(tokens) })
    const { prompt } = await this.api.send("/detokenize", [body], signal)
    return typeof prompt === "string" ? prompt : badResponse()
  }

  async read(ask: LabelRequest, signal: AbortSignal): Promise<LabelResult> {
    return readCompletion(membersOfReply(await this.#complete(ask, 0, signal)), ask.labels)
  }

  async check({ prompt, labels, cacheSalt }: LabelRequest, unlikely: number, signal: AbortSignal): Promise<LabelCheck> {
    const asked = { prompt, labels: [...labels.slice(0, 2), unlikely], cacheSalt }
    const first = await this.#firstRead(asked, signal)
    if (first.logWeights.some((log) => log === Number.NEGATIVE_INFINITY)) throw new Unusable(CONSTRAINED)
    if (first.written.log < Math.max(...first.logWeights) - NOISE) throw new Unusable(CONSTRAINED)
    await this.#checkIsRaw(asked, first, signal)
    await this.#checkLabelsPerCall({ prompt, labels, cacheSalt }, signal)
    const logWeights = first.logWeights.slice(0, 2)
    return { logWeights, mass: massOf(logWeights), written: first.written.text }
  }

  /** Reads three labels, which the default `--max-logprobs` of 20 allows. */
  async #firstRead(ask: LabelRequest, signal: AbortSignal): Promise<Completion> {
    const members = membersOfReply(await this.#complete(ask, 0, signal))
    try {
      return readCompletion(members, ask.labels)
    } catch (thrown) {
      if (!(thrown instanceof ServiceError)) throw thrown
      throw new Unusable(
        "The engine ignores logprob_token_ids, so labels cannot be read: update vLLM to a version of July 2026 or later.",
      )
    }
  }

  /** Throws `Unusable` when log-probabilities change with the temperature, or when their probabilities add up to more than 1. */
  async #checkIsRaw(ask: LabelRequest, first: Completion, signal: AbortSignal): Promise<void> {
    const hot = readCompletion(membersOfReply(await this.#complete(ask, 2, signal)), ask.labels)
    const gap = ({ logWeights: [a = 0, , c = 0] }: Completion) => a - c
    if (Math.abs(gap(first) - gap(hot)) <= NOISE && massOf(first.logWeights) <= 1 + SUM_TOLERANCE) return
    throw new Unusable("The engine reports processed log-probabilities: start vLLM with --logprobs-mode raw_logprobs.")
  }

  async #checkLabelsPerCall({ prompt, labels, cacheSalt }: LabelRequest, signal: AbortSignal): Promise<void> {
    const fullCall = labels.slice(0, this.labelsPerCall)
    const response = await this.#complete({ prompt, labels: fullCall, cacheSalt }, 0, signal)
    if (response.status === 400 && /max allowed/i.test(response.text))
      throw new Unusable(
        `The engine returns too few log-probabilities: start vLLM with --max-logprobs ${fullCall.length}.`,
      )
    readCompletion(membersOfReply(response), fullCall)
  }

  #complete({ prompt, labels, cacheSalt }: LabelRequest, temperature: number, signal: AbortSignal) {
    const body = {
      model: this.model,
      prompt,
      max_tokens: 1,
      temperature,
      logprobs: labels.length,
      logprob_token_ids: labels,
      return_tokens_as_token_ids: true,
      ...(cacheSalt === null ? {} : { cache_salt: cacheSalt }),
    }
    return this.api.post("/v1/completions", [JSON.stringify(body)], signal)
  }

  #tokenize(text: BilledText, withNames: boolean, signal: AbortSignal): Promise<Members> {
    const names = withNames ? ',"return_token_strs":true' : ""
    const parts = [
      `{"model":${JSON.stringify(this.model)},"prompt":`,
      quoted(text),
      `,"add_special_tokens":false${names}}`,
    ]
    return withNames ? this.api.send("/tokenize", parts, signal) : this.api.tokenize("/tokenize", parts, signal)
  }
}

/** Recognised by `/version`. The context and the model's path are in `/v1/models`. */
export const vllm: LabelFamily = {
  name: "vLLM",
  owner: "vllm",
  sharesCache: false,
  async find({ transport, name, entry, read }) {
    const { version } = await read("/version")
    if (typeof version !== "string") return null
    const contextTokens = contextOf(entry.max_model_len)
    const api = new EngineApi(transport, contextTokens)
    return {
      dialect: new VllmDialect(api, name),
      build: ["vLLM", version, ...(typeof entry.root === "string" ? [modelName(entry.root)] : [])].join(" "),
      contextTokens,
    }
  },
}
