import { createHash } from "node:crypto"
import { readFile, writeFile } from "node:fs/promises"
import { gunzipSync, gzipSync } from "node:zlib"

/** Writes a copy of a backup whose lines were edited, with a checksum that is right. */
export async function rewriteBackup(from: string, to: string, edit: (lines: string[]) => string[]): Promise<void> {
  const packed = (await readFile(from)).subarray(0, -32)
  const lines = gunzipSync(packed).toString("latin1").split("\n")
  const edited = gzipSync(Buffer.from(edit(lines).join("\n"), "latin1"))
  await writeFile(to, Buffer.concat([edited, createHash("sha256").update(edited).digest()]))
}
