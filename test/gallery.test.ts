import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"

const ROOT = path.join(import.meta.dirname, "..")
const FOLDERS = ["components/ui", "components/form", "components/charts", "components/charts/time"]
/** What other components of the list draw with. */
const PARTS = [
  "components/charts/drawing",
  "components/charts/time/chart-cursor",
  "components/ui/menu-popup",
  "components/ui/toast-list",
]

const samples = path.join(ROOT, "app/gallery/_components")
const shown = readdirSync(samples)
  .map((file) => readFileSync(path.join(samples, file), "utf8"))
  .join("\n")

const components = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
    .map((file) => `${folder}/${path.basename(file, ".tsx")}`),
)

test("the gallery shows every component", () => {
  expect(components.filter((name) => !shown.includes(`"@/${name}"`)).toSorted()).toEqual(PARTS)
})
