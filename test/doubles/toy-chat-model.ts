import { hashed, isObject } from "./decision-model"

/**
 * A chat model with known logits and a tokenizer of its own: special tokens, two-letter codes in capitals, and single
 * characters. It reads the prompts that the service writes for labels.
 */
const SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<|tool|>", "</s>"]
const FIRST_CODE = 100
const FIRST_CHARACTER = 1_000
const ALPHABET = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
/** Some codes take two tokens, as in real vocabularies. */
const CODES = ALPHABET.flatMap((a) => ALPHABET.map((b) => a + b)).filter((code) => hashed(code) > 0.3)
const SPECIAL = new RegExp(SPECIALS.map((name) => name.replace(/[|/<>]/g, "\\$&")).join("|"))
const CODE_IDS = new Map(CODES.map((code, i) => [code, FIRST_CODE + i]))

const isSpecial = (id: number): boolean => id < FIRST_CODE

function plainIds(text: string): number[] {
  const ids: number[] = []
  const characters = [...text]
  for (let i = 0; i < characters.length; i++) {
    const code = CODE_IDS.get(`${characters[i]}${characters[i + 1]}`)
    if (code === undefined) ids.push(FIRST_CHARACTER + (characters[i]?.codePointAt(0) ?? 0))
    else {
      ids.push(code)
      i++
    }
  }
  return ids
}

/** Tokenizes a text. With `parsesSpecials`, a written special token becomes that token. */
export function toyIds(text: string, parsesSpecials: boolean): number[] {
  if (!parsesSpecials) return plainIds(text)
  const ids: number[] = []
  for (let rest = text; rest; ) {
    const match = SPECIAL.exec(rest)
    ids.push(...plainIds(match ? rest.slice(0, match.index) : rest))
    if (!match) break
    ids.push(SPECIALS.indexOf(match[0]))
    rest = rest.slice(match.index + match[0].length)
  }
  return ids
}

export function toyName(id: number): string {
  if (isSpecial(id)) return SPECIALS[id] ?? ""
  return id < FIRST_CHARACTER ? (CODES[id - FIRST_CODE] ?? "") : String.fromCodePoint(id - FIRST_CHARACTER)
}

export const toyText = (ids: readonly number[]): string => ids.map(toyName).join("")

export interface ToyTemplate {
  /** "special" marks turns with special tokens, "plain" with words. */
  turns: "special" | "plain"
  refusesSystem: boolean
  /** What the template puts before the model's answer. */
  answerPrefix: string
  /** Writes the current date, as templates of Llama 3.x do. A `date_string` of the request replaces it if it is settable. */
  date?: { today: string; isSettable: boolean }
}

export interface Message {
  role: string
  content: string
}

/** Renders a chat up to where the model's answer begins. Null when the template refuses it. */
export function toyChat(
  messages: Message[],
  { turns, refusesSystem, answerPrefix, date }: ToyTemplate,
  variables: unknown,
): string | null {
  const given = isObject(variables) && date?.isSettable ? variables.date_string : undefined
  const dated = date ? `Today Date: ${given ?? date.today}\n\n` : ""
  if (refusesSystem && messages.some(({ role }) => role === "system")) return null
  const [open, close] = turns === "special" ? ["<|im_start|>", "<|im_end|>\n"] : ["### ", "\n\n"]
  const said = messages.map(({ role, content }) => `${open}${role}\n${content}${close}`).join("")
  return `${dated}${said}${open}assistant\n${answerPrefix}`
}

/** What the model does in addition to answering with a label. */
export interface ToyHabits {
  /** Begins with its thoughts instead of a label. */
  thinks: boolean
  /** Gives the wrong answer to simple questions. */
  isWrong: boolean
  /** Does not follow instructions: writes any letter. */
  isUntuned: boolean
}

export const PLAIN_HABITS: ToyHabits = { thinks: false, isWrong: false, isUntuned: false }

/** What every engine's double of this model takes. */
export interface ToySettings {
  /** The server lets the model write only these texts. Null: any. */
  guidedTo: string[] | null
  apiKey: string | null
  template: ToyTemplate
  habits: ToyHabits
}

export const TOY_SETTINGS: ToySettings = {
  guidedTo: null,
  apiKey: null,
  template: { turns: "special", refusesSystem: false, answerPrefix: "" },
  habits: PLAIN_HABITS,
}

export const isIds = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger)

/** The logit of an option by what it says. It does not depend on the label or on the other options. */
export const toyMeaning = (state: string, question: string, meaning: string): number =>
  6 * hashed(["meaning", state, question, meaning].join("\0"))

/** The logit that the model gives to a label whatever it stands for. */
export const toyBias = (label: string): number => 2 * hashed(`bias ${label}`)

/** A special token as the model sees it. No text can contain it. */
const seen = (name: string): string => String.fromCodePoint(0xe000 + SPECIALS.indexOf(name))
const readText = (ids: readonly number[]): string =>
  ids.map((id) => (isSpecial(id) ? seen(toyName(id)) : toyName(id))).join("")

const OPEN_TURN = `${seen("<|im_start|>")}user\n`
const CLOSE_TURN = seen("<|im_end|>")
const PROMPT = /(?:^|\n\n)State:\n([\s\S]*)\n\nQuestion:\n([\s\S]*?)\n\n([\s\S]*)\n\n[^\n]*$/
const THOUGHT = "<think>"
/** The logits of the labels that the question does not use. */
const UNASKED = new Map(
  [...ALPHABET, ...CODES, ..."0123456789"].map((label) => [toyIds(label, true)[0] ?? 0, -4 + toyBias(label)]),
)

/** Returns the logit of every token that may come next. All others are impossible. */
export function toyLogits(prompt: readonly number[], { thinks, isWrong, isUntuned }: ToyHabits): Map<number, number> {
  const [, user = ""] = readText(prompt).split(OPEN_TURN)
  const [, state = "", question = "", list = ""] = PROMPT.exec(user.split(CLOSE_TURN)[0] ?? "") ?? []
  const logits = new Map(UNASKED)
  logits.set(SPECIALS.indexOf(THOUGHT), thinks ? 40 : -9)
  if (isUntuned) return logits
  for (const entry of list.split(/\n\n(?=[A-Z0-9]{1,2}:\n)/)) {
    const [label = "", ...texts] = entry.split(":\n")
    const meaning = texts.join(":\n")
    const sense = toyMeaning(state, question, meaning)
    // Simple questions with an obvious answer: the service asks one in its probe.
    const obvious = question.includes("ask for a refund") && (meaning === "Yes") !== isWrong ? 9 : 0
    const [id, ...more] = toyIds(label, true)
    if (id !== undefined && more.length === 0) logits.set(id, 10 + sense + obvious + toyBias(label))
  }
  return logits
}

/** The log-probabilities of the next token, over the whole vocabulary. */
export function toyLogprobs(logits: Map<number, number>, temperature = 1): Map<number, number> {
  const scaled = [...logits].map(([id, logit]): [number, number] => [id, logit / (temperature || 1)])
  const top = Math.max(...scaled.map(([, logit]) => logit))
  const log = top + Math.log(scaled.reduce((sum, [, logit]) => sum + Math.exp(logit - top), 0))
  return new Map(scaled.map(([id, logit]) => [id, logit - log]))
}

/** Token ids by log-probability, the likeliest first. */
export const toyRanking = (logprobs: Map<number, number>): number[] =>
  [...logprobs].sort(([, a], [, b]) => b - a).map(([id]) => id)
