import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { ADMIN_API } from "./admin-api"
import { adminDocument } from "./admin-document"

const read = () => JSON.parse(readFileSync("public/api/admin/openapi.json", "utf8"))

test("public/api/admin/openapi.json is made from the operations (npm run openapi updates it)", () => {
  expect(read()).toEqual(JSON.parse(JSON.stringify(adminDocument())))
})

test("the document has every operation", () => {
  const { paths }: { paths: Record<string, object> } = read()
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const operations = ADMIN_API.operations.map(({ method, path }) => `${method} ${ADMIN_API.base}${path}`)
  expect(described.toSorted()).toEqual(operations.toSorted())
})
