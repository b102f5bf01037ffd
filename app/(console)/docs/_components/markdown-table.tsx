import type { Tokens } from "marked"
import { type Column, Table } from "@/components/ui/table"
import { Inline } from "./inline"

type Row = Tokens.TableCell[]

const plain = (text: string): string => text.replaceAll("`", "")

/** A table of a page; on a phone a list of label and value, as everywhere. */
export function MarkdownTable({ token }: { token: Tokens.Table }) {
  const columns: Column<Row>[] = token.header.map(({ text }, index) => ({
    head: plain(text),
    // Sentences are read from the left, on a phone too.
    className: "sm:align-top max-sm:justify-start! max-sm:text-left! max-sm:before:w-24",
    cell: (cells) => (
      <span className="min-w-0">
        <Inline tokens={cells[index]?.tokens} />
      </span>
    ),
  }))
  const heads = token.header.map(({ text }) => plain(text)).join(", ")
  return (
    <Table
      caption={heads}
      columns={columns}
      rows={token.rows}
      rowKey={(cells) => cells.map(({ text }) => text).join(" ")}
    />
  )
}
