import { execFile } from "node:child_process"
import { chmod, cp } from "node:fs/promises"
import path from "node:path"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { postgresBinaries } from "./binaries"
import { commandAs, postgresUser } from "./os-user"

it("PostgreSQL's programs find each other in a folder that only the service's user may enter", async () => {
  const folder = tempFolder()
  await chmod(folder, 0o700)
  const { initdb } = await postgresBinaries()
  await cp(path.resolve(initdb, "../.."), path.join(folder, "native"), { recursive: true, verbatimSymlinks: true })
  const show = ["--show", "-U", "svcd", "-D", path.join(folder, "data")]
  const [file, args] = commandAs(postgresUser(), path.join(folder, "native/bin/initdb"), show)
  const { stderr } = await promisify(execFile)(file, args)
  expect(stderr).toContain(`share_path=${folder}/native/share`)
})
