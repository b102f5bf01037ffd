import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { type CheckedQuestion, type RawAnswer, typeOf } from "@/questions/question-types"
import { type Answered, type Answerer, EngineHttpError, promptTooLong } from "./answerer"
import {
  clientValue,
  escapeTokens,
  type Neutral,
  type PromptInput,
  type PromptQuestion,
  promptQuestion,
  templateValues,
} from "./decision-prompt"
import { type DecisionSettings, MAX_LABELS, RATINGS, UnusableModel } from "./decision-type"
import type { LoadedModel } from "./load-model"
import type { StateCache } from "./state-cache"

interface Label {
  text: string
  id: number
}

/** One question, with a prompt for each order in which its options are shown. */
interface Asked {
  question: CheckedQuestion
  /** How many options the question has. */
  options: number
  prompts: number[][]
  labels: number[]
}

/** Another question for the same state. The tokens that both prompts begin with are the state's. */
const OTHER: PromptQuestion = { id: "0", type: "score", instructions: "\u0002", options: [] }

/** Returns what each label's probability is, at a temperature. */
function probabilitiesOf(logits: number[], temperature: number): number[] {
  const max = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp((logit - max) / temperature))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}

function sharedLength(one: readonly number[], other: readonly number[]): number {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return i
  return length
}

const meanOf = (lists: number[][]): number[] =>
  (lists[0] ?? []).map((_, i) => lists.reduce((sum, list) => sum + (list[i] ?? 0), 0) / lists.length)

/** A model that was trained for decisions and is read by the logits of its labels. */
export class DecisionModel implements Answerer {
  readonly #labels: Label[]
  readonly #template: { render(values: Record<string, unknown>): string }
  readonly #neutral: Neutral

  constructor(
    private readonly model: LoadedModel,
    private readonly settings: DecisionSettings,
    private readonly states: StateCache,
  ) {
    const { native, jinja } = model
    this.#template = new jinja.Template(settings.template)
    const specials = [...native.iterateAllTokens()].filter((token) => native.isSpecialToken(token))
    this.#neutral = escapeTokens(specials.map((token) => native.detokenize([token], true)))
    this.#labels = settings.labels
      .flatMap((text) => {
        const [id, ...more] = native.tokenize(text, false)
        return id === undefined || more.length > 0 ? [] : [{ text, id }]
      })
      .slice(0, MAX_LABELS)
    // A template that writes the labels itself counts on every one of them.
    const least = settings.givesLabels ? RATINGS + 1 : settings.labels.length
    if (this.#labels.length < least)
      throw new UnusableModel("The model's vocabulary has too few letters that are one token.")
  }

  async answer(request: CheckedRequest, signal: AbortSignal): Promise<Answered> {
    const questions = request.questions.map((question) => this.#checked(question))
    const state = clientValue(request.state, this.#neutral)
    const asked = request.questions.map((question, i) =>
      this.#ask(question, { state, question: questions[i] as PromptQuestion, questions }),
    )
    const prompts = asked.flatMap((one) => one.prompts)
    const tooLong = prompts.find(({ length }) => length > this.states.contextTokens)
    if (tooLong) throw promptTooLong(tooLong.length, this.states.contextTokens)
    const [first = []] = prompts
    const other = this.#tokens(templateValues({ state, question: OTHER, questions: [OTHER] }, this.settings, [], false))
    const stateTokens = Math.min(sharedLength(first, other), ...prompts.map(({ length }) => length - 1))
    const lease = await this.states.lease(first, signal)
    try {
      const answers: RawAnswer[] = []
      for (const one of asked) {
        const { prompts: own, labels } = one
        const reads: number[][] = []
        for (const prompt of own) reads.push((await lease.read({ prompt, labels, stateTokens }, signal)).logits)
        answers.push(this.#answerOf(one, reads))
      }
      const inputTokens = prompts.reduce((sum, { length }) => sum + length, 0)
      return { answers, inputTokens, computedTokens: lease.computed }
    } finally {
      lease.release()
    }
  }

  #checked(question: CheckedQuestion): PromptQuestion {
    const { name, instructions } = question
    const shown = promptQuestion(question, this.settings, this.#neutral)
    const refuse = (message: string) =>
      new EngineHttpError(400, "invalid_request_error", `questions.${name}: ${message}`)
    if (instructions === null) throw refuse('"instructions" must be provided')
    const { length } = shown.options
    const max = this.#labels.length
    if (length > max) throw refuse(`too many options (${length}), this model supports at most ${max}`)
    return shown
  }

  #ask(question: CheckedQuestion, input: PromptInput): Asked {
    const { givesLabels, readsBothOrders } = this.settings
    const { scale, decision } = typeOf(question)
    const options = input.question.options.length
    const texts = givesLabels ? this.#labels.map(({ text }) => text) : null
    const orders = readsBothOrders && scale === "nominal" && options > 1 ? [false, true] : [false]
    const read = decision.labels?.count(this.settings) ?? options
    return {
      question,
      options,
      prompts: orders.map((isReversed) => this.#tokens(templateValues(input, this.settings, texts, isReversed))),
      labels: this.#labels.slice(0, read).map(({ id }) => id),
    }
  }

  #tokens(values: Record<string, unknown>): number[] {
    return this.model.native.tokenize(this.#template.render(values), true)
  }

  /** Makes an answer from the logits of each order. Those of the second are in reverse order. */
  #answerOf({ question, options }: Asked, reads: number[][]): RawAnswer {
    const divisor = this.settings.temperature(question.type, options)
    const orders = reads.map((logits) => probabilitiesOf(logits, divisor))
    const probabilities = meanOf(orders.map((order, i) => (i === 0 ? order : order.toReversed())))
    const { decision, toAnswer } = typeOf(question)
    return decision.labels?.toAnswer(probabilities, this.settings) ?? toAnswer(probabilities)
  }
}
