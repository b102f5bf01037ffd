import { readKeyLabels } from "@/lib/server/keys/read-keys"
import type { AccountActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { percentileMs } from "./percentile"
import { keptSince, resolveRange, startsOf } from "./range"
import { readLayers } from "./read-layers"
import { NO_SUMS, type Part, partName, readErrors, readSums, type Sums } from "./read-parts"
import { readSnapshot, type Snapshot } from "./read-snapshot"
import { readTags } from "./read-tags"
import type { UsageInput } from "./schema"
import { type Filter, levelValues, NO_KEY, spentValues } from "./spent"
import type { ErrorCount, Figures, Usage, UsageGroup } from "./usage"

type FiguresOf = (part: Part, of?: string) => Figures
type ErrorsOf = (part: Part, of?: string) => ErrorCount[]

const refusedOf = (errors: ErrorCount[]): number => errors.reduce((sum, { requests }) => sum + requests, 0)

/** What the filter `result` keeps: the answered requests, and the refused ones with an error code. */
interface Kept {
  charges: boolean
  error: (code: string) => boolean
}

// Refused requests keep no tags.
const keptBy = ({ result, tag }: UsageInput): Kept => ({
  charges: result === undefined || result === "answered",
  error: (code) => tag === undefined && (result === undefined || result === "refused" || result === code),
})

/** Reads all figures, and returns functions that look up a part's. A part without requests has zeros. */
async function readFigures(snapshot: Snapshot, values: unknown[], errorValues: unknown[], asked: UsageInput) {
  const kept = keptBy(asked)
  const sums = kept.charges ? await readSums(snapshot, values, asked.tag !== undefined) : new Map<string, Sums>()
  const errors = new Map<string, ErrorCount[]>()
  for (const [name, counts] of await readErrors(snapshot, errorValues)) {
    const own = counts.filter(({ code }) => kept.error(code))
    if (own.length > 0) errors.set(name, own)
  }
  const errorsOf: ErrorsOf = (part, of) => errors.get(partName(part, of)) ?? []
  const figuresOf: FiguresOf = (part, of) => {
    const spent = sums.get(partName(part, of)) ?? NO_SUMS
    return {
      decisions: spent.decisions,
      refused: refusedOf(errorsOf(part, of)),
      tokens: spent.tokens,
      costUsd: usd12(pico(spent.costPico)),
      p50Ms: percentileMs(spent.latencyCounts, 0.5),
      p95Ms: percentileMs(spent.latencyCounts, 0.95),
    }
  }
  const namesOf = (part: Part): string[] => {
    const names = [...sums.keys(), ...errors.keys()].filter((name) => name.startsWith(`${part} `))
    return [...new Set(names)].map((name) => name.slice(part.length + 1))
  }
  return { figuresOf, errorsOf, namesOf }
}

const byCost = (a: UsageGroup, b: UsageGroup): number =>
  a.costUsd.length - b.costUsd.length ||
  (a.costUsd < b.costUsd ? -1 : a.costUsd > b.costUsd ? 1 : 0) ||
  a.decisions + a.refused - b.decisions - b.refused

const MOST_TAGS = 100
const MODEL_UNKNOWN = { id: null, name: "No known model" }

/** Another account's key matches no request, like an unused key. */
const filterOf = ({ keyId, model, tag }: UsageInput): Filter => ({
  keyId: keyId === undefined ? null : (parsePublicId("key", keyId) ?? NO_KEY),
  model: model ?? null,
  tag,
})

/**
 * Returns the account's usage over a range of UTC days, from one snapshot of the database. Answered requests are as the ledger
 * charged them, refused ones are by code. `result` keeps only the requests with that result. `by` adds layers, see `readLayers`.
 */
export async function getUsage(runtime: Runtime, actor: AccountActor, asked: UsageInput): Promise<Usage> {
  return readSnapshot(runtime, actor, async (snapshot) => {
    const hoursKeptSince = keptSince(snapshot.asOf, runtime.env.RETENTION_DAYS)
    const range = resolveRange(asked.range, snapshot.asOf, hoursKeptSince)
    const values = spentValues(actor, range, snapshot, filterOf(asked))
    const errorValues = levelValues(actor, range, filterOf(asked))
    const { figuresOf, errorsOf, namesOf } = await readFigures(snapshot, values, errorValues, asked)
    const names = await readKeyLabels(actor.accountId, snapshot.rows)
    const nameOf = (id: string) => names.get(id) ?? id
    const starts = startsOf(range)
    const keys = namesOf("key").map((id) => ({ id: publicId("key", id), name: nameOf(id), ...figuresOf("key", id) }))
    const models = namesOf("model").map((id) => ({
      ...(id ? { id, name: id } : MODEL_UNKNOWN),
      ...figuresOf("model", id),
    }))
    return {
      asOf: snapshot.asOf.toISOString(),
      unit: range.unit,
      firstDay: dayOf(range.from),
      lastDay: dayOf(new Date(range.to.getTime() - DAY_MS)),
      total: figuresOf("all"),
      points: starts.map((at) => ({
        at,
        ...figuresOf("start", at),
        errors: Object.fromEntries(errorsOf("start", at).map(({ code, requests }) => [code, requests])),
      })),
      keys: keys.sort(byCost).reverse(),
      models: models.sort(byCost).reverse(),
      errors: errorsOf("all").toSorted((a, b) => b.requests - a.requests || (a.code < b.code ? -1 : 1)),
      tags: keptBy(asked).charges ? await readTags(snapshot, values, MOST_TAGS) : [],
      layers: keptBy(asked).charges ? await readLayers(snapshot, values, asked, starts, nameOf) : [],
    }
  })
}
