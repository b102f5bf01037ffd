"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Money } from "@/components/ui/money"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import type { OperatedModel } from "@/lib/server/models/list-models"
import { countOf } from "@/lib/shared/format"
import { AnnounceDialog } from "./announce-dialog"
import { AliasDialog, LimitsDialog, PriceDialog, RetireDialog } from "./model-dialogs"
import { ProbeDialog } from "./probe-dialog"

const mono = (text: string) => <span className="break-all font-mono text-sm">{text}</span>

function Availability({ model }: { model: OperatedModel }) {
  if (model.status === "retired")
    return (
      <span className="flex flex-col items-start max-sm:items-end">
        <Badge>Retired</Badge>
        {model.replacement_model ? <span className="text-sm">Replaced by {model.replacement_model}</span> : null}
      </span>
    )
  if (model.available) return <Badge tone="accent">Available</Badge>
  return (
    <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
      <Badge tone="danger">Unavailable</Badge>
      <span className="wrap-anywhere text-sm">{model.reason}</span>
    </span>
  )
}

const FACTS: readonly Column<OperatedModel>[] = [
  {
    head: "Model",
    className: "sm:max-w-72",
    cell: ({ id, target_model: target, caution }) => (
      <span className="flex min-w-0 flex-col">
        {mono(id)}
        {target ? <span className="text-ink-muted text-sm">Alias of {target}</span> : null}
        {caution && !target ? <span className="text-ink-muted text-sm">{caution}</span> : null}
      </span>
    ),
  },
  { head: "State", className: "sm:max-w-64", cell: (model) => <Availability model={model} /> },
  {
    head: "Price per million tokens",
    align: "right",
    cell: ({ price_per_million_input_tokens_usd: price }) =>
      price === null ? "Not sold" : <Money usd={price} exact />,
  },
  {
    head: "Limits",
    cell: (model) => (
      <span className="text-sm tabular-nums">
        {countOf(model.max_questions, "question")}, {countOf(model.max_options, "option")},{" "}
        {countOf(model.max_levels, "level")},{" "}
        <span className="whitespace-nowrap">{countOf(model.max_body_bytes, "byte")}</span>
      </span>
    ),
  },
  {
    head: "Engine",
    wideOnly: true,
    cell: ({ engine, served, kind }) =>
      engine ? mono(served ? `${served} at ${engine}` : engine) : kind === "alias" ? "–" : "Built in",
  },
]

export type ModelAct = "probe" | "price" | "limits" | "alias" | "announce" | "retire"

interface Step {
  act: ModelAct
  model: OperatedModel
  /** The button of the row's menu. */
  opener: HTMLElement | null
}

/** Returns the actions that a model allows now. A pinned id always names the same model: only price, limits and status can change. */
function actsOf(model: OperatedModel, target: string | null): { act: ModelAct; label: string }[] {
  if (model.status === "retired") return []
  const probe = { act: "probe", label: "Probe" } as const
  if (model.kind === "alias")
    return [probe, { act: "announce", label: "Announce a move" }, { act: "alias", label: "Move the alias" }]
  return [
    probe,
    { act: "price", label: "Set price" },
    { act: "limits", label: "Set limits" },
    ...(model.id === target ? [] : [{ act: "retire", label: "Retire" } as const]),
  ]
}

export function ModelList({ models, aliasUsers }: { models: OperatedModel[]; aliasUsers: number }) {
  const [step, setStep] = useState<Step | null>(null)
  const [done, setDone] = useState("")
  const target = models.find(({ kind }) => kind === "alias")?.target_model ?? null
  const open = (next: Step) => {
    setDone("")
    setStep(next)
  }
  const actions: Column<OperatedModel> = {
    head: "Actions",
    headHidden: true,
    align: "right",
    cell: (model) => {
      const acts = actsOf(model, target).map(({ act, label }) => ({
        label,
        isDanger: act === "retire",
        onSelect: (opener: HTMLElement | null) => open({ act, model, opener }),
      }))
      return acts.length > 0 ? <RowMenu label={`Actions for ${model.id}`} actions={acts} /> : null
    },
  }
  const common = (act: ModelAct) => ({
    model: step?.model ?? models[0],
    open: step?.act === act,
    opener: step?.opener,
    onClose: () => setStep(null),
    onDone: (text: string) => {
      setStep(null)
      setDone(text)
    },
  })
  return (
    <section aria-label="Models" className="flex flex-col gap-4">
      <div role="status" className="empty:hidden">
        {done ? <Alert tone="ok">{done}</Alert> : null}
      </div>
      <Table caption="Models" columns={[...FACTS, actions]} rows={models} rowKey={({ id }) => id} />
      <ProbeDialog {...common("probe")} />
      <PriceDialog {...common("price")} />
      <LimitsDialog {...common("limits")} />
      <AnnounceDialog {...common("announce")} models={models} users={aliasUsers} />
      <AliasDialog {...common("alias")} models={models} users={aliasUsers} />
      <RetireDialog {...common("retire")} models={models} />
    </section>
  )
}
