import clsx from "clsx"
import { Badge } from "@/components/ui/badge"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { ComparePicker } from "./compare-picker"
import { factsOf, uptimeText } from "./model-facts"
import type { ListedModel } from "./read-models"

interface Line {
  name: string
  one: string
  other: string
}

const stateOf = ({ status, isAvailable }: ListedModel): string =>
  status === "retired" ? "Retired" : isAvailable ? "Active" : "Active, unavailable now"

function linesOf(one: ListedModel, other: ListedModel): Line[] {
  const [left, right] = [one, other].map((model) => [
    { name: "Status", value: stateOf(model) },
    { name: "Available in the last 24 h", value: uptimeText(model) },
    ...factsOf(model),
  ])
  return (left ?? []).map(({ name, value }, place) => ({ name, one: value, other: right?.[place]?.value ?? "" }))
}

const columnsFor = (one: ListedModel, other: ListedModel): Column<Line>[] => [
  {
    head: "Property",
    phone: "title",
    cell: ({ name, one: left, other: right }) => (
      <span className="flex flex-wrap items-center gap-2">
        {name} {left === right ? null : <Badge tone="accent">Differs</Badge>}
      </span>
    ),
  },
  ...[one, other].map(
    (model, place): Column<Line> => ({
      head: model.id,
      phone: place === 0 ? "line" : "end",
      phoneLabel: true,
      className: "wrap-anywhere tabular-nums",
      cell: (line) => (
        <span className={clsx(line.one !== line.other && "font-medium")}>{place === 0 ? line.one : line.other}</span>
      ),
    }),
  ),
]

interface ModelCompareProps {
  models: readonly ListedModel[]
  /** The two ids of the address. An unknown one falls back to the first pinned model that is not the other. */
  asked: readonly (string | undefined)[]
}

/** Shows two pinned models next to each other and marks where they differ. Renders nothing while there is only one. */
export function ModelCompare({ models, asked }: ModelCompareProps) {
  const pinned = models.filter(({ kind }) => kind === "pinned")
  const find = (id: string | undefined) => pinned.find((model) => model.id === id)
  const chosen = find(asked[1])
  const one = find(asked[0]) ?? pinned.find((model) => model !== chosen)
  const other = chosen ?? pinned.find((model) => model !== one)
  if (!one || !other) return null
  return (
    <Section
      id="compare"
      title="Compare two models"
      hint="Thresholds do not carry over from one model to another. Measure them again before you change the model."
      className="mt-10 border-line border-t pt-8"
    >
      <ComparePicker shown={{ compare: one.id, with: other.id }} ids={pinned.map(({ id }) => id)} />
      {one === other ? (
        <p className="text-ink-muted">Choose two different models.</p>
      ) : (
        <Table
          caption={`${one.id} and ${other.id}`}
          columns={columnsFor(one, other)}
          rows={linesOf(one, other)}
          rowKey={({ name }) => name}
        />
      )}
    </Section>
  )
}
