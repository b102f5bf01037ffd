import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { type Column, Table } from "./table"

interface Row {
  name: string
  status: string
}

const ROWS: Row[] = [{ name: "Production", status: "active" }]
const shown = (columns: Column<Row>[]): string =>
  renderToStaticMarkup(<Table caption="Keys" columns={columns} rows={ROWS} rowKey={({ name }) => name} />)

test("a table whose columns have places is a list on a phone, and each row can be opened", () => {
  const html = shown([
    { head: "Name", phone: "title", cell: ({ name }) => name },
    { head: "Expires", phone: "end", phoneLabel: true, cell: () => "never" },
    { head: "Status", cell: ({ status }) => status },
  ])
  expect(html).toContain("two-lines")
  expect(html).toContain('<td data-phone="title">Production<label')
  expect(html.match(/aria-label="Show the whole row"/g)).toHaveLength(1)
  expect(html).toContain('<td data-label="Expires" data-phone="end">never</td>')
  expect(html).toContain('<td data-label="Status">active</td>')
})

test("a table without places keeps a label beside each value on a phone", () => {
  const html = shown([
    { head: "Name", cell: ({ name }) => name },
    { head: "Status", cell: ({ status }) => status },
  ])
  expect(html).not.toContain("two-lines")
  expect(html).not.toContain("Show the whole row")
  expect(html).toContain('<td data-label="Name">Production</td><td data-label="Status">active</td>')
})
