import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import type { UsageInput } from "@/lib/server/usage/schema"
import { usageHref } from "@/lib/server/usage/search"
import type { UsageTag } from "@/lib/server/usage/usage"
import { formatCount, formatMs } from "@/lib/shared/format"

/** Lists the totals of each tag, most expensive first. Each links to the page filtered by that tag. Nothing without tags. */
export function TagTable({ tags, search }: { tags: UsageTag[]; search: UsageInput }) {
  if (tags.length === 0) return null
  const columns: readonly Column<UsageTag>[] = [
    {
      head: "Tag",
      phone: "title",
      className: "sm:min-w-40",
      cell: ({ tag }) => (
        <TextLink alone className="wrap-anywhere font-mono text-sm" href={usageHref(search, { tag })}>
          {tag}
        </TextLink>
      ),
    },
    { head: "Spend", phone: "value", usd: ({ costUsd }) => costUsd },
    {
      head: "Answered",
      phone: "line",
      phoneLabel: true,
      align: "right",
      cell: ({ decisions }) => formatCount(decisions),
    },
    { head: "Tokens", align: "right", cell: ({ tokens }) => formatCount(tokens) },
    { head: "Median", phone: "end", phoneLabel: true, align: "right", cell: ({ p50Ms }) => formatMs(p50Ms) },
    { head: "95th percentile", align: "right", cell: ({ p95Ms }) => formatMs(p95Ms) },
  ]
  return (
    <Section id="by-tag" title="By tag">
      <Table caption="By tag" columns={columns} rows={tags} rowKey={({ tag }) => tag} />
      <p className="text-ink-muted text-sm">
        A request with several tags counts for each. The most expensive come first, up to 100.{" "}
        <TextLink href="/docs/limits#tags">How to send tags</TextLink>
      </p>
    </Section>
  )
}
