import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { DateInput } from "./date-input"

const nothing = () => undefined
const shown = (input: Parameters<typeof DateInput>[0]) =>
  /<span[^>]*aria-hidden[^>]*>([^<]*)</.exec(renderToStaticMarkup(<DateInput {...input} onChange={nothing} />))?.[1]

test("a day and a minute are shown as pages show them", () => {
  expect(shown({ type: "date", value: "2026-11-20" })).toBe("20 Nov 2026")
  expect(shown({ type: "date", defaultValue: "2026-01-02" })).toBe("2 Jan 2026")
  expect(shown({ type: "datetime-local", value: "2026-11-20T15:04" })).toBe("20 Nov 2026, 15:04")
})

test("an empty field names the form of a day", () => {
  expect(shown({ type: "date", value: "" })).toBe("DD Mon YYYY")
  expect(shown({ type: "datetime-local" })).toBe("DD Mon YYYY, hh:mm")
})
