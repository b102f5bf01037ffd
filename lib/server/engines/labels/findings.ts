import type { Finding } from "../engine"
import type { FoundDialect } from "./label-dialect"
import type { LabelModel } from "./read-question"

/** Returns what a probe found about a model that is read by its labels, and what each finding means. For the operator. */
export function labelFindings(
  { family, dialect, slots }: FoundDialect,
  { tokens, contextTokens }: LabelModel,
  { build, isBothOrders, inputLimit }: { build: string; isBothOrders: boolean; inputLimit: number | null },
): Finding[] {
  const { labelsPerCall } = dialect
  const labels = tokens.letters.length
  const limit = inputLimit === null ? "Longer input is refused with 400." : "Enough for the model's limit."
  return [
    {
      name: "engine",
      value: family.name,
      meaning: "An ordinary model read by its labels. Measure it before you trust it.",
    },
    { name: "questions", value: "one per prompt", meaning: "The engine's prefix cache reads a long state once." },
    {
      name: "orders",
      value: isBothOrders ? "both" : "one",
      meaning: isBothOrders
        ? "Yes and no, and options, are read in both orders and averaged. Scores are read once."
        : "The first option may be preferred. A new id with --both-orders averages both orders.",
    },
    {
      name: "options",
      value: `${labels} labels, ${Math.min(labels, labelsPerCall)} per call`,
      meaning:
        "Each is one token. Labels that do not fit in one call take a second. More options than labels are asked in groups.",
    },
    {
      name: "slots",
      value: slots === undefined ? "not reported" : String(slots),
      meaning: slots === undefined ? "16 requests run at once." : "How many prompts are read at once.",
    },
    { name: "context", value: `${contextTokens} tokens`, meaning: limit },
    { name: "tokens", value: "engine-labels", meaning: "The engine's /tokenize counts before each hold." },
    {
      name: "cache",
      value: family.sharesCache ? "shared" : "per account",
      meaning: family.sharesCache
        ? "Response times show whether another account has sent a prompt."
        : "An account cannot see from response times what others have sent.",
    },
    {
      name: "pin",
      value: build,
      meaning:
        "Requests get 503 while the version, the name of the weights, the template or the tokenizer is another one.",
    },
  ]
}
