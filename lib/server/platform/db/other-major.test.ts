import { mkdir, readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, it } from "vitest"
import { BadSetting } from "@/lib/server/platform/env"
import { tempFolder } from "@/test/temp-folder"
import { startEmbedded } from "./embedded"

it("a data folder of another major version of PostgreSQL is refused with both versions and the way out", async () => {
  const dir = tempFolder()
  await mkdir(path.join(dir, "postgres"))
  await writeFile(path.join(dir, "postgres/PG_VERSION"), "17\n")
  const error = await startEmbedded(dir, "server").catch((thrown: unknown) => thrown)
  expect(error).toEqual(
    new BadSetting(
      'DATA_DIR holds files of PostgreSQL 17, and this version of the service has PostgreSQL 18. Run "operator backup create" with the version that used this folder, then "operator backup restore" into a new folder with this one',
    ),
  )
  expect(await readdir(path.join(dir, "postgres"))).toEqual(["PG_VERSION"])
})
