import type { Cue } from "./vocabulary/cue"

export interface Wording {
  /** Normalised and lower-case. */
  text: string
  /** 0 to 1: how much is written in capitals or with exclamation marks. */
  emphasis: number
}

export interface CueList {
  /** The result for a text without any match. */
  base: number
  found: Cue[]
  /** Similar wording with another meaning. */
  against?: Cue[]
  /** How much capitals and exclamation marks add. */
  emphasis?: number
}

const MAX_MATCHES = 12
const LOOK_BACK = 32
const NEGATION_WEIGHT = 0.6
/** "Can't cancel" is not a negation, and "please" or "but" start a new statement. */
const NEGATION_BEFORE =
  /(?:\b(?:not|no|never|without|neither|nobody|dont|didnt)|(?<!\bca)n't)(?: (?!(?:please|but|so|because|and|just|only)\b)[^ .!?,;:\n]+){0,4} $/
/** Up to four words of one sentence. A dot is only part of an amount. */
const GAP = "(?: [\\w'$€£]+(?:\\.\\d+)?){0,4} "
const WORDLESS = /^\\?[!$>]/

export function patternOf(phrases: string): RegExp {
  const all = phrases.split(", ").map((phrase) => {
    const pattern = phrase.replaceAll(/(?<!\\)\((?!\?)/g, "(?:").replaceAll(" … ", GAP)
    return WORDLESS.test(phrase) ? pattern : `(?<!\\w)${pattern}(?!\\w)`
  })
  return new RegExp(all.join("|"), "g")
}

/** Returns a function that estimates, from 0 to 1, how likely a text has the meaning that the cues indicate. */
export function cueReader({ base, found, against = [], emphasis = 0 }: CueList): (document: Wording) => number {
  const signs = found.map(([weight, phrases]) => ({ weight, pattern: patternOf(phrases) }))
  const counter = against.map(([weight, phrases]) => ({ weight, pattern: patternOf(phrases) }))
  return (document) => {
    let doubt = 1 - base
    let denied = 1
    for (const { weight, pattern } of signs) {
      let matches = 0
      for (const { index } of document.text.matchAll(pattern)) {
        if (++matches > MAX_MATCHES) break
        const before = document.text.slice(Math.max(0, index - LOOK_BACK), index)
        if (NEGATION_BEFORE.test(before)) denied *= 1 - NEGATION_WEIGHT
        else doubt *= 1 - weight
      }
    }
    doubt *= 1 - emphasis * document.emphasis
    for (const { weight, pattern } of counter) if (document.text.search(pattern) >= 0) denied *= 1 - weight
    return (1 - doubt) * denied
  }
}
