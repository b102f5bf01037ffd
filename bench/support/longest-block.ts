import { readFile, rm } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import type { BuiltService } from "./built-service"

/** Returns, as text, the server's longest block and longest processor time since the last call. Each is a maximum of its own. */
export async function longestBlock(service: BuiltService, file: string): Promise<string> {
  process.kill(service.pid, "SIGUSR2")
  for (let attempt = 0; attempt < 200; attempt++) {
    const text = await readFile(file, "utf8").catch(() => "")
    if (text) {
      await rm(file)
      const { heldMs, workedMs } = JSON.parse(text)
      return `${heldMs.toFixed(1)} ms, longest time on the processor ${workedMs.toFixed(1)} ms`
    }
    await sleep(25)
  }
  throw new Error("the server did not report how long its main thread was blocked")
}
