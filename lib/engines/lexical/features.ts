import { stemmer } from "stemmer"
import { CLUSTERS, NEGATORS, STOP_WORDS } from "./clusters"
import { WordSentiment } from "./sentiment"

/** What the scorer knows of one text. Counts are by feature: a stem, two stems in a row, or a cluster (`#billing`). */
export interface Features {
  /** Normalised and lower-case, for the detectors' patterns. */
  text: string
  present: Map<string, number>
  /** The same, where a negator came before. */
  negated: Map<string, number>
  hasNegator: boolean
  /** −1 (bad) to 1 (good). */
  sentiment: number
}

const TOKEN = /[\p{L}\p{N}]+(?:'\p{L}+)*|[.!?,;:\n]/gu
const LONGEST_STEMMED = 32
const NEGATION_SCOPE = 4
const BIGRAM_WEIGHT = 0.6
const CLUSTER_WEIGHT = 0.7

const stemOf = (word: string): string => (word.length > LONGEST_STEMMED ? word : stemmer(word.replace(/'s$/, "")))

/** Cluster features by stem, or by two stems joined with a space. */
const CLUSTERS_OF = new Map<string, string[]>()
for (const [name, words] of Object.entries(CLUSTERS))
  for (const word of words.split(" ")) {
    const key = word.split("_").map(stemOf).join(" ")
    const clusters = CLUSTERS_OF.get(key) ?? []
    if (!clusters.includes(`#${name}`)) CLUSTERS_OF.set(key, [...clusters, `#${name}`])
  }

const normalise = (text: string): string => text.normalize("NFC").toLowerCase().replaceAll("’", "'")

/** Reads one text into its features; `weight` counts every one of them so many times. */
export function readFeatures(prose: string, weight = 1): Features {
  const text = normalise(prose)
  const features: Features = { text, present: new Map(), negated: new Map(), hasNegator: false, sentiment: 0 }
  const stems = new Map<string, string>()
  const mood = new WordSentiment()
  let scope = 0
  let before: string | null = null
  let topicBefore: string | null = null

  for (const [token] of text.matchAll(TOKEN)) {
    if (/^[.!?,;:\n]$/.test(token)) {
      scope = 0
      before = topicBefore = null
      mood.pause()
      continue
    }
    if (NEGATORS.has(token)) {
      features.hasNegator = true
      scope = NEGATION_SCOPE
      before = topicBefore = null
      continue
    }
    const stem = stems.get(token) ?? stemOf(token)
    stems.set(token, stem)
    mood.read(token, scope > 0)
    const counts = scope > 0 ? features.negated : features.present
    const add = (feature: string, by: number) => counts.set(feature, (counts.get(feature) ?? 0) + by * weight)
    const isTopic = !STOP_WORDS.has(token)
    if (isTopic) {
      add(stem, 1)
      if (topicBefore) add(`${topicBefore} ${stem}`, BIGRAM_WEIGHT)
      for (const cluster of CLUSTERS_OF.get(stem) ?? []) add(cluster, CLUSTER_WEIGHT)
      topicBefore = stem
    }
    if (before) for (const cluster of CLUSTERS_OF.get(`${before} ${stem}`) ?? []) add(cluster, CLUSTER_WEIGHT)
    before = stem
    scope--
  }
  features.sentiment = mood.value()
  return features
}

/** Both texts as one, for an option's name and its description. */
export function joinFeatures(a: Features, b: Features | null): Features {
  if (!b) return a
  const sum = (x: Map<string, number>, y: Map<string, number>) => {
    const both = new Map(x)
    for (const [feature, count] of y) both.set(feature, (both.get(feature) ?? 0) + count)
    return both
  }
  return {
    text: `${a.text}. ${b.text}`,
    present: sum(a.present, b.present),
    negated: sum(a.negated, b.negated),
    hasNegator: a.hasNegator || b.hasNegator,
    sentiment: Math.abs(a.sentiment) >= Math.abs(b.sentiment) ? a.sentiment : b.sentiment,
  }
}
