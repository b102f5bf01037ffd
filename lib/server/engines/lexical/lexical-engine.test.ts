import { describe, expect, test } from "vitest"
import { type CheckedQuestion, numbersOf } from "@/questions/question-types"
import { checkedRequest, choice, noul, score } from "@/test/checked-request"
import { LexicalEngine } from "./lexical-engine"

const engine = new LexicalEngine()
const never = new AbortController().signal

async function answer(state: string | object, question: CheckedQuestion) {
  const [raw] = await engine.answer(checkedRequest(state, question), never)
  if (!raw) throw new Error("no answer")
  return raw
}

async function probabilities(state: string | object, question: CheckedQuestion): Promise<number[]> {
  return numbersOf(await answer(state, question))
}

const TEAMS = ["billing", "technical", "shipping", "other"]
const MOODS = ["positive", "negative", "neutral"]

describe("a choice's clear winner", () => {
  test.each<[string, string[], string]>([
    ["I was charged twice for my order last week.", TEAMS, "billing"],
    ["Why is there an extra fee on my invoice?", TEAMS, "billing"],
    ["The app crashes with an error whenever I open it.", TEAMS, "technical"],
    ["Your website shows error 500 since this morning.", TEAMS, "technical"],
    ["My package hasn't arrived yet, where is it?", TEAMS, "shipping"],
    ["The courier says it was delivered but there is no parcel.", TEAMS, "shipping"],
    ["Who painted the ceiling of that chapel?", TEAMS, "other"],
    ["I absolutely love this product, it works great!", MOODS, "positive"],
    ["Terrible service, I am very disappointed.", MOODS, "negative"],
    ["The meeting is on Tuesday in room 4.", MOODS, "neutral"],
    ["This is not good at all.", MOODS, "negative"],
    ["The room was nice but the staff was awful.", MOODS, "negative"],
    ["What a waste of an afternoon.", MOODS, "negative"],
    ["It does not load and does not save.", TEAMS, "technical"],
    ["Please cancel my subscription.", ["cancel", "upgrade", "refund"], "cancel"],
    ["I would like my money back.", ["cancel", "upgrade", "refund"], "refund"],
    ["I forgot my password and cannot log in.", ["account_access", "billing", "feature_request"], "account_access"],
    ["It would be a great improvement to add dark mode.", ["bug_report", "feature_request"], "feature_request"],
    ["You have won a prize! Click here to claim your free money.", ["spam", "not spam"], "spam"],
    ["See you at the meeting on Monday.", ["spam", "ham"], "ham"],
    ["You are a stupid idiot.", ["toxic", "safe"], "toxic"],
    ["Have a nice day, everyone.", ["toxic", "safe"], "safe"],
    ["See the attached file.", ["off topic", "toxic", "safe"], "safe"],
    ["Limited time only: act now and earn $500!", ["invitation", "spam"], "spam"],
    ["The production server is down, fix it immediately!", ["low", "medium", "high"], "high"],
    ["No rush, whenever you have time.", ["low", "medium", "high"], "low"],
    ["An answer today or tomorrow is nice, but take your time.", ["low", "medium", "high"], "low"],
    ["The striker scored twice and the team won the match.", ["sports", "politics", "business"], "sports"],
    ["Parliament voted on the new election law.", ["sports", "politics", "business"], "politics"],
    ["Shares fell after the company reported lower profit.", ["sports", "politics", "business"], "business"],
  ])("%s → %#", async (state, options, winner) => {
    const p = await probabilities(state, choice("q", "Which one?", options))
    expect(options[p.indexOf(Math.max(...p))]).toBe(winner)
  })

  test("descriptions count as well as names", async () => {
    const question = choice("q", null, [
      ["a", "questions about payments and invoices"],
      ["b", "questions about parcels and delivery"],
    ])
    const [a = 0, b = 0] = await probabilities({ subject: "Parcel", text: "Where is my delivery?" }, question)
    expect(b).toBeGreaterThan(a)
  })
})

