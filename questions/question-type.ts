import type { z } from "zod"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import type { Automation } from "./automation"
import type { CriteriaForm } from "./criteria-form"
import type { DecisionForm } from "./decision-form"
import type { Explanation, Figure } from "./display"
import type { EngineNumbers, Members, WirePart, WriteText } from "./engine-wire"
import type { HintRule } from "./hint-rules"
import type { KeywordRules } from "./keyword-rules"
import type { LabelForm } from "./label-form"
import type { ShapeLimits } from "./limits"
import type { Outcomes } from "./outcomes"
import type { Rewordings } from "./rewordings"
import type { SchemaParts } from "./schema-parts"

/** What every checked question has. `instructions` is null when absent or null in the request. */
export interface QuestionBase {
  type: string
  /** Unique in the request. */
  name: string
  instructions: JsonText | null
}

interface TypeSchemas {
  question: z.ZodObject
  answer: z.ZodObject
}

/** One line of a question's criteria, as user interfaces list it. */
interface Criterion {
  term: string
  text: JsonText | null
}

/**
 * How the possible answers relate: no and yes, options without an order of their own, or levels. It decides which labels they get in
 * prompts, in which orders they are read, and which figures evaluations show.
 */
export type Scale = "binary" | "nominal" | "ordinal"

/**
 * Everything the service knows about one question type, except for what needs React, zod or statistics. Adding a type means
 * adding a folder with one of these and naming it in `question-types.ts`. The compiler then asks for the rest.
 */
export interface QuestionType<
  Question extends QuestionBase,
  Answer extends { type: string },
  Chart,
  Fields,
  Schemas extends TypeSchemas = TypeSchemas,
> {
  /** What the answer is, such as "yes or no". */
  label: string
  /** What the button says that adds a question. */
  addLabel: string
  scale: Scale

  /** Checks `criteria` (spec.md, "Question object"). Throws `Refused`. */
  check(name: string, instructions: JsonText | null, criteria: JsonNode | undefined): Question
  /** Returns a sentence about the model's limit that the question exceeds, or null. Absent for a type without limits. */
  exceededLimit?(question: Question, limits: ShapeLimits): string | null
  /** Returns what `criteria` adds to the billed texts, in request order. Option names are strings. */
  criteriaTexts(question: Question): (JsonText | string)[]
  criteria(question: Question): Criterion[]

  /**
   * Instructions that an engine gets when the question has none: engines require some. Part of what a pinned model id
   * means, like every text below that an engine reads: a change needs a new id (`PROMPT_TEMPLATE`).
   */
  defaultInstructions: string
  /** Writes the JSON of `criteria` for an engine, on request without equal levels. Empty when there is none to send. */
  writeCriteria(question: Question, write: WriteText, needsDistinctLevels?: boolean): WirePart[]
  /** Returns the only possible answer, or null when an engine has to be asked. */
  certainAnswer(question: Question): Answer | null
  /**
   * Reads an engine's answer, of which only the probabilities count. Throws `upstream_error` when it is malformed or contradicts
   * itself. Numbers are normalised by default.
   */
  readAnswer(question: Question, members: Members, numbers?: EngineNumbers): Answer
  /** Writes the members that `readAnswer` reads. */
  writeAnswer(question: Question, answer: Answer): Members
  /** Returns the numbers that make up an answer: the probability of yes, or one per option or level. */
  numbers(answer: Answer): number[]
  /** Returns the probability of the most likely answer, 0 to 1: of a noul, that of yes or of no. Throws `upstream_error` when none fits. */
  topProbability(answer: Answer): number
  /** Makes an answer from one probability per meaning of `labels`, in this order. */
  toAnswer(probabilities: number[]): Answer
  labels: LabelForm<Question>
  decision: DecisionForm<Question, Answer>
  byKeywords(question: Question, rules: KeywordRules): Answer
  /** Present when an engine can be asked about some of the options at a time. */
  options?: SplitOptions<Question>

  /** Renders the answer as JSON for the response (spec.md). Throws `upstream_error` when it does not fit the question. */
  renderAnswer(question: Question, answer: Answer): string
  /** Returns the TypeScript type of the answer in a response, for exported code. */
  answerType(question: Question): string

  /** Turns an answer of the response body into what the chart draws, or null when it does not fit the question. */
  prepare(question: Question, answer: unknown): Chart | null
  figures(chart: Chart): Figure[]
  /** How a threshold turns an answer into an action. Absent for a type whose answers are always reviewed. */
  automation?: Automation<Chart>
  /** Explains the answer's confidence. Absent for a type without one. */
  explainConfidence?(chart: Chart): Explanation

  /** Returns the OpenAPI schemas of the question and of its answer. */
  schema(parts: SchemaParts): Schemas

  /** Relates the answer to a known label, for evaluations. */
  outcomes: Outcomes<Question>

  form: CriteriaForm<Fields>
  /** Rules about the wording of a question in the form, most important first. */
  hints?: readonly HintRule<Fields>[]
  /** How a question in the form can be asked in other words, for evaluations. */
  rewordings?: Rewordings<Fields>
}

/** Lets an engine that accepts few options be asked about groups of them. */
interface SplitOptions<Question> {
  count(question: Question): number
  /** Returns the question with only the options at `indexes`, in this order. */
  pick(question: Question, indexes: number[]): Question
  /** Returns the question with option names that strict engines accept. Answers are read by position. */
  withPlainNames(question: Question): Question
  /** Returns the question with each option renamed. Names that become equal are numbered. */
  withNames(question: Question, rename: (name: string) => string): Question
}
