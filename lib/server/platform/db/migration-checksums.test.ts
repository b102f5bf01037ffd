import { createHash } from "node:crypto"
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it } from "vitest"

const FIRST = "migrations/20261120000000_foundation/migration.sql"

/** Returns a line for each difference between the migrations under `root` and `checksums.sha256`, in the format of `sha256sum`. */
async function differences(root: string): Promise<string[]> {
  const list = await readFile(path.join(root, "checksums.sha256"), "utf8")
  const listed = new Map(list.split("\n").flatMap((line) => (line ? [[line.slice(66), line.slice(0, 64)]] : [])))
  const names = (await readdir(path.join(root, "migrations"))).sort()
  const actual = new Map<string, string>()
  for (const name of names) {
    const file = `migrations/${name}/migration.sql`
    actual.set(
      file,
      createHash("sha256")
        .update(await readFile(path.join(root, file)))
        .digest("hex"),
    )
  }
  const missing = [...listed.keys()].filter((file) => !actual.has(file)).map((file) => `missing: ${file}`)
  const others = [...actual].flatMap(([file, checksum]) => {
    const expected = listed.get(file)
    if (expected === checksum) return []
    return [expected ? `changed: ${file}` : `not listed, add this line: ${checksum}  ${file}`]
  })
  return [...missing, ...others]
}

it("every migration has its checksum in prisma/checksums.sha256", async () => {
  expect(await differences("prisma")).toEqual([])
})

it("a changed, a missing and an unlisted migration are noticed", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "svcd-migrations-"))
  await cp("prisma", copy, { recursive: true })
  const first = path.join(copy, FIRST)
  await writeFile(first, `${await readFile(first, "utf8")} `)
  expect(await differences(copy)).toEqual([`changed: ${FIRST}`])
  await rm(path.dirname(first), { recursive: true })
  expect(await differences(copy)).toEqual([`missing: ${FIRST}`])
  await cp(path.dirname(path.join("prisma", FIRST)), path.dirname(first), { recursive: true })
  await cp(path.dirname(first), path.join(copy, "migrations/20990101000000_new"), { recursive: true })
  expect(await differences(copy)).toEqual([
    expect.stringMatching(
      /^not listed, add this line: [0-9a-f]{64} {2}migrations\/20990101000000_new\/migration\.sql$/,
    ),
  ])
  await rm(copy, { recursive: true })
})