describe("a yes/no question's clear side", () => {
  test.each<[string, string, boolean]>([
    ["This is outrageous! I am furious about your terrible service.", "Is the customer angry?", true],
    ["Thanks a lot, everything works great now.", "Is the customer angry?", false],
    ["Thanks a lot, everything works great now.", "Is the customer happy?", true],
    ["Thanks a lot, everything works great now.", "Is the customer not happy?", false],
    ["We need this fixed immediately, it is an emergency.", "Is this urgent?", true],
    ["No rush, just wondering about colours.", "Is this urgent?", false],
    ["I was charged twice this month.", "Is this about billing?", true],
    ["The parcel is late again.", "Is this about billing?", false],
    ["I want a refund for my last order.", "Does the customer ask for a refund?", true],
    ["I don't want a refund, just an answer.", "Does the customer ask for a refund?", false],
    ["Reach me at ann@example.org.", "Does it contain an email address?", true],
    ["I will kill you.", "Is there a threat?", true],
    ["What are your opening hours?", "Does the text contain a question?", true],
    ["You idiot, shut up.", "Is the message insulting?", true],
    ["Please cancel my plan today.", "Does the user want to cancel?", true],
    ["Thank you so much!", "Does the writer express gratitude?", true],
    ["Nobody answered for a week. Please refund me.", "Does the customer ask for a refund?", true],
    ["The refund has arrived, thank you.", "Does the customer ask for a refund?", false],
    ["Please do not cancel my plan.", "Does the user want to cancel?", false],
    ["I can't cancel my plan, the button is grey.", "Does the user want to cancel?", true],
    ["I am such an idiot, I forgot my keys.", "Is the message insulting?", false],
    ["YOU HAVE WON!!! Call 09061701461 NOW to claim", "Is this spam?", true],
    ["ＦＲＥＥ ＭＯＮＥＹ, ｃｌｉｃｋ ｈｅｒｅ", "Is this spam?", true],
  ])("%s %s", async (state, instructions, expected) => {
    const [yes = 0] = await probabilities(state, noul("q", instructions))
    expect(yes > 0.5).toBe(expected)
  })

  test("criteria alone decide", async () => {
    const question = noul("q", null, { yes: "about shipping or delivery", no: "about an invoice or payment" })
    expect((await probabilities("My delivery is late.", question))[0]).toBeGreaterThan(0.5)
    expect((await probabilities("The invoice is wrong.", question))[0]).toBeLessThan(0.5)
    const [withoutNo = 0] = await probabilities("The invoice is wrong.", noul("q", null, { yes: "about shipping" }))
    expect((await probabilities("The invoice is wrong.", question))[0]).toBeLessThan(withoutNo)
  })
})

describe("a score's clear end", () => {
  const URGENCY = ["can wait", "this week", "today", "right now"]
  test.each<[string, string, string[], number]>([
    ["Production is down, we need help immediately!", "How urgent is this?", URGENCY, 3],
    ["No rush at all, whenever you have time.", "How urgent is this?", URGENCY, 0],
    ["Production is down, we need help immediately!", "How urgent is this?", URGENCY.toReversed(), 0],
    ["I love it, absolutely fantastic, the best!", "How satisfied?", ["awful", "bad", "okay", "good", "great"], 4],
    ["Horrible, useless, the worst purchase ever.", "How satisfied?", ["awful", "bad", "okay", "good", "great"], 0],
    [
      "I am furious, this is terrible and unacceptable!",
      "How angry is the customer?",
      ["calm", "annoyed", "furious"],
      2,
    ],
  ])("%s %s", async (state, instructions, levels, winner) => {
    const p = await probabilities(state, score("q", instructions, levels))
    expect(p.indexOf(Math.max(...p))).toBe(winner)
  })

  test("without evidence the levels stay nearly even", async () => {
    const p = await probabilities("Blue curtains.", score("q", "How likely is rain?", ["low", "mid", "high"]))
    expect(Math.max(...p) - Math.min(...p)).toBeLessThan(0.2)
  })
})

test("emphasis strengthens a sentiment and never reverses it", async () => {
  const question = choice("q", "Which mood?", MOODS)
  const [calm = 0] = await probabilities("a good day", question)
  const [loud = 0] = await probabilities("a good day!!!", question)
  expect(loud).toBeGreaterThan(calm)
  const [positive = 1, negative = 1, neutral = 0] = await probabilities("TABLE AND CHAIR!!!", question)
  expect(neutral).toBeGreaterThan(Math.max(positive, negative))
})

