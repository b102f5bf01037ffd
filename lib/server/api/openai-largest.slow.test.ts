import { expect, it } from "vitest"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"

const service = await testService()

// The keyword scorer compares each choice with the whole input.
it("OpenAI's clients get the answers of 128 questions of 255 described choices about 300 messages", async () => {
  const { token } = await insertFastKey(1_000_000_000_000_000n)
  const choices = Array.from({ length: 255 }, (_, i) => ({ value: `v${i}`, description: `d${i}` }))
  const questions = Array(128).fill({ type: "choice", instructions: "Which?", choices })
  const input = Array.from({ length: 300 }, () => ({ role: "user", content: [{ type: "input_text", text: "x" }] }))
  const response = await fetch(`${service.url}/openai/v1/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: "gpt-6-luna", input, questions }),
  })
  const { answers } = (await response.json()) as { answers: { probabilities: unknown[] }[] }
  expect([response.status, answers.length, answers[127]?.probabilities.length]).toEqual([200, 128, 255])
})
