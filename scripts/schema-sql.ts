import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { PrismaPg } from "@prisma/adapter-pg"
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils"
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg"
import pg from "pg"

interface Glue {
  __wbg_set_wasm(exports: WebAssembly.Exports): void
}

/** Instantiates the engine in Node. The package's loader expects a bundler that imports WebAssembly. */
async function instantiate(): Promise<void> {
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm")
  const bytes = await readFile(entry.replace(/\.js$/, "_bg.wasm"))
  const imports = { "./schema_engine_bg.js": engine } as unknown as WebAssembly.Imports
  const { instance } = await WebAssembly.instantiate(bytes, imports)
  ;(engine as unknown as Glue).__wbg_set_wasm(instance.exports)
  ;(instance.exports.__wbindgen_start as () => void)()
}

let loaded: Promise<void> | undefined

/** The engine asks a database for its version, also when it compares only schemas. */
const noDatabase = Object.assign(new pg.Pool(), { query: async () => ({ fields: [], rows: [], rowCount: 0 }) })

const datamodel = (content: string) => ({
  tag: "schemaDatamodel" as const,
  files: [{ path: "schema.prisma", content }],
})

/** Returns the SQL that changes the tables of one Prisma schema to those of another. `from` is null for an empty database. */
export async function schemaSql(from: string | null, to: string): Promise<string> {
  loaded ??= instantiate()
  await loaded
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(noDatabase))
  const made = await engine.SchemaEngine.new({ datamodels: [["schema.prisma", to]] }, () => {}, adapter)
  const { stdout } = await made.diff({
    from: from === null ? { tag: "empty" } : datamodel(from),
    to: datamodel(to),
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ""
}
