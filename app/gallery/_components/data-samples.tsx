"use client"
import { CodeBlock } from "@/components/ui/code-block"
import { Fact, Facts } from "@/components/ui/fact"
import { Highlighted } from "@/components/ui/highlighted"
import { LocalClock } from "@/components/ui/local-clock"
import { Cost, Money } from "@/components/ui/money"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { Sample, Samples } from "./sample"

const CODE = "curl http://localhost:3000/v1/models"
const AT = "2026-11-27T09:30:00.000Z"

interface Row {
  name: string
  spentUsd: string
}

const ROWS: readonly Row[] = ["Support inbox", "Refund triage", "Order screening", "Night batch"].map((name, i) => ({
  name,
  spentUsd: `${i}.25`,
}))

const COLUMNS: readonly Column<Row>[] = [
  { head: "Key", cell: ({ name }) => name },
  { head: "Spent", align: "right", cell: ({ spentUsd }) => <Money usd={spentUsd} /> },
]

export function DataSamples() {
  const list = useShownRows(ROWS, { first: 2, more: 2 })
  return (
    <Samples title="Data">
      <Sample of="Table, ShowMore">
        <Table caption="Keys" columns={COLUMNS} rows={list.rows} rowKey={({ name }) => name} />
        <ShowMore list={list} />
      </Sample>
      <Sample of="Facts, Money, Cost, Time, LocalClock">
        <Facts label="A key">
          <Fact label="Spent">
            <Money usd="12.345678900000" />
          </Fact>
          <Fact label="One request" hint="Exact on hover.">
            <Cost usd="0.000052632000" />
          </Fact>
          <Fact label="Last used">
            <Time at={AT} /> <LocalClock at={AT} />
          </Fact>
        </Facts>
      </Sample>
      <Sample of="CodeBlock, Highlighted">
        <CodeBlock code={CODE} label="List the models">
          <Highlighted code={CODE} language="bash" />
        </CodeBlock>
      </Sample>
    </Samples>
  )
}
