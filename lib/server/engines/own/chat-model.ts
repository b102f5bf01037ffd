import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import type { RawAnswer } from "@/questions/question-types"
import { findFrame } from "../labels/chat-frame"
import { massOf } from "../labels/engine-api"
import type { ChatMessage, LabelCheck, LabelDialect, LabelRequest, LabelResult } from "../labels/label-dialect"
import { proveLabels } from "../labels/label-tokens"
import { checkRead } from "../labels/probe"
import { BEFORE_STATE, LABEL_PROMPT, ownTexts } from "../labels/prompt"
import { type LabelModel, LongPrompt, readQuestion } from "../labels/read-question"
import { fixedTime } from "../labels/template-date"
import { TextTokens } from "../labels/text-tokens"
import type { BilledText } from "../token-count"
import { Unusable } from "../unusable"
import { type Answered, type Answerer, promptTooLong } from "./answerer"
import { UnusableModel } from "./decision-type"
import type { LoadedModel } from "./load-model"
import type { Lease, StateCache } from "./state-cache"

const NEVER = new AbortController().signal
const textOf = (text: BilledText): string => (typeof text === "string" ? text : text.text())

/** Makes a template write the same date every day. The template engine does not let a variable replace `strftime_now`. */
const withFixedTime = (template: string): string => template.replaceAll("strftime_now", "fixed_time")

interface Reading {
  lease: Lease
  /** How many of the first tokens belong to the state. */
  stateTokens: number
  signal: AbortSignal
}

/** A loaded chat model as the labels adapter sees an engine. It reads prompts only with a `reading`. */
class LoadedDialect implements LabelDialect {
  readonly labelsPerCall = 255
  inputTokens = 0

  constructor(
    private readonly model: LoadedModel,
    private readonly template: { render(values: Record<string, unknown>): string },
    private readonly reading: Reading | null = null,
  ) {}

  during(reading: Reading): LoadedDialect {
    return new LoadedDialect(this.model, this.template, reading)
  }

  async templateIds(text: string): Promise<number[]> {
    return this.model.native.tokenize(text, true)
  }

  async clientIds(text: BilledText): Promise<number[]> {
    return this.model.native.tokenize(textOf(text), false)
  }

  async chatText(messages: ChatMessage[]): Promise<string> {
    const { bosString, eosString, shouldPrependBosToken } = this.model.native.tokens
    const text = this.template.render({
      messages,
      add_generation_prompt: true,
      enable_thinking: false,
      fixed_time: fixedTime,
      bos_token: bosString ?? "",
      eos_token: eosString ?? "",
    })
    const start = shouldPrependBosToken ? (bosString ?? "") : ""
    return text.startsWith(start) ? text : start + text
  }

  async read({ prompt, labels }: LabelRequest): Promise<LabelResult> {
    const { logits } = await this.#read(prompt, labels)
    this.inputTokens += prompt.length
    return { logWeights: logits, promptTokens: prompt.length }
  }

  async check({ prompt, labels }: LabelRequest): Promise<LabelCheck> {
    const { logits, max, weight } = await this.#read(prompt, labels.slice(0, 2))
    const logWeights = logits.map((logit) => logit - max - Math.log(weight))
    return { logWeights, mass: massOf(logWeights), written: "" }
  }

  #read(prompt: readonly number[], labels: readonly number[]) {
    if (!this.reading) throw new Error("a prompt is read without a lease")
    const { lease, stateTokens, signal } = this.reading
    return lease.read({ prompt, labels, stateTokens: Math.min(stateTokens, prompt.length - 1) }, signal)
  }
}

/** Returns a function that runs calls one after the other, because the prompts of a request share one sequence. */
export function oneAtATime(): <T>(call: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (call) => {
    const next = last.then(call, call)
    last = next
    return next
  }
}

/** An ordinary chat model. It reads the same prompts as a `LabelsEngine` sends to a server. */
export class ChatModel implements Answerer {
  readonly promptVersion = LABEL_PROMPT

  private constructor(
    private readonly model: LabelModel,
    private readonly dialect: LoadedDialect,
    private readonly states: StateCache,
  ) {}

  /** Finds the template's frame and the labels, and asks a simple question. Throws `UnusableModel`. */
  static async open(loaded: LoadedModel, template: string, states: StateCache): Promise<ChatModel> {
    const dialect = new LoadedDialect(loaded, new loaded.jinja.Template(withFixedTime(template)))
    const lease = await states.lease([], NEVER)
    try {
      const frame = await findFrame(dialect, NEVER)
      const tokens = await proveLabels(dialect, frame, NEVER)
      const texts = await TextTokens.open(dialect, ownTexts(tokens), NEVER)
      const { contextTokens } = states
      const model = { dialect, frame, tokens, texts, contextTokens }
      const reading = { lease, stateTokens: 0, signal: NEVER }
      await checkRead({ ...model, dialect: dialect.during(reading) }, NEVER)
      return new ChatModel(model, dialect, states)
    } catch (error) {
      if (error instanceof Unusable) throw new UnusableModel(error.message)
      throw error
    } finally {
      lease.release()
    }
  }

  async answer(request: CheckedRequest, signal: AbortSignal): Promise<Answered> {
    const { frame, texts, contextTokens } = this.model
    const tokens = await texts.ofRequest(request, signal)
    const beginning = [...frame.head, ...texts.own(BEFORE_STATE), ...tokens.idsOf(request.state)]
    const lease = await this.states.lease(beginning, signal)
    const dialect = this.dialect.during({ lease, stateTokens: beginning.length, signal })
    const reading = {
      model: { ...this.model, dialect },
      state: request.state,
      tokens,
      isBothOrders: false,
      cacheSalt: null,
      run: oneAtATime(),
      signal,
    }
    try {
      const answers: RawAnswer[] = []
      for (const question of request.questions) answers.push(await readQuestion(reading, question))
      return { answers, inputTokens: dialect.inputTokens, computedTokens: lease.computed }
    } catch (error) {
      if (error instanceof ServiceError && error.cause instanceof LongPrompt)
        throw promptTooLong(error.cause.tokens, contextTokens)
      throw error
    } finally {
      lease.release()
    }
  }
}
