import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"

/** The heads of panes and cards, which name one field, one question or one party. They are labels that screen readers can jump to. */
const LABELS = [
  "app/(console)/billing/statement/_components/parties.tsx",
  "app/(console)/playground/request/cost-panel.tsx",
  "app/(console)/playground/request/json-request.tsx",
  "app/(console)/playground/request/state-field.tsx",
  "app/(public)/_components/examples.tsx",
  "components/question-editor/question-list.tsx",
  "questions/answer-list.tsx",
]

const TITLE = /<h[12]\b[^>]*?className=(?:"([^"]*)"|\{clsx\("([^"]*)")/g

test("titles are more than 4 px larger than labels, which have 14 px", () => {
  const files = ["app", "components", "questions"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(folder, file)),
  )
  const titles = files
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(TITLE)].map(([, plain, joined]) => ({
        file,
        look: plain ?? joined ?? "",
      })),
    )
  expect(titles.length).toBeGreaterThan(30)
  const small = titles.filter(({ look }) => !/\btext-(lg|xl)\b/.test(look)).map(({ file }) => file)
  expect(small.toSorted()).toEqual(LABELS)
})
