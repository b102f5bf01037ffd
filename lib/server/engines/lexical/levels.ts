import type { JsonText } from "@/lib/shared/json/text"
import { DETECTORS, type Detector, type Document, MOOD } from "./detectors"
import { type Features, flatten, readFeatures } from "./features"
import { rarity, similarity, softmax } from "./similarity"

const SIMILARITY_WEIGHT = 1.6
/** The standard deviation of the probabilities around the indicated level, in levels: `BASE_WIDTH` and a part of the scale. */
const BASE_WIDTH = 0.3
const WIDTH_PER_LEVEL = 0.14
/** The minimum distance between the sentiments of a mood scale's first and last level. Sentiments are -1 to 1. */
const MIN_MOOD_RANGE = 0.5

/** Returns whether the property falls from the first to the last level. False without a clear direction. */
function isDescending(detector: Detector, levels: Features[]): boolean {
  const middle = (levels.length - 1) / 2
  // Levels such as "5 stars" are compared by their numbers.
  const [first, last] = [levels[0], levels.at(-1)].map((level) => Number.parseFloat(level?.text ?? ""))
  if (first !== undefined && last !== undefined && first !== last && first + last > 0) return first > last
  return levels.reduce((sum, level, i) => sum + (i - middle) * detector.find(level), 0) < 0
}

/** Returns whether the levels themselves range between bad and good, such as "awful" to "great". */
const isMoodScale = (levels: Features[]): boolean =>
  Math.abs((levels[0]?.sentiment ?? 0) - (levels.at(-1)?.sentiment ?? 0)) > MIN_MOOD_RANGE

/**
 * Returns the probability of each level of a score, from its similarity to the state. If the question asks for a property that a
 * detector finds, levels near the indicated one gain.
 */
export function scoreLevels(
  instructions: JsonText | null,
  described: readonly JsonText[],
  document: Document,
): number[] {
  const n = described.length
  if (n === 1) return [1]
  const levels = described.map((level) => readFeatures(flatten(level)))
  const asked = instructions ? readFeatures(flatten(instructions)).text : ""
  const texts = [asked, ...levels.map(({ text }) => text)]
  const asks = [...DETECTORS, MOOD]
  const named = texts.map((text) => asks.find((one) => one.asked.test(text))).find((one) => one !== undefined)
  const detector = named ?? (isMoodScale(levels) ? MOOD : undefined)

  const idf = rarity(levels)
  const values = levels.map((level) => SIMILARITY_WEIGHT * similarity(level, document.features, -1, idf))
  if (!detector) return softmax(values)
  const found = document.find(detector)
  const mean = (isDescending(detector, levels) ? 1 - found : found) * (n - 1)
  const width = WIDTH_PER_LEVEL * (n - 1) + BASE_WIDTH
  return softmax(values.map((value, i) => value - (i - mean) ** 2 / (2 * width ** 2)))
}
