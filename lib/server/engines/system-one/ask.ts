import type { Authorize } from "@/lib/server/platform/authority"
import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, numbersOf, type RawAnswer, typeOf } from "@/questions/question-types"
import type { SlotQueue, Slots } from "../slot-queue"
import type { CallPlaces } from "./call-places"
import { refusedCount, refusedSize, tooLong, upstreamFailure } from "./failures"
import { type Profile, rulesOf } from "./family"
import { FewerOptions } from "./fewer-options"
import { askInGroups } from "./group-options"
import { withNeutralNames } from "./neutral-texts"
import type { Reading } from "./question-reading"
import { requestBody, type Writing } from "./request-body"
import { readReply } from "./response"
import type { Transport, WireResponse } from "./transport"

/** What `Questioning` needs to call one engine. */
export interface Asking {
  transport: Transport
  served: string
  /** The model name in the engine's responses. Null when they have none. */
  answersAs: string | null
  profile: Profile
  /** Records that the engine accepts less than its profile says. */
  learn(change: Partial<Profile>): void
  places: CallPlaces
  slots: SlotQueue
  /** Called before each call, after it waited for its slots. */
  authorize: Authorize | undefined
  writing: Writing
  /** Receives the label mass that the engine reports about an answer. Throws `upstream_error` when it is too small. */
  labelMass(question: CheckedQuestion, mass: number): void
  /** Called for a probability that was clamped to 0 or 1. */
  clamped(): void
  /** Returns whether an engine that read `inputTokens` for these questions has read all of their texts. */
  isWhole(questions: CheckedQuestion[], inputTokens: number): boolean | Promise<boolean>
}

/** Returns how many options a question has; 0 for a type whose options cannot be asked in groups. */
const optionCount = (question: CheckedQuestion): number => typeOf(question).options?.count(question) ?? 0

/** Returns how many prompts the engine reads for a question. */
const readsOf = (question: CheckedQuestion, { readsPerChoice }: Reading): number =>
  typeOf(question).scale === "nominal" ? readsPerChoice : 1

/**
 * Splits questions into calls. Questions that are read apart share a call. Its state is read once for as many prompts as
 * the engine has slots (docs/decisions/0014). Full slots read the state no more often than one call would.
 */
function inCalls(questions: CheckedQuestion[], { questionsPerCall, reading, slots }: Profile): CheckedQuestion[][] {
  if (!reading?.readsApart) return questions.map((question) => [question])
  const maxReads = slots === null ? Number.POSITIVE_INFINITY : slots * reading.readsPerChoice
  const calls: { questions: CheckedQuestion[]; reads: number }[] = []
  // Questions with more reads first, so that the others fill the slots that these leave.
  for (const question of questions.toSorted((a, b) => readsOf(b, reading) - readsOf(a, reading))) {
    const reads = readsOf(question, reading)
    const call = calls.find((open) => open.questions.length < questionsPerCall && open.reads + reads <= maxReads)
    if (!call) calls.push({ questions: [question], reads })
    else {
      call.questions.push(question)
      call.reads += reads
    }
  }
  return calls.map((call) => call.questions)
}

/**
 * Asks one engine the questions of one request, in as many calls as needed. Only a call that the engine refused to read
 * is repeated as smaller calls. Work that the engine may have started is never sent twice.
 */
export class Questioning {
  #maxOptions: number
  readonly #fewer = new FewerOptions()

  constructor(
    private readonly asking: Asking,
    private readonly state: JsonText,
    private readonly signal: AbortSignal,
  ) {
    this.#maxOptions = asking.profile.maxOptions
  }

