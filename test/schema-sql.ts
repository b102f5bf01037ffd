import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { PrismaPg } from "@prisma/adapter-pg"
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils"
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg"
import type pg from "pg"

const SCHEMA = "prisma/schema.prisma"

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

/** Returns the SQL that Prisma's engine writes, offline, to create the database of `prisma/schema.prisma`. */
export async function schemaSql(pool: pg.Pool, edit: (schema: string) => string = (schema) => schema): Promise<string> {
  loaded ??= instantiate()
  await loaded
  const content = edit(await readFile(SCHEMA, "utf8"))
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool))
  const made = await engine.SchemaEngine.new({ datamodels: [[SCHEMA, content]] }, () => {}, factory)
  const { stdout } = await made.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files: [{ path: SCHEMA, content }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ""
}
