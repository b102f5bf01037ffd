import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { checkedRequest, choice, noul, score } from "./checked-request"

const options = (count: number) => Array.from({ length: count }, (_, i) => `option ${i}`)
const levels = (count: number) => Array.from({ length: count }, (_, i) => `level ${i}`)
const MIXED = [
  noul("angry", "Is the customer angry?", { yes: "shouts", no: { tone: "calm" } }),
  choice("10", "Which team?", ["shipping", "10", ["2", { deep: ["description"] }], ["__proto__", "odd"]]),
  score("urgency", { ask: "How urgent?" }, ["low", { level: "mid" }, ["high"]]),
]
const SAME_NAMES = ["Billing", "billing", " BILLING ", "a\nb", " "].map((name, i): [string, string] => [
  name,
  `team ${i}`,
])

/** Thirty requests of all kinds, including some that engines refuse or limit. */
export const REQUESTS: CheckedRequest[] = [
  ...["Charged twice", "", 'say "hi"\\ \n日本 😀', "x".repeat(9_000)].flatMap((text) => [
    checkedRequest(`state ${text}`, ...MIXED),
    checkedRequest({ text, list: [1, "2", null] }, ...MIXED),
    checkedRequest([{ role: "user", content: text }], noul("late", "Is it late?"), score("n", "How late?", levels(10))),
  ]),
  ...[2, 26, 27, 52, 60, 255].map((count) => checkedRequest(`of ${count}`, choice("many", "Which?", options(count)))),
  ...[2, 3, 10].map((count) => checkedRequest("levels", score("s", "How much?", levels(count)))),
  checkedRequest("sixteen", ...Array.from({ length: 16 }, (_, i) => noul(`q${i}`, `Is it ${i}?`))),
  checkedRequest("long ".repeat(2_000), ...Array.from({ length: 16 }, (_, i) => noul(`q${i}`, `Is it ${i}?`))),
  checkedRequest(
    "no instructions",
    noul("a", null, { yes: "y" }),
    choice("b", "", ["x", "y"]),
    score("c", {}, levels(4)),
  ),
  checkedRequest("one answer", choice("only", null, ["one"]), score("flat", null, ["one"]), noul("q", "Is it?")),
  checkedRequest("nothing to ask", choice("only", null, ["one"])),
  checkedRequest("same names", choice("team", "Which team?", SAME_NAMES)),
  checkedRequest("blank descriptions", noul("blank", "Is there anything?", { yes: " ", no: "" })),
  checkedRequest("empty levels", score("s", "How much?", ["", {}, "full"])),
  checkedRequest(
    "two large",
    choice("a", "Which?", options(30)),
    choice("b", "Which?", options(31)),
    noul("c", "Is it?"),
  ),
]
