"use client"
import { useMemo } from "react"
import { Section } from "@/components/ui/section"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { type Classified, classFigures, confusionOf } from "@/lib/shared/statistics/classes"

/** More columns do not fit on a screen. */
const MAX_SHOWN = 10

/** From pale to strong, by the share of a label's rows. Text stays readable on each. */
const SHADES = ["", "bg-probability/8", "bg-probability/15", "bg-probability/25", "bg-probability/35"]
const shadeOf = (share: number): string =>
  share === 0 ? "" : (SHADES[Math.min(SHADES.length - 1, 1 + Math.floor(share * 4))] ?? "")

interface ConfusionTableProps {
  names: readonly string[]
  rows: Classified
  /** Keeps the order of levels. Options are sorted by how frequent their label is. */
  isOrdered?: boolean
}

interface Shown {
  names: string[]
  cells: number[][]
}

/** Merges all but the most frequent outcomes into one. */
function shownOf(names: readonly string[], rows: Classified, isOrdered: boolean): Shown {
  const cells = confusionOf(rows)
  const figures = classFigures(cells)
  const frequent = names
    .map((_, at) => at)
    .filter((at) => isOrdered || (figures[at]?.labels ?? 0) + (figures[at]?.predicted ?? 0) > 0)
    .sort((a, b) => (isOrdered ? a - b : (figures[b]?.labels ?? 0) - (figures[a]?.labels ?? 0)))
  const kept = frequent.slice(0, MAX_SHOWN)
  const rest = frequent.slice(MAX_SHOWN)
  const groups = [...kept.map((at) => [at]), ...(rest.length > 0 ? [rest] : [])]
  const count = (from: number[], to: number[]) =>
    from.reduce((sum, i) => sum + to.reduce((row, j) => row + (cells[i]?.[j] ?? 0), 0), 0)
  return {
    names: groups.map((group) => (group.length === 1 ? (names[group[0] ?? 0] ?? "") : `${group.length} others`)),
    cells: groups.map((from) => groups.map((to) => count(from, to))),
  }
}

/** Shows which labels got which answers. */
export function ConfusionTable({ names, rows, isOrdered = false }: ConfusionTableProps) {
  const { names: shown, cells } = useMemo(() => shownOf(names, rows, isOrdered), [names, rows, isOrdered])
  return (
    <Section
      id="confusion"
      title="Which answers are confused?"
      hint="Each line is a label, each column an answer. Numbers from the top left to the bottom right are right answers."
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Labels and answers" tabIndex={0} className="overflow-x-auto">
        <table className="border-collapse text-left">
          <caption className="sr-only">Rows by label and answer</caption>
          <thead>
            <tr className="text-ink-muted text-sm">
              <th scope="col" className="py-1.5 pr-3 font-medium">
                Label ↓ Answer →
              </th>
              {shown.map((name) => (
                <th key={name} scope="col" className="px-2 py-1.5 text-right align-bottom font-medium">
                  <span dir="auto" title={shortText(name)} className="line-clamp-2 inline-block max-w-24 break-words">
                    {shortText(name)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((cell, i) => {
              const total = cell.reduce((sum, count) => sum + count, 0)
              return (
                <tr key={shown[i]} className="border-line border-t">
                  <th
                    scope="row"
                    dir="auto"
                    className="max-w-48 truncate py-1.5 pr-3 font-normal"
                    title={shortText(shown[i])}
                  >
                    {shortText(shown[i])}
                  </th>
                  {cell.map((count, j) => (
                    <td
                      key={shown[j]}
                      className={`min-w-14 px-2 py-1.5 text-right tabular-nums ${shadeOf(total > 0 ? count / total : 0)} ${i === j ? "font-semibold" : ""}`}
                    >
                      {formatCount(count)}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
    </Section>
  )
}
