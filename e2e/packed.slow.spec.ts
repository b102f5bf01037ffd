import { execFile } from "node:child_process"
import { chmod, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"
import { PAGE_LIST } from "@/lib/shared/pages"
import { ENCODERS } from "../test/encode-body"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const run = promisify(execFile)
const MAX_MB = 200

async function megabytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map((name) => lstat(path.join(folder, name))))
  return sizes.filter((size) => size.isFile()).reduce((sum, { size }) => sum + size, 0) / 2 ** 20
}

/** Returns the names of the packages in a packed folder, without those that Next contains. */
async function packagesIn(folder: string): Promise<string[]> {
  const files = await readdir(path.join(folder, "node_modules"), { recursive: true })
  const names = files.map((file) =>
    /^(?!next\/dist\/)(?:.*node_modules\/)?((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(file),
  )
  return names.flatMap((found) => found?.[1] ?? [])
}

test("a packed service runs without sources and build tools: its console, its API and its commands, and its upgrade", async ({
  page,
}) => {
  test.setTimeout(420_000)
  const folder = await mkdtemp(path.join(tmpdir(), "svcd-packed-"))
  // PostgreSQL does not run as root. The user that it runs as instead must be able to enter.
  await chmod(folder, 0o755)
  await run(process.execPath, ["scripts/pack.mjs", folder])
  expect(await megabytes(folder)).toBeLessThan(MAX_MB)
  await expect(stat(path.join(folder, "lib"))).rejects.toMatchObject({ code: "ENOENT" })
  const licenses = await readFile(path.join(folder, "THIRD_PARTY_LICENSES.txt"), "utf8")
  const packages = await packagesIn(folder)
  expect(packages.length).toBeGreaterThan(30)
  expect(packages.filter((name) => !licenses.includes(`${name} `))).toEqual([])

  const settings = { LOG_LEVEL: "silent", OPERATOR_EMAILS: "operator@example.com" }
  const service = await Service.startEmbedded(settings, folder)
  const failures: string[] = []
  page.on("response", (response) => response.status() >= 400 && failures.push(response.url()))
  await page.goto(`${service.url}/docs/quickstart`)
  await expect(page.getByRole("heading", { name: "Quickstart" })).toBeVisible()
  expect(await (await page.request.get(`${service.url}/third-party-licenses.txt`)).text()).toBe(licenses)
  await service.operatorProcess("account", "create", "ada@example.com")
  const { key } = await service.operatorProcess<{ key: string }>("key", "create", "ada@example.com", "--name", "Test")
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  // What decodes it is no JavaScript, so that a trace does not find it.
  const decided = await page.request.post(`${service.url}/v1/decisions`, {
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "content-encoding": "zstd" },
    data: ENCODERS.zstd(Buffer.from(JSON.stringify(ONE_QUESTION))),
  })
  expect(decided.status()).toBe(200)
  expect((await service.operatorProcess<{ ok: boolean }>("ledger", "verify")).ok).toBe(true)
  expect(failures).toEqual([])

  // A page whose packages are missing fails only when it is opened.
  await signIn(page, service, "operator@example.com")
  for (const { path: route, access } of PAGE_LIST.filter(({ path }) => !path.includes("["))) {
    const response = await page.request.get(service.url + route)
    expect(response.status(), route).toBeLessThan(500)
    if (access !== "public") expect(new URL(response.url()).pathname, route).not.toBe("/sign-in")
  }

  // The upgrade of the docs: pack while the service runs, stop, exchange the folders, start.
  const next = `${folder}.next`
  await run(process.execPath, ["scripts/pack.mjs", next])
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  expect(await service.end("SIGTERM")).toBe(0)
  await rename(folder, `${folder}.old`)
  await rename(next, folder)
  await service.resume()
  await rm(`${folder}.old`, { recursive: true })
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await page.goto(`${service.url}/keys`)
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  expect((await service.operatorProcess<{ ok: boolean }>("ledger", "verify")).ok).toBe(true)
  await service.destroy()
  await rm(folder, { recursive: true })
})
