import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that systems assign to connections and to servers that ask for any port. */
const FIRST = 20_000
/** Each of up to twelve workers of a test runner takes its ports from a part of its own. */
const PART = 1_000
const PARTS = 12
const part = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % PARTS
let next = randomInt(PART)

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1")
  try {
    await once(server, "listening")
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Returns a free port. Neither the system nor another worker takes it before its server starts, or while that restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + part * PART + (next++ % PART)
    if (await isFree(port)) return port
  }
}
