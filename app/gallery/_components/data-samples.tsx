"use client"
import { DataTable } from "@/components/charts/data-table"
import { Exact } from "@/components/charts/exact"
import { placeTicks, type TimeChart } from "@/components/charts/time/time-chart"
import { TimeColumns, TimeLines } from "@/components/charts/time/time-charts"
import { WorkedFormula } from "@/components/charts/worked-formula"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { ClientText } from "@/components/ui/client-text"
import { CodeBlock } from "@/components/ui/code-block"
import { EmptyState } from "@/components/ui/empty-state"
import { Fact, Facts } from "@/components/ui/fact"
import { Highlighted } from "@/components/ui/highlighted"
import { Kbd } from "@/components/ui/kbd"
import { Later } from "@/components/ui/later"
import { LazyDetails } from "@/components/ui/lazy-details"
import { LocalClock } from "@/components/ui/local-clock"
import { Meter } from "@/components/ui/meter"
import { Cost, Money } from "@/components/ui/money"
import { Progress } from "@/components/ui/progress"
import { QueueState } from "@/components/ui/queue-state"
import { Section } from "@/components/ui/section"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { Skeleton } from "@/components/ui/skeleton"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import { Sample } from "./sample"

const CODE = "curl http://localhost:3000/v1/models"
const LONG = "An unbroken run ".concat("x".repeat(30_000))
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
  { head: "Key", phone: "title", cell: ({ name }) => name },
  { head: "Spent", phone: "value", usd: ({ spentUsd }) => spentUsd },
]

const DAYS = Array.from({ length: 14 }, (_, i) => `${i + 1} Nov`)
const values = (scale: number) => DAYS.map((_, i) => Math.round(scale * (2 + Math.sin(i))))

const CHART: TimeChart = {
  title: "Requests by day",
  head: "Day (UTC)",
  layers: [
    { name: "Answered", tone: 1, values: values(100), total: "2,800" },
    { name: "Refused", tone: "refused", values: values(10), total: "280" },
  ],
  points: DAYS.map((label, i) => ({ label, texts: [values(100), values(10)].map((all) => String(all[i])) })),
  columnCount: DAYS.length,
  ticks: placeTicks(DAYS.length, (column) => DAYS[column] ?? ""),
  formatTick: String,
}

function Feedback() {
  return (
    <>
      <Sample of="Alert">
        {(["info", "ok", "warn", "danger"] as const).map((tone) => (
          <Alert key={tone} tone={tone} title={`An alert of the tone ${tone}`} action={<Button size="sm">Act</Button>}>
            It says what happened and what to do next.
          </Alert>
        ))}
      </Sample>
      <Sample of="Badge, QueueState, Kbd">
        {(["neutral", "accent", "ok", "warn", "danger"] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <QueueState label="Waits" tone="warn" nextAt="2026-11-27T12:00:00.000Z" />
        <Kbd>⌘K</Kbd>
      </Sample>
      <Sample of="Meter, Progress, Skeleton, Later">
        <Meter value={0.7} label="Spend of this key" className="w-40" />
        <Progress label="Rows answered" value={320} max={1_000} className="w-40" />
        <Skeleton className="h-6 w-40" />
        <Later>Shown after the parts above.</Later>
      </Sample>
      <Sample of="EmptyState">
        <EmptyState title="No keys yet" action={<Button size="sm">Create key</Button>}>
          A key lets a program send requests.
        </EmptyState>
      </Sample>
    </>
  )
}

function Charts() {
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <TimeColumns chart={CHART} />
        <TimeLines chart={CHART} />
      </div>
      <Sample of="DataTable, Exact, WorkedFormula">
        <DataTable
          caption="Probabilities"
          head={["Option", "Probability"]}
          rows={[{ key: "yes", name: "Yes", value: "0.9105289153401981" }]}
        >
          <WorkedFormula
            title="How the confidence is computed"
            formula="confidence = 1 − H(p) ÷ H(uniform)"
            steps={["1 − 0.436 ÷ 1", "0.564"]}
            meaning="0 is an even split, 1 is all on one answer."
          />
        </DataTable>
        <Exact text="91.1%" exact="0.9105289153401981" />
      </Sample>
    </>
  )
}

/** Shows what is read: messages, values, tables and charts. */
export function DataSamples() {
  const list = useShownRows(ROWS, { first: 2, more: 2 })
  return (
    <>
      <Feedback />
      <Sample of="Section, Table, ShowMore">
        <Section id="keys" title="Keys" hint="The keys of the account.">
          <Table caption="Keys" columns={COLUMNS} rows={list.rows} rowKey={({ name }) => name} />
          <ShowMore list={list} />
        </Section>
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
      <Sample of="ClientText">
        <p className="max-h-40 overflow-auto">
          <ClientText text={LONG} />
        </p>
      </Sample>
      <Sample of="LazyDetails">
        <LazyDetails summary="Show the request" summaryClassName="cursor-pointer">
          <p>It is rendered while it is open.</p>
        </LazyDetails>
      </Sample>
      <Sample of="CodeBlock, Highlighted">
        <CodeBlock code={CODE} label="List the models">
          <Highlighted code={CODE} language="bash" />
        </CodeBlock>
      </Sample>
      <Charts />
    </>
  )
}
