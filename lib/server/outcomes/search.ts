import { z } from "zod"
import { parseUsageSearch, type SearchParams } from "@/lib/server/usage/search"
import type { LiveRule } from "@/lib/shared/outcomes/live-figures"
import { DEFAULT_TARGET, ruleFields, setFields } from "@/lib/shared/outcomes/outcomes-address"
import { OutcomeQuestion, type ReadOutcomesInput } from "./schema"

/** What the page of outcomes shows. */
export interface OutcomesSearch {
  range: ReadOutcomesInput["range"]
  /** Null while no question is chosen. */
  chosen: OutcomeQuestion | null
  rule: LiveRule
}

const Threshold = z.coerce.number().min(0).max(1)
/** The accepted share of wrong answers, in percent. */
const Percent = z.coerce.number().min(0.01).max(50)

/** Invalid query values fall back to the defaults: no thresholds, and at most 5% wrong. */
export function parseOutcomesSearch(params: SearchParams): OutcomesSearch {
  const text = (name: string) => {
    const value = params[name]
    return typeof value === "string" && value.trim() !== "" ? value : undefined
  }
  const numberOf = (name: string, schema: z.ZodType<number>) => {
    const given = text(name)
    return given === undefined ? null : (schema.safeParse(given).data ?? null)
  }
  const [from, low] = [numberOf("yes", Threshold), numberOf("no", Threshold)]
  const chosen = OutcomeQuestion.safeParse({ question: text("question"), type: text("type"), model: text("model") })
  const targetOf = (name: string) => {
    const percent = numberOf(name, Percent)
    return percent === null ? DEFAULT_TARGET : percent / 100
  }
  return {
    range: parseUsageSearch(params).range,
    chosen: chosen.success ? chosen.data : null,
    rule: {
      from,
      // A yes/no question alone has a side of no, and the sides never overlap.
      below: chosen.data?.type === "noul" && low !== null && low <= (from ?? 1) ? low : null,
      targetAbove: targetOf("wrong"),
      targetBelow: targetOf("wrong_no"),
    },
  }
}

/** Returns the fields of the page's address with some of them changed. Those that are not set are left out. */
export function outcomesFields(search: OutcomesSearch, change: Partial<OutcomesSearch> = {}): [string, string][] {
  const { range, chosen, rule } = { ...search, ...change }
  const days = "days" in range ? { days: String(range.days) } : range
  return setFields({ ...days, ...chosen, ...ruleFields(rule) })
}

export const outcomesHref = (search: OutcomesSearch, change: Partial<OutcomesSearch> = {}): string =>
  `/outcomes?${new URLSearchParams(outcomesFields(search, change))}`
