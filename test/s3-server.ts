import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { afterFile } from "./after-file"
import { freePort } from "./free-port"

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "test-key-id", AWS_SECRET_ACCESS_KEY: "canary-secret-5d1c" }

async function startMoto(port: number): Promise<ChildProcess> {
  const child = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(port)], { stdio: "ignore" })
  await once(child, "spawn").catch(() => {
    throw new Error("moto_server is missing. Install it with: pip install 'moto[server]'")
  })
  return child
}

/** Starts moto's S3 server with an empty bucket for this test file. Returns the settings that lead to it. */
export async function startS3(bucket: string): Promise<Record<string, string>> {
  const port = await freePort()
  const child = await startMoto(port)
  afterFile(() => child.kill())
  const AWS_ENDPOINT_URL = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`moto_server ended with ${child.exitCode}`)
    // moto accepts any signature, and none.
    const created = await fetch(`${AWS_ENDPOINT_URL}/${bucket}`, { method: "PUT" }).catch(() => null)
    if (created?.ok) break
    await sleep(100)
  }
  return { AWS_ENDPOINT_URL, AWS_REGION: "us-east-1", ...CREDENTIALS }
}
