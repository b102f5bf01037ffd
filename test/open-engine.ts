import { afterEach } from "vitest"
import { SystemOneEngine } from "@/lib/server/engines/system-one/system-one-engine"
import type { SystemOneSettings } from "@/lib/server/engines/system-one/system-one-settings"
import type { AnyDouble } from "./doubles/system-one-double"

/** Opens engines with these settings and those of each call. Closes them after each test. */
export function unprobedEngines(settings: () => { url: string } & Partial<SystemOneSettings>) {
  const opened: SystemOneEngine[] = []
  afterEach(() => Promise.all(opened.splice(0).map((engine) => engine.close())))
  return (changes: Partial<SystemOneSettings> = {}): SystemOneEngine => {
    const common = { model: "kev-4b", tokenizer: "engine", apiKey: null }
    const engine = new SystemOneEngine({ ...common, ...settings(), ...changes })
    opened.push(engine)
    return engine
  }
}

/** Opens and probes engines on doubles, and closes both after each test. */
export function engineOpener() {
  const opened: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0)) await close()
  })
  return async <Of extends AnyDouble>(started: Promise<Of>, settings: Partial<SystemOneSettings> = {}) => {
    const double = await started
    const engine = new SystemOneEngine({ url: double.url, model: null, tokenizer: null, apiKey: null, ...settings })
    opened.push(async () => {
      await engine.close()
      await double.stop()
    })
    const found = await engine.probe(new AbortController().signal)
    const probed = double.requests.length
    /** Returns the calls since the probe: their questions, and each question's number of options. */
    const calls = () =>
      double.requests
        .slice(probed)
        .filter(({ method, path }) => method === "POST" && path === "/v1/systemone")
        .map(({ body }) => {
          const { questions } = JSON.parse(body) as { questions: Record<string, { criteria?: object }> }
          return Object.entries(questions).map(([name, { criteria }]) => ({
            name,
            options: Object.keys(criteria ?? {}).length,
          }))
        })
    return { double, engine, found, calls }
  }
}
