import type { QuestionTypeName } from "@/questions/question-types"
import { partsOf, type StateParts } from "../run/parts"
import { predictedOf } from "./judged-rows"
import type { RowVariants } from "./row-variants"

/** How the answer to a row changes when one part of its state is left out. */
export interface PartEffect {
  row: RowVariants
  /** The part: a field's name or a piece of text. */
  name: string
  /** The index of the outcome that is answered for the whole state. */
  answer: number
  /** The index of the outcome that is answered without the part. */
  without: number
  /** The probability that the answer loses without the part. Below 0: the answer is more likely without it. */
  carried: number
}

/** A field's effect over the rows that have it. */
export interface FieldEffect {
  name: string
  rows: number
  flips: number
  meanCarried: number
  /** The mean size of the change, whatever its direction. */
  meanChange: number
}

export interface Ablation {
  kind: StateParts["kind"]
  /** Answers that change first, then the largest effect. */
  parts: PartEffect[]
  /** Most flips first, then the largest mean change. Empty unless states are objects: other parts have no names in common. */
  fields: FieldEffect[]
}

function effectsOf(type: QuestionTypeName, row: RowVariants): PartEffect[] {
  const answer = predictedOf(type, row.whole)
  return partsOf(row.state).parts.flatMap(({ name }, at): PartEffect[] => {
    const variant = row.variants[at]
    if (!variant) return []
    const carried = (row.whole[answer] ?? 0) - (variant[answer] ?? 0)
    return [{ row, name, answer, without: predictedOf(type, variant), carried }]
  })
}

const isFlip = ({ answer, without }: PartEffect): boolean => answer !== without

function fieldOf(name: string, effects: PartEffect[]): FieldEffect {
  const mean = (value: (effect: PartEffect) => number) =>
    effects.reduce((sum, effect) => sum + value(effect), 0) / effects.length
  return {
    name,
    rows: effects.length,
    flips: effects.filter(isFlip).length,
    meanCarried: mean(({ carried }) => carried),
    meanChange: mean(({ carried }) => Math.abs(carried)),
  }
}

/** Returns what moves the answers to a question. All rows are described by the kind of parts that the first one has. */
export function ablationOf(type: QuestionTypeName, rows: readonly RowVariants[]): Ablation {
  const parts = rows.flatMap((row) => effectsOf(type, row))
  const kind = rows[0] ? partsOf(rows[0].state).kind : "field"
  const byName = new Map<string, PartEffect[]>()
  for (const part of parts) byName.set(part.name, [...(byName.get(part.name) ?? []), part])
  return {
    kind,
    parts: parts.toSorted((a, b) => Number(isFlip(b)) - Number(isFlip(a)) || Math.abs(b.carried) - Math.abs(a.carried)),
    fields:
      kind === "field"
        ? [...byName]
            .map(([name, effects]) => fieldOf(name, effects))
            .sort((a, b) => b.flips - a.flips || b.meanChange - a.meanChange)
        : [],
  }
}
