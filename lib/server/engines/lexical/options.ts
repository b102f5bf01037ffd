import type { NamedOption } from "@/questions/keyword-rules"
import { ASKING, DETECTORS, type Document, HARM, NEGATIVE, POSITIVE, URGENCY } from "./detectors"
import { type Features, flatten, flattenName, joinFeatures, readFeatures } from "./features"
import { rarity, similarity, softmax } from "./similarity"

const SHARPNESS = 2.6
const UNIFORM = 0.05
const FALLBACK_BONUS = 0.35
const HARM_BONUS = 1.2
const MOOD_BONUS = 1.2

const FALLBACK = /^(?:other|others|none|general|misc|miscellaneous|unknown|something else|anything else|n\/?a)\b/
const NEUTRAL = /\b(?:neutral|mixed|neither)\b/
const HARMLESS = /^(?:ham|legit|legitimate|safe|clean|ok|okay|normal|acceptable|benign|allow|allowed|none|no)$|^not? /
const HIGH = /^(?:high|highest|urgent|critical|immediate|emergency|p0|p1)\b/
const MEDIUM = /^(?:medium|normal|moderate|p2)\b/
const LOW = /^(?:low|lowest|minor|trivial|p3|p4|can wait|not urgent)\b/

function moodBonus(name: string, document: Document): number {
  const mood = document.features.sentiment
  if (NEUTRAL.test(name)) return 0.5 - 1.2 * Math.abs(mood)
  if (/^not? /.test(name)) return 0
  if (NEGATIVE.asked.test(name)) return -MOOD_BONUS * mood
  return POSITIVE.asked.test(name) ? MOOD_BONUS * mood : 0
}

function priorityBonus(name: string, document: Document): number {
  const urgency = document.find(URGENCY)
  if (HIGH.test(name)) return 2 * (urgency - 0.4)
  if (LOW.test(name)) return 2 * (0.4 - urgency)
  return MEDIUM.test(name) ? 0.2 - Math.abs(urgency - 0.4) : 0
}

function evidenceBonus(name: string, document: Document): number {
  const asked = DETECTORS.filter(
    (detector) =>
      detector.kind === "evidence" &&
      detector.asked.test(name) &&
      // In `product question` the topic matters more than a question mark in the state.
      (detector !== ASKING || !name.includes(" ")),
  )
  const found = Math.max(...asked.map((detector) => document.find(detector)))
  if (!asked.length || HIGH.test(name)) return 0
  return HARM_BONUS * (/^not? /.test(name) ? 0.4 - found : found - 0.4)
}

/**
 * Returns the bonus of an option like `safe` among options that name a harm. It is high when none of the harms is
 * found.
 */
function harmlessBonus(name: string, names: string[], document: Document): number {
  if (!HARMLESS.test(name)) return 0
  const asked = HARM.filter(({ asked }) => names.some((other) => asked.test(other)))
  return asked.length ? HARM_BONUS * (0.5 - Math.max(...asked.map((detector) => document.find(detector)))) : 0
}

/** Returns the probability of each option, from its similarity to the state, sentiment and detectors. */
export function scoreOptions(named: readonly NamedOption[], document: Document): number[] {
  if (named.length === 1) return [1]
  const options: Features[] = named.map(({ name, description }) =>
    joinFeatures(readFeatures(flattenName(name), 2), description && readFeatures(flatten(description))),
  )
  const names = named.map(({ name }) => flattenName(name).toLowerCase().trim())
  const idf = rarity(options)
  const values = options.map((option, i) => {
    const name = names[i] ?? ""
    const bonus =
      moodBonus(name, document) +
      priorityBonus(name, document) +
      evidenceBonus(name, document) +
      harmlessBonus(name, names, document) +
      (FALLBACK.test(name) ? FALLBACK_BONUS : 0)
    return SHARPNESS * (similarity(option, document.features, 1, idf) + bonus)
  })
  return softmax(values).map((p) => (1 - UNIFORM) * p + UNIFORM / options.length)
}
