import { expect, test } from "vitest"
import { indexDocs } from "@/lib/shared/search/search-docs"
import { listSections } from "./search"

const page = (slug: "limits" | "errors" | "billing", title: string, markdown: string) => ({
  slug,
  title,
  summary: "A page.",
  path: `/docs/${slug}`,
  markdownPath: `/docs/${slug}.md`,
  markdown: `# ${title}\n\nA page.\n\n${markdown}`,
})

const PAGES = [
  page("limits", "Limits", "## Sizes\n\nA refund needs no size. Refund, refund, refund.\n"),
  page(
    "errors",
    "Errors",
    '## Codes\n\n- One:\n\n  ```json\n  {"topup_url": "x"}\n  ```\n\n- `two` is [*linked*](/docs) & **bold**\n\n```bash\ncurl refund\n```\n',
  ),
  page(
    "billing",
    "Billing",
    "## Money\n\n### How to get a refund\n\nAsk us.\n\n| Name | Means |\n| --- | --- |\n| `held` | kept |\n",
  ),
]

test("sections have their text without marks and samples of code", () => {
  expect(listSections(PAGES).map(({ path, heading, subheadings, text }) => [path, heading, subheadings, text])).toEqual(
    [
      ["/docs/limits", "Limits", "", "A page."],
      ["/docs/limits#sizes", "Sizes", "", "A refund needs no size. Refund, refund, refund."],
      ["/docs/errors", "Errors", "", "A page."],
      ["/docs/errors#codes", "Codes", "", "One: two is linked & bold"],
      ["/docs/billing", "Billing", "", "A page."],
      ["/docs/billing#money", "Money", "How to get a refund", "Ask us. Name Means held kept"],
    ],
  )
})

test("a word in any heading counts more than one that a text repeats, and samples of code are not searched", async () => {
  const find = await indexDocs(listSections(PAGES))
  expect(find("refund").map(({ path }) => path)).toEqual(["/docs/billing#money", "/docs/limits#sizes"])
  expect(find("topup_url")).toEqual([])
})
