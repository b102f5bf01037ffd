import { stemmer } from "stemmer"
import type { JsonText } from "@/lib/shared/json/text"
import type { Wording } from "./cues"
import { WordSentiment } from "./sentiment"
import { CUSTOMER_SERVICE, WHEN_NEGATED, WORLD } from "./vocabulary/topics"
import * as words from "./vocabulary/words"

/** The features of one text, with weighted counts. A feature is a stem, two stems in a row, or a topic cluster (`#billing`). */
export interface Features extends Wording {
  present: Map<string, number>
  /** Counts of features in the four words after a negator. */
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
const EMPHASIS_CHARS = 4_096

const stemOf = (word: string): string => (word.length > LONGEST_STEMMED ? word : stemmer(word.replace(/'s$/, "")))

const STOP_WORDS = new Set(words.STOP_WORDS.split(" "))
const NEGATORS = new Set(words.NEGATORS.split(" "))

/** Maps a stem, or two stems joined by a space, to its clusters. A cluster lists words; `_` joins two that follow each other. */
function clustersByStem(clusters: Record<string, string>): Map<string, string[]> {
  const byStem = new Map<string, string[]>()
  for (const [name, list] of Object.entries(clusters))
    for (const word of list.split(" ")) {
      const key = word.split("_").map(stemOf).join(" ")
      const named = byStem.get(key) ?? []
      if (!named.includes(`#${name}`)) byStem.set(key, [...named, `#${name}`])
    }
  return byStem
}

const CLUSTERS_OF = clustersByStem({ ...CUSTOMER_SERVICE, ...WORLD })
const CLUSTERS_OF_NEGATED = clustersByStem(WHEN_NEGATED)

/**
 * Lower-cases a text and replaces letter variants by one form. NFKC expands some characters into whole phrases, so a
 * text that would grow by more than half gets NFC.
 */
function normalise(text: string): string {
  const plain = text.normalize("NFKC")
  return (plain.length > 1.5 * text.length ? text.normalize("NFC") : plain)
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[ \t]+/g, " ")
}

/** Rates capitals and exclamation marks at the beginning of a text, from 0 to 1. The first word in capitals may be an abbreviation. */
function emphasisOf(prose: string): number {
  const head = prose.slice(0, EMPHASIS_CHARS)
  const marks = head.match(/!/g)?.length ?? 0
  const capitals = head.match(/\b\p{Lu}{3,}\b/gu)?.length ?? 0
  return Math.min(1, marks / 4 + Math.max(0, capitals - 1) / 3)
}

/** Extracts the features of a text. `weight` multiplies every count. */
export function readFeatures(prose: string, weight = 1): Features {
  const text = normalise(prose)
  const features: Features = {
    text,
    present: new Map(),
    negated: new Map(),
    hasNegator: false,
    sentiment: 0,
    emphasis: 0,
  }
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
    // Some topics are named by a negated word: "not working".
    const claim = (cluster: string) =>
      features.present.set(cluster, (features.present.get(cluster) ?? 0) + CLUSTER_WEIGHT * weight)
    const isTopic = !STOP_WORDS.has(token)
    if (isTopic) {
      add(stem, 1)
      if (topicBefore) add(`${topicBefore} ${stem}`, BIGRAM_WEIGHT)
      for (const cluster of CLUSTERS_OF.get(stem) ?? []) add(cluster, CLUSTER_WEIGHT)
      if (scope > 0) for (const cluster of CLUSTERS_OF_NEGATED.get(stem) ?? []) claim(cluster)
      topicBefore = stem
    }
    if (before) {
      for (const cluster of CLUSTERS_OF.get(`${before} ${stem}`) ?? []) add(cluster, CLUSTER_WEIGHT)
      if (scope > 0) for (const cluster of CLUSTERS_OF_NEGATED.get(`${before} ${stem}`) ?? []) claim(cluster)
    }
    before = stem
    scope--
  }
  features.emphasis = emphasisOf(prose)
  features.sentiment = mood.value(text, features.emphasis)
  return features
}

/** Combines the features of two texts, such as an option's name and its description. */
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
    emphasis: Math.max(a.emphasis, b.emphasis),
    sentiment: Math.abs(a.sentiment) >= Math.abs(b.sentiment) ? a.sentiment : b.sentiment,
  }
}

function flattenValue(value: unknown, parts: string[]): void {
  if (value === null) return
  if (Array.isArray(value)) {
    for (const item of value) flattenValue(item, parts)
  } else if (typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      parts.push(`${key}:`)
      flattenValue(member, parts)
    }
  } else parts.push(`${value}.`)
}

/** Returns a text of the request as prose: a string unchanged, any other value as `key: value.` in its order. */
export function flatten(text: JsonText): string {
  if (text.kind === "string") return text.text()
  const parts: string[] = []
  flattenValue(JSON.parse(text.json()), parts)
  return parts.join(" ")
}

/** Returns a name as prose: `order_status` and `orderStatus` are two words. */
export const flattenName = (name: string): string => name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " ")
