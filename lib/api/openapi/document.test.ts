import { build } from "esbuild"
import { describe, expect, it } from "vitest"
import { componentSchema, describedResponses, faultsOf, openApi } from "../../../test/contract"
import { errorTable } from "../../errors"
import { openApiDocument } from "./document"

describe("public/openapi.json", () => {
  it("is what the schemas make; after a change of theirs run npm run openapi", () => {
    expect(openApi).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  it("is OpenAPI 3.1 of both endpoints, version 1.0.0", () => {
    expect(openApi.openapi).toBe("3.1.1")
    expect(openApi.info.version).toBe("1.0.0")
    expect(Object.entries(openApi.paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ["/v1/decisions", ["post"]],
      ["/v1/models", ["get"]],
    ])
  })

  it.each([
    ["/v1/decisions", ["200", "400", "401", "402", "410", "413", "429", "500", "502", "503", "504", "default"]],
    ["/v1/models", ["200", "429", "500", "503", "default"]],
  ])("describes every status of %s", (path, statuses) => {
    expect(describedResponses.filter((response) => response.path === path).map(({ status }) => status)).toEqual(
      statuses,
    )
  })

  it("has a schema for the body of every error that the API can answer with", () => {
    const codes = Object.keys(errorTable).filter((code) => !["signed_out", "forbidden"].includes(code))
    const shown = JSON.stringify(openApi.components.schemas)
    expect(codes.filter((code) => !shown.includes(`"const":"${code}"`))).toEqual([])
  })

  it.each(describedResponses)(
    "$method $path: each example of $status is valid under its own schema",
    ({ described }) => {
      const { schema, example, examples = {} } = described.content["application/json"]
      const values = [...(example ? [example] : []), ...Object.values(examples).map(({ value }) => value)]
      expect(values.flatMap((value) => faultsOf(schema, value))).toEqual([])
    },
  )

  it("has a request example that is valid", () => {
    const content = openApi.paths["/v1/decisions"]?.post?.requestBody?.content["application/json"]
    expect(componentSchema("DecisionRequest")(content?.example)).toBe(true)
  })
})

it("nothing that serves requests holds the schemas", async () => {
  const { metafile } = await build({
    entryPoints: ["server.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  })
  expect(Object.keys(metafile.inputs).filter((file) => file.startsWith("lib/api/openapi/"))).toEqual([])
})
