import { execFile } from "node:child_process"
import { copyFile, cp, rename } from "node:fs/promises"
import path from "node:path"
import { expect, inject, it } from "vitest"
import { programEnv, readEnv } from "@/lib/server/platform/env"
import { tempFolder } from "@/test/temp-folder"
import { connectDatabase } from "./connect"
import { startEmbedded } from "./embedded"

const dir = tempFolder()
const original = path.join(dir, "original")
const copy = path.join(dir, "copy")
const live = await connectDatabase(readEnv({ DATA_DIR: original }), "server")
await cp(path.join(original, "postgres"), path.join(copy, "postgres"), { recursive: true })

/** Runs an operator command in a process of its own. Returns its exit code and what it wrote to standard error. */
const operate = (dataDir: string, ...args: string[]): Promise<{ code: number | null; stderr: string }> =>
  new Promise((resolve) => {
    const env = { ...programEnv(), DATA_DIR: dataDir }
    const command = [path.join(inject("programs"), "operator.js"), ...args]
    const child = execFile(process.execPath, command, { env }, (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode, stderr }),
    )
  })

it("a command on a copy of a running data folder is refused and changes nothing in the original", async () => {
  expect(await operate(copy, "account", "create", "ada@example.com")).toEqual({
    code: 1,
    stderr: `Bad setting: DATA_DIR was copied or moved while PostgreSQL was running in ${original}/postgres. Stop the service there, then copy the folder again\n`,
  })
  expect((await live.pool.query("SELECT email FROM app_user")).rows).toEqual([])
})

it("the copy stays refused after the original stopped, and a folder that moved after a crash starts", async () => {
  await live.close()
  const refused = "DATA_DIR was copied or moved while PostgreSQL was running in"
  await expect(startEmbedded(copy, "command")).rejects.toThrow(refused)

  const moved = path.join(dir, "moved")
  await rename(original, moved)
  await copyFile(path.join(copy, "postgres/postmaster.pid"), path.join(moved, "postgres/postmaster.pid"))
  await (await startEmbedded(moved, "command")).release()
})
