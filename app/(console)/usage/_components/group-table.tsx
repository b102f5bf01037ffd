import clsx from "clsx"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { type UsageSearch, usageHref } from "@/lib/server/usage/search"
import type { UsageGroup } from "@/lib/server/usage/usage"
import { formatCount } from "@/lib/shared/format"

const latency = (ms: number | null): string => (ms === null ? "–" : `${formatCount(ms)} ms`)

const figuresFor = (decimals: number): readonly Column<UsageGroup>[] => [
  { head: "Spend", align: "right", cell: ({ costUsd }) => <Money usd={costUsd} decimals={decimals} /> },
  { head: "Answered", align: "right", cell: ({ decisions }) => formatCount(decisions) },
  { head: "Not answered", align: "right", cell: ({ refused }) => formatCount(refused) },
  { head: "Tokens", align: "right", cell: ({ tokens }) => formatCount(tokens) },
  { head: "Median", align: "right", className: "whitespace-nowrap", cell: ({ p50Ms }) => latency(p50Ms) },
  { head: "95th percentile", align: "right", className: "whitespace-nowrap", cell: ({ p95Ms }) => latency(p95Ms) },
]

interface GroupTableProps {
  by: "key" | "model"
  groups: UsageGroup[]
  search: UsageSearch
}

/** What each key or each model came to, dearest first; its name leaves only what is its own on the page. */
export function GroupTable({ by, groups, search }: GroupTableProps) {
  const title = by === "key" ? "By key" : "By model"
  const narrow = (id: string) => usageHref(search, by === "key" ? { keyId: id } : { model: id })
  const name: Column<UsageGroup> = {
    head: by === "key" ? "Key" : "Model",
    className: "sm:min-w-40",
    cell: (group) => (
      <span className={clsx("wrap-anywhere", by === "model" && group.id && "font-mono text-sm")}>
        {group.id ? (
          <TextLink alone href={narrow(group.id)}>
            {group.name}
          </TextLink>
        ) : (
          group.name
        )}
      </span>
    ),
  }
  const figures = figuresFor(mostDecimals(groups.map(({ costUsd }) => costUsd)))
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h2 className="font-semibold text-md">{title}</h2>
      <Table caption={title} columns={[name, ...figures]} rows={groups} rowKey={({ id }) => id ?? ""} />
    </section>
  )
}
