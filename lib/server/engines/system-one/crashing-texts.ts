import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { ServiceError } from "@/lib/shared/errors"
import { questionTexts } from "@/questions/question-types"
import type { BilledText } from "../token-count"

/** `<|` in JSON source, where any character may be escaped. */
const BEGINNINGS = ["<|", "\\u003c", "\\u003C", "<\\u007c", "<\\u007C"].map((text) => Buffer.from(text))
/** `<|` and more letters than any name has. Early builds of llama.cpp crash from somewhere above 10,000. */
const LONG_NAME = /<\|\w{8193}/
const LONG_LENGTH = 8_193

function isLongName(text: BilledText): boolean {
  if (typeof text === "string") return text.length > LONG_LENGTH && LONG_NAME.test(text)
  const { buffer, byteOffset, length } = text.source
  if (length < LONG_LENGTH) return false
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (!BEGINNINGS.some((beginning) => bytes.includes(beginning))) return false
  return LONG_NAME.test(text.kind === "string" ? text.text() : unescaped(text.json()))
}

/** Returns JSON source with the escapes of ASCII characters replaced. */
const unescaped = (source: string): string =>
  source.replace(/\\u00([0-7][0-9a-fA-F])/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * Refuses texts that are known to crash an engine: early builds of llama.cpp with a kev model. Throws `invalid_request`
 * without `param`.
 */
export function refuseCrashingTexts({ state, questions }: CheckedRequest): void {
  if (!isLongName(state) && !questions.some((question) => questionTexts(question).some(isLongName))) return
  throw new ServiceError("invalid_request", {
    message: "The model rejected the input: a text has '<|' followed by more than 8,192 letters without a space.",
  })
}
