import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { freePort } from "../../test/free-port"
import { own, stop, untilReady } from "./processes"

const ROOT = path.resolve(import.meta.dirname, "../..")
const NEXT = path.join(ROOT, "node_modules/.bin/next")

const FILES = {
  "package.json": '{"type":"module","private":true}',
  "next.config.mjs": `export default { typescript: { ignoreBuildErrors: true }, turbopack: { root: ${JSON.stringify(ROOT)} } }`,
  "app/layout.jsx":
    'export const dynamic = "force-dynamic"\nexport default ({ children }) => <html lang="en"><body>{children}</body></html>',
  "app/page.jsx": "export default () => <p>Empty</p>",
}

/** Builds and starts an app of the same Next and React versions with one empty page, the baseline for JavaScript sizes. */
export async function startEmptyApp(): Promise<{ url: string; stop(): Promise<void> }> {
  // The bundler finds packages only within the project. Git ignores `.next`.
  await mkdir(path.join(ROOT, ".next"), { recursive: true })
  const folder = await mkdtemp(path.join(ROOT, ".next/empty-"))
  const env = { PATH: process.env.PATH, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as NodeJS.ProcessEnv
  try {
    await mkdir(path.join(folder, "app"))
    for (const [name, text] of Object.entries(FILES)) await writeFile(path.join(folder, name), text)
    const building = own(spawn(NEXT, ["build"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] }))
    const [code] = await once(building, "exit")
    if (code !== 0) throw new Error(`the empty page was not built: next build ended with ${code}`)
    const port = await freePort()
    const serving = own(spawn(NEXT, ["start", "-p", String(port)], { cwd: folder, env, stdio: "ignore" }))
    const url = `http://127.0.0.1:${port}/`
    await untilReady(url, serving)
    const destroy = async () => {
      await stop(serving)
      await rm(folder, { recursive: true, force: true })
    }
    return { url, stop: destroy }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}
