import { readFile, writeFile } from "node:fs/promises"
import { checksumOf, readFunctions } from "@/lib/server/platform/db/functions"

const FILE = "prisma/functions/version.json"

/** Gives the SQL functions a new version if one of them changed. */
const checksum = checksumOf(await readFunctions())
const stated = JSON.parse(await readFile(FILE, "utf8")) as { version: number; checksum: string }
const version = stated.checksum === checksum ? stated.version : stated.version + 1
await writeFile(FILE, `{ "version": ${version}, "checksum": "${checksum}" }\n`)
process.stdout.write(`The SQL functions have version ${version}\n`)
