import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { FOLDER, FONTS, subsetOf } from "./fonts.mjs"

const MAX_BYTES = 45_000

test("the fonts of every page are made from the package's (npm run fonts updates them), and have at most 45 kB", async () => {
  let bytes = 0
  for (const [name, file] of Object.entries(FONTS)) {
    const font = await readFile(`${FOLDER}/${name}`)
    expect(font.equals(await subsetOf(file)), name).toBe(true)
    bytes += font.length
  }
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
})
