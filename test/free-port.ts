import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/** Below the ports that systems give to connections and to servers without a port of their own. */
const [FIRST, END] = [20_000, 32_000]

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

/** Returns a port that nothing else takes while its server restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (await isFree(port)) return port
  }
}
