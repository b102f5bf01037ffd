import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { JsonText } from "@/lib/shared/json/text"
import { prepareLevels } from "./level-bars"
import { ScoreBars } from "./score-bars"

const string = (text: string) => new JsonText("string", new TextEncoder().encode(JSON.stringify(text)))

test("each level has its number, its label and its bar in one line, and the mean is on a scale of the levels", () => {
  const answer = { score: 1.5, confidence: 0.5, probabilities: { 0: 0, 1: 0.5, 2: 0.5 } }
  const chart = prepareLevels([string("calm"), string("annoyed"), string("angry")], answer)
  if (!chart) throw new Error("the answer has no chart")
  const html = renderToStaticMarkup(<ScoreBars name="anger" chart={chart} />)
  const lines = html.match(/<li .*?<\/li>/g) ?? []
  expect(
    lines.map((line) =>
      line
        .replace(/<[^>]+>/g, " ")
        .match(/\S+/g)
        ?.join(" "),
    ),
  ).toEqual(["0 calm 0.0% 0", "1 annoyed 50.0% 0.5", "2 angry 50.0% 0.5"])
  expect(lines.map((line) => /<rect width="([^"]+)"/.exec(line)?.[1])).toEqual(["0%", "100%", "100%"])
  expect(html).toContain('aria-label="Mean 1.50, most likely level 1"')
  expect(html).toContain('x="74%"')
})
