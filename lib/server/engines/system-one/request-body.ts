import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { JsonText } from "@/lib/shared/json/text"
import { joinParts, type WirePart, type WriteText } from "@/questions/engine-wire"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { isBlank } from "./blank-texts"
import { type ControlMarks, hasEqualNames, neutralText } from "./neutral-texts"
import { hasPlainNumbers } from "./plain-numbers"

/**
 * The version of the texts that `questions/` adds to an engine request, such as default instructions, and of how texts
 * of clients are written. It is part of what a pinned id means. A change of either needs a new version and a new id.
 */
export const PROMPT_TEMPLATE = "system-one-4"

/** How an engine's requests are written. */
export interface Writing {
  /** Whether the engine accepts only non-blank strings. */
  isStrict: boolean
  /** Whether the state, an object, is sent as one (`isPlainObject`). */
  isObject?: boolean
  /** The control tokens of the engine's vocabulary that are broken up. None by default. */
  marks?: ControlMarks
  /** Whether equal levels of a score are numbered, because the engine refuses them. */
  needsDistinctLevels?: boolean
  /** The value under which the engine caches the account's prompts. Null or absent: accounts share a cache. */
  cacheSalt?: string | null
}

/** A client's text as an engine gets it. */
export type SentText = Exclude<WirePart, string>

/**
 * Returns how a text of a question is sent. Null: it is empty, which is valid in the API, and sent as missing. Strict
 * engines accept only strings, and no blank ones. Others get JSON as JSON, unless its numbers or names would be refused.
 */
export function sentText(text: JsonText, { isStrict, marks }: Writing): SentText | null {
  if (isStrict ? isBlank(text) : text.isEmpty()) return null
  const sent = neutralText(text, marks)
  return { text: sent, isQuoted: isStrict || !hasPlainNumbers(text) || (sent !== text && hasEqualNames(sent)) }
}

function questionParts(question: CheckedQuestion, write: WriteText, needsDistinctLevels: boolean): WirePart[] {
  const type = typeOf(question)
  const instructions = write(question.instructions) ?? JSON.stringify(type.defaultInstructions)
  const criteria = type.writeCriteria(question, write, needsDistinctLevels)
  return [
    `"${question.name}":{"type":"${question.type}","instructions":`,
    instructions,
    ...(criteria.length > 0 ? [',"criteria":', ...criteria] : []),
    "}",
  ]
}

/**
 * Writes a state that is neither a string nor `isObject` as one string of its JSON. Engines could otherwise interpret it
 * as chat messages.
 */
function stateParts(state: JsonText, { isStrict, marks, isObject = false }: Writing): WirePart[] {
  // A strict engine refuses a blank state. Its JSON has the same meaning and is not blank.
  if (isStrict && state.kind === "string" && isBlank(state)) return [JSON.stringify(state.json())]
  return [{ text: neutralText(state, marks), isQuoted: !isObject }]
}

/**
 * Builds the body of `POST /v1/systemone` for some of a request's questions. Apart from special tokens (`neutralText`) and what
 * `writing` requires, client texts stay as sent, and names keep their order.
 */
export function requestBody(
  model: string,
  { state, questions }: Pick<CheckedRequest, "state" | "questions">,
  writing: Writing,
): WireBody {
  const { needsDistinctLevels = false, cacheSalt = null } = writing
  const write: WriteText = (text) => text && sentText(text, writing)
  const salt = cacheSalt === null ? "" : `"cache_salt":${JSON.stringify(cacheSalt)},`
  return new WireBody([
    `{"model":${JSON.stringify(model)},${salt}"state":`,
    ...stateParts(state, writing),
    ',"questions":{',
    ...joinParts(questions.map((question) => questionParts(question, write, needsDistinctLevels))),
    "}}",
  ])
}

const bytesOf = (part: WirePart): number => {
  if (typeof part === "string") return Buffer.byteLength(part)
  return part.isQuoted ? part.text.quotedBytes() : part.text.source.length
}

const piecesOf = (part: WirePart): Iterable<Uint8Array> => {
  if (typeof part === "string") return [Buffer.from(part)]
  return part.isQuoted ? part.text.quoted() : part.text.pieces()
}

/** A request body that is sent piece by piece, so that a state of 28 MiB is neither copied nor made into a string. */
export class WireBody {
  readonly bytes: number

  constructor(private readonly parts: WirePart[]) {
    this.bytes = parts.reduce((sum, part) => sum + bytesOf(part), 0)
  }

  *pieces(): Generator<Uint8Array> {
    for (const part of this.parts) yield* piecesOf(part)
  }

  /** Returns the whole body at once, for a short one. */
  whole(): Buffer {
    const body = Buffer.allocUnsafe(this.bytes)
    let at = 0
    for (const part of this.parts) {
      if (typeof part === "string") at += body.write(part, at)
      else
        for (const piece of piecesOf(part)) {
          body.set(piece, at)
          at += piece.length
        }
    }
    return body
  }
}
