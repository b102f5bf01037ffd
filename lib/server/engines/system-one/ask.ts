import type { RawAnswer } from "@/lib/shared/decisions/answers"
import type { CheckedQuestion, ChoiceQuestion } from "@/lib/shared/decisions/check"
import { ServiceError } from "@/lib/shared/errors"
import type { JsonText } from "@/lib/shared/json/text"
import type { CallPlaces } from "./call-places"
import { refusedCount, tooLong, upstreamFailure } from "./failures"
import { askInGroups } from "./group-options"
import { withPlainNames } from "./option-names"
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

const isLargeChoice = (question: CheckedQuestion, most: number): question is ChoiceQuestion =>
  question.type === "choice" && question.options.length > most

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
    const plain = questions.map((question) =>
      isStrict && question.type === "choice" ? withPlainNames(question) : question,
    )
    const large = plain.filter((question) => isLargeChoice(question, this.#maxOptions))
    const others = plain.filter((question) => !isLargeChoice(question, this.#maxOptions))
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
    if (first && questions.length === 1 && isLargeChoice(first, this.#maxOptions)) return [await this.#askGroups(first)]
    const response = await this.asking.places.run(() => this.#call(questions))
    if (response.status === 200) return this.#read(questions, response.text)
    if (!this.#canAskLess(questions, response)) throw upstreamFailure(response)
    return (await Promise.all(questions.map((question) => this.#ask([question])))).flat()
  }

  async #askGroups(question: ChoiceQuestion): Promise<RawAnswer> {
    const { options } = question
    const askSome = async (indexes: number[]) => {
      const some = indexes.flatMap((i) => options[i] ?? [])
      if (some.length === 1) return [1]
      const [answer] = await this.#ask([{ ...question, options: some }])
      return answer?.type === "choice" ? answer.probabilities : []
    }
    const all = options.map((_, i) => i)
    return { type: "choice", probabilities: await askInGroups(all, this.#maxOptions, askSome) }
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
    const asked = Math.max(...questions.map((question) => (question.type === "choice" ? question.options.length : 0)))
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
