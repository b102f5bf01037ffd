import { expect, test } from "vitest"
import { pico } from "@/lib/shared/money"
import { type CatalogueModel, MAX_LIMITS, tokenCounting } from "./catalogue"

const MODEL: CatalogueModel = {
  id: "svc-test-1",
  kind: "pinned",
  targetId: null,
  status: "active",
  replacementId: null,
  pricePico: pico(0),
  limits: MAX_LIMITS,
  engine: "system-one",
  addresses: [{ url: "http://127.0.0.1:9", isDraining: false }],
  engineModel: "kev",
  engineBuild: null,
  pinnedFacts: null,
  tokenizer: null,
  promptTemplate: "system-one-3",
  cascade: null,
  createdAt: new Date(0),
  names: [],
  shadow: null,
}

test.each([
  ["lexical", "bytes-4", "exact"],
  ["lexical", null, "exact"],
  ["system-one", "bytes-4", "exact"],
  ["system-one", "engine", "estimated"],
  ["system-one", "engine-prompt", "estimated"],
  ["system-one", "0123456789abcdef", "estimated"],
  ["system-one", null, "estimated"],
] as const)("an estimate for a %s model with tokenizer %s is %s", (engine, tokenizer, expected) => {
  expect(tokenCounting({ ...MODEL, engine, tokenizer })).toBe(expected)
})
