import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import type { CallPlaces } from "./call-places"
import { refusedCount, tooLong, upstreamFailure } from "./failures"
import { askInGroups } from "./group-options"
import type { Profile } from "./profile"
import { requestBody } from "./request-body"
import { readReply } from "./response"
import type { Transport, WireResponse } from "./transport"

/** What asking an engine takes. */
export interface Asking {
  transport: Transport
  /** The name to ask for. */
  served: string
  /** The name that the engine answers under; null where it does not tell. */
  answersAs: string | null
  profile: Profile
  /** Told what the engine takes less of than its profile says. */
  learn(change: Partial<Profile>): void
  places: CallPlaces
  /** The least tokens that an engine which read all of these questions can have read. */
  leastTokens(questions: CheckedQuestion[]): number | Promise<number>
}

/** How many options a question has; 0 for a type whose options cannot be asked in groups. */
const optionCount = (question: CheckedQuestion): number => typeOf(question).options?.count(question) ?? 0

/** `questions` in runs of `size`; the first alone when `isFirstAlone`. */
function inCalls(questions: CheckedQuestion[], size: number, isFirstAlone: boolean): CheckedQuestion[][] {
  const calls: CheckedQuestion[][] = []
  for (let at = 0; at < questions.length; ) {
    const end = at + (at === 0 && isFirstAlone ? 1 : size)
    calls.push(questions.slice(at, end))
    at = end
  }
  return calls
}

/**
 * One request's questions to one engine, in as many calls as it takes. A call is made again, in smaller ones, only when
 * the engine refused to read it: what it may have worked on is never sent twice.
 */
export class Questioning {
  #maxOptions: number

  constructor(
    private readonly asking: Asking,
    private readonly state: JsonText,
    private readonly signal: AbortSignal,
  ) {
    this.#maxOptions = asking.profile.maxOptions
  }

  /** One answer per question, in this order. */
  async answers(questions: CheckedQuestion[], isFirstAlone: boolean): Promise<RawAnswer[]> {
    const { isStrict, questionsPerCall } = this.asking.profile
    const plain = isStrict
      ? questions.map((question) => typeOf(question).options?.withPlainNames(question) ?? question)
      : questions
    const large = plain.filter((question) => optionCount(question) > this.#maxOptions)
    const others = plain.filter((question) => optionCount(question) <= this.#maxOptions)
    const calls = [...inCalls(others, questionsPerCall, isFirstAlone), ...large.map((question) => [question])]
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

  async #ask(questions: CheckedQuestion[]): Promise<RawAnswer[]> {
    const [first] = questions
    if (first && questions.length === 1 && optionCount(first) > this.#maxOptions) return [await this.#askGroups(first)]
    const response = await this.asking.places.run(() => this.#call(questions))
    if (response.status === 200) return this.#read(questions, response.text)
    if (!this.#canAskLess(questions, response)) throw upstreamFailure(response)
    return (await Promise.all(questions.map((question) => this.#ask([question])))).flat()
  }

  async #askGroups(question: CheckedQuestion): Promise<RawAnswer> {
    const { options } = typeOf(question)
    if (!options) throw new ServiceError("upstream_error")
    const askSome = async (indexes: number[]) => {
      if (indexes.length === 1) return [1]
      const [answer] = await this.#ask([options.pick(question, indexes)])
      return answer ? options.probabilities(answer) : []
    }
    const all = Array.from({ length: options.count(question) }, (_, i) => i)
    return options.toAnswer(await askInGroups(all, this.#maxOptions, askSome))
  }

  #call(questions: CheckedQuestion[]): Promise<WireResponse> {
    const { transport, served, profile } = this.asking
    const body = requestBody(served, { state: this.state, questions }, profile)
    return transport.call("POST", "/v1/systemone", body, this.signal)
  }

  /** Whether smaller calls may be taken where this one was refused; remembers what the engine said that it takes. */
  #canAskLess(questions: CheckedQuestion[], response: WireResponse): boolean {
    const refused = refusedCount(response)
    if (refused?.of === "questions" && questions.length > 1) {
      this.asking.learn({ questionsPerCall: Math.max(1, Math.min(refused.most ?? 1, questions.length - 1)) })
      return true
    }
    const asked = Math.max(...questions.map(optionCount))
    if (refused?.of === "options" && asked > 2) {
      this.#maxOptions = Math.max(2, Math.min(refused.most ?? Math.ceil(asked / 2), asked - 1))
      if (refused.most !== null) this.asking.learn({ maxOptions: this.#maxOptions })
      return true
    }
    return response.status === 413 && questions.length > 1
  }

  async #read(questions: CheckedQuestion[], text: string): Promise<RawAnswer[]> {
    const { answersAs, profile, leastTokens } = this.asking
    const { answers, model, inputTokens } = readReply(questions, text)
    if (answersAs !== null && model !== null && model !== answersAs) throw new ServiceError("model_unavailable")
    if (inputTokens === null) return answers
    // Some engines cut what is too long and answer all the same: what they say that they read gives them away.
    if (profile.cutsAtTokens !== null && inputTokens >= profile.cutsAtTokens) throw tooLong()
    if (inputTokens < (await leastTokens(questions))) throw tooLong()
    return answers
  }
}
