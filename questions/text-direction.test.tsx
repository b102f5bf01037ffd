import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { Input } from "@/components/ui/input"
import { Textarea } from "@/components/ui/textarea"
import { prepareBars } from "./choice/bars"
import { ChoiceBars } from "./choice/choice-bars"

test("fields take the direction of what is typed, and code runs from left to right", () => {
  expect(renderToStaticMarkup(<Input name="option" defaultValue="החזר" />)).toContain('dir="auto"')
  expect(renderToStaticMarkup(<Textarea name="level" defaultValue="כועס" />)).toContain('dir="auto"')
  expect(renderToStaticMarkup(<Textarea mono name="json" defaultValue='{"a": "כועס"}' />)).toContain('dir="ltr"')
})

test("each option of a chart has its own direction", () => {
  const answer = { choice: "החזר", confidence: 0.8, probabilities: { החזר: 0.9, delivery: 0.1 } }
  const chart = prepareBars(["החזר", "delivery"], answer)
  if (!chart) throw new Error("the answer has no chart")
  const html = renderToStaticMarkup(<ChoiceBars name="topic" chart={chart} />)
  expect(html).toMatch(/dir="auto"[^>]*>החזר</)
  expect(html).toMatch(/dir="auto"[^>]*>delivery</)
})
