import type { Features } from "./features"

/** Finds one property of a text by its wording, 0 to 1, when a question's text asks for that property. */
export interface Detector {
  kind: "sentiment" | "evidence"
  /** Matches a question, option or level that asks for the property. */
  asked: RegExp
  find(document: Features): number
}

const MOST_MATCHES = 12
const LOOK_BACK = 24
const NEGATION_BEFORE = /(?:\b(?:not|no|never|without|isn't|don't|doesn't|aren't|wasn't|cannot)|n't)\b[^.!?,;:\n]*$/

/** How strongly the patterns of one property speak: each plain match halves the doubt by its weight. */
function evidence(document: Features, patterns: [pattern: RegExp, weight: number][]): number {
  let doubt = 1
  for (const [pattern, weight] of patterns) {
    let matches = 0
    for (const match of document.text.matchAll(pattern)) {
      if (++matches > MOST_MATCHES) break
      const before = document.text.slice(Math.max(0, match.index - LOOK_BACK), match.index)
      if (!NEGATION_BEFORE.test(before)) doubt *= 1 - weight
    }
  }
  return 1 - doubt
}

const URGENT: [RegExp, number][] = [
  [
    /\b(?:urgent(?:ly)?|asap|immediate(?:ly)?|emergency|critical|right (?:now|away)|at once|as soon as possible)\b/g,
    0.75,
  ],
  [/\b(?:deadline|outage|(?:is|are|went|completely) down|losing (?:money|customers)|escalate|blocked)\b/g, 0.6],
  [/\b(?:today|tonight|tomorrow|soon|quickly|hurry|stuck|important|waiting)\b/g, 0.3],
]
const CALM =
  /\b(?:no (?:rush|hurry)|whenever|(?:not|isn't) urgent|when you have (?:time|a moment)|low priority|can wait|take your time|just (?:curious|wondering)|eventually|some ?day)\b/

const INSULTS =
  /\b(?:idiots?|idiotic|stupid|morons?|dumb|losers?|pathetic|fools?|trash|imbeciles?|jerks?|scum|worthless|bastards?|bitch|asshole|fuck\w{0,8}|shit\w{0,6}|shut up)\b/g
const THREATS =
  /\b(?:kill|hurt|destroy|murder|shoot|stab|beat|burn|attack) (?:you|him|her|them|your|all|everyone|the)\b|\b(?:bomb|you(?:'ll| will) (?:regret|pay)|watch your back|i know where you live|come after you|find you)\b/g
const SPAM: [RegExp, number][] = [
  [
    /\b(?:click (?:here|this|the link|below)|claim (?:your|it|now)|you(?:'ve| have)? (?:won|been selected)|act now|limited[- ]time|free money|lottery|viagra|casino|work from home|100% free|risk[- ]free|buy followers)\b/g,
    0.6,
  ],
  [/\b(?:winner|prize|congratulations|guaranteed|crypto|bitcoin|cheap|discount|offer|earn|subscribe)\b|\$\d/g, 0.25],
]
const PERSONAL: [RegExp, number][] = [
  [/[\w.+-]{1,64}@[\w-]{1,63}\.\w/g, 0.9],
  [/\b\d{3}-\d{2}-\d{4}\b|\b(?:\d{4}[ -]?){3}\d{4}\b/g, 0.95],
  [/(?:\+|\b)\d{1,3}[ .-]?\(?\d{2,4}\)?[ .-]\d{3,4}[ .-]?\d{2,4}\b/g, 0.85],
  [
    /\b\d{1,5} [a-z]{2,20} (?:street|st|avenue|ave|road|rd|lane|drive)\b|\b(?:ssn|passport number|date of birth)\b/g,
    0.7,
  ],
]
const QUESTION: [RegExp, number][] = [
  [/\?/g, 0.85],
  [/(?:^|[.!\n] ?)(?:how|what|when|where|why|who|which|can|could|do|does|is|are) /g, 0.5],
]
const THANKS = /\b(?:thanks?|thank you|thx|grateful|appreciate\w{0,2}|cheers)\b/g

export const URGENCY: Detector = {
  kind: "evidence",
  asked: /\b(?:urgen\w*|priorit\w*|asap|immediate\w*|time[- ]sensitive|how soon|emergency|critical)\b/,
  find: (document) => {
    const found = 1 - 0.88 * (1 - evidence(document, URGENT))
    return CALM.test(document.text) ? found * 0.2 : found
  },
}

export const NEGATIVE: Detector = {
  kind: "sentiment",
  asked:
    /\b(?:angr\w*|anger|upset|mad|furious|annoy\w*|frustrat\w*|unhappy|dissatisf\w*|unsatisf\w*|negative\w*|complain\w*|disappoint\w*|irritat\w*|bad|hate\w*|sad)\b/,
  find: (document) => 0.5 - document.sentiment / 2,
}

export const POSITIVE: Detector = {
  kind: "sentiment",
  asked:
    /\b(?:happ(?:y|iness)|satisf\w*|positive\w*|pleased|glad|delighted|prais\w*|enjoy\w*|recommend\w*|lik(?:e|es|ed)|lov(?:e|es|ed)|good|great|excellent)\b/,
  find: (document) => 0.5 + document.sentiment / 2,
}

export const HARM: Detector[] = [
  {
    kind: "evidence",
    asked: /\b(?:toxic\w*|insult\w*|abus\w*|offensive|hate speech|harass\w*|profan\w*|rude|swear\w*|hostile)\b/,
    find: (document) => evidence(document, [[INSULTS, 0.75]]),
  },
  {
    kind: "evidence",
    asked: /\b(?:threat\w*|violen\w*|danger\w*)\b/,
    find: (document) => evidence(document, [[THREATS, 0.8]]),
  },
  { kind: "evidence", asked: /\b(?:spam\w*|phish\w*|scam\w*|junk)\b/, find: (document) => evidence(document, SPAM) },
]

export const DETECTORS: Detector[] = [
  URGENCY,
  NEGATIVE,
  POSITIVE,
  ...HARM,
  {
    kind: "evidence",
    asked:
      /\b(?:pii|personal (?:data|information|details)|e-?mail address|phone number|credit card number|contact details|ssn)\b/,
    find: (document) => evidence(document, PERSONAL),
  },
  { kind: "evidence", asked: /\b(?:questions?|inquiry|enquiry)\b/, find: (document) => evidence(document, QUESTION) },
  {
    kind: "evidence",
    asked: /\b(?:thank\w*|gratitude|grateful|appreciat\w*)\b/,
    find: (document) => evidence(document, [[THANKS, 0.8]]),
  },
]
