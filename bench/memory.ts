/** Measures the built server's memory: after the start, after an idle minute, and the peak under 16 concurrent bodies of 28 MiB. */
import { setTimeout as sleep } from "node:timers/promises"
import { insertKeys } from "./support/accounts"
import { startService } from "./support/built-service"
import { SHAPE_NAMES } from "./support/large-bodies"
import { familyOf, memoryMiB } from "./support/machine"
import { runHelper, startHelper } from "./support/processes"

const IDLE_MS = 60_000
const AT_ONCE = 16
const POSTING_MS = 10_000

const engine = await startHelper("engine-double")
try {
  const service = await startService({ ENGINE_URL: `http://127.0.0.1:${engine.port}` })
  try {
    const print = (what: string, field: "VmRSS" | "VmHWM") => {
      const postgres = familyOf(service.postgresPid).reduce((sum, pid) => sum + memoryMiB(pid, "RssAnon"), 0)
      const own = `its PostgreSQL, unshared: ${postgres.toFixed(0)} MiB`
      console.log(`${what.padEnd(44)} ${memoryMiB(service.pid, field).toFixed(0).padStart(5)} MiB   (${own})`)
    }
    print("After the start", "VmRSS")
    await sleep(IDLE_MS)
    print("After a minute without requests", "VmRSS")
    const [key = ""] = await insertKeys(service.dataDir, 1)
    const statuses = await runHelper("post-large", service.port, key, AT_ONCE, POSTING_MS, ...SHAPE_NAMES).printed
    print(`Peak under ${AT_ONCE} × 28 MiB at once`, "VmHWM")
    await sleep(10_000)
    print("Ten seconds later", "VmRSS")
    console.log(`Responses by status: ${statuses}`)
  } finally {
    await service.stop()
  }
} finally {
  await engine.stop()
}
