import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * Starts a worker thread: the bundle `name`.js next to the built server, or `source` when there is no build. Node 20
 * ignores `--import` for workers, so the worker registers tsx before it imports `source`.
 */
export function startWorker(name: string, source: URL, options: WorkerOptions = {}): Worker {
  const built = new URL(`./${name}.js`, import.meta.url)
  if (existsSync(fileURLToPath(built))) return new Worker(built, options)
  const start = `import("tsx/esm/api").then(({ register }) => (register(), import(${JSON.stringify(source.href)})))`
  return new Worker(start, { ...options, eval: true })
}
