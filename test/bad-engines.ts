import type { DecisionBody } from "./doubles/decision-model"
import type { Double, Keyed } from "./doubles/engine-double"
import { startLlamaCpp } from "./doubles/llama-cpp"
import { startLlamaCppChat } from "./doubles/llama-cpp-chat"
import { startSglang } from "./doubles/sglang"
import { startSglangChat } from "./doubles/sglang-chat"
import { startVllm } from "./doubles/vllm"
import { startVllmDecisions } from "./doubles/vllm-decisions"

// biome-ignore lint/suspicious/noExplicitAny: engines' answers are edited freely here.
type Edited = any
export type AnyDouble = Double<Keyed, Edited>

/** Makes an engine answer wrongly from now on. */
export type Spoil = (double: AnyDouble) => void

/** Edits every response of an engine. */
export const edited =
  (edit: (body: Edited) => void): Spoil =>
  (double) => {
    double.fault = {
      kind: "edited",
      edit: (body) => {
        edit(body)
        return body
      },
    }
  }

/** Changes every answer of a type. */
export const answers = (type: string, change: (answer: Edited) => void) =>
  edited((body: DecisionBody) => {
    for (const answer of Object.values(body.answers)) if (answer.type === type) change(answer)
  })

/** Puts these numbers in the place of the first probabilities. */
export const put =
  (...numbers: unknown[]) =>
  ({ probabilities }: Edited) => {
    for (const [i, name] of Object.keys(probabilities).entries())
      if (i < numbers.length) probabilities[name] = numbers[i]
  }

/** Changes the settings of an engine. */
export const settings =
  (change: object): Spoil =>
  (double) =>
    Object.assign(double.settings, change)

const kev = () => startLlamaCpp({ noise: 0 })
export const SYSTEM_ONE = { start: kev, model: "kev-4b", engine: "system-one" } as const
export const SGLANG = { start: () => startSglang(), model: "qwen3-8b", engine: "system-one" } as const
const VLLM = { start: () => startVllmDecisions(), model: "qwen3-8b", engine: "system-one" } as const
export const LLAMA_LABELS = { start: () => startLlamaCppChat(), model: "qwen-toy", engine: "labels" } as const
const VLLM_LABELS = { start: () => startVllm(), model: "qwen-toy", engine: "labels" } as const
const SGLANG_LABELS = { start: () => startSglangChat(), model: "qwen-toy", engine: "labels" } as const
export type Kind = { start(): Promise<unknown>; model: string; engine: "system-one" | "labels" }

/** Keeps the written token alone, as sure as can be. */
const onlyWritten = edited(({ completion_probabilities: [position] }) => {
  const list = position.top_probs ?? position.top_logprobs
  const isAfter = position.top_probs !== undefined
  list.splice(1)
  list[0][isAfter ? "prob" : "logprob"] = isAfter ? 1 : 0
})
const vllmTop = (change: (top: Record<string, number>, written: string) => void) =>
  edited(({ choices: [{ logprobs }] }) => change(logprobs.top_logprobs[0], logprobs.tokens[0]))

