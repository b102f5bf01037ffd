"use client"
import { Badge } from "@/components/ui/badge"
import type { MenuAction } from "@/components/ui/menu-popup"
import { RowMenu } from "@/components/ui/row-menu"
import { type Column, Table } from "@/components/ui/table"
import type { OperatedModel } from "@/lib/server/models/list-models"
import { countOf } from "@/lib/shared/format"
import { useFormDialog } from "../../../_components/form-dialog"
import {
  aliasForm,
  cancelForm,
  limitsForm,
  planForm,
  priceForm,
  probeForm,
  recordForm,
  retireForm,
} from "./model-forms"

const mono = (text: string) => <span className="break-all font-mono text-sm">{text}</span>

function Availability({ model }: { model: OperatedModel }) {
  const replacement = model.replacement_model
  if (model.status === "retired") return <Badge note={replacement ? `Replaced by ${replacement}` : null}>Retired</Badge>
  if (model.available) return <Badge tone="accent">Available</Badge>
  return (
    <Badge tone="danger" note={model.reason}>
      Unavailable
    </Badge>
  )
}

/** The name under which the engines serve the model, and each address with its state if there are several. */
function Engines({ model: { addresses, served, kind, cascade } }: { model: OperatedModel }) {
  if (addresses.length === 0) return kind === "alias" || cascade ? "–" : "Built in"
  return (
    <span className="flex min-w-0 flex-col gap-1">
      {served ? mono(served) : null}
      {addresses.map(({ url, available, reason, isDraining }) => (
        <span key={url} className="flex flex-wrap items-center gap-1.5 text-ink-muted">
          {mono(url)}
          {isDraining ? <Badge tone="warn">Drained</Badge> : null}
          {available || isDraining || addresses.length === 1 ? null : (
            <Badge tone="danger" note={reason}>
              Unavailable
            </Badge>
          )}
        </span>
      ))}
    </span>
  )
}

const FACTS: readonly Column<OperatedModel>[] = [
  {
    head: "Model",
    phone: "title",
    className: "sm:max-w-72",
    cell: ({ id, target_model: target, caution, cascade }) => (
      <span className="flex min-w-0 flex-col">
        {mono(id)}
        {target ? <span className="text-ink-muted text-sm">Alias of {target}</span> : null}
        {cascade && !target ? <span className="wrap-anywhere text-ink-muted text-sm">{cascade}</span> : null}
        {caution && !target ? <span className="text-ink-muted text-sm">{caution}</span> : null}
      </span>
    ),
  },
  { head: "State", phone: "value", className: "sm:max-w-64", cell: (model) => <Availability model={model} /> },
  {
    head: "Price per million tokens",
    phone: "line",
    phoneLabel: true,
    usd: ({ price_per_million_input_tokens_usd: price }) => price,
    as: "exact",
    none: "Not sold",
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
    cell: (model) => <Engines model={model} />,
  },
]

interface ModelListProps {
  models: OperatedModel[]
  /** How many accounts sent the alias lately. */
  aliasUsers: number
  /** Whether a move of the alias is planned. */
  isPlanned: boolean
  mayChange: boolean
}

/** Lists the models. With `mayChange`, each has a menu of probes and changes. */
export function ModelList({ models, aliasUsers, isPlanned, mayChange }: ModelListProps) {
  const { show, dialog } = useFormDialog()
  const target = models.find(({ kind }) => kind === "alias")?.target_model ?? null
  const cancel: MenuAction["onSelect"] = (opener) => show(cancelForm(), opener)
  /** Returns the actions that a model allows now. A pinned id always names the same model: only price, limits and status can change. */
  const actionsOf = (model: OperatedModel): MenuAction[] => {
    if (model.status === "retired") return []
    const probe: MenuAction = { label: "Probe", onSelect: (opener) => show(probeForm(model), opener) }
    const record: MenuAction = {
      label: "Record the examples",
      onSelect: (opener) => show(recordForm(model), opener),
    }
    if (model.kind === "alias")
      return [
        probe,
        record,
        { label: "Plan a move", onSelect: (opener) => show(planForm(model, models, aliasUsers), opener) },
        ...(isPlanned ? [{ label: "Cancel the planned move", onSelect: cancel }] : []),
        { label: "Move the alias", onSelect: (opener) => show(aliasForm(model, models, aliasUsers), opener) },
      ]
    const retire: MenuAction = {
      label: "Retire",
      isDanger: true,
      onSelect: (opener) => show(retireForm(model, models), opener),
    }
    return [
      probe,
      record,
      { label: "Set price", onSelect: (opener) => show(priceForm(model), opener) },
      { label: "Set limits", onSelect: (opener) => show(limitsForm(model), opener) },
      ...(model.id === target ? [] : [retire]),
    ]
  }
  return (
    <section aria-label="Models" className="flex flex-col gap-4">
      <Table
        caption="Models"
        columns={FACTS}
        rows={models}
        rowKey={({ id }) => id}
        actions={
          mayChange ? (model) => <RowMenu label={`Actions for ${model.id}`} actions={actionsOf(model)} /> : undefined
        }
      />
      {dialog}
    </section>
  )
}