  /** Returns one answer per question, in this order. */
  async answers(questions: CheckedQuestion[]): Promise<RawAnswer[]> {
    const { profile } = this.asking
    const plain = questions.map((question) => this.#withEngineNames(question))
    const large = plain.filter((question) => optionCount(question) > this.#maxOptions)
    const others = plain.filter((question) => optionCount(question) <= this.#maxOptions)
    const calls = [...inCalls(others, profile), ...large.map((question) => [question])]
    const found = new Map<CheckedQuestion, RawAnswer>()
    const ask = async (call: CheckedQuestion[]) => {
      const answers = await this.#ask(call)
      answers.forEach((answer, i) => {
        const question = call[i]
        if (question) found.set(question, answer)
      })
    }
    await Promise.all(calls.map(ask))
    return plain.flatMap((question) => found.get(question) ?? [])
  }

  #maxOf({ name }: CheckedQuestion): number {
    return Math.min(this.#maxOptions, this.#fewer.of(name))
  }

  #withEngineNames(question: CheckedQuestion): CheckedQuestion {
    const neutral = withNeutralNames(question, this.asking.writing.marks)
    return this.asking.profile.isStrict ? (typeOf(neutral).options?.withPlainNames(neutral) ?? neutral) : neutral
  }

  async #ask(questions: CheckedQuestion[]): Promise<RawAnswer[]> {
    const [first] = questions
    if (first && questions.length === 1 && optionCount(first) > this.#maxOf(first))
      return [await this.#askGroups(first)]
    let now = questions
    const response = await this.asking.places.run(async () => {
      const slots = await this.#takeSlots(questions)
      now = questions.slice(0, slots.count)
      // Writing a call throws at once when the client has left and its body's memory is freed.
      try {
        await this.asking.authorize?.()
        return await this.#call(now)
      } finally {
        slots.end()
      }
    })
    const answers = await this.#readOrAskLess(now, response)
    return now.length === questions.length ? answers : [...answers, ...(await this.#ask(questions.slice(now.length)))]
  }

  /** Waits until the engine has slots for a call of these questions, or for some of them. */
  #takeSlots(questions: CheckedQuestion[]): Promise<Slots> {
    const { profile, slots } = this.asking
    const { reading } = profile
    return slots.take(
      questions.map((question) => (reading ? readsOf(question, reading) : 1)),
      this.signal,
    )
  }

  async #readOrAskLess(questions: CheckedQuestion[], response: WireResponse): Promise<RawAnswer[]> {
    if (response.status === 200) return this.#read(questions, response.text)
    if (!this.#canAskLess(questions, response)) throw upstreamFailure(response)
    return (await Promise.all(questions.map((question) => this.#ask([question])))).flat()
  }

  async #askGroups(question: CheckedQuestion): Promise<RawAnswer> {
    const { options, toAnswer } = typeOf(question)
    if (!options) throw new ServiceError("upstream_error")
    const askSome = async (indexes: number[]) => {
      if (indexes.length === 1) return [1]
      const [answer] = await this.#ask([options.pick(question, indexes)])
      return answer ? numbersOf(answer) : []
    }
    const all = Array.from({ length: options.count(question) }, (_, i) => i)
    return toAnswer(await askInGroups(all, this.#maxOf(question), askSome))
  }

  #call(questions: CheckedQuestion[]): Promise<WireResponse> {
    const { transport, served, writing } = this.asking
    const body = requestBody(served, { state: this.state, questions }, writing)
    return transport.call("POST", "/v1/systemone", body, this.signal)
  }

  /**
   * Returns whether smaller calls may succeed after this one was refused. Records the limit that the engine reported.
   */
  #canAskLess(questions: CheckedQuestion[], response: WireResponse): boolean {
    const refused = refusedCount(response)
    if (refused?.of === "questions" && questions.length > 1) {
      this.asking.learn({ questionsPerCall: Math.max(1, Math.min(refused.max ?? 1, questions.length - 1)) })
      return true
    }
    const asked = Math.max(...questions.map(optionCount))
    if (refused?.of === "options" && asked > 2) {
      this.#maxOptions = Math.max(2, Math.min(refused.max ?? Math.ceil(asked / 2), asked - 1))
      if (refused.max !== null) this.asking.learn({ maxOptions: this.#maxOptions })
      return true
    }
    return (response.status === 413 && questions.length > 1) || this.#canAskSmaller(questions, response)
  }

  /** Returns whether prompts that were too large may fit, one question at a time and then with fewer options each. */
  #canAskSmaller([first, ...others]: CheckedQuestion[], response: WireResponse): boolean {
    const size = refusedSize(response)
    if (!size || !first) return false
    if (others.length > 0) return [first, ...others].some((question) => optionCount(question) > 2)
    return this.#fewer.refused(first.name, optionCount(first), size)
  }

  async #read(questions: CheckedQuestion[], text: string): Promise<RawAnswer[]> {
    const { answersAs, profile, isWhole, labelMass, clamped } = this.asking
    const rules = rulesOf(profile, clamped)
    const { answers, labels, model, inputTokens } = readReply(questions, text, rules)
    if (answersAs !== null && model !== null && model !== answersAs) throw new ServiceError("model_unavailable")
    for (const [i, { mass }] of labels.entries()) {
      const question = questions[i]
      if (question && mass !== null) labelMass(question, mass)
    }
    if (inputTokens === null) return answers
    // Some engines truncate long input and answer anyway. The token count they report reveals it.
    if (profile.cutsAtTokens !== null && inputTokens >= profile.cutsAtTokens) throw tooLong()
    if (!(await isWhole(questions, inputTokens))) throw tooLong()
    return answers
  }
}
