import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { DatabaseProgramFailed } from "./cluster"
import { startEmbedded } from "./embedded"

it("a PostgreSQL that cannot start is reported in one line with its own reason", async () => {
  const dir = tempFolder()
  await mkdir(path.join(dir, "postgres"), { mode: 0o700 })
  await writeFile(path.join(dir, "postgres/PG_VERSION"), "18\n")
  const error = await startEmbedded(dir, "server").catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DatabaseProgramFailed)
  expect(String(error)).toMatch(/^Error: pg_ctl failed: .+: No such file or directory\. See .+postgres\.log$/)
})
