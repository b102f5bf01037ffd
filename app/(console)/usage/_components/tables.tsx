import clsx from "clsx"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import type { UsageInput } from "@/lib/server/usage/schema"
import { usageHref } from "@/lib/server/usage/search"
import type { ErrorCount, Figures, UsageGroup, UsageTag } from "@/lib/server/usage/usage"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"
import { formatCount, formatMs } from "@/lib/shared/format"

type Sums = Omit<Figures, "refused">

const ANSWERED: readonly Column<Sums>[] = [
  { head: "Spend", phone: "value", usd: ({ costUsd }) => costUsd },
  {
    head: "Answered",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: ({ decisions }) => formatCount(decisions),
  },
]
const REFUSED: Column<Figures> = { head: "Not answered", align: "right", cell: ({ refused }) => formatCount(refused) }
const PERFORMANCE: readonly Column<Sums>[] = [
  { head: "Tokens", align: "right", cell: ({ tokens }) => formatCount(tokens) },
  {
    head: "Median",
    phone: "end",
    phoneLabel: true,
    align: "right",
    className: "whitespace-nowrap",
    cell: ({ p50Ms }) => formatMs(p50Ms),
  },
  { head: "95th percentile", align: "right", className: "whitespace-nowrap", cell: ({ p95Ms }) => formatMs(p95Ms) },
]

interface GroupTableProps {
  by: "key" | "model"
  groups: UsageGroup[]
  search: UsageInput
}

/**
 * Lists the totals of each key or model, most expensive first. Each name links to the page filtered by that key or
 * model.
 */
export function GroupTable({ by, groups, search }: GroupTableProps) {
  const title = by === "key" ? "By key" : "By model"
  const narrow = (id: string) => usageHref(search, by === "key" ? { keyId: id } : { model: id })
  const name: Column<UsageGroup> = {
    head: by === "key" ? "Key" : "Model",
    phone: "title",
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
  return (
    <Section id={`by-${by}`} title={title}>
      <Table
        caption={title}
        columns={[name, ...ANSWERED, REFUSED, ...PERFORMANCE]}
        rows={groups}
        rowKey={({ id }) => id ?? ""}
      />
    </Section>
  )
}

/** Lists the totals of each tag, most expensive first. Each links to the page filtered by that tag. Nothing without tags. */
export function TagTable({ tags, search }: { tags: UsageTag[]; search: UsageInput }) {
  if (tags.length === 0) return null
  const name: Column<UsageTag> = {
    head: "Tag",
    phone: "title",
    className: "sm:min-w-40",
    cell: ({ tag }) => (
      <TextLink alone className="wrap-anywhere font-mono text-sm" href={usageHref(search, { tag })}>
        {tag}
      </TextLink>
    ),
  }
  return (
    <Section id="by-tag" title="By tag">
      <Table caption="By tag" columns={[name, ...ANSWERED, ...PERFORMANCE]} rows={tags} rowKey={({ tag }) => tag} />
      <p className="text-ink-muted text-sm">
        A request with several tags counts for each. The most expensive come first, up to 100.{" "}
        <TextLink href="/docs/limits#tags">How to send tags</TextLink>
      </p>
    </Section>
  )
}

const meaningOf = (code: string): string => (code in errorTable ? errorTable[code as ErrorCode].message : "")

export function ErrorTable({ errors, search }: { errors: ErrorCount[]; search: UsageInput }) {
  if (errors.length === 0) return null
  const columns: readonly Column<ErrorCount>[] = [
    {
      head: "Code",
      phone: "title",
      cell: ({ code }) => (
        <TextLink alone className="font-mono text-sm" href={usageHref(search, { result: code })} scroll={false}>
          {code}
        </TextLink>
      ),
    },
    { head: "Status", cell: ({ status }) => status },
    { head: "Meaning", phone: "line", cell: ({ code }) => meaningOf(code) },
    {
      head: "Requests",
      phone: "value",
      phoneLabel: true,
      align: "right",
      cell: ({ requests }) => formatCount(requests),
    },
  ]
  return (
    <Section id="errors" title="Errors">
      <Table
        caption="Errors by code"
        columns={columns}
        rows={errors}
        rowKey={({ code, status }) => `${status} ${code}`}
      />
      <p className="text-ink-muted text-sm">
        You were not charged for these requests.{" "}
        <TextLink href="/docs/errors">Read what to do about each code</TextLink>
      </p>
    </Section>
  )
}
