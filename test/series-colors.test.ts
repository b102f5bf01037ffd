import { readFileSync } from "node:fs"
import {
  type Color,
  converter,
  differenceEuclidean,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  wcagContrast,
} from "culori"
import { expect, test } from "vitest"

const TOKENS = ["1", "2", "3", "4", "5", "6"].map((tone) => `series-${tone}`)
const css = readFileSync("app/globals.css", "utf8")
const toRgb = converter("rgb")

/** Returns a colour of `app/globals.css` in a theme. */
function colorOf(token: string, theme: "light" | "dark"): Color {
  const [, light, dark] =
    new RegExp(`--color-${token}: light-dark\\((oklch\\([^)]+\\)), (oklch\\([^)]+\\))\\)`).exec(css) ?? []
  const color = toRgb((theme === "light" ? light : dark) ?? "")
  if (!color) throw new Error(`${token} is not a colour`)
  return color
}

const EYES = {
  all: (color: Color) => color,
  "no red": filterDeficiencyProt(1),
  "no green": filterDeficiencyDeuter(1),
  "no blue": filterDeficiencyTrit(1),
}

const distance = differenceEuclidean("oklab")

test.each(["light", "dark"] as const)(
  "people with any colour vision can distinguish the layers of a chart in the %s theme",
  (theme) => {
    const tokens = [...TOKENS, "danger-fill"]
    for (const [eyes, see] of Object.entries(EYES))
      for (const [at, one] of tokens.entries())
        for (const other of tokens.slice(at + 1)) {
          const apart = distance(see(colorOf(one, theme)) as Color, see(colorOf(other, theme)) as Color)
          expect(apart, `${one} and ${other}, seen with ${eyes}`).toBeGreaterThan(0.1)
        }
  },
)

test.each(["light", "dark"] as const)("the hues of layers have a contrast of 3 to 1 in the %s theme", (theme) => {
  for (const token of TOKENS.slice(0, 5))
    expect(wcagContrast(colorOf(token, theme), colorOf("bg", theme)), token).toBeGreaterThanOrEqual(3)
})