test("a yes or no probability stays between 0.05 and 0.95", async () => {
  const said = "refund ".repeat(50)
  expect(await probabilities(said, noul("q", "refund"))).toEqual([0.95])
  expect(await probabilities(said, noul("q", "not refund"))).toEqual([expect.closeTo(0.05, 12)])
})

test("a single option or level has probability 1", async () => {
  expect(await probabilities("x", choice("q", null, ["only"]))).toEqual([1])
  expect(await probabilities("x", score("q", null, ["only"]))).toEqual([1])
})

test("the same request gets the same numbers", async () => {
  const question = choice("q", "Which team?", TEAMS)
  const first = await probabilities("I was charged twice", question)
  expect(await new LexicalEngine().answer(checkedRequest("I was charged twice", question), never)).toEqual([
    { type: "choice", probabilities: first },
  ])
})

test("options named like members of Object.prototype get finite probabilities", async () => {
  const p = await probabilities(
    "constructor __proto__ toString",
    choice("q", null, ["constructor", "__proto__", "good"]),
  )
  expect(p.every(Number.isFinite)).toBe(true)
})

test("a token is each started group of 4 UTF-8 bytes of a billed text, counted before the hold", () => {
  // "state" 5 bytes → 2 · "ÄÄÄ" 6 → 2 · "a" 1 → 1 · {"d":1} 7 → 2 · "ööö" 6 → 2 · a missing description → 0
  const request = checkedRequest("state", choice("q", "ÄÄÄ", [["a", { d: 1 }], "ööö"]))
  expect(engine.countTokens(request)).toEqual({ state: 2, questions: [7] })
  expect(engine.maxTokens()).toBeNull()
})

describe("long input", () => {
  const filler = (bytes: number) => "lorem ".repeat(Math.ceil(bytes / 6)).slice(0, bytes)

  test("accepts 262,144 bytes of state and question, and refuses one more without param", async () => {
    const question = noul("q", "12345678")
    await expect(engine.answer(checkedRequest(filler(262_136), question), never)).resolves.toHaveLength(1)
    await expect(engine.answer(checkedRequest(filler(262_137), question), never)).rejects.toMatchObject({
      code: "invalid_request",
      param: undefined,
    })
  })

  test("leaves this thread free while it reads large texts", async () => {
    let turns = 0
    let isOver = false
    const turn = () => {
      turns++
      if (!isOver) setTimeout(turn, 0)
    }
    setTimeout(turn, 0)
    // Several, because the worker may read one before a busy machine runs this thread again.
    const texts = Array.from({ length: 8 }, () => checkedRequest(filler(200_000), noul("q", "refund")))
    await Promise.all(texts.map((text) => engine.answer(text, never)))
    isOver = true
    expect(turns).toBeGreaterThan(5)
  })

  test("a closed engine refuses what waits for its worker", async () => {
    const closing = new LexicalEngine()
    const waiting = closing.answer(checkedRequest(filler(200_000), noul("q", "refund")), never)
    const refused = expect(waiting).rejects.toMatchObject({ code: "model_unavailable" })
    await closing.close()
    await refused
  })

  test("gives the same answers on the worker as here", async () => {
    const questions = [
      choice("a", "Which team?", TEAMS),
      score("b", { ask: "How urgent?" }, ["low", "high"]),
      noul("c", null, { yes: "about shipping", no: "about an invoice" }),
    ]
    const text = "My parcel is late and I was charged twice."
    const small = await engine.answer(checkedRequest(text, ...questions), never)
    const padded = `${text}${" ".repeat(9_000)}`
    expect(await engine.answer(checkedRequest(padded, ...questions), never)).toEqual(small)
  })

  test("yields to other work between questions, and stops when aborted", async () => {
    const abort = new AbortController()
    const questions = Array.from({ length: 16 }, (_, i) => noul(`q${i}`, "Is this about billing?"))
    setImmediate(() => abort.abort(new Error("gone")))
    await expect(engine.answer(checkedRequest(filler(100_000), ...questions), abort.signal)).rejects.toThrow("gone")
  })
})
