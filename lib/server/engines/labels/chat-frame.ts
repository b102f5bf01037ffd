import { Unusable } from "../unusable"
import type { LabelDialect } from "./label-dialect"
import { SYSTEM_TEXT } from "./prompt"
import { FIXED_DATE, hasCurrentDate } from "./template-date"

/** What a chat template puts around a user's message, as tokens. */
export interface ChatFrame {
  /** Everything before the message, the system message included. */
  head: number[]
  /** Everything after it, up to where the model's answer begins. */
  tail: number[]
  tailText: string
}

/** A word that no template changes. It stands for the message. */
const MESSAGE = "Quokka"
const OPEN_THINKING = /<think>(?![\s\S]*<\/think>)/
const THINKS =
  "The model begins every answer with its thoughts: use a model whose thinking can be turned off, or its variant without thinking."

const DATED =
  "The chat template writes the current date into every prompt, so answers would change every day: update the engine, or start it with a template that has a fixed date."

/** Renders a chat with a system message. If the template refuses it, its text begins the user's message. */
async function renderedWith(dialect: LabelDialect, date: string | null, signal: AbortSignal): Promise<string> {
  const user = (content: string) => ({ role: "user", content }) as const
  try {
    return await dialect.chatText([{ role: "system", content: SYSTEM_TEXT }, user(MESSAGE)], date, signal)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return dialect.chatText([user(`${SYSTEM_TEXT}\n\n${MESSAGE}`)], date, signal)
  }
}

/** Renders a chat without the current date. Templates with a date of their own keep it. */
async function renderedChat(dialect: LabelDialect, signal: AbortSignal): Promise<string> {
  const chat = await renderedWith(dialect, null, signal)
  if (!hasCurrentDate(chat)) return chat
  const fixed = await renderedWith(dialect, FIXED_DATE, signal)
  if (hasCurrentDate(fixed)) throw new Unusable(DATED)
  return fixed
}

/** Returns the tokens of the rendered chat before and after the message. */
async function split(dialect: LabelDialect, chat: string, signal: AbortSignal): Promise<ChatFrame> {
  const [before, tailText, ...more] = chat.split(MESSAGE)
  if (before === undefined || tailText === undefined || more.length > 0)
    throw new Unusable("The chat template changes or repeats the text of a message: use a model with another template.")
  const whole = await dialect.templateIds(chat, signal)
  // A template may end with a space that the tokenizer joins to the message.
  const headText = before.trimEnd() === before ? before : await shorterHead(dialect, before, whole, signal)
  const head = await dialect.templateIds(headText, signal)
  const tail = await dialect.templateIds(tailText, signal)
  const isWhole = head.every((id, i) => whole[i] === id) && tail.every((id, i) => whole.at(i - tail.length) === id)
  if (!isWhole || tail.length === 0)
    throw new Unusable(
      "The tokenizer does not read the chat template's text back as the same tokens: use another model.",
    )
  return { head, tail, tailText }
}

async function shorterHead(dialect: LabelDialect, before: string, whole: number[], signal: AbortSignal) {
  const ids = await dialect.templateIds(before, signal)
  return ids.every((id, i) => whole[i] === id) ? before : before.replace(/ +$/, "")
}

/**
 * Finds the model's chat frame. Throws `Unusable` when the template cannot be used, begins with thinking, writes the
 * current date, or marks turns with text that a client could write.
 */
export async function findFrame(dialect: LabelDialect, signal: AbortSignal): Promise<ChatFrame> {
  const frame = await split(dialect, await renderedChat(dialect, signal), signal)
  if (OPEN_THINKING.test(frame.tailText)) throw new Unusable(THINKS)
  const written = new Set(await dialect.clientIds(frame.tailText, signal))
  if (frame.tail.every((id) => written.has(id)))
    throw new Unusable(
      "The chat template marks turns with ordinary text, so a client's text could end its turn: use a model whose template has special tokens.",
    )
  return frame
}
