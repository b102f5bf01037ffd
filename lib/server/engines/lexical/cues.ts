import type { Features } from "./features"

/**
 * How much one match halves the doubt, 0 to 1, and the phrases that do so, after commas. They are regular expressions in
 * lower case in which ` … ` stands for up to four words.
 */
export type Cue = [weight: number, phrases: string]

export interface CueList {
  /** What is assumed of a text that says nothing. */
  base: number
  found: Cue[]
  /** What speaks against it, though the wording is alike. */
  against?: Cue[]
  /** How much capitals and exclamation marks add. */
  emphasis?: number
}

const MOST_MATCHES = 12
const LOOK_BACK = 32
const DENIED = 0.6
/** "Can't cancel" is no denial, and "please" or "but" begin a thought of their own. */
const NEGATION_BEFORE =
  /(?:\b(?:not|no|never|without|neither|nobody|dont|didnt)|(?<!\bca)n't)(?: (?!(?:please|but|so|because|and|just|only)\b)[^ .!?,;:\n]+){0,4} $/
/** Up to four words of one sentence; the points in it are those of amounts. */
const GAP = "(?: [\\w'$€£]+(?:\\.\\d+)?){0,4} "
const WORDLESS = /^\\?[!$>]/

/** Phrases of a list as one pattern. */
export function patternOf(phrases: string): RegExp {
  const all = phrases.split(", ").map((phrase) => {
    const pattern = phrase.replaceAll(/(?<!\\)\((?!\?)/g, "(?:").replaceAll(" … ", GAP)
    return WORDLESS.test(phrase) ? pattern : `(?<!\\w)${pattern}(?!\\w)`
  })
  return new RegExp(all.join("|"), "g")
}

/** Reads texts for one list of cues: how likely they say it, 0 to 1, by wording alone. */
export function cueReader({ base, found, against = [], emphasis = 0 }: CueList): (document: Features) => number {
  const signs = found.map(([weight, phrases]) => ({ weight, pattern: patternOf(phrases) }))
  const counter = against.map(([weight, phrases]) => ({ weight, pattern: patternOf(phrases) }))
  return (document) => {
    let doubt = 1 - base
    let denied = 1
    for (const { weight, pattern } of signs) {
      let matches = 0
      for (const { index } of document.text.matchAll(pattern)) {
        if (++matches > MOST_MATCHES) break
        const before = document.text.slice(Math.max(0, index - LOOK_BACK), index)
        if (NEGATION_BEFORE.test(before)) denied *= 1 - DENIED
        else doubt *= 1 - weight
      }
    }
    doubt *= 1 - emphasis * document.emphasis
    for (const { weight, pattern } of counter) if (document.text.search(pattern) >= 0) denied *= 1 - weight
    return (1 - doubt) * denied
  }
}
