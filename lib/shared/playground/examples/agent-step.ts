import { asJson, choice, type Example, noul, score } from "./example"

export const AGENT_STEP: Example = {
  id: "agent-step",
  title: "Agent step",
  state: asJson({
    goal: "Move the customer's meeting with Dr. Osei from Tuesday to a day that suits both.",
    history: [
      { tool: "calendar.find", result: "Both are free on Thursday at 10:00 and on Friday at 15:00." },
      { tool: "mail.read", result: "Dr. Osei writes: Thursday works best for me." },
    ],
    proposed: { tool: "calendar.move", arguments: { to: "Thursday 10:00", notify: true } },
  }),
  questions: [
    noul(
      "step_serves_goal",
      "Does the proposed step bring the agent nearer to its goal?",
      "The step follows from what is known and moves towards the goal.",
      "The step repeats, contradicts or leaves the goal.",
    ),
    noul(
      "needs_confirmation",
      "Should a person confirm the proposed step before it is carried out?",
      "It cannot be undone, costs money, or writes to people who were never asked.",
      "It can be undone, or was asked for.",
    ),
    choice("next", "What should the agent do now?", [
      ["act", "Carry out the proposed step."],
      ["look_up", "Find out more before acting."],
      ["ask", "Ask the customer a question."],
      ["stop", "The goal is reached, or cannot be reached."],
    ]),
    score("progress", "How far has the agent come?", ["Not begun.", "Under way.", "One step from the goal.", "Done."]),
  ],
}
