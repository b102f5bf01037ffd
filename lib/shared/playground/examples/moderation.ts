import { asText } from "../words"
import { choice, type Example, noul, score } from "./example"

export const MODERATION: Example = {
  id: "moderation",
  title: "Moderation",
  state: asText(
    'Comment under a product review:\n\n"Only an idiot would give this blender five stars. Write me on CheapKitchenDeals and I\'ll sell you the same one for half the price."',
  ),
  questions: [
    noul(
      "insults_someone",
      "Does the comment insult a person or a group?",
      "Somebody is called names, mocked or belittled.",
      "The comment criticises a product or an opinion, or nothing at all.",
    ),
    noul(
      "is_advertising",
      "Does the comment advertise something for sale elsewhere?",
      "It offers or recommends to buy somewhere else.",
      "It sells nothing.",
    ),
    choice("action", "What should happen to the comment?", [
      ["publish", "Within the rules: leave it as it is."],
      ["hide", "Breaks the rules mildly: hide it until its author changes it."],
      ["remove", "Spam, threats or hatred: remove it."],
      ["ask_a_person", "None of these is clear."],
    ]),
    score("harm", "How much harm would publishing it do?", [
      "None.",
      "Annoys some readers.",
      "Hurts or misleads somebody.",
      "Puts somebody in danger.",
    ]),
  ],
}
