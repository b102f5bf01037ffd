import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterFile } from "./after-file"

/** Creates a folder that is removed when the test file ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "svcd-test-"))
  // Processes of a killed PostgreSQL may write files for a moment longer.
  afterFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
