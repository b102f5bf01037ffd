import { expect, test } from "vitest"
import { moveText } from "./model-forms"

test.each([
  [0, "No account sent the alias in the last 30 days."],
  [1, "This moves 1 account to another model, with its price and its limits. It is listed below the models."],
  [2, "This moves 2 accounts to another model, with its price and its limits. They are listed below the models."],
])("a move of the alias with %i accounts is described in a sentence", (users, text) => {
  expect(moveText(users)).toBe(text)
})
