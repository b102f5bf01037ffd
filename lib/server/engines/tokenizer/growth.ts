/**
 * Whether a text can have more tokens than UTF-8 bytes: "none" never; "ascii" never while it is ASCII, because the
 * normaliser may lengthen other letters; "any" where that cannot be shown. What a hold may rely on.
 */
export type Growth = "none" | "ascii" | "any"

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null
const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const worst = (growths: Growth[]): Growth =>
  growths.includes("any") ? "any" : growths.includes("ascii") ? "ascii" : "none"

/** Cut a text in pieces, or take away from it. */
const CUTTING = new Set<unknown>(["Split", "Digits", "Punctuation", "Whitespace", "WhitespaceSplit", "FixedLength"])
/** Leave ASCII as long as it is; of other letters they can make several. */
const UNICODE_FORMS = new Set<unknown>(["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents"])

/** True when every byte of a text becomes one letter of the vocabulary's alphabet, so that tokens are made of bytes. */
function isByteLevel(preTokenizer: unknown): boolean {
  if (!isObject(preTokenizer)) return false
  if (preTokenizer.type === "ByteLevel") return preTokenizer.add_prefix_space !== true
  if (preTokenizer.type !== "Sequence") return false
  const steps = objectsOf(preTokenizer.pretokenizers)
  return steps.some(isByteLevel) && steps.every((step) => CUTTING.has(step.type) || isByteLevel(step))
}

function normaliserGrowth(normalizer: unknown): Growth {
  if (!isObject(normalizer) || normalizer.type === "Strip") return "none"
  if (normalizer.type === "Sequence") return worst(objectsOf(normalizer.normalizers).map(normaliserGrowth))
  return UNICODE_FORMS.has(normalizer.type) ? "ascii" : "any"
}

/** What the JSON of a `tokenizer.json` and its `tokenizer_config.json` say of it. */
export function growthOf(tokenizer: unknown, config: unknown): Growth {
  if (!isObject(tokenizer) || !isObject(tokenizer.model)) return "any"
  const { type, byte_fallback: fallsBack } = tokenizer.model
  if (type !== "BPE" || fallsBack === true || !isByteLevel(tokenizer.pre_tokenizer)) return "any"
  const lowers = isObject(config) && config.do_lowercase_and_remove_accent === true
  return worst([normaliserGrowth(tokenizer.normalizer), lowers ? "ascii" : "none"])
}