/** Answers that contradict themselves or leave something out: what each kind is, at which engine, how, and the reason of the probe. */
export const BAD: [kind: string, engine: Kind, spoil: Spoil, reason: RegExp][] = [
  [
    "an option is missing",
    SYSTEM_ONE,
    answers("choice", ({ probabilities: p }) => delete p[Object.keys(p)[1] ?? ""]),
    /choice question cannot be used: an answer, option or level is missing/,
  ],
  [
    "an option was not asked for",
    SYSTEM_ONE,
    answers("choice", ({ probabilities: p }) => Object.assign(p, { more: 0 })),
    /an answer, option or level is missing or was not asked for/,
  ],
  [
    "a choice sums to 0.95",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.35)(a)
      delete a.choice
    }),
    /do not sum to 1/,
  ],
  [
    "a choice sums to 1.02",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.42)(a)
      delete a.choice
    }),
    /do not sum to 1/,
  ],
  [
    "a score sums to 0.5",
    SYSTEM_ONE,
    answers("score", (a) => {
      put(0.25, 0.25, 0)(a)
      delete a.score
    }),
    /score question cannot be used: the probabilities do not sum to 1/,
  ],
  ["all levels are 0", SYSTEM_ONE, answers("score", put(0, 0, 0)), /sum to 0/],
  [
    "yes and no sum to 1.2",
    SYSTEM_ONE,
    answers("noul", (a) => Object.assign(a, { noul: 0.6, probabilities: { yes: 0.6, no: 0.6 } })),
    /noul question cannot be used: the probabilities do not sum to 1/,
  ],
  [
    "yes is stated as two numbers",
    SYSTEM_ONE,
    answers("noul", (a) => Object.assign(a, { noul: 0.1, probabilities: { yes: 0.9, no: 0.1 } })),
    /stated as two numbers/,
  ],
  [
    "the choice is not the largest",
    SYSTEM_ONE,
    answers("choice", (a) => {
      put(0.6, 0.4)(a)
      a.choice = Object.keys(a.probabilities)[1]
    }),
    /not the most likely option/,
  ],
  [
    "the choice is no option",
    SYSTEM_ONE,
    answers("choice", (a) => {
      a.choice = "nobody"
    }),
    /not the most likely option/,
  ],
  [
    "the score is not the mean",
    SYSTEM_ONE,
    answers("score", (a) => {
      a.score += 0.04
    }),
    /not the mean of the levels/,
  ],
  [
    "a noul is over 1",
    SYSTEM_ONE,
    answers("noul", (a) => {
      a.noul = 1.00000001
    }),
    /outside of 0 to 1/,
  ],
  [
    "a level is below 0",
    SYSTEM_ONE,
    answers("score", (a) => {
      put(-0.00000001, 0.5, 0.50000001)(a)
      delete a.score
    }),
    /outside of 0 to 1/,
  ],
  ["a number is null, as some write NaN", SYSTEM_ONE, answers("choice", put(Number.NaN)), /a probability is missing/],
  [
    "NaN itself",
    SYSTEM_ONE,
    (double) => {
      double.fault = { kind: "nonsense", body: '{"answers":{"test":{"type":"noul","noul":NaN}}}' }
    },
    /no JSON/,
  ],
  [
    "another type",
    SYSTEM_ONE,
    answers("noul", (a) => {
      a.type = "score"
    }),
    /another type/,
  ],
  ["the label mass is 0.3", SGLANG, settings({ labelMass: 0.3 }), /with a label only 30 % of the time/],
  [
    "probabilities and label mass differ",
    SGLANG,
    answers("choice", (a) => {
      a.x_label_mass = 0.6
    }),
    /do not sum to the label mass/,
  ],
  ["vLLM's label mass is 0.49", VLLM, settings({ labelMass: 0.49 }), /a label only 49 % of the time/],
  [
    "vLLM's label mass is missing",
    VLLM,
    edited((body) => {
      delete body.diagnostics
    }),
    /the label mass is missing/,
  ],
  [
    "vLLM's label mass is 1.1",
    VLLM,
    edited(({ diagnostics }) => {
      for (const question of Object.keys(diagnostics)) diagnostics[question].label_mass = 1.1
    }),
    /the label mass is outside of 0 to 1/,
  ],
  [
    "llama.cpp lists the written token alone, with p = 1",
    LLAMA_LABELS,
    onlyWritten,
    /reports only the token that it wrote/,
  ],
  [
    "vLLM leaves out a label",
    VLLM_LABELS,
    vllmTop((top, written) => {
      for (const id of Object.keys(top)) if (id !== written) delete top[id]
    }),
    /ignores logprob_token_ids|a label that was asked for is missing/,
  ],
  [
    "vLLM knows one label alone",
    VLLM_LABELS,
    vllmTop((top, written) => {
      for (const id of Object.keys(top)) top[id] = id === written ? 0 : -9_999
    }),
    /restricts or biases/,
  ],
  [
    "SGLang knows one label alone",
    SGLANG_LABELS,
    edited(({ meta_info: info }) => {
      for (const [i, entry] of info.output_token_ids_logprobs[0].entries()) entry[0] = i === 0 ? 0 : null
    }),
    /restricts or biases/,
  ],
]
