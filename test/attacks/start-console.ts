import { setTimeout as sleep } from "node:timers/promises"
import { ensureBuilt } from "@/scripts/build.mjs"
import { afterFile } from "@/test/after-file"
import { testRuntime } from "@/test/database"
import { type ServerProcess, startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"

/** Starts the API and the console, from the build, on a new database. Builds first if needed. */
export async function startConsole(settings: Record<string, string> = {}): Promise<ServerProcess> {
  await ensureBuilt()
  const { databaseUrl } = await testRuntime()
  const server = await startServer(databaseUrl, {
    SERVE: "all",
    LOG_LEVEL: "info",
    DATA_DIR: tempFolder(),
    ...settings,
  })
  afterFile(async () => {
    server.signal("SIGTERM")
    await server.ended
  })
  // With several processes, the first one answers before the server prints that it is ready.
  while (!server.written().includes("Ready in")) await sleep(50)
  return server
}
